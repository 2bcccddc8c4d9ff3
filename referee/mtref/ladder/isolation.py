"""Which ladders may be played at all, given how well bots can be kept apart. Values in, an error or nothing out."""

from __future__ import annotations

from mtref.ladder.config import LadderConfig

__all__ = ["check_isolation"]


def check_isolation(config: LadderConfig) -> None:
    """Raises ConfigError when the file needs more isolation than it asks for.

    With shared processes a bot could carry what it saw of a deal to another table of the same deal, unless it meets
    every deal once only.
    """
    meets_once = len(config.bots) == config.seats and config.rotation == "random"
    if config.reuse > 1 and not meets_once and config.sandbox != "bwrap":
        raise config.error(
            "reuse",
            "bots play each deal at several tables, and outside the strongest sandbox their processes could tell each other"
            " the hands; write sandbox: bwrap, or leave reuse out",
        )
