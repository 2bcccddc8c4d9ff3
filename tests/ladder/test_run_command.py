"""`mtref ladder run` with real bots, as a user and as a pipe meet it."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
from pathlib import Path
from typing import IO

import pytest

from tests.e2e.commands import mtref, mtref_argv
from tests.ladder.processes import wait_until_gone
from tests.ladder.smallladder import BOTS, games_of, small_ladder

SIX = "seats: 2\n" + BOTS
MANY = "seats: 2\ndeals: 20\n" + BOTS


def start(path: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        mtref_argv("ladder", "run", path, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_games(stream: IO[str] | None, count: int) -> None:
    """Read a ``--json`` stream up to so many finished games."""
    assert stream is not None
    for line in stream:
        count -= json.loads(line)["event"] == "played"
        if not count:
            return
    raise AssertionError("the run ended too soon")


def test_a_run_prints_the_standings_and_what_it_tested(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", SIX)
    done = mtref("ladder", "run", path)
    assert done.returncode == 0, done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()[1:4]] != []
    assert "6 games; ordered by score." in done.stdout
    lines = [
        line for line in done.stderr.splitlines() if not line.startswith("mtref: 2 tables at a time on 1")
    ]
    assert lines[0] == "6 games planned, 0 of them over"
    assert lines[1].startswith("bots: sandbox: none - bots run as ")
    assert lines[-1] == "self-test: 3 games had to be equal to another one, and came out so"

    again = mtref("ladder", "run", path)
    assert again.returncode == 0 and again.stdout == done.stdout
    wait_until_gone(str(tmp_path))


def test_the_json_stream_tells_everything(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", SIX)
    done = mtref("ladder", "run", path, "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds[0] == "began" and kinds[-1] == "ended"
    assert kinds.count("played") == 6 and kinds.count("revealed") == 1
    _, games = games_of(path)
    assert {event["digest"] for event in events if event["event"] == "played"} == {
        game.digest for game in games
    }
    assert events[-1]["complete"] is True


def test_a_reader_that_goes_away_harms_nothing(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", SIX)
    run = start(path, "--json")
    assert run.stdout is not None and run.stderr is not None
    run.stdout.readline()
    run.stdout.close()
    run.stderr.close()
    assert run.wait(120) == 0
    assert len(games_of(path)[1]) == 6


def test_one_ctrl_c_finishes_the_running_games_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", MANY)
    run = start(path, "--json", "--concurrency", "2")
    wait_for_games(run.stdout, 2)
    run.send_signal(signal.SIGINT)
    rest, complaints = run.communicate(timeout=60)
    assert run.returncode == 3
    ended = json.loads(rest.splitlines()[-1])
    assert ended["stopped"] and 2 <= ended["played"] <= 6
    assert complaints.splitlines()[-1] == (
        f"INCOMPLETE: {ended['open']} games left; to go on: mtref ladder run {path} --concurrency 2"
    )
    config, games = games_of(path)
    assert len(games) == ended["played"]
    assert not (config.state / "playing").exists()
    wait_until_gone(str(tmp_path))


def test_two_ctrl_c_stop_at_once_and_leave_nothing_running(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", MANY.replace("{file: c.py}", "{command: 'sleep 99', name: c}"))
    run = start(path, "--json")
    wait_for_games(run.stdout, 1)
    run.send_signal(signal.SIGINT)
    assert run.stderr is not None
    assert "finishing the games that are running" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    _, complaints = run.communicate(timeout=60)
    assert run.returncode == 130
    assert f"mtref ladder run {path}" in complaints
    wait_until_gone(str(tmp_path))


def test_being_asked_to_terminate_ends_everything(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", MANY)
    run = start(path, "--json")
    wait_for_games(run.stdout, 1)
    run.terminate()
    run.communicate(timeout=60)
    assert run.returncode == 128 + signal.SIGTERM
    wait_until_gone(str(tmp_path))


def test_a_run_that_fails_says_how_to_go_on(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", MANY)
    state = path.parent / "ladder-state"
    state.mkdir()
    (state / "logs").touch()  # where a folder is wanted
    done = mtref("ladder", "run", path)
    assert done.returncode == 1
    assert f"stopped; to go on: mtref ladder run {path}" in done.stderr.splitlines()
    assert "the log cannot be kept" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_second_runner_is_refused_with_a_code_of_its_own(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", MANY)
    run = start(path, "--json")
    wait_for_games(run.stdout, 1)
    second = mtref("ladder", "run", path)
    assert second.returncode == 4
    assert f"another runner is at work here: process {run.pid}" in second.stderr
    told = json.loads(mtref("ladder", "run", path, "--json").stdout)["error"]
    assert told["exit"] == 4 and "another runner is at work here" in told["message"]
    assert mtref("ladder", "standings", path).returncode == 0, "reading goes on"
    run.terminate()
    run.communicate(timeout=60)


@pytest.mark.parametrize(
    ("program", "limit"), [("import nothing_of_that_name", 30_000), ("import time; time.sleep(99)", 6_000)]
)
def test_a_bot_that_is_not_ready_costs_the_others_nothing(tmp_path: Path, program: str, limit: int) -> None:
    path = small_ladder(
        tmp_path / "x", MANY.replace("deals: 20", f"deals: 2\nclock: {{startup_ms: {limit}}}")
    )
    (tmp_path / "x" / "b.py").write_text(program)
    done = mtref("ladder", "run", path)
    assert done.returncode == 3
    assert "INCOMPLETE: 8 games left (b not ready); to go on: mtref ladder run" in done.stderr
    _, games = games_of(path)
    assert len(games) == 4 and {seat.bot for game in games for seat in game.seats} == {"a", "c"}
    errors = mtref("ladder", "errors", "b", "--ladder", path).stdout
    assert "b: not played (attempt 1 of 3)" in errors
    if "nothing" in program:
        assert "ModuleNotFoundError" in errors
    wait_until_gone(str(tmp_path))


def test_a_bot_that_crashes_has_a_result_and_its_fault_is_shown_with_its_log(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "a ladder", SIX)
    program = path.parent / "b.py"
    program.write_text(program.read_text().replace("return ", "raise SystemExit(7); return ", 1))
    done = mtref("ladder", "run", path)
    assert done.returncode == 0, done.stderr
    _, games = games_of(path)
    lost = [seat for game in games for seat in game.seats if seat.bot == "b"]
    assert all(seat.forfeited and seat.place == 2 for seat in lost)
    errors = mtref("ladder", "errors", "b", "--ladder", path).stdout.splitlines()
    assert errors[0].startswith("b: crash, forfeit, deal 1, seat ")
    show = shlex.split(errors[1])
    assert show[:2] == ["mtref", "replay"] and show[-2:] == ["--attach", str(program)]
    assert mtref(*show[1:-2]).returncode == 0
    again = mtref(*show[1:], "--sandbox", "none")
    assert again.returncode == 1 and "ended with exit code 7" in again.stdout + again.stderr


def test_a_self_test_that_fails_is_over_when_the_bots_are_said_to_have_chance(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", "seats: 2\nbots: [{file: a.py}, {file: a.py, name: twin}]\n")
    (path.parent / "a.py").write_text(
        "import os\nfrom mtref_sdk import Bot, run\nclass Wild(Bot):\n    def choose(self, decision):\n"
        "        return decision.legal_moves[os.urandom(1)[0] % len(decision.legal_moves)]\nrun(Wild())\n"
    )
    done = mtref("ladder", "run", path)
    assert done.returncode == 1 and "then say deterministic: false" in done.stderr
    path.write_text(path.read_text().replace("file: a.py", "deterministic: false, file: a.py"))
    assert mtref("ladder", "run", path).returncode == 0
    assert "nothing went wrong" in mtref("ladder", "errors", "--ladder", path).stdout


def test_a_ladder_without_a_table_makes_no_journal(tmp_path: Path) -> None:
    bots = "seats: 2\nbots: [{file: a.py, author: ann}, {file: b.py, author: ann}]\n"
    path = small_ladder(tmp_path / "x", bots)
    done = mtref("ladder", "run", path)
    assert done.returncode == 2 and "no table of 2 can be made of bots of different authors" in done.stderr
    assert "to go on" not in done.stderr
    path.write_text(path.read_text().replace("b.py, author: ann", "b.py"))
    assert mtref("ladder", "run", path).returncode == 0


@pytest.mark.parametrize(
    "address", ["head", "head:8786", "tcp://head", "http://head:8786", "tcp://:8786", ""]
)
def test_an_address_of_a_cluster_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    path = small_ladder(tmp_path / "x", SIX)
    done = mtref("ladder", "run", path, "--cluster", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is no address; write tcp://HOST:PORT or tls://HOST:PORT" in done.stderr
    assert not (path.parent / "ladder-state").exists()


def test_games_that_are_given_up_are_told_with_the_command_that_lists_them(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "a ladder", "seats: 2\nbots: [{file: a.py}, {file: b.py}]\n")
    (path.parent / "b.py").write_text("import nothing_of_that_name")
    before = mtref("ladder", "standings", path).stderr
    assert before.endswith(
        f"there is no journal yet; start with: mtref ladder run {shlex.quote(str(path))}\n"
    )
    done = [mtref("ladder", "run", path) for _ in range(3)][-1]
    [line] = [line for line in done.stderr.splitlines() if "given up; see: " in line]
    listed = mtref(*shlex.split(line.partition("see: ")[2])[1:])
    assert done.returncode == 3 and listed.returncode == 0
    assert f"see: {line.partition('see: ')[2]}" in mtref("ladder", "standings", path).stdout
    assert "not played (given up)" in listed.stdout and "ModuleNotFoundError" in listed.stdout
