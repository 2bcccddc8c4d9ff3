"""Every kind of fault is counted by its name in the summary, in the log, and in the JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mtref.match.fault import FaultKind
from mtref.replay.reader import LogReader
from mtref.replay.records import LogEnd, LogFault
from mtref_sdk.decisionfile import decision_from_json
from tests.bots.villains import HERE
from tests.e2e.commands import mtref, mtref_argv

GREEDY = "bots/greedy.py"
WAYS = {
    "illegal_move": "fails.py illegal 2",
    "malformed_reply": "raw.py garbage",
    "stale_reply": "raw.py twice",
    "timeout": "fails.py hangs 2",
    "crash": "fails.py raises 2",
    "disconnect": "raw.py leaves",
    "flood": "raw.py flood",
    "memory": "fails.py eats 2",
    "protocol": "raw.py hello_again",
}
CLOCK = ("--move-time", 1, "--bank", 0, "--margin", 1)


def arguments(words: str) -> tuple[object, ...]:
    file, *rest = words.split()
    command = " ".join([mtref_argv()[0], str(HERE / file), *rest])
    return ("match", GREEDY, f"BAD={command}", "--rule", "rounds=1", "--seed", "fault", *CLOCK)


def test_there_is_a_way_to_each_kind() -> None:
    assert {*WAYS, "start_failure"} == {kind.value for kind in FaultKind}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WAYS)
def test_a_fault_is_counted_in_summary_log_and_json(kind: str, tmp_path: Path) -> None:
    args = arguments(WAYS[kind])
    log = tmp_path / "game.jsonl"
    done = mtref(*args, "--log", log, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    honest, bad = result["bots"]
    assert honest["faults"] == {} and bad["faults"][kind] >= 1
    with LogReader(log) as reader:
        records = [line.record for line in reader]
    faults = [record for record in records if isinstance(record, LogFault)]
    counts = {name: [fault.kind for fault in faults].count(name) for name in bad["faults"]}
    (end,) = [record for record in records if isinstance(record, LogEnd)]
    assert all(fault.sent for fault in faults if kind in {"illegal_move", "malformed_reply", "stale_reply"})
    assert faults[0].decision is not None
    assert decision_from_json(json.dumps(faults[0].decision)).observation.seat == 1
    assert list(end.faults) == [{}, counts] == [{}, bad["faults"]]
    summary = mtref(*args)
    assert re.search(rf"BAD .*\b{kind} [0-9]+", summary.stdout), summary.stdout
    assert re.search(r"bot 2, BAD: \w+ \((default move|counted|forfeit)\)", summary.stdout)
