"""Remote bots that lose their connection for good: the game ends by itself, and the next one is played with who calls by then."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.bots.villains import HERE
from tests.e2e.commands import ROOT, mtref_argv
from tests.e2e.test_called_from_elsewhere import GREEDY, environment, finished, free_ports, started, told

ARGS = ("serve", "ME=remote", GREEDY, "--rule", "rounds=1", "--seed", "again", "--insecure", "--games", 2)
PYTHON = mtref_argv()[0]


def called(line: str, *words: object) -> subprocess.Popen[bytes]:
    argv = [PYTHON, *map(str, words)]
    return subprocess.Popen(argv, cwd=ROOT, env=os.environ | environment(line), stderr=subprocess.DEVNULL)


@pytest.mark.slow
@pytest.mark.parametrize(
    "clock", [("--move-time", "1", "--bank", "0"), ("--no-clock",)], ids=["clock", "no clock"]
)
@pytest.mark.parametrize("comes", [True, False], ids=["comes again", "stays away"])
def test_a_bot_that_has_used_up_its_returns(clock: tuple[str, ...], comes: bool, tmp_path: Path) -> None:
    where = ("--listen", f"127.0.0.1:{free_ports(1)}", "--join-limit", 8 if comes else 2)
    referee = started(*ARGS, *clock, *where, "--log", f"{tmp_path}/", "--json")
    (line,) = told(referee, 1)
    with called(line, HERE / "raw.py", "returns_too_often") as bot:
        bot.wait(60)
    (again,) = told(referee, 1)
    assert environment(again) == environment(line)
    if comes:
        with called(again, ROOT / GREEDY) as bot:
            bot.wait(60)
    out, err = finished(referee)
    result = json.loads(out)
    assert referee.returncode == (0 if comes else 1), err
    assert [game["number"] for game in result["games"]] == ([1, 2] if comes else [1])
    seats = {seat["bot"]: seat for seat in result["games"][0]["seats"]}
    assert seats[0]["forfeited"] and not seats[1]["forfeited"]
    (incident,) = result["incidents"]
    assert (incident["kind"], incident["done"]) == ("crash", "forfeit")
    assert "lost its stream more than 5 times" in incident["message"]
    assert [(game["number"], game["bots"]) for game in result["unplayed"]] == ([] if comes else [(2, [0])])
    assert all("did not connect within 2 s" in game["reason"] for game in result["unplayed"])
    assert len(list(tmp_path.iterdir())) == len(result["games"])


@pytest.mark.slow
def test_a_bot_that_went_away_for_good_forfeits_on_time_and_is_waited_for_once(tmp_path: Path) -> None:
    where = ("--listen", f"127.0.0.1:{free_ports(1)}", "--join-limit", 2, "--move-time", "1", "--bank", "0")
    referee = started(*ARGS[:-1], 3, *where, "--json")
    (line,) = told(referee, 1)
    with called(line, HERE / "fails.py", "exits", 3) as bot:
        assert bot.wait(60) == 0
    out, err = finished(referee)
    assert referee.returncode == 1, err
    result = json.loads(out)
    assert result["bots"][0]["faults"] == {"disconnect": 1, "timeout": 3, "start_failure": 2}
    assert result["bots"][1]["faults"] == {}
    reasons = [game["reason"] for game in result["unplayed"]]
    assert [game["number"] for game in result["unplayed"]] == [2, 3]
    assert all("ME (remote), did not come back within 2 s" in reason for reason in reasons)
