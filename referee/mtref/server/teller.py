"""Tells a bot a recorded game once more over a link, and takes its answers, which change nothing. No stream, no process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mtref.match.fault import FaultKind
from mtref.match.retelling import Question, Retelling, Told
from mtref.replay.encode import move_text
from mtref.server.link import Link
from mtref.server.place import Place
from mtref_sdk.errors import InvalidMoveError

__all__ = ["Reply", "Teller"]

_PASSING = (FaultKind.STALE_REPLY, FaultKind.DISCONNECT)
"""Faults after which the answer may still come."""

_ENDING = (FaultKind.CRASH, FaultKind.MEMORY, FaultKind.FLOOD)
"""Faults after which none comes any more."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a bot answered to a question after so many ms: the code of a legal move, or what was wrong, in words.

    ``gone`` tells that the bot answers nothing more.
    """

    question: Question
    code: int | None
    wrong: str | None
    ms: float
    gone: bool = False


class Teller:
    """The host of a table that is told from a log. ``reply`` is the answer to the last question, None until it is there.

    `answered` is called whenever there is one, and when something of ours has failed, which is then in ``failure``.
    """

    def __init__(self, retelling: Retelling, link: Link, heard: Callable[[], None] = lambda: None) -> None:
        self.run = retelling.table
        self.reply: Reply | None = None
        self.failure: Exception | None = None
        self._link, self._heard = link, heard
        self._question: Question | None = None
        self._end = ""  # how the bot ended, once it has
        self._place = link.seat(self, retelling.seat)

    def tell(self, told: Told, now: float) -> None:
        """Put the next of what the seat was told on the link."""
        self.reply, self._question = None, told.question
        for decision, kind, text in told.faults:
            self._link.tell_fault(self._place, decision, kind, text)
        if told.question is not None and self._end:
            self._take(Reply(told.question, None, self._end, 0.0, gone=True))
        elif told.question is not None:
            self._link.ask(self._place, told.question.ask, now)
        elif told.over and not self._end:
            self._link.finish(self._place, now)

    def answered(self, code: int, elapsed_ms: float, sent: bytes | None = None) -> None:
        """See `TableHost`."""
        del sent
        question = self._question
        assert question is not None
        wrong = None
        if code not in question.ask.legal and (not code & 1 or code ^ 1 not in question.ask.may_lift):
            try:
                wrong = f"illegal_move: {move_text(code)} may not be played here"
            except InvalidMoveError as error:
                wrong = f"malformed_reply: {error}"
        self._take(Reply(question, None if wrong else code, wrong, elapsed_ms))

    def failed(
        self,
        place: Place,
        kind: FaultKind,
        message: str,
        elapsed_ms: float | None = None,
        sent: bytes | None = None,
    ) -> None:
        """See `TableHost`."""
        del place, sent
        wrong = f"{kind}: {message}"
        if kind in _ENDING:
            self._end = wrong
            self._link.places.clear()  # or a fresh process would be started
        if self._question is not None and self.reply is None and kind not in _PASSING:
            self._take(Reply(self._question, None, wrong, elapsed_ms or 0.0, gone=bool(self._end)))

    def broken(self, error: Exception) -> None:
        """See `TableHost`."""
        self.failure = error
        self._heard()

    def _take(self, reply: Reply) -> None:
        self.run.ask = None
        self.reply = reply
        self._heard()
