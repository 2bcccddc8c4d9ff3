"""``mtref rules``, and the options by which every command takes a rule set."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml
from click.testing import CliRunner, Result

from mtref.cli.options import resolve_rules, rules_options
from mtref.cli.rules import command
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleoptions import OPTIONS
from mtref_sdk.ruleset import PRESET_NAMES, RuleSet, preset


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def refusal(*arguments: str) -> str:
    with pytest.raises(ConfigError) as caught:
        CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def mtref(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = "from mtref.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def test_the_list_has_a_line_for_every_preset() -> None:
    lines = run().splitlines()
    assert [line.split()[0] for line in lines] == ["preset", *PRESET_NAMES]
    holder = next(line for line in lines if line.startswith("cubano-holder"))
    assert "cubano with engine highest_held, starter engine_layer" in holder


def test_the_list_as_json_and_as_yaml() -> None:
    told = json.loads(run("--json"))
    assert [entry["name"] for entry in told["presets"]] == list(PRESET_NAMES)
    no_cover = next(entry for entry in told["presets"] if entry["name"] == "cubano-no-cover")
    assert no_cover["variant_of"] == "cubano"
    assert no_cover["changes"] == {"follow_up": "optional", "lock": "none"}
    listed = run("--yaml")
    assert yaml.safe_load(listed) == told
    assert "&id" not in listed


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_one_preset_is_printed_whole_with_its_sources(name: str) -> None:
    head, titles, *lines = run(name).splitlines()
    assert head.startswith(f"{name}: ")
    assert titles.split() == ["option", "value", "from", "why"]
    assert [line.split()[0] for line in lines] == list(OPTIONS)
    assert all("document 00" in line or "our reading" in line for line in lines)


def test_values_are_written_for_reading() -> None:
    text = run("playboard")
    assert "16 (2), 15 (3-4)" in text
    assert "leave_per_seat 2" in run("cubano")


@pytest.mark.parametrize("name", PRESET_NAMES)
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_what_is_printed_can_be_used_as_a_rules_file(name: str, form: str, tmp_path: Path) -> None:
    file = tmp_path / f"rules.{form}"
    file.write_text(run(name, f"--{form}"), "utf-8")
    assert resolve_rules(str(file), {}) == preset(name)


def test_json_is_one_line_with_every_option_and_its_source() -> None:
    text = run("playboard", "--json")
    assert text.count("\n") == 1
    told = json.loads(text)
    assert list(told) == ["preset", *OPTIONS, "sources"]
    assert told["sources"]["failed_draw_opens"]["source"] == "our reading"
    assert told["sources"]["lock"]["source"] == "document 000"
    assert told["sources"]["lock"]["reason"]


def test_yaml_has_the_source_of_each_value_beside_it() -> None:
    lines = run("traditional", "--yaml").splitlines()
    assert lines[0] == "preset: traditional"
    assert all("  # document 004: " in line or "  # our reading: " in line for line in lines[1:])


def test_overrides_are_shown_as_given() -> None:
    text = run("cubano", "--rule", "tile_set=12", "--rule", "rounds=all")
    assert "overridden: tile_set, rounds" in text
    told = json.loads(run("cubano", "--rule", "tile_set=12", "--rule", "rounds=all", "--json"))
    assert (told["tile_set"], told["rounds"]) == (12, 13)
    assert told["sources"]["rounds"] == {"source": "given", "reason": "cubano has 10"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["playbord"], "preset: there is no preset 'playbord'; did you mean playboard? allowed: playboard,"),
        (["playboard", "--rule", "lock=maybe"], "lock: 'maybe' is not allowed; allowed: table or none"),
        (["playboard", "--rule", "lok=none"], "lok: there is no such option; did you mean lock?"),
        (["playboard", "--rule", "lock"], "--rule: cannot read 'lock'; write KEY=VALUE"),
        (["playboard", "--rule", "=none"], "--rule: cannot read '=none'"),
        (["playboard", "--rule", "lock=table", "--rule", "lock=none"], "lock: is given twice"),
        (["--rule", "lock=none"], "--rule: needs the name of a rule set"),
        (["playboard", "--rule", "hand=40"], "hand: 3 hands of 40 need 120 tiles"),
        (["./nothing"], "nothing: cannot be read: No such file or directory"),
    ],
)
def test_mistakes_are_one_line_that_says_what_is_allowed(arguments: list[str], message: str) -> None:
    assert refusal(*arguments).startswith(message)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", "preset: playboard\nrounds: 14\n", "a.yaml:2: rounds: 14 rounds need"),
        ("a.yaml", "preset: playboard\n\nlok: none\n", "a.yaml:3: lok: there is no such option"),
        ("a.yaml", "preset: playbord\n", "a.yaml:1: preset: there is no preset"),
        ("a.yaml", "preset: playboard\nlock: none\nlock: table\n", "a.yaml:3: lock: is given twice"),
        ("a.yaml", "preset: playboard\nhand: {2: 9, 3: 9, 3: 8}\n", "a.yaml:2: hand: 3 is given twice"),
        ("a.yaml", "preset: playboard\nhand: [\n", "a.yaml:3: not YAML: "),
        ("a.yaml", "playboard\n", "a.yaml: a rule set is a mapping"),
        ("a.yaml", "", "a.yaml: a rule set is a mapping"),
        ("a.yaml", "preset: !!python/name:os.system\n", "a.yaml:1: not YAML: "),
        ("a.yaml", "? [1, 2]\n: 3\n", "a.yaml:1: not YAML: found unhashable key"),
        ("a.yaml", "lock: none\n", "a.yaml: tile_set: missing"),
        ("a.json", '{"preset": "playboard",\n "rounds": }', "a.json:2: not JSON: Expecting value"),
        ("a.json", '{"preset": "playboard", "preset": "cubano"}', "a.json: preset: is given twice"),
        ("a.json", '{"preset": "playboard", "rounds": "4"}', "a.json: rounds: '4' is not allowed"),
        ("a.json", "[" * 100_000, "a.json: not a rule set: nested too deeply"),
        ("a.yaml", "[" * 5_000, "a.yaml: not a rule set: nested too deeply"),
    ],
)
def test_mistakes_in_a_file_name_the_file_and_the_line(
    name: str, text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text, "utf-8")
    assert refusal(name).startswith(message)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    assert refusal(str(file)).endswith("is not UTF-8 text")
    assert "Is a directory" in refusal(f"{tmp_path}/")


def test_a_file_may_have_any_name_and_a_preset_goes_before_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("house").write_text("{preset: cubano, double_blank: 25}", "utf-8")
    Path("playboard").write_text("{preset: cubano}", "utf-8")
    assert resolve_rules("house", {"rounds": "2"}).to_mapping() == {
        **preset("cubano").to_mapping(),
        "double_blank": 25,
        "rounds": 2,
    }
    assert resolve_rules("playboard", {}) == preset("playboard")


@click.command()
@click.option("--loud", is_flag=True)
@rules_options
def example(rules: RuleSet, *, loud: bool) -> None:
    """A command that takes a rule set."""
    click.echo(f"{rules.name} {rules.double_blank} {loud}")


def example_run(*arguments: str) -> Result:
    return CliRunner().invoke(example, list(arguments))


def test_any_command_can_take_a_rule_set() -> None:
    assert example_run().output == "playboard 0 False\n"
    told = example_run("--rules", "cubano", "--rule", "double_blank=50", "--loud").output
    assert told == "cubano 50 True\n"
    assert isinstance(example_run("--rules", "nobody").exception, ConfigError)


def test_the_program_ends_with_2_after_a_mistake_and_prints_one_line() -> None:
    done = mtref("rules", "playboard", "--rule", "double_blank=101")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "mtref: double_blank: 101 is not allowed; allowed: 0 to 100\n"


def test_a_presets_name_needs_neither_yaml_nor_grpc() -> None:
    code = (
        "import sys; from mtref.cli.main import command; command.main(['rules', 'cubano', '--json'], standalone_mode=False);"
        "print([name for name in ('yaml', 'grpc', 'rich') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"
