"""Which games a match consists of: deals, game ids, seeds, and who sits where. All chance starts here."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from mtref.rules import fairdeal

__all__ = ["PlannedGame", "draw_master_seed", "draw_seed_text", "plan_games"]


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game: its 1-based number, its deal, its public id, and the index of the bot on each seat."""

    number: int
    deal: str
    game: str
    deal_seed: bytes
    commitment: bytes
    bots: tuple[int, ...]

    def seat_of(self, bot: int) -> int:
        """The seat the bot with this index takes."""
        return self.bots.index(bot)


def draw_seed_text() -> str:
    """A text for ``--seed`` that nobody can guess: 64 hex digits from the operating system."""
    return secrets.token_hex(32)


def draw_master_seed(text: str | None) -> bytes:
    """32 bytes: the SHA-256 of the text of ``--seed``, or fresh ones from the operating system."""
    return secrets.token_bytes(32) if text is None else fairdeal.master_seed(text)


def plan_games(master: bytes, bots: int, games: int) -> list[PlannedGame]:
    """Deals 1 to `games`, one game each; every bot moves one seat on from game to game.

    Game ids are 16 hex digits that follow from the master seed and the deal id, and tell nothing about either.
    """
    plan: list[PlannedGame] = []
    for number in range(1, games + 1):
        deal = str(number)
        seed = fairdeal.deal_seed(master, deal)
        label = b"mtref/game/v1\x00" + deal.encode()
        game = hmac.new(master, label, hashlib.sha256).hexdigest()[:16]
        seats = tuple((seat - (number - 1)) % bots for seat in range(bots))
        plan.append(PlannedGame(number, deal, game, seed, fairdeal.commitment(seed, deal), seats))
    return plan
