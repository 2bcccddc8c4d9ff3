"""Whole numbers as protobuf writes them, for the few messages that every decision needs and that are written by hand."""

from __future__ import annotations

from collections.abc import Iterable

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


varint = _Varints().__getitem__
"""The bytes of a number that is not negative."""


def varints(whole: Iterable[int]) -> bytes:
    """The bytes of several numbers, one after another: what a packed repeated field holds."""
    return b"".join(map(varint, whole))


def numbers(data: bytes) -> list[int]:
    """The numbers that were written as these bytes."""
    found: list[int] = []
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        if byte > 127:
            shift += 7
        else:
            found.append(number)
            number = shift = 0
    return found
