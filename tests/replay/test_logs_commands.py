"""``mtref logs query`` and ``mtref diff`` as a user meets them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from mtref.replay.records import BotInfo
from mtref_sdk.ruleset import preset
from tests.e2e.commands import mtref as command
from tests.replay.games import short, write_game

HOSTILE = (BotInfo("\x1b[2J[bold]\n", "rm \u202e"), BotInfo("greedy", "g.py"))

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    write_game(folder / "a.jsonl", preset("playboard"), bots=HOSTILE)
    write_game(folder / "b.jsonl.zst", short("cubano"), seats=3, bots=HOSTILE, faulty=True)
    write_game(folder / "c.jsonl", stop_after=9)
    return folder


def test_a_game_is_a_line_that_begins_with_its_path(logs: Path, mtref: Run) -> None:
    code, out, err = mtref("logs", "query", logs)
    assert (code, err) == (0, "")
    first, second, third = out.splitlines()
    assert first.startswith(f"{logs}/a.jsonl: playboard, 4 rounds: 1. ")
    assert second.startswith(f"{logs}/b.jsonl.zst: cubano, 1 round: 1. ") and "illegal_move" in second
    assert third == f"{logs}/c.jsonl: playboard, 0 rounds, not finished: heavy 0; Zufall é 0"
    assert "\\x1b[2J[bold]\\x0a" in first and all(char == "\n" or char.isprintable() for char in out)
    assert "*" not in out


def test_seats_that_were_looked_for_are_marked(logs: Path, mtref: Run) -> None:
    _, out, _ = mtref("logs", "query", logs, "--bot", "greedy", "--rules", "playboard")
    assert "*greedy" in out and out.count("*") == 1


def test_one_object_a_line(logs: Path, mtref: Run) -> None:
    code, out, _ = mtref("logs", "query", logs, "--json", "--fault", "any", "--seat", "0")
    found = json.loads(out)
    assert code == 0 and found["log"] == f"{logs}/b.jsonl.zst" and found["matching"] == [0]
    assert found.keys() == {
        "log",
        "changed",
        "rules",
        "game",
        "deal",
        "rounds",
        "finished",
        "seats",
        "matching",
    }
    seat = found["seats"][0]
    assert list(seat) == [
        "seat", "name", "command", "content_hash", "total", "place", "behind", "decisions",
        "slowest_ms", "slowest_line", "faults", "forfeited",
    ]  # fmt: skip
    assert seat["name"] == "\x1b[2J[bold]\n" and seat["faults"]["illegal_move"].keys() == {"times", "line"}


def test_paths_for_the_next_command(logs: Path, mtref: Run) -> None:
    assert mtref("logs", "query", logs, "--paths")[1].splitlines() == [
        f"{logs}/{name}" for name in ("a.jsonl", "b.jsonl.zst", "c.jsonl")
    ]


def test_paths_that_end_in_nul_are_as_they_are(logs: Path) -> None:
    hostile = logs / "x\n\x1b.jsonl"
    (logs / "c.jsonl").rename(hostile)
    done = command("logs", "query", logs, "--unfinished", "-0")
    assert done.stdout == f"{hostile}\0"
    assert command("logs", "query", logs, "--unfinished", "--paths").stdout == f"{logs}/x\\x0a\\x1b.jsonl\n"


def test_order_limit_and_count(logs: Path, mtref: Run) -> None:
    def listed(*options: str) -> list[str]:
        return [Path(line).name for line in mtref("logs", "query", logs, "--paths", *options)[1].splitlines()]

    assert listed("--sort", "rounds") == ["a.jsonl", "b.jsonl.zst", "c.jsonl"]
    assert listed("--sort", "faults", "--limit", "1") == ["b.jsonl.zst"]
    assert listed("--sort", "slowest", "--finished")[0] == "b.jsonl.zst"
    assert listed("--sort", "behind")[-1] == "c.jsonl"
    assert listed("--limit", "2") == ["a.jsonl", "b.jsonl.zst"]
    assert sorted(listed("--sort", "newest")) == ["a.jsonl", "b.jsonl.zst", "c.jsonl"]
    assert mtref("logs", "query", logs, "--count", "--finished")[1] == "2\n"
    assert mtref("logs", "query", logs, "--count", "--json")[1] == '{"games": 3}\n'


def test_what_cannot_be_read_is_told_in_a_line_and_the_rest_is_listed(logs: Path, mtref: Run) -> None:
    (logs / "a.jsonl").write_bytes((logs / "a.jsonl").read_bytes().replace(b"turn_passed", b"turn_possed", 1))
    (logs / "d\x1b.jsonl").write_bytes(b"")
    packed = (logs / "b.jsonl.zst").read_bytes()
    (logs / "e.jsonl.zst").write_bytes(packed[:200] + b"\0" * 50 + packed[250:])
    code, out, err = mtref("logs", "query", logs, "--paths")
    assert code == 1
    assert out.splitlines() == [f"{logs}/b.jsonl.zst", f"{logs}/c.jsonl"]
    first, second, third = err.splitlines()
    assert first.startswith(f"mtref: {logs}/a.jsonl: line ") and "was changed" in first
    assert second == f"mtref: {logs}/d\\x1b.jsonl: line 1: the file is empty"
    assert third.startswith(f"mtref: {logs}/e.jsonl.zst: line ") and "damaged" in third


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fault", "late"], "'late' is not one of 'any', 'illegal_move'"),
        (["--since", "yesterday"], "'yesterday' is no moment; write 2026-03-01"),
        (["--since", "99999999999999d"], "is no moment"),
        (["--slower-than", "x"], "'x' is no time"),
        (["--sort", "size"], "newest"),
        (["--lost-by", "-1"], "--lost-by"),
        (["--json", "--paths"], "say one of --json, --paths and -0"),
        (["--paths", "-0"], "say one of --json, --paths and -0"),
        (["--count", "--paths"], "--count prints no paths"),
    ],
)
def test_a_wrong_condition_is_a_usage_error(logs: Path, mtref: Run, options: list[str], message: str) -> None:
    code, out, err = mtref("logs", "query", logs, *options)
    assert code == 2 and message in err
    assert json.loads(out)["error"]["exit"] == 2 if "--json" in options else out == ""


def test_when_a_file_was_written(logs: Path, mtref: Run) -> None:
    for options, games in (
        (["--since", "1h"], 3),
        (["--until", "1h"], 0),
        (["--since", "2020-01-01", "--until", "2999-01-01 12:30"], 3),
    ):
        assert mtref("logs", "query", logs, "--count", *options)[1] == f"{games}\n"


def test_a_place_that_is_not_there_is_a_usage_error(tmp_path: Path, mtref: Run) -> None:
    code, out, err = mtref("logs", "query", tmp_path / "none")
    assert (code, out) == (2, "") and "does not exist" in err


def test_diff_says_what_differs_and_exits_with_1(logs: Path, mtref: Run) -> None:
    other = write_game(logs / "it's.jsonl", seed="other")
    one = write_game(logs / "one.jsonl")
    code, out, err = mtref("diff", one, other)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == "round 1: dealt differently"
    for line, path in zip(lines[-2:], (one, other), strict=True):
        words = shlex.split(line)
        assert words[:4] == ["mtref", "replay", str(path), "--at"]
        assert mtref(*words[1:])[0] == 0
    code, out, _ = mtref("diff", one, other, "--json")
    found = json.loads(out)
    assert code == 1 and found["same"] is False and found["kind"] == "deal" and found["round"] == 1
    assert [side["log"] for side in found["logs"]] == [str(one), str(other)]
    assert [side["n"] for side in found["logs"]] == [int(line.split()[-1]) for line in lines[-2:]]


def test_diff_of_equal_games_exits_with_0(logs: Path, mtref: Run) -> None:
    log = logs / "a.jsonl"
    assert mtref("diff", log, log) == (0, "no difference: the same game\n", "")
    assert json.loads(mtref("diff", log, log, "--json")[1]) == {"same": True}


def test_logs_that_cannot_be_compared_exit_with_2(logs: Path, mtref: Run) -> None:
    broken = logs / "broken"
    broken.write_bytes((logs / "a.jsonl").read_bytes()[:3000] + b"\nx\n")
    for other in (logs / "missing", broken):
        code, out, err = mtref("diff", logs / "a.jsonl", other)
        assert (code, out) == (2, "") and err.startswith(f"mtref: {other}: ") and err.count("\n") == 1
    assert mtref("diff", broken)[0] == 2
