"""Rules about whole games: R-turn-order, R-starter, R-score over rounds, R-win, and markers between rounds."""

from __future__ import annotations

import pytest

from tests.rules.game_checks import GAME_CHECKS


@pytest.mark.parametrize("name", GAME_CHECKS)
def test_game(name: str) -> None:
    GAME_CHECKS[name]()
