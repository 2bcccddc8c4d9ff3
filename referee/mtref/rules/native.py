"""Rows of small numbers, as the core keeps them: lists in Python, arrays of machine words once compiled.

The compiled core is built from the same files (``MTREF_COMPILE=1``, see ``setup.py``). What is different in it stands here.
Elsewhere the type ``i64`` says of an int that it fits a machine word, which only the compiler makes use of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, TypeVar

__all__ = ["COMPILED", "Row", "mypyc_attr", "row"]

_Class = TypeVar("_Class")

COMPILED: Final = not __file__.endswith(".py")
"""Whether this is the compiled core. (Type checkers are told in their configuration which of the two they look at.)"""

if COMPILED:
    from librt.vecs import vec
    from mypy_extensions import i64, mypyc_attr

    Row: TypeAlias = "vec[i64]"

    def row(numbers: Iterable[int]) -> Row:
        """A row of these numbers."""
        return vec[i64](numbers)

else:

    def mypyc_attr(**_: bool) -> Callable[[_Class], _Class]:
        """Says something about a class to the compiler, such as that classes that are not compiled may inherit from it."""
        return lambda kind: kind

    Row: TypeAlias = list[int]

    def row(numbers: Iterable[int]) -> Row:
        """A row of these numbers."""
        return list(numbers)
