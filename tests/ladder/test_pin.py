"""`pin: true`: each of the referees that play at the same time has a core for itself and its bots."""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from mtref.replay.reader import LogReader
from tests.e2e.commands import mtref
from tests.ladder.smallladder import games_of, small_ladder

WHERE = Path(__file__).parent.parent / "bots" / "whereabouts.py"
CORES = sorted(os.sched_getaffinity(0))


@pytest.mark.parametrize("pinned", [True, False])
def test_two_referees_have_a_core_each_with_their_bots(pinned: bool, tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.mkdir()
    bots = ", ".join(f'{{command: "{sys.executable} {WHERE} {told}", name: {name}}}' for name in "ab")
    pin = "pin: true\n" if pinned else ""
    path = small_ladder(tmp_path / "x", f"seats: 2\n{pin}bots: [{bots}]\n")
    done = mtref("ladder", "run", path)
    assert done.returncode == 0, done.stderr

    matches = defaultdict(list)
    for file in told.iterdir():
        facts = json.loads(file.read_text())
        matches[Path(facts["address"]).parent.parent].append(facts["cores"])
    config, games = games_of(path)
    assert len(matches) == len(games) == 2
    lists = {tuple(map(tuple, cores)) for both in matches.values() for cores in both}
    alone = len(CORES) == 1
    if pinned:
        assert all(first == second for first, second in matches.values())
        assert lists == {((core,), (core,)) for core in CORES[:2]}
    else:
        assert lists == {(tuple(CORES), tuple(CORES))}
    for game in games:
        with LogReader(str(config.state / str(game.log))) as log:
            assert ("share one core" in str(log.header.sandbox)) is (pinned or alone)  # as the referee is
    assert ("share one core" in done.stderr) is (pinned or alone)


def test_the_plan_says_it(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", "seats: 2\npin: true\nbots: [{file: a.py}, {file: b.py}]\n")
    done = mtref("ladder", "plan", "--summary", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "each referee shares one core with its bots"


@pytest.mark.parametrize("command", ["run", "serve"])
def test_a_cluster_is_refused_and_nothing_begun(command: str, tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "x", "seats: 2\npin: true\nbots: [{file: a.py}, {file: b.py}]\n")
    extra = ["--insecure"] if command == "serve" else []
    done = mtref("ladder", command, path, "--cluster", "tcp://127.0.0.1:1", *extra)
    assert done.returncode == 2
    line = "pin: referees of a cluster are not pinned; leave it out, or --cluster"
    assert done.stderr == f"mtref: {path}:7: {line}\n"
    assert not (path.parent / "ladder-state").exists()
