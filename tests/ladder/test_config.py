from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mtref.ladder.configfile import BATCH, load_config
from mtref.match.fault import FaultKind, Treatment
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import preset
from tests.ladder.ladders import BASE, config_of


def test_only_four_keys_are_needed() -> None:
    config = config_of(BASE)
    assert config.name == "test"
    assert config.rules == preset("playboard").with_overrides({"rounds": 1})
    assert [bot.name for bot in config.bots] == ["a", "b"]
    assert (config.format.kind, config.deals, config.rotation) == ("round-robin", 1, "rotations")
    assert (config.concurrency, config.reuse, config.same_author, config.seed) == (1, 1, False, None)
    assert config.pin is False
    assert config.faults.name == "lenient" and config.sandbox == "auto"
    assert config.state == Path("/nowhere/ladder-state")


def test_every_key_is_read() -> None:
    config = config_of(
        BASE
        + "format: {swiss: {stages: 4}}\ndeals: 7\nrotation: random\nclock: {move_ms: 50, startup_ms: 9}\n"
        "faults: {strikes: 2, timeout: forfeit}\nskip_forced: true\nsandbox: bwrap\nconcurrency: 3\nreuse: true\n"
        "pin: true\nsame_author: true\nseed: x\nstate: here/it\n"
    )
    assert (config.format.kind, config.format.stages, config.deals) == ("swiss", 4, 7)
    assert (config.clock.move_ms, config.clock.startup_ms, config.clock.bank_ms) == (50, 9, 10_000)
    assert config.faults.strikes == 2
    assert config.faults.treatment(FaultKind.TIMEOUT) is Treatment.FORFEIT
    assert (config.rotation, config.sandbox, config.concurrency, config.reuse) == (
        "random",
        "bwrap",
        3,
        BATCH,
    )
    assert config.skip_forced and config.same_author and config.pin and config.seed == "x"
    assert config.state == Path("/nowhere/here/it")


def test_a_bot_that_has_no_time_to_get_ready_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"clock\.startup_ms: must be a number from 1 to 1000000000, not 0"):
        config_of(BASE + "clock: {move_ms: 0, startup_ms: 0}\n")


def test_the_clock_can_be_off() -> None:
    assert not config_of(BASE + "clock: none\n").clock.enabled


def test_a_python_bot_is_started_with_this_python_and_named_after_its_file() -> None:
    config = config_of(
        "name: t\nrules: playboard\nseats: 2\nbots: [{file: x/one.py}, {file: x/two.py, name: zwei}]"
    )
    assert config.bots[0].argv == (sys.executable, "/nowhere/x/one.py")
    assert [bot.name for bot in config.bots] == ["one", "zwei"]


def test_files_in_a_command_are_found_from_the_folder_of_the_ladder_file(tmp_path: Path) -> None:
    (tmp_path / "bot.js").write_text("1")
    config = config_of(BASE.replace("./a", "node --x bot.js"), tmp_path)
    assert config.bots[0].argv == ("node", "--x", str(tmp_path / "bot.js"))
    assert config.bots[0].files == (tmp_path / "bot.js",)


def test_what_a_bot_is_does_not_depend_on_where_it_lies_but_on_content_and_environment(
    tmp_path: Path,
) -> None:
    text = "name: t\nrules: playboard\nseats: 2\nbots: [{file: one.py}, {file: two.py, env: {LEVEL: 3}}]"
    contents = []
    for folder, body in (("x", "1"), ("y", "1"), ("z", "2")):
        (tmp_path / folder).mkdir()
        for name in ("one.py", "two.py"):
            (tmp_path / folder / name).write_text(body)
        contents.append([bot.content() for bot in config_of(text, tmp_path / folder).bots])
    assert contents[0] == contents[1]
    assert contents[0][0] != contents[0][1]
    assert not {*contents[0]} & {*contents[2]}


def test_a_bot_file_that_is_missing_is_named_with_its_line() -> None:
    bot = config_of(
        "name: t\nrules: playboard\nseats: 2\nbots:\n  - {file: one.py}\n  - {file: two.py}\n"
    ).bots[1]
    with pytest.raises(ConfigError, match=r"ladder.yaml:6: /nowhere/two.py: cannot be read"):
        bot.content()


def _bomb() -> str:
    """A text of 13 lines that stands for 10 ** 12 values."""
    lines = [f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)]
    return "name:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ladder.yaml: is empty"),
        ("- 1\n", "ladder.yaml:1: must be a mapping, not a list"),
        ("name: [\n", "ladder.yaml:2: not YAML"),
        (
            BASE + "deels: 3\n",
            "ladder.yaml:7: deels: there is no such key; did you mean deals? allowed: name, ",
        ),
        (BASE + "deals: 3\ndeals: 4\n", "ladder.yaml:8: deals: is given twice"),
        (BASE + "deals: 0\n", "ladder.yaml:7: deals: must be a whole number from 1 to 1000000, not 0"),
        (BASE + "deals: '3'\n", "deals: must be a whole number from 1 to 1000000, not '3'"),
        (BASE + "deals: true\n", "deals: must be a whole number"),
        (
            BASE.replace("seats: 2", "seats: 3"),
            "ladder.yaml:3: seats: a table of 3 needs as many bots, and there are 2",
        ),
        (
            BASE.replace("seats: 2", "seats: 9"),
            "ladder.yaml:3: seats: 9 seats are not allowed; allowed: 2 to 4",
        ),
        (BASE.replace("seats: 2\n", ""), "ladder.yaml:1: the key seats is missing"),
        (
            BASE.replace("name: test", "name: 3"),
            "ladder.yaml:1: name: must be a text, not the number 3; quote it",
        ),
        (
            BASE.replace("rounds: 1", "rouns: 1"),
            "ladder.yaml:2: rules.rouns: there is no such option; did you mean rounds?",
        ),
        (BASE.replace("rounds: 1", "rounds: 99"), "ladder.yaml:2: rules.rounds: "),
        (
            BASE.replace("{preset: playboard, rounds: 1}", "playbord"),
            "ladder.yaml:2: rules: there is no preset 'playbord'; did you",
        ),
        (
            BASE + "clock: {move: 3}\n",
            "ladder.yaml:7: clock.move: there is no such key; did you mean move_ms?",
        ),
        (BASE + "clock: {move_ms: -1}\n", "clock.move_ms: must be a number from 0 to 1000000000, not -1"),
        (
            BASE + "clock:\n  move_ms: .nan\n",
            "ladder.yaml:8: clock.move_ms: must be a number from 0 to 1000000000, not '.nan'",
        ),
        (BASE + "faults: mild\n", "ladder.yaml:7: faults: no such policy: mild; one of lenient, strict"),
        (
            BASE + "faults:\n  timeout: ignore\n",
            "ladder.yaml:8: faults.timeout: must be one of counted, strike, forfeit",
        ),
        (BASE + "faults:\n  tmeout: strike\n", "ladder.yaml:8: faults.tmeout: no such fault"),
        (
            BASE + "format: league\n",
            "ladder.yaml:7: format: must be one of round-robin, gauntlet, swiss, not 'league'",
        ),
        (
            BASE + "format: gauntlet\n",
            "format: a gauntlet needs its one bot; write {gauntlet: {challenger: NAME}}",
        ),
        (
            BASE + "format: {gauntlet: {challenger: c}}\n",
            "format.gauntlet.challenger: must be one of a, b, not 'c'",
        ),
        (BASE + "format: swiss\n", "format: a swiss ladder needs its number of pairings"),
        (BASE + "format: {round-robin: {}}\n", "format: round-robin has no settings"),
        (BASE + "rotation: all\n", "rotation: must be one of rotations, random, not 'all'"),
        (BASE + "reuse: 0\n", "reuse: must be a whole number from 1 to 256, not 0"),
        (BASE + "skip_forced: 1\n", "skip_forced: must be true or false, not the number 1"),
        (BASE + "pin: 1\n", "ladder.yaml:7: pin: must be true or false, not the number 1"),
        (BASE + "journal: mysql://x/y\n", "ladder.yaml:7: journal: must be the URL of a PostgreSQL database"),
        (BASE.replace("name: b}", "name: a}"), "ladder.yaml:6: bots[2]: there are two bots called a"),
        (
            BASE.replace("name: b}", "nam: b}"),
            "ladder.yaml:6: bots[2].nam: there is no such key; did you mean name?",
        ),
        (BASE.replace("name: b}", "name: a/b}"), "bots[2].name: 'a/b' cannot be a name"),
        (BASE.replace('command: "./b"', "file: b.txt"), "bots[2].file: must be a Python file (.py)"),
        (BASE.replace('command: "./b"', 'command: "./b \'"'), "bots[2].command: cannot be read as a command"),
        (BASE.replace('command: "./b", ', ""), "bots[2]: needs either file or command, or submitted"),
        (BASE + "  - {submitted: c}\n", "ladder.yaml:7: bots[3]: needs the author who is to hand it in"),
        (BASE + "  - {submitted: a, author: ann}\n", "bots[3]: there are two bots called a"),
        (BASE + "  - {submitted: a@1, author: ann}\n", "bots[3].submitted: 'a@1' cannot be a name"),
        (BASE + "  - {submitted: c, author: ann, file: c.py}\n", "bots[3].file: there is no such key"),
        (
            BASE + "submissions: {files: 0}\n",
            "submissions.files: must be a whole number from 1 to 100000, not 0",
        ),
        (BASE + "submissions: {size: 1}\n", "submissions.size: there is no such key"),
        (
            BASE.replace("name: b}", "env: {MTREF_TOKEN: x}}"),
            "bots[2].env.MTREF_TOKEN: variables that begin with MTREF_",
        ),
        (BASE.replace("name: b}", "env: {X: true}}"), "bots[2].env.X: must be a text; quote it"),
        (
            "name: t\nrules: playboard\nseats: 2\nbots: [{file: a.py}]",
            "ladder.yaml:4: bots: a ladder needs two bots or more",
        ),
        (
            BASE + "  - {command: sh, name: c, env: {LD_PRELOAD: x.so}}\n",
            "ladder.yaml:7: bots[3].env.LD_PRELOAD: variables of the loader cannot be set here",
        ),
        ("a: &x [*x]\n", "nested too deeply"),
        (_bomb(), "ladder.yaml:2: holds too much; allowed: 100000 values"),
        (BASE + "#" * (1 << 20), "ladder.yaml: is too long; allowed: 1048576 characters"),
        ("name: t\nrules: \0\n", "ladder.yaml:2: not YAML: holds the character '\\x00'"),
        (BASE + "deals: !!int x\n", "ladder.yaml:7: deals: is not what it looks like; quote it"),
        (BASE + "skip_forced: !!bool x\n", "ladder.yaml:7: skip_forced: is not what it looks like"),
        (BASE + "state: 2026-13-13\n", "ladder.yaml:7: state: is not what it looks like; quote it"),
        (BASE + f"deals: 0x{'f' * 9000}\n", "ladder.yaml:7: deals: is not what it looks like; quote it"),
        (BASE + "deals: 1:30\n", "deals: must be a whole number from 1 to 1000000, not '1:30'"),
        (BASE + "deals: 010\n", "deals: must be a whole number from 1 to 1000000, not '010'"),
        (BASE + "deals: 1_000\n", "deals: must be a whole number from 1 to 1000000, not '1_000'"),
        (
            BASE + "clock: {bank_ms: .inf}\n",
            "clock.bank_ms: must be a number from 0 to 1000000000, not '.inf'",
        ),
        (BASE + "rotation: no\n", "rotation: must be one of rotations, random, not false"),
        (BASE + 'state: "a\\0b"\n', "ladder.yaml:7: state: 'a\\x00b' is no text"),
        (BASE + 'seed: "\\ud800"\n', "ladder.yaml:7: seed: '\\ud800' is no text"),
        (
            BASE + "clock: {move_ms: 1.0e+30}\n",
            "clock.move_ms: must be a number from 0 to 1000000000, not 1e+30",
        ),
        (
            BASE + "  - {command: '', name: c}\n",
            "ladder.yaml:7: bots[3].command: must not be empty",
        ),
    ],
)
def test_a_mistake_is_named_with_line_and_key(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_are_kept_for_bots_that_are_to_be_handed_in() -> None:
    config = config_of(
        BASE + "  - {submitted: c, author: ann}\nsubmissions: {files: 5, deals: 7, per_hour: 2}\n"
    )
    assert config.expected == {"c": "ann"} and [bot.name for bot in config.bots] == ["a", "b"]
    assert (config.submissions.limits.files, config.submissions.deals, config.submissions.per_hour) == (
        5,
        7,
        2,
    )
    assert config.submissions.limits.ratio == 100 and config_of(BASE).submissions.deals is None


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nothing.yaml: cannot be read: No such file"):
        load_config(tmp_path / "nothing.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"name: \xe9")
    with pytest.raises(ConfigError, match=r"latin.yaml: is not UTF-8 text"):
        load_config(tmp_path / "latin.yaml")


def test_what_is_no_plain_number_is_the_text_that_stands_there() -> None:
    text = BASE.replace("name: a}", "name: a, env: {A: 010, B: 1:30, C: 1.50, D: 2026-01-01}}")
    config = config_of(text + "seed: 1:30\n")
    assert config.seed == "1:30"
    assert dict(config.bots[0].env) == {"A": "010", "B": "1:30", "C": "1.50", "D": "2026-01-01"}
