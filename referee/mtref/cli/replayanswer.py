"""What a bot answered when it was asked again, as lines for people and as objects. Nothing is asked or printed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mtref.match.entry import Entry
from mtref.match.retelling import Retelling
from mtref.replay.encode import move_text
from mtref.replay.picture import wrapped
from mtref.text import escape, plural

if TYPE_CHECKING:
    from mtref.server.teller import Reply

__all__ = ["Attached", "Rerun"]


def _chosen(reply: Reply) -> str:
    return move_text(reply.code) if reply.code is not None else escape(str(reply.wrong), 300)


def _logged(reply: Reply) -> str | None:
    made = reply.question.made
    return None if made is None else move_text(made.move)


def _by(reply: Reply) -> str:
    made = reply.question.made
    return "by the bot" if made is None or made.by == "bot" else f"{made.by}, not by the bot"


def _different(replies: Sequence[Reply]) -> list[Reply]:
    return [reply for reply in replies if reply.question.made and _chosen(reply) != _logged(reply)]


def _difference(reply: Reply) -> dict[str, Any]:
    return {
        "line": reply.question.line,
        "log": _logged(reply),
        "move": None if reply.code is None else move_text(reply.code),
        "wrong": reply.wrong,
    }


def _heading(entry: Entry, retelling: Retelling) -> dict[str, Any]:
    return {
        "game": retelling.header.game,
        "seat": retelling.seat,
        "seed_revealed": retelling.revealed,
        "bot": entry.name,
    }


@dataclass(frozen=True)
class Attached:
    """One answer, and the `before`: those to the questions that came first."""

    entry: Entry
    retelling: Retelling
    reply: Reply
    before: Sequence[Reply]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        ask, made = self.reply.question.ask, self.reply.question.made
        return {
            **_heading(self.entry, self.retelling),
            **_difference(self.reply),
            "by": None if made is None else made.by,
            "legal": list(map(move_text, ask.legal)),
            "may_lift": [move_text(code & ~1) for code in ask.may_lift],
            "ms": round(self.reply.ms, 3),
            "before": {
                "asked": len(self.before),
                "different": list(map(_difference, _different(self.before))),
            },
        }

    def lines(self) -> Iterator[str]:
        """For people."""
        reply, asked = self.reply, len(self.before)
        ask, logged = reply.question.ask, _logged(reply)
        yield f"line {reply.question.line}: seat {self.retelling.seat} is asked its decision {asked + 1}"
        yield from wrapped("legal", map(move_text, ask.legal))
        if ask.may_lift:
            yield from wrapped("may lift with", [move_text(code & ~1) for code in ask.may_lift])
        yield from wrapped("the log", ["breaks off here" if logged is None else f"{logged} ({_by(reply)})"])
        yield from wrapped(escape(self.entry.name, 40), [f"{_chosen(reply)} (after {reply.ms:.1f} ms)"])
        different = _different(self.before)
        if different:
            first = different[0]
            yield (
                f"at {len(different)} of the {plural(asked, 'decision')} before it did not choose what the log has, "
                f"first in line {first.question.line}: {_chosen(first)}, the log {_logged(first)}; "
                "it was told what the log has"
            )
        elif asked:
            yield f"at the {plural(asked, 'decision')} before it chose what the log has"


@dataclass(frozen=True)
class Rerun:
    """The answers to every question of a game, asked twice from the beginning."""

    entry: Entry
    retelling: Retelling
    first: Sequence[Reply]
    second: Sequence[Reply]

    @cached_property
    def different(self) -> list[Reply]:
        """Where it did not choose what the log has."""
        return _different(self.first)

    @cached_property
    def wavering(self) -> list[tuple[Reply, Reply]]:
        """Where it did not choose the same twice."""
        pairs = zip(self.first, self.second, strict=False)
        return [(one, two) for one, two in pairs if _chosen(one) != _chosen(two)]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **_heading(self.entry, self.retelling),
            "asked": len(self.first),
            "different": [_difference(reply) for reply in self.different],
            "deterministic": not self.wavering,
            "wavering": [
                {"line": one.question.line, "first": _chosen(one), "second": _chosen(two)}
                for one, two in self.wavering
            ],
        }

    def lines(self) -> Iterator[str]:
        """For people."""
        name = escape(self.entry.name, 60)
        for reply in self.different:
            yield (
                f"line {reply.question.line}: the log has {_logged(reply)} ({_by(reply)}), the bot {_chosen(reply)}"
            )
        yield (
            f"{name}, asked {plural(len(self.first), 'decision')} of seat {self.retelling.seat}: "
            f"{len(self.different) or 'none'} of them different"
        )
        if self.wavering:
            one, two = self.wavering[0]
            yield (
                f"{name} is not deterministic: asked twice, it differs from itself at {len(self.wavering)} of them, "
                f"first in line {one.question.line}: {_chosen(one)}, then {_chosen(two)}"
            )
