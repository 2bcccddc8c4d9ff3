"""What a bot finds around itself, and that nothing of it is left when it, or the referee, has ended."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.sandbox.scenes import marked
from tests.sandbox.ways import WAYS, Way, command_for, played, until

pytestmark = pytest.mark.slow

ALLOWED = {"HOME", "LANG", "PATH", "PWD", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"} | {
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "MTREF_ADDRESS",
    "MTREF_TOKEN",
    "MTREF_TARGETS",
}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_an_honest_bot_finds_all_it_needs(way: Way) -> None:
    facts = played(way)["honest"]
    assert facts["imports"] == ["mtref_sdk", "mtref.rules.game", "grpc"]
    assert facts["sibling"] == 42
    works = ("database", "threads", "children", "shell", "greets", "token", "home")
    assert {name: facts[name] for name in works} == dict.fromkeys(works, True)
    assert facts["cwd"] == str(Path.cwd())


@pytest.mark.parametrize("way", [way for way in WAYS if way.level != "none"], ids=str)
def test_a_bot_inherits_nothing(way: Way) -> None:
    facts = played(way)["honest"]
    assert set(facts["environment"]) <= ALLOWED
    assert facts["descriptors"] == [0, 1, 2]
    assert facts["capabilities"] == 0
    assert facts["privileges"] == "1"
    assert facts["groups"] == []
    assert facts["user"] not in {0, os.geteuid()} or os.geteuid() != 0
    assert facts["filter"] == ("2" if way.level in {"bwrap", "landlock"} else "0")


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_daemon_does_not_outlive_its_bot(way: Way) -> None:
    assert played(way)["daemon"] == {"seen": 1, "left": 0}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_paused_bot_gets_no_processor_time_and_can_be_ended(way: Way) -> None:
    facts = played(way)["freeze"]
    assert facts["kind"] == ("CgroupFreezer" if "cgroup" in facts["in_force"] else "SignalFreezer")
    assert facts["runs"] and facts["again"]
    assert facts["paused"] <= 1  # a tick that had begun


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_kill_9_of_the_referee_leaves_neither_bots_nor_daemons_nor_cgroups(way: Way) -> None:
    """The bot is paused at that moment: the hardest to end."""
    command, env = command_for(way, "hold")
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as referee:
        assert referee.stdout
        facts = json.loads(referee.stdout.readline())
        assert len(marked(facts["mark"])) == 1
        referee.kill()
    until(lambda: not marked(facts["mark"]))
    until(lambda: not Path(facts["run"]).exists())
    assert [path for path in facts["cgroups"] if Path(path).exists()] == []
    subprocess.run(["rm", "-r", facts["folder"]], check=True)
