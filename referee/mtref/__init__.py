"""The mtref referee: rules, matches, logs and the command line. `mtref_sdk` holds what bots share with it."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
"""That of the distribution. To read it there, with `importlib.metadata`, would take a fifth of a referee's time to start."""
