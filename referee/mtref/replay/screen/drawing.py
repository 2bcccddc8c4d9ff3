"""The table as styled text for a terminal: every train tile by tile, hands, boneyard, the choice. Nothing is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from mtref.replay.encode import move_text
from mtref.replay.moment import Moment
from mtref.replay.records import LogDecision, LogHeader
from mtref.text import escape
from mtref_sdk.moves import Move
from mtref_sdk.table import Train
from mtref_sdk.tiles import Tile

__all__ = ["draw_choice", "draw_table", "tile_text"]

_PIPS: Final = (
    "#4b525b", "#2f7fc1", "#2e8b3d", "#c62f2f", "#7a4a24", "#233f9c", "#a87900", "#c2417f", "#1b7f78", "#6d3aa6",
    "#c65a10", "#8c1f3f", "#4b525b", "#4f6b12", "#1f6a8f", "#5f3a3a", "#9a2fa0", "#20603f", "#111418",
)  # fmt: skip
"""A colour for each number, dark enough on a pale tile."""

_GROUNDS: Final = {"": "#fffbf0", "legal": "#bfeccb", "chosen": "#a9cdfb", "drawn": "#ffe9a8"}
_LABEL = 20
_QUIET = Style(dim=True)


def tile_text(first: int, second: int, kind: str = "") -> Text:
    """A tile as it lies, such as ``3│9``; a double has two strokes. `kind` is ``legal``, ``chosen``, ``drawn`` or empty."""
    ground = _GROUNDS[kind]
    stroke = "║" if first == second else "│"
    text = Text(no_wrap=True)
    for part, colour in ((first, _PIPS[first]), (stroke, "#8c8577"), (second, _PIPS[second])):
        text.append(str(part), Style(color=colour, bgcolor=ground, bold=True, underline=kind == "chosen"))
    return text


def _flow(label: Text, pieces: Iterable[Text], width: int) -> Text:
    """`label`, then the pieces beside it in a column, in as many lines as they need."""
    lines = [label]
    label.pad_right(max(1, _LABEL - label.cell_len))
    indent = min(label.cell_len, _LABEL)
    fresh = True
    for piece in pieces:
        if not fresh and lines[-1].cell_len + 1 + piece.cell_len > width:
            lines.append(Text(" " * indent))
            fresh = True
        if not fresh:
            lines[-1].append(" ")
        lines[-1].append_text(piece)
        fresh = False
    return Text("\n").join(lines)


def _label(head: str, name: str, *, on_turn: bool) -> Text:
    room = _LABEL - len(head) - 3
    shown = name if len(name) <= room else name[: room - 1] + "…"
    return Text().append(f"{'>' if on_turn else ' '}{head} {shown}", Style(bold=True, reverse=on_turn))


def _train(train: Train, names: Sequence[str], moment: Moment, width: int) -> Text:
    pieces = [tile_text(inner, outer) for inner, outer in train.links]
    pieces.append(Text(f"->{train.end}", Style(bold=True)))
    if train.marked:
        pieces.append(
            Text("[marker up, forgotten]" if train.forgotten else "[marker up]", Style(color="yellow"))
        )
    if train.unsatisfied:
        pieces.append(Text("[unsatisfied double]", Style(color="red", bold=True)))
    name = "Mexican" if train.owner is None else names[train.owner]
    on_turn = train.owner is not None and train.owner == moment.table.turn
    return _flow(_label(train.id, name, on_turn=on_turn), pieces, width)


def _hand(seat: int, name: str, moment: Moment, width: int) -> Text:
    table, hand, made = moment.table, moment.hands[seat], moment.decision
    notes = [
        Text(f"{table.hand_sizes[seat]} held,", _QUIET),
        Text(f"total {table.totals[seat]}", _QUIET),
    ]
    own = made if made is not None and made.seat == seat else None
    tiles = [Text("hidden", _QUIET)] if hand is None else [_held(tile, own) for tile in hand]
    return _flow(_label(str(seat), name, on_turn=seat == table.turn), [*notes, *tiles], width)


def _held(tile: Tile, made: LogDecision | None) -> Text:
    kind = ""
    if made is not None:
        moves = [Move(code) for code in made.legal]
        if any(not move.is_stop and move.tile == tile for move in moves):
            kind = "legal"
        chosen = Move(made.move)
        if not chosen.is_stop and chosen.tile == tile:
            kind = "chosen"
    return tile_text(tile.low, tile.high, kind)


def draw_table(moment: Moment, header: LogHeader, width: int) -> Text:
    """The whole table at `moment`, in lines of at most `width` cells where that is possible."""
    table = moment.table
    if not table.round_number:
        return Text("No tile has been dealt yet.", _QUIET)
    names = [escape(bot.name, 40) or "no name" for bot in header.bots]
    engine = tile_text(table.engine, table.engine)
    title = Text.assemble(
        (f"Round {table.round_number} of {table.rules.rounds}", "bold"),
        "   engine ",
        engine,
        f"   boneyard {table.boneyard}",
    )
    shown = [train for train in table.trains.values() if train.links or train.owner is not None]
    trains = [_train(train, names, moment, width) for train in shown]
    hands = [_hand(seat, name, moment, width) for seat, name in enumerate(names)]
    parts = [title, Text(), *trains, Text(), Text("Hands", "bold"), *hands]
    if moment.boneyard:
        tiles = [tile_text(tile.low, tile.high) for tile in moment.boneyard]
        parts += [Text(), _flow(Text("Boneyard, next first"), tiles, width)]
    return Text("\n").join(parts)


def draw_choice(made: LogDecision | None, header: LogHeader) -> Text:
    """The moves that were legal, the one made marked; how long it took, and who made it."""
    if made is None:
        return Text("Nothing is being decided here.", _QUIET)
    name = escape(header.bots[made.seat].name, 30) if made.seat < header.seats else "?"
    whose = {
        "bot": "",
        "default": ", the referee's default move",
        "forced": ", the only move",
        "branch": ", by the branch",
    }[made.by]
    time = "" if made.ms is None else f", {made.ms:g} ms"
    bank = "" if made.bank_ms is None else f", bank {made.bank_ms:g} ms"
    text = Text.assemble((f"seat {made.seat} ({name})", "bold"), f"{whose}{time}{bank}\n")
    for number, code in enumerate(made.legal):
        chosen = code == made.move & ~1 or code == made.move
        lift = " lift" if chosen and Move(made.move).lift else ""
        label = f"*{move_text(code)}{lift}*" if chosen else move_text(code)
        text.append(" " if number else "")
        text.append(label, Style(bold=chosen, reverse=chosen))
    return text
