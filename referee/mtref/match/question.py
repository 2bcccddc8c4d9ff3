"""A decision a bot has to make, as the referee puts it, and as a file from which the bot can be asked again."""

from __future__ import annotations

import json
import secrets
import struct
from collections.abc import Sequence
from typing import Any, Final

from mtref_sdk.books import Books
from mtref_sdk.decision import Clock, Decision
from mtref_sdk.decisionfile import decision_to_json
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import RuleSet

__all__ = ["Ask", "as_decision", "as_decision_file", "fresh_id"]


_ids: Final[list[int]] = []


def fresh_id() -> int:
    """A number of 64 bits from the system's randomness, which is asked for many at a time."""
    if not _ids:
        _ids.extend(struct.unpack("@64Q", secrets.token_bytes(8 * 64)))
    return _ids.pop()


class Ask:
    """A decision a bot has to make. ``id`` is random and its alone; moves are codes; times are None without a clock.

    (No dataclass, nor a tuple with names: one is made for every decision, and compiled they take many times as long.)
    """

    __slots__ = ("bank_ms", "id", "legal", "may_lift", "move_ms", "seat")

    def __init__(
        self,
        id: int,  # noqa: A002 - it is called so in mtref.proto
        seat: int,
        legal: tuple[int, ...],
        may_lift: tuple[int, ...],
        move_ms: float | None,
        bank_ms: float | None,
    ) -> None:
        self.id, self.seat = id, seat
        self.legal, self.may_lift = legal, may_lift
        self.move_ms, self.bank_ms = move_ms, bank_ms


def as_decision_file(ask: Ask, game: str, rules: RuleSet, seats: int, heard: Sequence[int]) -> dict[str, Any]:
    """The object of a decision file (``mtref-decision/1``): the question with all that seat has `heard`, packed."""
    plain: dict[str, Any] = json.loads(decision_to_json(as_decision(ask, game, rules, seats, heard)))
    return plain


def as_decision(ask: Ask, game: str, rules: RuleSet, seats: int, heard: Sequence[int]) -> Decision:
    """The question with all that seat has `heard`, packed, as the SDK puts it to a bot."""
    books = Books(rules, seats, ask.seat)
    books.tell(heard)
    books.catch_up()
    return Decision(
        lambda: Observation.of(books),
        ask.legal,
        ask.may_lift,
        Clock.of_ms(ask.move_ms, ask.bank_ms),
        game=game,
    )
