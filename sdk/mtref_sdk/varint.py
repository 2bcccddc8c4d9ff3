"""Whole numbers as protobuf writes them, for the few messages that every decision needs and that are written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mtref_sdk.errors import ProtocolError

__all__ = ["numbers", "varint", "varints"]


class _Varints(dict[int, bytes]):
    """Each number is worked out once; those that messages name again and again are small and few."""

    def __missing__(self, number: int) -> bytes:
        rest, written = number, bytearray()
        while rest > 127:
            written.append(rest & 127 | 128)
            rest >>= 7
        written.append(rest)
        self[number] = whole = bytes(written)
        return whole


varint: Final = _Varints().__getitem__
"""The bytes of a number that is not negative."""


def varints(whole: Iterable[int]) -> bytes:
    """The bytes of several numbers, one after another: what a packed repeated field holds."""
    return b"".join(map(varint, whole))


def numbers(data: bytes) -> list[int]:
    """The numbers of 32 bits that were written as these bytes. Raises ProtocolError when one is cut short or far too long."""
    if data.isascii():  # one byte each
        return list(data)
    rest = iter(data)
    return [byte if byte < 128 else _longer(byte, rest) for byte in rest]


def _longer(first: int, rest: Iterator[int]) -> int:
    """A number of several bytes, the first of which has been read."""
    number, shift = first & 127, 7
    for byte in rest:
        number |= (byte & 127) << shift
        if number >> 64:
            break
        if byte < 128:
            return number & 0xFFFFFFFF
        shift += 7
    raise ProtocolError("a number is cut short or too long")
