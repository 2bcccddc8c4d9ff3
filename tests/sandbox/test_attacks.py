"""What bots at each level can do to others: exactly what the table in docs/isolation.md says, no more, and no less either."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mtref.server.sandbox import kernel
from tests.house.repository import ROOT
from tests.sandbox.villains.attacker import ATTACKS
from tests.sandbox.ways import ROOT_WAYS, WAYS, Way, command_for, played

pytestmark = pytest.mark.slow

NONE = Way("none", ordinary=True)
MARKER = "<!-- table: attacks -->\n"


def table() -> dict[str, dict[str, str]]:
    """The cells of the table, by attack and column."""
    text = (ROOT / "docs" / "isolation.md").read_text("utf-8").partition(MARKER)[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    columns = rows[0][1:]
    return {row[0]: dict(zip(columns, row[1:], strict=True)) for row in rows[2:]}


def column(way: Way) -> str:
    if way.level in {"bwrap", "none"}:
        return way.level
    return f"{way.level}, {'user' if way.ordinary else 'root'}"


def comes_off(name: str, cell: str) -> bool:
    """What a cell with its footnote means on this machine."""
    word, _, note = cell.partition(" ")
    assert word in {"yes", "no"} and note in {"", "¹", "²", "³", "⁵"}, cell
    if note == "¹":  # some machines stop this by themselves: then an unprotected bot cannot do it either
        return bool(played(NONE)["attack"]["results"][name])
    if note == "²":
        return kernel.landlock_version() < 6
    return word == "yes"


def test_the_table_has_a_row_for_every_attack() -> None:
    assert list(table()) == list(ATTACKS)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_exactly_these_attacks_come_off(way: Way) -> None:
    expected = {name for name, cells in table().items() if comes_off(name, cells[column(way)])}
    if way.forked:  # the kernel shows the environment its process was started with, and a fork was not
        expected.discard("read a rival's token")
    results = played(way)["attack"]["results"]
    assert set(results) == set(ATTACKS)
    assert {name for name, came_off in results.items() if came_off} == expected


if os.geteuid() == 0:

    @pytest.mark.parametrize("forked", [False, True])
    def test_a_root_that_may_not_mount_still_isolates_by_landlock(tmp_path: Path, forked: bool) -> None:
        """As in a container: bots cannot be let into root's folders as other users, and stay root without its powers."""
        closed = tmp_path / "closed"
        closed.mkdir(mode=0o700)
        command, env = command_for(
            Way("landlock", ordinary=False, forked=forked), "attack", "honest", "daemon"
        )
        less = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-all"]
        run = subprocess.run(
            [*less, *command], env={**env, "TMPDIR": str(closed)}, stdout=subprocess.PIPE, check=True
        )
        outcome = json.loads(run.stdout.splitlines()[-1])
        expected = {name for name, cells in table().items() if comes_off(name, cells["landlock, user"])}
        results = outcome["attack"]["results"]
        assert {name for name, came_off in results.items() if came_off} == expected
        assert outcome["in_force"]["users"] == "root without capabilities"
        assert "bots have no users of their own" in outcome["in_force"]["why_not_more"]
        assert outcome["honest"]["user"] == 0 and outcome["honest"]["capabilities"] == 0
        assert outcome["honest"]["token"] and outcome["daemon"] == {"seen": 1, "left": 0}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_token_is_on_no_command_line(way: Way) -> None:
    assert played(way)["attack"]["exposed"] == []


def test_a_stronger_level_stops_all_that_a_weaker_one_stops() -> None:
    for name, cells in table().items():
        for columns in (
            ("bwrap", "landlock, root", "rlimits, root"),
            ("landlock, user", "rlimits, user", "none"),
        ):
            answers = [cells[column].startswith("yes") for column in columns]
            assert answers == sorted(answers), name


def test_every_level_ran(record_property: Callable[[str, object], None]) -> None:
    """Nothing here is left out where it cannot be had: root can be everybody, and CI is run by root."""
    assert os.geteuid() == 0 or not os.environ.get("CI"), "only root can try everything: run CI as root"
    ran = {}
    for way in WAYS:
        facts = played(way)["in_force"]
        assert facts["level"] == way.level
        ran[str(way)] = facts["line"]
    report = [f"isolation, {name}: {line}" for name, line in ran.items()]
    if os.geteuid() == 0:
        assert set(ROOT_WAYS) < set(WAYS)
        assert {way.level for way in ROOT_WAYS} == {"bwrap", "landlock", "rlimits"}
        facts = played(Way("bwrap", ordinary=False))["in_force"]
        assert facts["seccomp"] and "cgroup" in facts["memory"] and "cgroup" in facts["processes"]
        report.append("bwrap with seccomp and cgroup, bwrap as ordinary user, landlock and rlimits each ran")
    for line in report:
        record_property("report", line)
