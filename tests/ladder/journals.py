"""Made-up records for tests of the journal and of the tables."""

from __future__ import annotations

from collections.abc import Sequence

from mtref.ladder.config import LadderConfig
from mtref.ladder.contract import contract_of
from mtref.ladder.records import Bot, GameRecord, NotPlayed, SeatRecord
from mtref.match.standing import counted_totals, places_of
from tests.ladder.ladders import make_config

__all__ = ["contract", "game", "not_played", "some_bots"]


def some_bots(count: int) -> list[Bot]:
    """Bots b0, b1, … with different contents."""
    return [Bot(f"b{n}", f"{n:064x}", None, f"./b{n}") for n in range(count)]


def contract(config: LadderConfig | None = None) -> dict[str, object]:
    """A contract as a runner would write it."""
    return contract_of(config or make_config(3, 2))


def game(
    number: int,
    deal: int,
    totals: dict[str, int],
    *,
    forfeited: Sequence[str] = (),
    contents: dict[str, str] | None = None,
    digest: str | None = None,
    faults: dict[str, dict[str, int]] | None = None,
) -> GameRecord:
    """A game with these totals, by bot in the order of the seats."""
    gone = [bot in forfeited for bot in totals]
    scores = list(totals.values())
    seats = tuple(
        SeatRecord(
            bot=bot,
            content=(contents or {}).get(bot, bot),
            scores=(scores[seat],),
            total=scores[seat],
            counted=counted_totals(scores, gone)[seat],
            place=places_of(scores, gone)[seat],
            forfeited=gone[seat],
            decisions=10,
            time_ms=50.0 + seat,
            longest_ms=9.0,
            faults=(faults or {}).get(bot, {}),
        )
        for seat, bot in enumerate(totals)
    )
    found = digest if digest is not None else f"{number:064x}"
    return GameRecord(f"{number:064x}", deal, found, seats, None, 1.5, "2026-01-02T03:04:05Z", "0.1.0")


def not_played(number: int, deal: int, reason: str = "a did not start") -> NotPlayed:
    """A game that could not be played."""
    return NotPlayed(f"{number:064x}", deal, ("a", "b"), ("a",), reason, 1, "2026-01-02T03:04:05Z")
