"""Why a tile or a move is refused, with the rule id: words for what `mtref.rules.legal` decides."""

from __future__ import annotations

from mtref.rules.legal import follow_up_trains, legal_moves, locked_trains, may_lift, ordinary_trains
from mtref.rules.state import FIRST_MEXICAN, Hand, PublicState
from mtref_sdk.errors import IllegalMoveError
from mtref_sdk.moves import STOP_CODE, TRAINS, Move
from mtref_sdk.tiles import TILE_BY_CODE

__all__ = ["illegal", "why_not"]


def illegal(public: PublicState, hand: Hand, code: int) -> IllegalMoveError:
    """The error for a move (a code) that the seat on turn may not play now with `hand`."""
    legal = legal_moves(public, hand)
    texts = [str(Move(move)) for move in legal]
    text, rule = _why_not_move(public, hand, code, legal)
    return IllegalMoveError(public.turn, str(Move(code)), text, rule, texts)


def why_not(public: PublicState, tile: int) -> tuple[str, str]:
    """Why the tile with this code cannot be played now by the seat on turn: a sentence and a rule id.

    Expects a tile that is in no legal move.
    """
    text, rule = _restriction(public)
    numbers = f"{tile >> 5} or {tile & 31}" if tile >> 5 != tile & 31 else f"{tile & 31}"
    return f"no open end you may use is {numbers}{f': {text}' if text else ''}", rule


def _why_not_move(public: PublicState, hand: Hand, code: int, legal: list[int]) -> tuple[str, str]:
    if code == STOP_CODE:
        return _why_not_stop(public)
    tile, train = code >> 6, code >> 1 & 31
    name = TRAINS[train]
    if not hand[tile >> 5] >> (tile & 31) & 1:
        return f"{TILE_BY_CODE[tile]} is not in its hand", "R-targets"
    if code & 1 and code ^ 1 in legal:
        return _why_not_lift(public, train, legal)
    if train >= len(public.ends) or (train < FIRST_MEXICAN and train >= public.seats):
        if train >= FIRST_MEXICAN:
            return f"there is no train {name}, and it cannot be started now", "R-mexican"
        return f"there is no train {name} at a table of {public.seats}", "R-targets"
    if public.ends[train] not in (tile >> 5, tile & 31):
        return f"the open end of train {name} is {public.ends[train]}", "R-targets"
    text, rule = _restriction(public)
    if text:
        return text, rule
    return f"train {name} is another seat's and its marker is not up", "R-targets"


def _why_not_stop(public: PublicState) -> tuple[str, str]:
    if public.owed and public.rules.follow_up != "optional":
        return "a tile is owed after the double", "R-double-again"
    return "a seat that can play must play", "R-must-play"


def _why_not_lift(public: PublicState, train: int, legal: list[int]) -> tuple[str, str]:
    if public.rules.marker_removal == "auto":
        return "markers come down by themselves under these rules; there is no lift", "R-marker-down"
    if not public.marked >> public.turn & 1:
        return "its marker is not up", "R-marker-manual"
    if public.rules.marker_removal == "manual_once" and public.forgotten >> public.turn & 1:
        return "a forgotten marker stays for the rest of the round", "R-marker-manual"
    trains = dict.fromkeys(TRAINS[move >> 1 & 31] for move in may_lift(public, legal))
    allowed = ", ".join(trains) or "no train"
    return f"a play on train {TRAINS[train]} cannot lift it now; a play on {allowed} can", "R-marker-manual"


def _restriction(public: PublicState) -> tuple[str, str]:
    """What limits the seat on turn beyond the ordinary targets, as words ("" if nothing does) and a rule id."""
    if public.owed:
        return _owed_restriction(public)
    if public.laid:
        return "a run goes on at home only", "R-run"
    if public.unsatisfied:
        return _lock_restriction(public)
    return _opening_restriction(public)


def _owed_restriction(public: PublicState) -> tuple[str, str]:
    follow_up = public.rules.follow_up
    live = follow_up_trains(public)
    names = " or ".join(TRAINS[train] for train in live)
    if follow_up == "on_double" and public.doubles[-1] in live:
        return (
            f"the next tile must go on the double on train {TRAINS[public.doubles[-1]]}",
            "R-follow-on-double",
        )
    if follow_up == "second_double":
        if len(public.doubles) > 1:
            where = f"on the double on train {names}" if live else "somewhere else and be no double"
            return f"after two doubles the one more tile must go {where}", "R-follow-second"
        if live:
            return (
                f"the next tile must go on the double on train {names}, or be another double elsewhere",
                "R-follow-second",
            )
    return _opening_restriction(public)


def _lock_restriction(public: PublicState) -> tuple[str, str]:
    locked = locked_trains(public)
    names = " or ".join(TRAINS[train] for train in locked)
    if len(public.unsatisfied) > len(locked):
        return f"the double on train {names} is the oldest and must be satisfied first", "R-lock-order"
    if len(locked) > 1:
        return f"the doubles on trains {names} must be satisfied first", "R-lock-order"
    return f"the double on train {names} must be satisfied first", "R-lock-table"


def _opening_restriction(public: PublicState) -> tuple[str, str]:
    seat, opening = public.turn, public.rules.opening
    own = 1 << seat
    trains = ordinary_trains(public)
    if trains[0] == seat and len(trains) == 1 and opening != "free":
        if public.started & own and opening == "own_or_started_mexican" and not public.begun & own:
            return "in its first turn a seat plays on its own train only", "R-opening"
        if not public.started & own and (opening == "own_until_started" or not public.begun & own):
            return "its own train has no tile yet, and only there may it play", "R-opening"
    if opening == "own_or_started_mexican" and not public.started & own:
        return "its own train has no tile yet: only there or on a Mexican train that has one", "R-opening"
    return "", "R-targets"
