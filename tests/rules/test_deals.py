"""Rules about deals: R-engine-aside, R-engine-holder, R-engine-highest."""

from __future__ import annotations

import pytest

from tests.rules.deal_checks import DEAL_CHECKS


@pytest.mark.parametrize("name", DEAL_CHECKS)
def test_deal(name: str) -> None:
    DEAL_CHECKS[name]()
