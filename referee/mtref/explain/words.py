"""The answer about an inquiry as lines of text for people. Nothing is decided or printed here."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from mtref.explain.answer import hand_of_seat, refused_tiles, scores_of
from mtref.explain.inquiry import Inquiry
from mtref.text import escape
from mtref_sdk import events
from mtref_sdk.events import Event
from mtref_sdk.moves import Move
from mtref_sdk.table import Train

__all__ = ["told"]

_WIDTH = 100
_INDENT = 14


def told(inquiry: Inquiry) -> Iterator[str]:
    """What has happened since the position, the table as it is, what may be played, and why the rest may not."""
    happened = [phrase for event in inquiry.events if (phrase := _phrase(event))]
    if happened:
        yield from _column("since then", [f"{phrase}," for phrase in happened[:-1]] + [happened[-1]])
        yield ""
    yield from _table(inquiry)
    yield ""
    yield from _choice(inquiry)
    reasons = refused_tiles(inquiry)
    if reasons:
        yield ""
        yield "not playable:"
        for tile, (reason, rule) in reasons.items():
            yield f"  {tile!s:<6} {reason} ({rule})"


def _table(inquiry: Inquiry) -> Iterator[str]:
    table, rules = inquiry.table, inquiry.position.rules
    turn = "the round is over" if inquiry.over else f"seat {inquiry.state.turn} on turn"
    yield (f"{escape(rules.name)}, round {table.round_number}, engine {table.engine}-{table.engine}, {turn}")
    for train in table.trains.values():
        yield from _train(train)
    for seat, size in enumerate(inquiry.state.sizes):
        known = inquiry.knows_hand(seat)
        tiles = map(str, hand_of_seat(inquiry, seat)) if known else ["unknown"]
        yield from _column(f"hand {seat} ({size})", tiles)
    boneyard = inquiry.position.boneyard
    left = inquiry.state.boneyard_size
    shown = ["unknown"] if isinstance(boneyard, int) else map(str, boneyard[len(boneyard) - left :])
    yield from _column(f"boneyard ({left})", shown if left else [])


def _train(train: Train) -> Iterator[str]:
    notes = [f"({train.end})"]
    if train.marked:
        notes.append("[marked, forgotten]" if train.forgotten else "[marked]")
    if train.unsatisfied:
        notes.append("[unsatisfied]")
    label = "Mexican" if train.owner is None else "train"
    yield from _column(f"{label} {train.id}", [*(f"{inner}-{outer}" for inner, outer in train.links), *notes])


def _choice(inquiry: Inquiry) -> Iterator[str]:
    turn, legal, coming = inquiry.state.turn, inquiry.legal, inquiry.coming
    if inquiry.over:
        how = "blocked" if inquiry.state.winner < 0 else f"seat {inquiry.state.winner} went out"
        scores = ["unknown" if score is None else str(score) for score in scores_of(inquiry) or []]
        yield f"{how}; scores {' '.join(scores)}"
    elif legal is None:
        yield f"seat {turn} comes next; what it may play depends on its hand, which is unknown"
    elif coming == "draw":
        unknown = ", a tile that is unknown" if isinstance(inquiry.position.boneyard, int) else ""
        yield f"seat {turn} has no legal play and draws{unknown} (R-draw)"
    elif coming == "pass":
        yield f"seat {turn} has neither a legal play nor a draw and passes (R-pass)"
    elif coming == "stop":
        rule = "R-follow-optional" if inquiry.state.owed else "R-run"
        yield f"seat {turn} has nothing to go on with; its turn ends quietly ({rule})"
    elif not legal:
        yield f"seat {turn} has no tile left and can draw none; it went out (R-finish-double)"
    else:
        yield from _column("may play", (str(Move(code)) for code in legal))
        if inquiry.may_lift:
            yield from _column("may lift with", (str(Move(code)) for code in inquiry.may_lift))


def _phrase(event: Event) -> str | None:
    """What happened, in a few words; None for what the next lines say anyway."""
    match event:
        case events.TilePlayed():
            return f"seat {event.seat} plays {event.tile}@{event.train}"
        case events.TileDrawn():
            return f"seat {event.seat} draws {event.tile}"
        case events.TurnPassed():
            return f"seat {event.seat} passes"
        case events.TurnStopped():
            return f"seat {event.seat} stops"
        case events.MarkerRaised():
            return f"marker {event.seat} up"
        case events.MarkerLowered():
            return f"marker {event.seat} down"
        case events.MarkerForgotten():
            return f"marker {event.seat} forgotten"
        case events.MarkerRenewed():
            return f"marker {event.seat} is a new one"
        case events.DoubleBound():
            return f"the double on {event.train} must be satisfied"
        case events.DoubleSatisfied():
            return f"the double on {event.train} is satisfied"
        case events.DoubleReleased():
            return f"the double on {event.train} binds nobody"
        case events.LastTileCalled():
            return f"seat {event.seat} is down to one tile"
        case _:
            return None


def _column(label: str, words: Iterable[str]) -> Iterator[str]:
    start = f"{label:<{_INDENT}}" if len(label) < _INDENT else f"{label} "
    yield from textwrap.wrap(
        start + (" ".join(words) or "-"),
        _WIDTH,
        subsequent_indent=" " * _INDENT,
        break_on_hyphens=False,
    )
