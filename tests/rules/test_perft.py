"""Move generation and transition together, counted: a change of the rules shows as a number of one move."""

from __future__ import annotations

import pytest

from mtref_sdk.presets import PRESETS
from tests.rules.perft import FOLDER, Root, count_each, read

ROOTS = [root for path in sorted(FOLDER.glob("*.txt")) for root in read(path)]


def test_every_preset_has_counts() -> None:
    assert {root.preset for root in ROOTS} == set(PRESETS)


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: f"{root.preset}-{root.seats}-seats-ply-{root.ply}")
def test_counts_below_each_move(root: Root) -> None:
    assert count_each(root.preset, root.seats, root.ply, root.depth) == root.counts
