"""A bot that abuses HTTP/2 at its own socket: the referee's memory stays bounded, and the other bot's game is as ever."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from mtref.server.pack import VILLAINS
from tests.bots.villains import HERE
from tests.e2e.commands import ROOT, mtref_argv

ONE_ROUND = ("--rule", "rounds=1", "--seed", "abuse", "--sandbox", "none", "--json")


def played(bot: str) -> tuple[dict[str, Any], int]:
    """The result of a game of greedy against `bot`, and the most memory the referee or a bot took, in KiB."""
    argv = mtref_argv("match", "bots/greedy.py", HERE / f"{bot}.py", *ONE_ROUND)
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE) as referee:
        assert referee.stdout is not None
        result = json.loads(referee.stdout.read())
        _, status, usage = os.wait4(referee.pid, 0)
        referee.returncode = os.waitstatus_to_exitcode(status)
    assert referee.returncode == 0
    return result, usage.ru_maxrss


def test_whatever_a_bot_does_to_http2_costs_little_memory_and_no_other_bot_anything() -> None:
    control, usual = played("first_legal")
    abused, taken = played("abuser")
    assert abused["games"][0]["digest"] == control["games"][0]["digest"]
    assert abused["bots"][0]["faults"] == {}
    assert abused["bots"][0]["times_ms"]["p95"] < abused["clock"]["move_ms"]
    assert set(abused["bots"][1]["faults"]) <= VILLAINS["abuses-http2"].perhaps  # it may be in its own way
    assert taken < usual + 200 * 1024
