"""What the reading commands of `mtref ladder` say of bots that were handed in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mtref.cli.ladder import command
from tests.ladder.bench import TEXT, Bench, hand_in


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The file of a ladder with two versions of a bot, a parked one, and one that has not played."""
    bench = Bench(tmp_path)
    path = tmp_path / "ladder.yaml"
    path.write_text(TEXT)
    for text in ("1", "2"):
        hand_in(bench, "new", text)
        bench.run()
    bad = hand_in(bench, "bad", "3")
    bench.referees.not_ready = {bad}
    bench.run()
    hand_in(bench, "late", "4")
    bench.journal.close()
    return path


def ladder(*arguments: str | Path) -> str:
    done = CliRunner().invoke(command, [str(part) for part in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_tables_list_the_last_version_of_each_and_say_who_is_parked(played: Path) -> None:
    text = ladder("standings", played)
    assert "new@2" in text and "new@1" not in text
    assert "ordered by rating" in text
    assert "bad@1 is parked until its next version: no game was played: it did not start" in text
    plain = json.loads(ladder("standings", played, "--json"))
    assert plain["parked"] == {"bad@1": "no game was played: it did not start"}
    assert {row["bot"] for row in plain["rows"]} == {"first", "last", "first2", "first3", "new@2"}
    assert "new@1" not in ladder("crosstable", played)


def test_a_name_means_all_versions_in_lists_and_the_last_one_in_comparisons(played: Path) -> None:
    lines = ladder("history", "new", "--ladder", played).splitlines()
    assert [line.split()[0] for line in lines] == ["new@1"] * 24 + ["new@2"] * 24
    assert len(ladder("history", "new@1", "--ladder", played).splitlines()) == 24
    assert ladder("head-to-head", "new", "first", "--ladder", played).startswith(
        "new@2 against first: 6 games"
    )
    assert "bad@1: not played" in ladder("errors", "bad", "--ladder", played)


def test_the_plan_names_what_is_played_besides_the_file(played: Path) -> None:
    text = ladder("plan", played)
    assert "36 are played, 0 given up, 0 left" in text
    assert "new, and played first: late@1" in text
    assert "besides" not in text, "every stage so far is over"


def test_an_export_has_versions_and_stages(played: Path, tmp_path: Path) -> None:
    plain = json.loads(ladder("export", played, "--json"))
    assert [version["bot"]["name"] for version in plain["versions"]] == ["new@1", "new@2", "bad@1", "late@1"]
    assert [stage["bot"] for stage in plain["stages"]] == ["new@1", "new@2", "bad@1"]
    ladder("export", played, "--html", tmp_path / "site", "--replays", "0")
    assert (tmp_path / "site" / "bots" / "new@2.html").is_file()
    assert not (tmp_path / "site" / "bots" / "new@1.html").exists()
