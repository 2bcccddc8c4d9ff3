"""What bots at each level can use up: exactly what docs/isolation.md says."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from mtref.server.sandbox.levels import MIB
from tests.sandbox.arena import LIMITS
from tests.sandbox.villains.bomber import CHILDREN, DISK, MEMORY
from tests.sandbox.ways import WAYS, Way, played

pytestmark = pytest.mark.slow

SCRATCH = LIMITS.scratch // MIB


def bombs(way: Way) -> dict[str, Any]:
    outcome: dict[str, Any] = played(way)["bombs"]
    return outcome


def has_cgroup(way: Way) -> bool:
    return "cgroup" in played(way)["in_force"]["memory"]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_fork_bomb_stops_at_the_limit(way: Way) -> None:
    got = bombs(way)["forks"]["got"]
    if way.level == "none":
        assert got == CHILDREN
    elif way.level == "bwrap" or not way.ordinary or has_cgroup(way):
        assert LIMITS.processes // 2 < got < LIMITS.processes
    else:  # one limit on all processes of the user together
        assert LIMITS.processes < got <= 4 * LIMITS.processes < CHILDREN


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_process_gets_no_more_memory_than_the_limit(way: Way) -> None:
    outcome = bombs(way)["memory"]
    if way.level == "none":
        assert outcome["got"] >= MEMORY
    elif has_cgroup(way):
        assert outcome == {"status": -signal.SIGKILL, "got": None, "ended_by_memory": True}
    else:  # the bot is told, as a MemoryError
        assert outcome["status"] == 0
        assert LIMITS.memory // MIB // 2 < outcome["got"] <= LIMITS.memory // MIB
        assert not outcome["ended_by_memory"]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_only_a_cgroup_counts_the_memory_of_a_family_of_processes(way: Way) -> None:
    outcome = bombs(way)["families"]
    if has_cgroup(way):
        assert outcome["ended_by_memory"]
        assert outcome["got"] is None or outcome["got"] < MEMORY  # some may be killed after they told theirs
    else:
        assert outcome["got"] >= MEMORY


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_only_bubblewrap_bounds_what_is_written_to_temporary_files(way: Way) -> None:
    assert bombs(way)["disk"]["got"] == (SCRATCH if way.level == "bwrap" else DISK)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_shared_memory_files_are_bounded_or_not_to_be_had(way: Way) -> None:
    assert bombs(way)["shared"]["got"] == {"bwrap": SCRATCH, "landlock": 0}.get(way.level, DISK)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_file_does_not_grow_beyond_the_limit(way: Way) -> None:
    assert bombs(way)["big_file"]["got"] == (DISK if way.level == "none" else LIMITS.file // MIB)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_files_cannot_be_opened_without_end(way: Way) -> None:
    got = bombs(way)["descriptors"]["got"]
    assert got > LIMITS.open_files if way.level == "none" else LIMITS.open_files - 8 < got < LIMITS.open_files
