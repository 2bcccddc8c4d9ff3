"""What bots at each level can do to others: exactly what docs/isolation.md says, no more, and no less either."""

from __future__ import annotations

import itertools
import os
import sys

import pytest

from mtref.server.sandbox import kernel
from tests.sandbox.villains.attacker import ATTACKS
from tests.sandbox.ways import ROOT_WAYS, WAYS, Way, played

FILES = {
    "read a rival's files",
    "read what is hidden in its own folder",
    "read the log",
    "read the journal",
    "read the seed",
    "list a rival's folder",
    "write where everybody may",
}
NETWORK = {
    "connect to the referee by TCP",
    "connect to a rival by TCP",
    "reach the referee's abstract socket",
    "reach a rival's abstract socket",
}
CHANNELS = {
    "find a file of a rival in /tmp",
    "find a file of a rival in /dev/shm",
    "share System V memory with a rival",
    "see a rival's lock on a shared file",
    "see a rival's POSIX lock on a shared file",
    "watch who opens a file",
}
KERNEL = {"make a user namespace", "use the kernel's keyring", "choose its processors"}
SEEN = {"see a rival's process"}
SAME_USER = {
    "read the referee's private files",
    "write to its own folder",
    "read a rival's token",
    "signal a rival",
    "signal the referee",
    "signal the launcher",
    "slow a rival down",
    "connect to a rival's seat",
}
MEMORY = {"read a rival's memory file", "read a rival's memory", "trace a rival"}
MACHINE = MEMORY | KERNEL
"""What some machines stop by themselves, without any sandbox; what bots at level none can do tells."""

OLD_LANDLOCK = {"signal a rival", "signal the referee", "signal the launcher"} | {
    "reach the referee's abstract socket",
    "reach a rival's abstract socket",
}


def expected(way: Way) -> set[str]:
    """What comes off, by the table in docs/isolation.md."""
    if way.level == "bwrap":
        return set()
    if way.level == "landlock":
        found = {"connect to a rival's seat"} if way.ordinary else set()  # which asks for the rival's token
        return found | (OLD_LANDLOCK if kernel.landlock_version() < 6 else set())
    found = FILES | NETWORK | CHANNELS | KERNEL | SEEN
    if way.ordinary:
        found |= SAME_USER | MEMORY
    unprotected = played(Way("none", ordinary=True))["attack"]["results"]
    found -= {name for name in MACHINE if not unprotected[name]}
    return found | ({"see the referee's environment"} if way.level == "none" else set())


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_exactly_these_attacks_come_off(way: Way) -> None:
    results = played(way)["attack"]["results"]
    assert set(results) == set(ATTACKS)
    assert {name for name, came_off in results.items() if came_off} == expected(way)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_token_is_on_no_command_line(way: Way) -> None:
    assert played(way)["attack"]["exposed"] == []


def test_a_stronger_level_stops_all_that_a_weaker_one_stops() -> None:
    for ordinary in {way.ordinary for way in WAYS}:
        open_at = [expected(way) for way in WAYS if way.ordinary is ordinary]
        assert all(stronger <= weaker for stronger, weaker in itertools.pairwise(open_at))


def test_the_expectations_know_every_attack() -> None:
    named = (
        FILES | NETWORK | CHANNELS | KERNEL | SEEN | SAME_USER | MEMORY | {"see the referee's environment"}
    )
    assert named == set(ATTACKS)


def test_every_level_ran(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing here is left out where it cannot be had: root can be everybody, and CI is run by root."""
    ran = {}
    for way in WAYS:
        facts = played(way)["in_force"]
        assert facts["level"] == way.level
        ran[str(way)] = facts["line"]
    if os.geteuid() == 0:
        assert set(ROOT_WAYS) < set(WAYS) and {way.level for way in ROOT_WAYS} == {
            "bwrap",
            "landlock",
            "rlimits",
        }
        facts = played(Way("bwrap", ordinary=False))["in_force"]
        assert facts["seccomp"] and "cgroup" in facts["memory"] and "cgroup" in facts["processes"]
    with capsys.disabled():
        report = [f"isolation, {name}: {line}" for name, line in ran.items()]
        if os.geteuid() == 0:
            report.append(
                "bwrap with seccomp and cgroup, bwrap as ordinary user, landlock and rlimits each ran"
            )
        sys.stdout.write("\n" + "\n".join(report) + "\n")
