"""Rows of small numbers, as the core keeps them: lists in Python, arrays of machine words once compiled.

The compiled core is built from the same files (``MTREF_COMPILE=1``, see ``setup.py``). What is different in it stands here.
Elsewhere the type ``i64`` says of an int that it fits a machine word, which only the compiler makes use of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

__all__ = ["COMPILED", "Row", "row"]

COMPILED: Final = not __file__.endswith(".py")
"""Whether this is the compiled core. (Type checkers are told in their configuration which of the two they look at.)"""

if COMPILED:
    from librt.vecs import vec
    from mypy_extensions import i64

    Row: TypeAlias = "vec[i64]"

    def row(numbers: Iterable[int]) -> Row:
        """A row of these numbers."""
        return vec[i64](numbers)

else:
    Row: TypeAlias = list[int]

    def row(numbers: Iterable[int]) -> Row:
        """A row of these numbers."""
        return list(numbers)
