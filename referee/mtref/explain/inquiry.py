"""`Inquiry`: a position that moves are tried in. It stops where it would need a tile nobody wrote down."""

from __future__ import annotations

from typing import Final

from mtref.position import Position, state_of, table_of
from mtref.rules.forced import forced_step
from mtref.rules.legal import legal_moves, may_lift
from mtref.rules.reasons import illegal
from mtref.rules.transition import apply, make
from mtref_sdk.errors import IllegalMoveError, MtrefError
from mtref_sdk.events import Event, TileDrawn
from mtref_sdk.moves import Move, parse_move
from mtref_sdk.tiles import Tile

__all__ = ["Inquiry"]

_NAMED: Final = frozenset({"draw", "pass", "stop"})
"""The steps of the referee that are written like moves. Going out after all is not: it is no turn's end."""

_DUE: Final = frozenset({"draw", "pass"})
"""Steps that may be named like a move when they come next anyway."""


class Inquiry:
    """A position and what has happened since.

    Attributes: ``position`` (as it was), ``state`` (as it is), ``table`` (what everybody sees of it), ``events`` (since
    the position, in order), ``just_drawn`` (the tile the seat on turn has just drawn, or None).
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.state = state_of(position)
        self.events: list[Event] = []
        self.table = table_of(position)
        self._drawn_tile = position.just_drawn

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return bool(self.state.over)

    @property
    def just_drawn(self) -> Tile | None:
        """The tile that the seat on turn has just drawn and must play now if it plays."""
        return self._drawn_tile if self.state.fresh else None

    def knows_hand(self, seat: int) -> bool:
        """Whether the position gave the tiles of a seat's hand."""
        return not isinstance(self.position.hands[seat], int)

    @property
    def legal(self) -> list[int] | None:
        """The codes the seat on turn may choose from; [] when a forced step comes next or the round is over, None if unknown."""
        if self.over:
            return []
        if not self.knows_hand(self.state.turn):
            return None
        return legal_moves(self.state, self.state.hands[self.state.turn])

    @property
    def may_lift(self) -> list[int]:
        """Those of `legal` that may also carry a lift."""
        return may_lift(self.state, self.legal or [])

    @property
    def coming(self) -> str | None:
        """``draw``, ``pass`` or ``stop`` when that is what the referee does next; None when a choice comes, or unknown."""
        if self.legal != [] or self.over:
            return None
        forced = forced_step(self.state)
        return forced if forced in _NAMED else None

    def settle(self) -> None:
        """Make forced steps until somebody has a choice, the round is over, or a tile or hand is needed that is unknown."""
        while self._make_forced_step():
            pass

    def make(self, text: str) -> None:
        """Make the forced steps, then the move in `text`, then the forced steps after it.

        Raises IllegalMoveError for a move that is refused, InvalidMoveError for a text that is no move, and MtrefError when
        the round is over or the tiles needed to judge it are unknown.
        """
        text = _canonical(text)
        if text in _DUE and text == self.coming and self._make_forced_step():
            self.settle()
            return
        self.settle()
        refused = self.refusal(text)
        if self.coming == "draw" and (refused is None or not self._can_be_judged(text)):
            raise MtrefError(
                f"{text} cannot be judged: the tile that seat {self.state.turn} draws is unknown"
            )
        if refused is not None:
            raise refused
        apply(self.state, parse_move(text).code, self._listen)
        self.settle()

    def refusal(self, text: str) -> IllegalMoveError | None:
        """Why the move in `text` may not be made as it stands; None if it may, or is the draw or pass that comes next.

        Raises InvalidMoveError and MtrefError as `make` does.
        """
        text = _canonical(text)
        legal = self._known_legal(text)
        if text in _DUE:
            return None if text == self.coming else self._not_a_choice(text, legal)
        move = parse_move(text)
        plain = move.plain().code
        if plain in legal and (not move.lift or plain in self.may_lift):
            return None
        return illegal(self.state, self.state.hands[self.state.turn], move.code)

    def _can_be_judged(self, text: str) -> bool:
        """Whether no unknown tile that the seat on turn is about to draw could make the move legal."""
        if text in _DUE or text == "stop":
            return True
        tile = parse_move(text).tile
        return bool(self.state.hands[self.state.turn][tile.low] >> tile.high & 1)

    def _known_legal(self, text: str) -> list[int]:
        legal = self.legal
        if self.over:
            raise MtrefError(f"{text} cannot be played: the round is over")
        if legal is None:
            raise MtrefError(f"{text} cannot be judged: the hand of seat {self.state.turn} is unknown")
        return legal

    def _not_a_choice(self, text: str, legal: list[int]) -> IllegalMoveError:
        turn = self.state.turn
        if legal:
            reason, rule = "a seat that can play must play", "R-must-play"
        elif self.coming == "draw":
            reason, rule = "it has a draw left and makes it first", "R-draw"
        elif self.coming == "stop":
            reason, rule = "its turn ends without a draw or a marker", "R-run"
            if self.state.owed:
                rule = "R-follow-optional"
        elif self.state.boneyard_size and self.state.rules.may_draw:
            reason, rule = "it has used its draw", "R-one-draw"
        else:
            reason, rule = "there is nothing to draw", "R-draw"
        return IllegalMoveError(turn, text, reason, rule, [str(Move(code)) for code in legal])

    def _make_forced_step(self) -> bool:
        """One forced step; False when none comes or it needs an unknown tile."""
        if self.over or self.legal != []:
            return False
        forced = forced_step(self.state)
        if forced == "draw" and isinstance(self.position.boneyard, int):
            return False
        make(self.state, forced, self._listen)
        return True

    def _listen(self, event: Event) -> None:
        self.events.append(event)
        self.table = self.table.after(event)
        if isinstance(event, TileDrawn):
            self._drawn_tile = event.tile


def _canonical(text: str) -> str:
    """A move's text as it is written here. Raises InvalidMoveError when it is none."""
    text = text.strip()
    return text if text in _DUE else str(parse_move(text))
