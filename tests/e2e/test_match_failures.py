"""What `mtref match` tells about bots that failed, and about games that were not played."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from mtref.replay.reader import LogReader
from mtref.replay.records import LogFault
from mtref.server.isolation import folder_of
from mtref_sdk.decisionfile import decision_from_json
from mtref_sdk.moves import parse_move
from tests.bots.villains import HERE, bot
from tests.e2e.commands import ROOT, mtref, mtref_argv

GREEDY = "bots/greedy.py"
ONE_ROUND = ("--rule", "rounds=1", "--sandbox", "none", "--move-time", 20)
PYTHON = mtref_argv()[0]


def test_a_failure_is_told_with_the_last_output_and_commands_that_show_it(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    done = mtref("match", GREEDY, f"{PYTHON} {HERE / 'fails.py'} raises 2", *ONE_ROUND, "--log", log)
    assert done.returncode == 0
    assert (
        "bot 2, python" in done.stdout
        and "crash (forfeit): the process ended with exit code 1" in done.stdout
    )
    assert "  | ValueError: this bot fails on purpose" in done.stdout
    shows = re.search(r"what it saw: +mtref (replay .+)", done.stdout)
    again = re.search(r"play it again: +mtref (match .+)", done.stdout)
    assert shows and again
    shown = mtref(*shlex.split(shows[1]))
    assert shown.returncode == 0 and "hand" in shown.stdout
    asks = re.search(r"ask it again: +mtref (replay .+)", done.stdout)
    assert asks
    asked = mtref(*shlex.split(asks[1]), "--sandbox", "none")
    assert asked.returncode == 1 and "crash: the process ended with exit code 1" in asked.stdout
    assert "  | ValueError: this bot fails on purpose" in asked.stderr
    repeated = mtref(*shlex.split(again[1].replace("--log again/", f"--log {tmp_path}/again/")))
    assert repeated.returncode == 0
    digest = re.compile("digest [0-9a-f]{16}")
    assert digest.findall(repeated.stdout) == digest.findall(done.stdout)


def test_the_log_keeps_what_was_sent_and_the_decision_as_it_was_put(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    done = mtref(
        "match", GREEDY, f"{PYTHON} {HERE / 'fails.py'} illegal 2", *ONE_ROUND, "--log", log, "--json"
    )
    (incident,) = json.loads(done.stdout)["incidents"]
    with LogReader(log) as reader:
        lines = list(reader)
    fault = lines[incident["line"] - 2].record
    assert isinstance(fault, LogFault) and fault.done == "forfeit"
    assert fault.kind == incident["kind"] == "illegal_move"
    assert fault.sent is not None and re.fullmatch(r"""[0-9]+ bytes: b(['"]).*\1""", fault.sent)
    assert fault.decision is not None
    decision = decision_from_json(json.dumps(fault.decision))
    assert decision.observation.seat == incident["seat"]
    played = next(line.record for line in lines[incident["line"] - 1 :])
    assert str(decision.legal_moves[0]) == str(
        parse_move(json.loads(lines[incident["line"] - 1].data)["move"])
    ), played
    assert mtref("verify", log).returncode == 0


def test_a_later_game_for_which_a_bot_is_not_ready_is_listed_and_counts_nowhere(tmp_path: Path) -> None:
    once = f"ONCE={PYTHON} {HERE / 'starts_once.py'} {tmp_path / 'mark'}"
    args = ("match", GREEDY, once, *ONE_ROUND, "--games", 3)
    done = mtref(*args, "--json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert [game["number"] for game in result["games"]] == [1]
    assert [game["number"] for game in result["unplayed"]] == [2, 3]
    assert all("I was here before" in game["reason"] and game["bots"] == [1] for game in result["unplayed"])
    assert [bot["faults"] for bot in result["bots"]] == [{}, {"start_failure": 2}]
    assert [bot["games"] for bot in result["bots"]] == [1, 1]
    (tmp_path / "mark").unlink()
    text = mtref(*args)
    assert text.returncode == 1
    assert "game 2 was not played and counts nowhere: bot 2, ONCE" in text.stdout
    assert "start_failure 2" in text.stdout


@pytest.mark.parametrize("level", ["bwrap", "landlock"])
def test_a_bot_cannot_read_the_log_or_its_rival_though_they_lie_in_its_folder(
    level: str, tmp_path: Path
) -> None:
    for file in (HERE / "mischief.py", ROOT / GREEDY):
        shutil.copy(file, tmp_path)
    (tmp_path / "notes.txt").write_text("its own")
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    spy = f"{PYTHON} {tmp_path / 'mischief.py'} reads"
    log = tmp_path / "game.jsonl"
    args = (tmp_path / "greedy.py", spy, "--rule", "rounds=1", "--sandbox", level, "--debug", "--log", log)
    done = mtref("match", *args, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["bots"][1]["faults"] == {}
    read = set(re.findall(r"read [0-9]+ bytes of (\S+)", done.stderr))
    assert {Path(name).name for name in read if name.startswith(str(tmp_path))} == {
        "mischief.py",
        "notes.txt",
    }
    assert log.exists() and "/etc/shadow" not in read


@pytest.mark.parametrize("level", ["bwrap", "auto"])
def test_what_is_in_force_is_printed_and_can_be_required(level: str) -> None:
    done = mtref(
        "match", GREEDY, GREEDY, "--rule", "rounds=1", "--sandbox", level, "--sandbox-require", "bwrap"
    )
    assert done.returncode == 0, done.stderr
    assert "\nsandbox: bwrap (" in done.stdout and "the referee's own delay: median" in done.stdout
    weaker = mtref("match", GREEDY, GREEDY, "--sandbox", "rlimits", "--sandbox-require", "bwrap")
    assert (weaker.returncode, weaker.stdout) == (1, "")
    assert "weaker" in weaker.stderr


def test_bots_inside_the_referee_cannot_be_isolated() -> None:
    done = mtref("match", GREEDY, GREEDY, "--in-process", "--sandbox-require", "rlimits")
    assert done.returncode == 2
    assert "cannot be isolated" in done.stderr


def test_the_folder_of_a_bot_is_that_of_its_first_file() -> None:
    assert folder_of(bot("greedy")) == ROOT / "bots"
    assert folder_of(bot("fails", "raises")) == HERE
