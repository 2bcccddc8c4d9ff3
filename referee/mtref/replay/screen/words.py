"""Each step of a game in one line of words. What is hidden from the eyes it is read with has been taken out before."""

from __future__ import annotations

from mtref.replay.encode import move_text
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, Record, SeedRevealed
from mtref.replay.story import between, phrase_of
from mtref.text import escape
from mtref_sdk.events import TilePlayed, TurnStarted

__all__ = ["fault_in_words", "sentence"]

_BY = {
    "bot": "chooses",
    "default": "is given the default move",
    "forced": "has only",
    "branch": "is made to play",
}
_NUMBERED = 8  # so many characters stand before what `between` says


def sentence(record: Record) -> str:
    """What happened in a step, without a full stop."""
    match record:
        case LogHeader():
            return "before the first round"
        case TurnStarted():
            return f"seat {record.seat} is on turn"
        case LogDecision():
            return f"seat {record.seat} {_BY[record.by]} {move_text(record.move)} of {len(record.legal)}"
        case LogFault():
            return fault_in_words(record)
        case TilePlayed():
            return f"seat {record.seat} plays {record.tile}@{record.train}"
        case LogEnd():
            return "the log is complete"
        case SeedRevealed():
            return f"the seed is revealed: {record.seed.hex()}"
        case _:
            phrase = phrase_of(record)
            if phrase is not None:
                seat = getattr(record, "seat", None)
                return phrase if seat is None else f"seat {seat} {phrase}"
            return " ".join(line[_NUMBERED:] for line in between(0, record) if line)


def fault_in_words(record: LogFault) -> str:
    """A fault with what was sent and what was done, all of it safe to show."""
    said = f": {escape(record.message, 120)}" if record.message else ""
    return f"fault of seat {record.seat}: {escape(record.kind, 40)}{said} -> {escape(record.done, 40)}"
