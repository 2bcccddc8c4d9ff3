"""Each rule is broken on purpose, and the scenario or check that shows it fails: nothing else would prove that it shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mtref_sdk.errors import IllegalMoveError
from tests.house.test_rule_ids import defined
from tests.rules.deal_checks import DEAL_CHECKS
from tests.rules.game_checks import GAME_CHECKS
from tests.rules.mutations import MUTATIONS, Mutation
from tests.scenarios.running import run, scenarios

CHECKS = {**DEAL_CHECKS, **GAME_CHECKS}
EVERY = [
    pytest.param(rule, mutation, id=f"{rule}-{mutation.noticed_by}")
    for rule, mutations in MUTATIONS.items()
    for mutation in mutations
]


def look(mutation: Mutation, options: Mapping[str, Any]) -> None:
    """Run what should notice the mutation."""
    if mutation.noticed_by in CHECKS:
        CHECKS[mutation.noticed_by]()
    else:
        run(scenarios()[mutation.noticed_by], options)


def test_every_rule_is_broken_once() -> None:
    assert set(MUTATIONS) == defined()


@pytest.mark.parametrize(("rule", "mutation"), EVERY)
def test_what_notices_is_about_the_rule(rule: str, mutation: Mutation) -> None:
    if mutation.noticed_by in CHECKS:
        assert rule in (CHECKS[mutation.noticed_by].__doc__ or "")
    else:
        assert rule in scenarios()[mutation.noticed_by]["rules"]


@pytest.mark.parametrize(("rule", "mutation"), EVERY)
def test_a_broken_rule_is_noticed(rule: str, mutation: Mutation, monkeypatch: pytest.MonkeyPatch) -> None:
    look(mutation, {})  # it holds while nothing is broken
    if mutation.core is not None:
        mutation.core(monkeypatch)
    with pytest.raises((AssertionError, IllegalMoveError)):
        look(mutation, mutation.options)
