from __future__ import annotations

import os
import subprocess
import sys

from mtref.server.affinity import Cores, current_core, only_core, pin

CORES = sorted(os.sched_getaffinity(0))


def test_the_core_on_which_a_process_runs_is_one_of_its_own() -> None:
    assert current_core() in CORES


def test_a_process_that_is_pinned_from_outside_has_that_core_alone() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
        pin(CORES[-1], other.pid)
        assert os.sched_getaffinity(other.pid) == {CORES[-1]}
        other.communicate()
    assert sorted(os.sched_getaffinity(0)) == CORES


def test_a_process_knows_whether_it_has_one_core_only() -> None:
    code = "from mtref.server.affinity import *\nprint(only_core())\npin(current_core())\nprint(only_core() == current_core())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == [str(only_core()), "True"]


def test_cores_are_given_out_in_turn_and_what_is_given_back_first() -> None:
    cores = Cores()
    first = [cores.take() for _ in CORES]
    assert first == CORES
    assert [cores.take() for _ in CORES] == CORES
    for core in (CORES[-1], *CORES):
        cores.give_back(core)
    assert cores.take() == CORES[-1]
