"""`mtref ladder` as a user meets it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from mtref.cli.ladder import command
from mtref.ladder.configfile import KEYS, load_config, parse_config
from mtref.ladder.template import template
from mtref_sdk.errors import ConfigError
from tests.ladder.bench import TEXT, Bench
from tests.ladder.journals import not_played

HEADS = "bot games place score rating wins forfeits faults ms a move longest"


def ladder(*arguments: str | Path) -> Result:
    """The result of a command that has to succeed."""
    done = CliRunner().invoke(command, [str(part) for part in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip()]


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The file of a ladder that was played to the end."""
    bench = Bench(tmp_path)
    path = tmp_path / "ladder.yaml"
    path.write_text(TEXT)
    bench.run()
    bench.journal.close()
    return path


def test_a_written_file_explains_every_key_and_says_what_is_the_default() -> None:
    text = template([])
    config = parse_config(text, Path("/x/ladder.yaml"))
    named = {line.removeprefix("# ").partition(":")[0] for line in text.splitlines()}
    assert set(KEYS) - {"journal"} <= named
    small = parse_config(
        "name: my-ladder\nrules: playboard\nseats: 2\nbots: [{command: a}, {command: b}]", Path("/x/y.yaml")
    )
    for key in (
        "format",
        "rotation",
        "clock",
        "faults",
        "skip_forced",
        "sandbox",
        "concurrency",
        "pin",
        "reuse",
        "same_author",
        "seed",
    ):
        assert getattr(config, key) == getattr(small, key), key


def test_init_writes_a_file_for_the_bots_it_is_given_and_overwrites_none(tmp_path: Path) -> None:
    bots = [tmp_path / "bots" / "one.py", tmp_path / "two: odd.py", tmp_path / "one.py"]
    bots[0].parent.mkdir()
    for bot in bots:
        bot.touch()
    ladder("init", tmp_path / "sub.yaml", *bots)
    written = load_config(tmp_path / "sub.yaml").bots
    assert [bot.files for bot in written] == [(bot,) for bot in bots]
    assert [bot.name for bot in written] == ["one", "two__odd", "one-2"]
    with pytest.raises(ConfigError, match="exists already"):
        ladder("init", tmp_path / "sub.yaml")


def test_the_plan_lists_every_game_in_order_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ladder.yaml"
    path.write_text(TEXT)
    lines = ladder("plan", path).output.splitlines()
    assert lines[:2] == [
        "test: round-robin, 4 bots, 2 at a table, rules cubano",
        "36 games: 6 tables x 3 deals x 2 rotations",
    ]
    assert lines[2].startswith("about ") and "if bots answer at once" in lines[2]
    assert lines[3].split() == ["1", "deal", "1", "first,", "last"]
    assert len(lines) == 3 + 36
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["ladder.yaml"]


@pytest.mark.parametrize(
    ("settings", "counted", "note"),
    [
        (
            "rotation: random",
            "18 games: 6 tables x 3 deals, seats dealt out",
            "who sits where is drawn when the ladder begins",
        ),
        ("format: {gauntlet: {challenger: last}}", "18 games: 3 tables x 3 deals x 2 rotations", ""),
        (
            "format: {swiss: {stages: 2}}",
            "24 games: 2 tables x 3 deals x 2 rotations x 2 stages",
            "the first stage (later",
        ),
        ("concurrency: 2", "36 games: 6 tables x 3 deals x 2 rotations", "2 at a time"),
        (
            "rotation: random\nformat: {gauntlet: {challenger: last}}",
            "9 games: 3 tables x 3 deals, seats dealt out",
            "",
        ),
        ("same_author: true\nskip_forced: true", "36 games: 6 tables", ""),
    ],
)
def test_each_setting_changes_the_plan_as_it_says_and_nothing_else(
    tmp_path: Path, settings: str, counted: str, note: str
) -> None:
    path = tmp_path / "ladder.yaml"
    path.write_text(TEXT.replace("seed: repeatable\n", "") + settings + "\n")
    output = ladder("plan", path).output
    assert counted in output and note in output
    plan = json.loads(ladder("plan", path, "--json").output)
    listed = 12 if "swiss" in settings else plan["games"]
    assert len(plan["plan"]) == listed
    assert {entry["deal"] for entry in plan["plan"]} == {1, 2, 3}
    assert all(len(set(entry["bots"])) == 2 for entry in plan["plan"])


def test_after_a_run_the_plan_says_what_is_over_and_how_long_games_took(played: Path) -> None:
    lines = ladder("plan", played).output.splitlines()
    assert lines[2] == "36 are played, 0 given up, 0 left"
    assert lines[3] == "about 0.0 s (measured: 0.10 s a game)"
    assert all(line.endswith("  played") for line in lines[4:])
    plan = json.loads(ladder("plan", played, "--json", "--summary").output)
    assert (plan["played"], plan["measured"]) == (36, True) and "plan" not in plan


def test_standings_are_a_table_with_notes_or_an_object(played: Path) -> None:
    heads, *rows = words(ladder("standings", played).output)
    assert " ".join(heads) == HEADS
    assert {row[1] for row in rows[:4]} == {"first", "first2", "first3", "last"}
    assert all(row[2] == "18" for row in rows[:4])
    plain = json.loads(ladder("standings", played, "--json").output)
    assert [row["bot"] for row in plain["rows"]] == [row[1] for row in rows[:4]]
    assert plain["selftest"]["discrepancies"] == [] and plain["selftest"]["compared"] > 0
    assert (plain["games"], plain["order_by"], plain["conflicts"], plain["not_played"]) == (
        36,
        "score",
        [],
        [],
    )


def test_the_crosstable_and_the_comparison_agree(played: Path) -> None:
    heads, *rows = words(ladder("crosstable", played).output)
    assert sorted(heads) == ["first", "first2", "first3", "last"]
    assert [row[0] for row in rows] == heads
    cells = json.loads(ladder("crosstable", played, "--json").output)["cells"]
    one = next(cell for cell in cells if (cell["bot"], cell["against"]) == ("first", "last"))
    compared = json.loads(ladder("head-to-head", "first", "last", "--ladder", played, "--json").output)
    assert compared == one
    text = ladder("head-to-head", "first", "last", "--ladder", played).output
    assert text.startswith("first against last: 6 games on 3 deals\n")


@pytest.mark.parametrize(
    "arguments", [["standings"], ["crosstable"], ["head-to-head", "first", "last", "--ladder"]]
)
def test_every_table_is_the_same_when_it_is_recomputed(played: Path, arguments: list[str]) -> None:
    for options in ([], ["--json"]):
        found = [ladder(*arguments, played, *options, *more).stdout for more in ([], ["--recompute"])]
        assert found[0] == found[1]


def test_history_lists_every_game_with_its_log(played: Path) -> None:
    lines = ladder("history", "last", "--ladder", played).output.splitlines()
    assert len(lines) == 18
    assert all("last " in line and Path(line.split()[-1]).is_file() for line in lines)
    assert len(json.loads(ladder("history", "last", "--ladder", played, "--json").output)["games"]) == 18


def test_errors_say_that_nothing_went_wrong_or_what_did(played: Path) -> None:
    assert ladder("errors", "--ladder", played).output == "nothing went wrong\n"
    bench = Bench(played.parent)
    bench.journal.add_not_played(not_played(1, 1, "first did not start\nTraceback\x1b[31m"))
    bench.journal.close()
    output = ladder("errors", "--ladder", played).output
    assert "a: not played (attempt 1 of 3), deal 1, a, b:" in output
    assert "    Traceback\\x1b[31m" in output, "what bots print is shown, and harmless"


def test_export_has_a_line_for_each_seat_or_everything(played: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(ladder("export", played, "--csv").output)))
    assert len(rows) == 72 and {row["bot"] for row in rows} == {"first", "first2", "first3", "last"}
    plain = json.loads(ladder("export", played, "--json").output)
    assert plain["contract"]["rules"]["preset"] == "cubano"
    assert len(plain["games"]) == 36 and all(deal["seed"] for deal in plain["deals"])
    done = CliRunner().invoke(command, ["export", str(played)])
    assert done.exit_code == 2 and "say one of --csv, --json and --html DIR" in done.output


def test_a_bot_that_takes_no_part_and_a_ladder_that_has_not_begun_are_named(
    played: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=r"nobody: takes no part in this ladder; there are first, last"):
        ladder("history", "nobody", "--ladder", played)
    fresh = tmp_path / "fresh.yaml"
    fresh.write_text(TEXT)
    with pytest.raises(ConfigError, match="there is no journal yet; start with: mtref ladder run"):
        ladder("standings", fresh)
    assert not (tmp_path / "fresh-state").exists()


def test_a_bot_that_changed_is_refused_before_anything_is_played(played: Path) -> None:
    played.write_text(TEXT.replace("command: c", "command: d"))
    with pytest.raises(ConfigError, match="first3: has changed since the ladder began"):
        ladder("run", played)


@pytest.mark.parametrize("sandbox", ["auto", "none", "landlock"])
def test_shared_processes_are_refused_where_they_could_tell_each_other_hands(
    tmp_path: Path, sandbox: str
) -> None:
    path = tmp_path / "ladder.yaml"
    path.write_text(TEXT + f"reuse: 2\nsandbox: {sandbox}\n")
    with pytest.raises(ConfigError, match=r"ladder.yaml:\d+: reuse: bots play each deal at several tables"):
        ladder("run", path)


def test_every_subcommand_is_in_the_document() -> None:
    text = (Path(__file__).parents[2] / "docs" / "ladder.md").read_text("utf-8")
    context = click.Context(command)
    assert [name for name in command.list_commands(context) if f"mtref ladder {name}" not in text] == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--csv", "--json"], "say one of --csv, --json and --html DIR"),
        (["--csv", "--html", "x"], "say one of --csv, --json and --html DIR"),
        (["--csv", "--replays", "3"], "--replays goes only with --html"),
    ],
)
def test_options_of_an_export_that_do_not_go_together(played: Path, options: list[str], message: str) -> None:
    done = CliRunner().invoke(command, ["export", str(played), *options])
    assert done.exit_code == 2 and message in done.output


def test_init_says_which_bots_are_not_there(tmp_path: Path) -> None:
    said = ladder("init", tmp_path / "a.yaml").output
    assert "put your bots in place of bots/greedy.py and bots/random_bot.py" in said
    done = CliRunner().invoke(command, ["init", str(tmp_path / "b.yaml"), str(tmp_path / "none.py")])
    assert done.exit_code == 2 and "does not exist" in done.output
    assert not (tmp_path / "b.yaml").exists()


def test_the_plan_is_refused_where_the_run_would_be_and_shows_names_as_text(tmp_path: Path) -> None:
    path = tmp_path / "ladder.yaml"
    path.write_text(TEXT.replace("name: test", 'name: "a\\e[2Jb"'))
    assert ladder("plan", path, "--summary").output.startswith("a\\x1b[2Jb: round-robin")
    path.write_text(TEXT + "reuse: true\n")
    with pytest.raises(ConfigError, match="write sandbox: bwrap, or leave reuse out"):
        ladder("plan", path)
