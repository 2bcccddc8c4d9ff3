"""What may be played in a position, why the rest may not, and what comes of moves: answers as objects and as text."""

from __future__ import annotations

from mtref.explain.answer import answer, decision_of
from mtref.explain.inquiry import Inquiry
from mtref.explain.words import told

__all__ = ["Inquiry", "answer", "decision_of", "told"]
