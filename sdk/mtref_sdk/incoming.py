"""What a message of the referee says, read from its bytes: updates by hand, since every decision needs one, the rest by protobuf.

By hand only the usual way of writing an update is understood. Whatever else protobuf allows is first written anew by protobuf.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from google.protobuf.message import DecodeError

from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.decision import NO_CLOCK, Clock
from mtref_sdk.errors import ProtocolError
from mtref_sdk.varint import numbers

__all__ = ["other_parts", "read_decision", "read_update", "split"]

_UPDATES: Final = 0x1A
_TABLE: Final = 0x08
_EVENTS: Final = 0x12
_DECISION: Final = 0x1A
_ID: Final = 0x09
_LEGAL: Final = 0x12
_MAY_LIFT: Final = 0x1A
_MOVE_MS: Final = 0x20
_BANK_MS: Final = 0x28


def split(message: bytes) -> tuple[list[bytes], bytes]:
    """The updates of a ``FromReferee``, and its other parts, a message of their own. Raises ProtocolError if it is none."""
    updates: list[bytes] = []
    others: list[bytes] = []
    at, end = 0, len(message)
    try:
        while at < end:
            begin, key, length = at, message[at], message[at + 1]
            at += 2
            if length > 127:
                length, at = _number(message, at - 1)
            if key == _UPDATES and at + length <= end:
                updates.append(message[at : at + length])
            elif key & 0x87 == 2:  # another field with a length
                others.append(message[begin : at + length])
            else:
                raise ValueError("unusual")
            at += length
    except (IndexError, ValueError):
        return split(_usual(pb.FromReferee(), message))
    return updates, b"".join(others)


def other_parts(message: bytes) -> pb.FromReferee:
    """A message of other parts than updates. Raises ProtocolError if it is none."""
    parts = pb.FromReferee()
    _parse(parts, message)
    return parts


def read_update(update: bytes) -> tuple[int, bytes, bytes | None]:
    """Table, packed events, and decision of a ``TableUpdate``. Raises ProtocolError if it is none."""
    table, events, decision = 0, b"", None
    at, end = 0, len(update)
    try:
        while at < end:
            key, number = update[at], update[at + 1]
            at += 2
            if number > 127:
                number, at = _number(update, at - 1)
            if key == _TABLE:
                table = number
            elif key == _EVENTS and not events:
                events = update[at : at + number]
                at += number
            elif key == _DECISION and decision is None:
                decision = update[at : at + number]
                at += number
            else:
                raise ValueError("unusual")
        if at > end or (events and events[-1] > 127):
            raise ValueError("cut short")
    except (IndexError, ValueError):
        return read_update(_usual(pb.TableUpdate(), update))
    return table, events, decision


def read_decision(decision: bytes) -> tuple[bytes, list[int], list[int], Clock]:
    """Id as 8 bytes, legal moves, may lift, and clock of a ``Decision``. Raises ProtocolError if it is none."""
    identity = bytes(8)
    legal: list[int] = []
    may_lift: list[int] = []
    clock = NO_CLOCK
    at, end = 0, len(decision)
    try:
        while at < end:
            key = decision[at]
            if key == _ID:
                identity = decision[at + 1 : at + 9]
                at += 9
            elif key & 7 == 0:  # numbers: the times come last
                clock = _clock(decision[at:])
                break
            else:
                number = decision[at + 1]
                at += 2
                if number > 127:
                    number, at = _number(decision, at - 1)
                moves = decision[at : at + number]
                at += number
                if key == _LEGAL and not legal:
                    legal = numbers(moves)
                elif key == _MAY_LIFT and not may_lift:
                    may_lift = numbers(moves)
                else:
                    raise ValueError("unusual")
        if at > end:
            raise ValueError("cut short")
    except (IndexError, ValueError):
        return read_decision(_usual(pb.Decision(), decision))
    return identity, legal, may_lift, clock


@lru_cache(256)  # a bank seldom changes
def _clock(data: bytes) -> Clock:
    """The clock, with which a decision ends."""
    move_ms: int | None = None
    bank_ms: int | None = None
    at = 0
    while at < len(data):
        key = data[at]
        number, at = _number(data, at + 1)
        if key == _MOVE_MS:
            move_ms = number
        elif key == _BANK_MS:
            bank_ms = number
        else:
            raise ValueError("unusual")
    return Clock.of_ms(move_ms, bank_ms)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """The number of at most 32 bits that begins at `at`, and where it ends."""
    number = 0
    for shift in (0, 7, 14, 21, 28):
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128 and number < 1 << 32:
            return number, at
    raise ValueError("unusual")


def _parse(message: pb.FromReferee | pb.TableUpdate | pb.Decision, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise ProtocolError("the referee sent something that is no message") from error


def _usual(message: pb.FromReferee | pb.TableUpdate | pb.Decision, data: bytes) -> bytes:
    """The same in the usual way, without what we do not know or need."""
    _parse(message, data)
    message.DiscardUnknownFields()
    if isinstance(message, pb.TableUpdate):
        message.ClearField("view")
    anew = message.SerializeToString()
    if anew == data:
        raise ProtocolError("the referee sent something that is no message")
    return anew
