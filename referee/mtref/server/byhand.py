"""What every decision needs of mtref.proto, written and read by hand: byte for byte what protobuf makes of it, in a third of the time.

There are two versions: what is fast in Python, a few calls that do much, is slow compiled, and the other way round.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Final

from mtref.match.question import Ask
from mtref.rules.native import COMPILED
from mtref.server.messages import parse
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.errors import ProtocolError
from mtref_sdk.varint import varint, varints

__all__ = ["SECOND_HELLO", "Answer", "decision_bytes", "read_answers", "update_bytes"]

Answer = tuple[int, int, int]
"""The number of the table, that of the decision, and the code of the move."""


SECOND_HELLO: Final = "a second hello"
"""What is wrong with a message that is one."""

_answer: Final[Callable[[pb.Answer], Answer]] = attrgetter("table", "decision", "move")


def _by_protobuf(data: bytes) -> list[Answer]:
    """The answers of a bot's message. Raises ProtocolError if it is none, or another message."""
    message = parse(data)
    if message.HasField("hello"):
        raise ProtocolError(SECOND_HELLO)
    if not message.answers:
        raise ProtocolError("a message without an answer")
    return list(map(_answer, message.answers))


@lru_cache(1024)  # a bank seldom changes
def _clock_bytes(move_ms: float | None, bank_ms: float | None) -> bytes:
    move = b"" if move_ms is None else b"\x20" + varint(round(move_ms))
    bank = b"" if bank_ms is None else b"\x28" + varint(int(round(bank_ms, 3)))  # as the log has it
    return move + bank


if COMPILED:
    from librt.strings import BytesWriter, read_i64_le
    from mypy_extensions import i64, u8

    def decision_bytes(ask: Ask) -> bytes:
        """What a bot has to decide, as a serialised ``Decision``."""
        writer = BytesWriter()
        writer.append(u8(0x09))
        writer.write(ask.id.to_bytes(8, "little"))
        _put_all(writer, 0x12, ask.legal)
        if ask.may_lift:
            _put_all(writer, 0x1A, ask.may_lift)
        writer.write(_clock_bytes(ask.move_ms, ask.bank_ms))
        return writer.getvalue()

    def update_bytes(number: int, news: bytes, decision: bytes | None) -> bytes:
        """A ``FromReferee`` that says what happened at a table, packed, and what the bot has to decide there, if anything."""
        told: i64 = len(news)
        asked: i64 = -1 if decision is None else len(decision)
        length = 1 + _size(number)
        if told:
            length += 1 + _size(told) + told
        if asked >= 0:
            length += 1 + _size(asked) + asked
        writer = BytesWriter()
        _put(writer, 0x1A, length)
        _put(writer, 0x08, number)
        if told:
            _put(writer, 0x12, told)
            writer.write(news)
        if decision is not None:
            _put(writer, 0x1A, asked)
            writer.write(decision)
        return writer.getvalue()

    def read_answers(data: bytes) -> list[Answer]:
        """The same as `_by_protobuf`, which is only needed for what no client writes."""
        answers: list[Answer] = []
        at: i64 = 0
        end: i64 = len(data)
        while at < end:
            if at + 2 > end or data[at] != 0x12 or data[at + 1] > 127:
                return _by_protobuf(data)
            after: i64 = at + 2 + data[at + 1]
            if after > end:
                return _by_protobuf(data)
            at += 2
            table: i64 = 0
            decision: i64 = 0
            move: i64 = 0
            while at < after:
                tag: i64 = data[at]
                at += 1
                if tag == 0x11 and at + 8 <= after:
                    decision = read_i64_le(data, at)
                    at += 8
                    continue
                number: i64 = 0
                shift: i64 = 0
                byte: i64 = 128
                while byte > 127 and shift < 35 and at < after:
                    byte = data[at]
                    number |= (byte & 127) << shift
                    shift += 7
                    at += 1
                if byte > 127 or number >> 32:
                    return _by_protobuf(data)
                if tag == 0x08:
                    table = number
                elif tag == 0x18:
                    move = number
                else:
                    return _by_protobuf(data)
            answers.append((table, int(decision) if decision >= 0 else int(decision) + (1 << 64), move))
        return answers or _by_protobuf(data)

    def _put(writer: BytesWriter, tag: i64, number: i64) -> None:
        writer.append(u8(tag))
        _put_number(writer, number)

    def _put_number(writer: BytesWriter, number: i64) -> None:
        while number > 127:
            writer.append(u8(number & 127 | 128))
            number >>= 7
        writer.append(u8(number))

    def _put_all(writer: BytesWriter, tag: i64, numbers: tuple[int, ...]) -> None:
        length: i64 = 0
        for number in numbers:
            length += _size(number)
        _put(writer, tag, length)
        for number in numbers:
            _put_number(writer, number)

    def _size(number: i64) -> i64:
        size: i64 = 1
        while number > 127:
            number >>= 7
            size += 1
        return size

else:
    _DECISION_ID: Final = struct.Struct("<BQ").pack
    _UPDATES, _TABLE, _EVENTS, _DECISION = b"\x1a", b"\x08", b"\x12", b"\x1a"
    _ID, _LEGAL, _MAY_LIFT = 0x09, b"\x12", b"\x1a"

    def decision_bytes(ask: Ask) -> bytes:
        """What a bot has to decide, as a serialised ``Decision``."""
        legal = varints(ask.legal)
        parts = [_DECISION_ID(_ID, ask.id), _LEGAL, varint(len(legal)), legal]
        if ask.may_lift:
            may_lift = varints(ask.may_lift)
            parts += (_MAY_LIFT, varint(len(may_lift)), may_lift)
        parts.append(_clock_bytes(ask.move_ms, ask.bank_ms))
        return b"".join(parts)

    def update_bytes(number: int, news: bytes, decision: bytes | None) -> bytes:
        """A ``FromReferee`` that says what happened at a table, packed, and what the bot has to decide there, if anything."""
        parts = [_TABLE, varint(number)]
        if news:
            parts += (_EVENTS, varint(len(news)), news)
        if decision is not None:
            parts += (_DECISION, varint(len(decision)), decision)
        update = b"".join(parts)
        return b"".join((_UPDATES, varint(len(update)), update))

    read_answers = _by_protobuf
