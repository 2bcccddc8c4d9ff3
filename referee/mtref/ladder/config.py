"""A ladder as its file describes it, as values. Reading the file is `mtref.ladder.configfile`; nothing is played here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from mtref.ladder.submit.limits import SubmissionLimits
from mtref.match.clock import ClockSettings
from mtref.match.fault import FaultPolicy
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet

__all__ = [
    "SANDBOX_LEVELS",
    "BotEntry",
    "Format",
    "Kind",
    "LadderConfig",
    "Rotation",
    "SandboxLevel",
    "Submissions",
]

Kind = Literal["round-robin", "gauntlet", "swiss"]
Rotation = Literal["rotations", "random"]
SandboxLevel = Literal["auto", "bwrap", "landlock", "rlimits", "none"]

SANDBOX_LEVELS: tuple[SandboxLevel, ...] = ("auto", "bwrap", "landlock", "rlimits", "none")
"""The strongest that works; the strongest, but at least that one; none at all."""


@dataclass(frozen=True, slots=True)
class Format:
    """Who meets whom. ``challenger`` is a gauntlet's one bot, ``stages`` how often a swiss ladder is paired anew."""

    kind: Kind
    challenger: str | None = None
    stages: int = 1


@dataclass(frozen=True, slots=True)
class BotEntry:
    """One bot of the file. ``command`` is what the file says, ``argv`` starts it; ``where`` is ``file:line``.

    ``files`` are the files the bot consists of as far as the ladder file names them: the ``.py`` file, or those words
    of the command that are files. ``author`` is None when the file names none. ``folder`` is all a bot that was handed in
    consists of.
    """

    name: str
    author: str | None
    command: str
    argv: tuple[str, ...]
    files: tuple[Path, ...]
    env: tuple[tuple[str, str], ...]
    deterministic: bool
    is_python_file: bool
    where: str
    folder: Path | None = None

    def content(self) -> str:
        """What the bot is, as a SHA-256 in hex: of its one Python file, or of its command, files and environment.

        Where its files lie does not matter. Raises ConfigError when one cannot be read.
        """
        sums = {path: self._sum(path) for path in self.files}
        if self.is_python_file and not self.env:
            return sums[self.files[0]]
        by_text = {str(path): digest for path, digest in sums.items()}
        words = (
            list(by_text.values()) if self.is_python_file else [by_text.get(word, word) for word in self.argv]
        )
        whole = json.dumps({"env": dict(self.env), "words": words}, sort_keys=True)
        return hashlib.sha256(whole.encode()).hexdigest()

    def _sum(self, path: Path) -> str:
        try:
            return hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror}", key=str(path), where=self.where) from error


@dataclass(frozen=True, slots=True)
class Submissions:
    """What becomes of bots that are handed in.

    A new version plays ``deals`` deals at each table first (None: as many as the ladder's file says), and is parked when it fails
    in ``park_after`` games running. A remote author may hand in ``per_hour`` bots, and ask for ``unrated_per_hour`` games.
    """

    limits: SubmissionLimits = field(default_factory=SubmissionLimits)
    deals: int | None = None
    park_after: int = 3
    per_hour: int = 20
    unrated_per_hour: int = 60


@dataclass(frozen=True, slots=True)
class LadderConfig:
    """A whole ladder file, checked. Paths are absolute; ``journal`` is the URL of a shared journal or None.

    With ``pin`` each referee shares one core with its bots. ``reuse`` is how many tables one set of bot processes plays, 1 for
    fresh ones each game. ``lines`` tells where the outermost keys stand, for complaints that are found later. ``expected`` are the
    names kept for bots that are to be handed in, each with its author.
    """

    path: Path
    name: str
    rules: RuleSet
    seats: int
    format: Format
    deals: int
    rotation: Rotation
    clock: ClockSettings
    faults: FaultPolicy
    skip_forced: bool
    sandbox: SandboxLevel
    concurrency: int
    pin: bool
    reuse: int
    same_author: bool
    seed: str | None
    state: Path
    journal: str | None
    bots: tuple[BotEntry, ...]
    lines: Mapping[str, int]
    submissions: Submissions = field(default_factory=Submissions)
    expected: Mapping[str, str] = field(default_factory=dict)

    def where(self, key: str) -> str:
        """``file:line`` of an outermost key, or the file alone."""
        line = self.lines.get(key)
        return f"{self.path}:{line}" if line else str(self.path)

    def error(self, key: str, message: str) -> ConfigError:
        """A complaint about an outermost key."""
        return ConfigError(message, key=key, where=self.where(key))

    @property
    def store(self) -> Path:
        """Where bots are kept that were handed in."""
        return self.state / "store"

    @property
    def deals_in_file(self) -> int:
        """How many deals the bots of the file play, in all stages together."""
        return self.deals * (self.format.stages if self.format.kind == "swiss" else 1)

    def index_of(self, name: str) -> int:
        """The position of the bot with this name."""
        return [bot.name for bot in self.bots].index(name)
