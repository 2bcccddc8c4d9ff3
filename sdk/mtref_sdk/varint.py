"""Whole numbers as protobuf writes them, for the few messages that every decision needs and that are written by hand."""

from __future__ import annotations

__all__ = ["varint"]


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
