"""The environment in which a Python is started whose forks become bots (see `mtref.server.newborn`)."""

from __future__ import annotations

import os

from mtref.server.sandbox.levels import Level

__all__ = ["preload_environment"]


def preload_environment(level: Level) -> dict[str, str] | None:
    """What its interpreter is to read when it starts, as that of a bot of this level would. None where a fork cannot become a bot.

    What a bot finds in its environment is set later, in the fork.
    """
    if level is Level.BWRAP:  # its namespaces are made by a program
        return None
    if level is Level.NONE:
        return dict(os.environ)
    from mtref.server.sandbox.plan import BARE_ENVIRONMENT  # noqa: PLC0415 - nothing is to be slower than it must be
    from mtref.server.sandbox.runtime import python_environment  # noqa: PLC0415

    return {**BARE_ENVIRONMENT, "HOME": os.devnull, **python_environment()}
