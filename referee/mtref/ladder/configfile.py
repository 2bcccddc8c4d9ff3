"""Reads a ladder file: every key, its checks, its default. The keys are described for people in ``docs/ladder.md``."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from mtref.ladder.config import (
    SANDBOX_LEVELS,
    Format,
    Kind,
    LadderConfig,
    Rotation,
    SandboxLevel,
    Submissions,
)
from mtref.ladder.configbots import read_bots, read_expected
from mtref.ladder.submit.limits import SubmissionLimits
from mtref.ladder.yamltree import Item, read_tree
from mtref.match.clock import ClockSettings
from mtref.match.fault import LENIENT, FaultPolicy, policy_of
from mtref.textfile import read_text
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet

__all__ = ["BATCH", "KEYS", "load_config", "parse_config"]

KEYS = (
    "name",
    "rules",
    "seats",
    "format",
    "deals",
    "rotation",
    "clock",
    "faults",
    "skip_forced",
    "sandbox",
    "concurrency",
    "pin",
    "reuse",
    "same_author",
    "seed",
    "state",
    "journal",
    "submissions",
    "bots",
)
"""Every key of a ladder file."""

BATCH = 16
"""Tables a set of bot processes plays with ``reuse: true``."""

_CLOCK_KEYS = (  # in the order of the fields of ClockSettings
    "move_ms",
    "bank_ms",
    "increment_ms",
    "margin_ms",
    "startup_ms",
)
_MOST_MS = 1_000_000_000
_MOST_DEALS = 1_000_000

_SUBMISSION_LIMITS = {
    "archive_mb": 1024,
    "unpacked_mb": 1024,
    "files": 100_000,
    "depth": 64,
    "name_length": 255,
    "ratio": 10_000,
}
"""The limits of bots that are handed in, and the most each may be set to; all are held in memory."""

_SUBMISSION_COUNTS = ("park_after", "per_hour", "unrated_per_hour")


def load_config(path: Path) -> LadderConfig:
    """The ladder in the file at `path`. Raises ConfigError with file, line and key; no bot file is opened."""
    return parse_config(read_text(path), path)


def parse_config(text: str, path: Path) -> LadderConfig:
    """The ladder a text describes; relative paths in it start from the folder of `path`. Raises ConfigError."""
    tree = read_tree(text, str(path))
    entries = tree.mapping(KEYS)
    for key in ("name", "rules", "seats", "bots"):
        if key not in entries:
            raise tree.error(f"the key {key} is missing")
    folder = path.absolute().parent
    bots = read_bots(entries["bots"], folder)
    seats = entries["seats"].integer(2, 10)
    config = LadderConfig(
        path=path,
        name=entries["name"].text().strip(),
        rules=_rules(entries["rules"]),
        seats=seats,
        format=_format(entries.get("format"), [bot.name for bot in bots]),
        deals=entries["deals"].integer(1, _MOST_DEALS) if "deals" in entries else 1,
        rotation=cast("Rotation", _choice(entries, "rotation", ("rotations", "random"))),
        clock=_clock(entries.get("clock")),
        faults=_faults(entries.get("faults")),
        skip_forced=_flag(entries, "skip_forced"),
        sandbox=cast("SandboxLevel", _choice(entries, "sandbox", SANDBOX_LEVELS)),
        concurrency=entries["concurrency"].integer(1, 256) if "concurrency" in entries else 1,
        pin=_flag(entries, "pin"),
        reuse=_reuse(entries.get("reuse")),
        same_author=_flag(entries, "same_author"),
        seed=entries["seed"].text() if "seed" in entries else None,
        state=folder / (entries["state"].text() if "state" in entries else f"{path.stem}-state"),
        journal=_journal(entries.get("journal")),
        bots=bots,
        lines={key: item.line for key, item in entries.items()},
        submissions=_submissions(entries.get("submissions")),
        expected=read_expected(entries["bots"], bots),
    )
    _check_together(config)
    return config


def _rules(item: Item) -> RuleSet:
    """A preset's name, or a mapping of options with ``preset`` for the base."""
    plain = {"preset": item.text()} if isinstance(item.value, str) else item.mapping() and item.plain()
    try:
        return RuleSet.from_mapping(plain)
    except ConfigError as error:
        place = item.value.get(error.key or "", item) if isinstance(item.value, dict) else item
        key = item.key if place is item and error.key == "preset" else f"{item.key}.{error.key}"
        raise ConfigError(error.message, key=key, where=f"{place.file}:{place.line}") from None


def _format(item: Item | None, names: list[str]) -> Format:
    """A word, or a mapping of one word to its settings: ``{gauntlet: {challenger: NAME}}``, ``{swiss: {stages: 5}}``."""
    kinds = ("round-robin", "gauntlet", "swiss")
    if item is None:
        return Format("round-robin")
    if isinstance(item.value, dict):
        if len(item.value) != 1:
            raise item.error(f"must hold exactly one of {', '.join(kinds)}")
        kind, settings = next(iter(item.mapping(kinds).items()))
    else:
        kind, settings = item.choice(kinds), None
    if kind == "gauntlet":
        challenger = settings.mapping(("challenger",)).get("challenger") if settings else None
        if challenger is None:
            raise item.error("a gauntlet needs its one bot; write {gauntlet: {challenger: NAME}}")
        return Format("gauntlet", challenger=challenger.choice(names))
    if kind == "swiss":
        stages = settings.mapping(("stages",)).get("stages") if settings else None
        if stages is None:
            raise item.error("a swiss ladder needs its number of pairings; write {swiss: {stages: 5}}")
        return Format("swiss", stages=stages.integer(1, 1000))
    if settings is not None:
        raise item.error("round-robin has no settings")
    return Format(cast("Kind", kind))


def _clock(item: Item | None) -> ClockSettings:
    """A mapping of limits in milliseconds, or ``none``."""
    if item is None:
        return ClockSettings()
    if item.value == "none":
        return ClockSettings(enabled=False)
    limits = {
        key: limit.number(1 if key == "startup_ms" else 0, _MOST_MS)
        for key, limit in item.mapping(_CLOCK_KEYS).items()
    }
    default = ClockSettings()
    return ClockSettings(*(limits.get(key, getattr(default, key)) for key in _CLOCK_KEYS))


def _faults(item: Item | None) -> FaultPolicy:
    """A policy's name, or a mapping that changes the lenient one."""
    if item is None:
        return LENIENT
    try:
        return policy_of(item.plain() if isinstance(item.value, dict) else item.text())
    except ConfigError as error:
        inner = (error.key or "").removeprefix("faults.")
        place = item.value.get(inner, item) if isinstance(item.value, dict) else item
        raise place.error(error.message) from None


def _reuse(item: Item | None) -> int:
    """True, false, or the number of tables a set of processes plays."""
    if item is None:
        return 1
    if isinstance(item.value, bool):
        return BATCH if item.value else 1
    return item.integer(1, 256)


def _submissions(item: Item | None) -> Submissions:
    """A mapping of whole numbers."""
    if item is None:
        return Submissions()
    entries = item.mapping((*_SUBMISSION_LIMITS, "deals", *_SUBMISSION_COUNTS))
    return Submissions(
        limits=SubmissionLimits(
            **{
                key: entries[key].integer(1, most)
                for key, most in _SUBMISSION_LIMITS.items()
                if key in entries
            }
        ),
        deals=entries["deals"].integer(1, _MOST_DEALS) if "deals" in entries else None,
        **{key: entries[key].integer(1, 10_000) for key in _SUBMISSION_COUNTS if key in entries},
    )


def _journal(item: Item | None) -> str | None:
    if item is None:
        return None
    url = item.text()
    if not url.startswith(("postgresql://", "postgres://")):
        raise item.error(
            "must be the URL of a PostgreSQL database; without it the journal lies in the state folder"
        )
    return url


def _choice(entries: dict[str, Item], key: str, allowed: tuple[str, ...]) -> str:
    """One of these words; the first is the default."""
    return entries[key].choice(allowed) if key in entries else allowed[0]


def _flag(entries: dict[str, Item], key: str) -> bool:
    return entries[key].flag() if key in entries else False


def _check_together(config: LadderConfig) -> None:
    try:
        config.rules.hand_size(config.seats)
    except ConfigError as error:
        raise config.error("seats", error.message) from None
    if config.seats > len(config.bots):
        raise config.error(
            "seats", f"a table of {config.seats} needs as many bots, and there are {len(config.bots)}"
        )
