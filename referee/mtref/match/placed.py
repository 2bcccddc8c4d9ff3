"""A round that is played on from a position, with a move chosen beforehand."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame
from mtref.match.table import StepSink, TableRun
from mtref.position import PlacedGame, Position, position_to_mapping
from mtref.replay.records import BotInfo, LogHeader, PositionOrigin
from mtref.rules import fairdeal
from mtref_sdk.errors import MtrefError
from mtref_sdk.moves import Move

__all__ = ["Opening", "PlacedRun"]

DEAL = "position"
"""What stands for the id of a deal where nothing was dealt."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A position and the move to be made in it, once the draws and passes that are due have been made."""

    position: Position
    move: Move

    def check(self) -> None:
        """Raises ConfigError when the position is not complete, IllegalMoveError when the move is not allowed."""
        game = PlacedGame(self.position)
        game.start()
        if game.over:
            raise MtrefError(f"{self.move} cannot be played: the round is over")
        game.play(self.move.code)

    def planned(self, seed_text: str | None, players: Sequence[str] = ()) -> PlannedGame:
        """The round to be played. Its seed serves the bots' private seeds only; None draws one.

        Its id follows from the position, the move and `players`, which says by seat what each bot is.
        """
        plain = json.dumps([position_to_mapping(self.position), str(self.move)], sort_keys=True)
        seed = secrets.token_bytes(fairdeal.SEED_BYTES)
        if seed_text is not None:
            seed = fairdeal.deal_seed(fairdeal.master_seed(seed_text), DEAL)
        parts = "mtref/position/v1", plain, *players
        game = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
        bots = tuple(range(self.position.seats))
        return PlannedGame(1, DEAL, game, seed, fairdeal.commitment(seed, DEAL), bots)


class PlacedRun(TableRun):
    """A table that begins with a position; the first move is the opening's, and nobody is asked for it."""

    def __init__(
        self,
        opening: Opening,
        planned: PlannedGame,
        options: MatchOptions,
        bots: Sequence[BotInfo],
        sink: StepSink,
    ) -> None:
        super().__init__(planned, options, bots, sink)
        self._opening = opening
        self._moved = False
        self.game = PlacedGame(opening.position, self._note)

    def advance(self, steps: int = 64) -> None:
        """See `TableRun`."""
        if not self._moved:
            self._moved = True
            self._play(self._opening.move.code, "branch", None, None)
        super().advance(steps)

    def _header(self) -> LogHeader:
        opening = self._opening
        origin = PositionOrigin(position_to_mapping(opening.position), opening.move.code)
        return replace(super()._header(), origin=origin)
