"""One moment of a game drawn as plain text, or as an object for JSON. Nothing is folded here, and nothing printed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from mtref.replay.encode import move_text
from mtref.replay.moment import Moment
from mtref_sdk.table import Train
from mtref_sdk.tiles import Tile

__all__ = ["WIDTH", "draw", "moment_to_dict", "wrapped"]

WIDTH = 100
"""The most characters of a line of text."""

_INDENT = 14


def wrapped(label: str, words: Iterable[str]) -> Iterator[str]:
    """`label`, then `words` in a column beside it, over as many lines as they need."""
    start = label.ljust(_INDENT)
    if len(start) > _INDENT:
        start += " "
    text = start + (" ".join(words) or "-")
    yield from textwrap.wrap(
        text, WIDTH, subsequent_indent=" " * _INDENT, break_on_hyphens=False, drop_whitespace=True
    )


def draw(moment: Moment) -> Iterator[str]:
    """The lines of a picture of `moment`: where the game is, every train tile by tile, hands, boneyard, the choice.

    Tiles of a train are written inner number first, as they lie. Unknown tiles are only counted.
    """
    table = moment.table
    if not table.round_number:
        yield f"line {moment.number}: before the first round"
        return
    turn = "between turns" if table.turn is None else f"seat {table.turn} on turn"
    yield (
        f"line {moment.number}: round {table.round_number} of {table.rules.rounds}, "
        f"engine {table.engine}-{table.engine}, {turn}"
    )
    yield ""
    for train in table.trains.values():
        yield from _train(train)
    yield ""
    for seat, (hand, size) in enumerate(zip(moment.hands, table.hand_sizes, strict=True)):
        yield from wrapped(f"hand {seat} ({size})", _tiles(hand, size))
    yield from wrapped(f"boneyard ({table.boneyard})", _tiles(moment.boneyard, table.boneyard))
    yield from wrapped("totals", map(str, table.totals))
    if moment.decision is not None:
        made = moment.decision
        whose = "" if made.by == "bot" else f" ({made.by})"
        yield ""
        yield f"seat {made.seat} plays {move_text(made.move)}{whose}"
        yield from wrapped("of", map(move_text, made.legal))
        if made.may_lift:
            yield from wrapped("may lift with", map(move_text, made.may_lift))


def _train(train: Train) -> Iterator[str]:
    kind = "Mexican" if train.owner is None else "train"
    links = [f"{inner}-{outer}" for inner, outer in train.links]
    notes = [f"({train.end})"]
    if train.marked:
        notes.append("[marked, forgotten]" if train.forgotten else "[marked]")
    if train.unsatisfied:
        notes.append("[unsatisfied]")
    yield from wrapped(f"{kind} {train.id}", [*links, *notes])


def _tiles(tiles: tuple[Tile, ...] | None, size: int) -> Iterable[str]:
    if tiles is None:
        return ["unknown"] if size else []
    return map(str, tiles)


def moment_to_dict(moment: Moment) -> dict[str, Any]:
    """`moment` for JSON: trains tile by tile, inner number first; unknown hands and an unknown boneyard are None."""
    table = moment.table
    made = moment.decision
    return {
        "n": moment.number,
        "round": table.round_number,
        "engine": table.engine,
        "starter": table.starter,
        "turn": table.turn,
        "totals": list(table.totals),
        "trains": {train.id: [f"{a}-{b}" for a, b in train.links] for train in table.trains.values()},
        "open_ends": dict(table.open_ends),
        "marked": list(table.marked),
        "forgotten": list(table.forgotten),
        "unsatisfied": list(table.unsatisfied),
        "hand_sizes": list(table.hand_sizes),
        "hands": [None if hand is None else list(map(str, hand)) for hand in moment.hands],
        "boneyard_size": table.boneyard,
        "boneyard": None if moment.boneyard is None else list(map(str, moment.boneyard)),
        "decision": None
        if made is None
        else {
            "seat": made.seat,
            "legal": list(map(move_text, made.legal)),
            "may_lift": list(map(move_text, made.may_lift)),
            "move": move_text(made.move),
            "by": made.by,
        },
    }
