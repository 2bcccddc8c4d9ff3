"""What the referee does by itself when the seat on turn has nothing to choose; `mtref.rules.transition` does it."""

from __future__ import annotations

from typing import Literal

from mtref.rules.state import State

__all__ = ["Step", "forced_step"]

Step = Literal["draw", "pass", "stop", "go_out"]
"""A step the referee makes itself."""


def forced_step(state: State) -> Step:
    """What the referee does when the seat on turn has nothing to choose: draw, pass, end quietly, or go out.

    The same for the tile owed after a double (R-owed-draw).
    """
    if state.laid and (not state.owed or state.rules.follow_up == "optional"):
        return "stop"  # R-run, R-follow-optional: quietly
    if state.can_draw():
        return "draw"
    if state.owed and not state.sizes[state.turn]:
        return "go_out"  # R-finish-double: nothing can be drawn
    return "pass"
