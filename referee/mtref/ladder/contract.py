"""What all results of one journal must have in common, and the ids of games. Values in, values out."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any

from mtref.ladder.config import LadderConfig
from mtref.ladder.records import Bot
from mtref_sdk.errors import ConfigError

__all__ = ["check_bots", "check_contract", "contract_of", "entered_bots", "game_id", "public_id"]


def contract_of(config: LadderConfig) -> dict[str, Any]:
    """Everything that must be the same for all results, as plain JSON. Bots are kept apart; see `entered_bots`."""
    form: dict[str, Any] = {"kind": config.format.kind}
    if config.format.challenger:
        form["challenger"] = config.format.challenger
    contract = {
        "name": config.name,
        "rules": config.rules.to_mapping(),
        "seats": config.seats,
        "format": form,
        "rotation": config.rotation,
        "clock": config.clock.to_dict(),
        "faults": config.faults.to_dict(),
        "skip_forced": config.skip_forced,
        "same_author": config.same_author,
        "seed": config.seed,
    }
    if config.rotation == "random" or config.format.kind == "swiss":
        contract["deals"] = config.deals  # the seats, or the deals, of later games depend on their number
    if config.pin:  # without it nothing, as in journals from before there was `pin`
        contract["pin"] = True
    return contract


def entered_bots(config: LadderConfig) -> list[Bot]:
    """The bots of the file with what they are now. Raises ConfigError when a file cannot be read."""
    return [Bot(bot.name, bot.content(), bot.author, bot.command, bot.deterministic) for bot in config.bots]


def check_contract(kept: Mapping[str, Any], now: Mapping[str, Any], where: str) -> None:
    """Raises ConfigError naming what differs between the journal and the file: their results would not compare."""
    for key, before, after in _differences("", kept, json.loads(json.dumps(now))):
        raise ConfigError(
            f"was {json.dumps(before)} when the ladder began and is {json.dumps(after)} now; results of both do not"
            " compare: put it back, or give another state folder",
            key=key,
            where=where,
        )


def check_bots(kept: Sequence[Bot], now: Sequence[Bot], where: str) -> None:
    """Raises ConfigError if other bots take part than when the ladder began, or one has changed."""
    before = {bot.name: bot for bot in kept}
    for bot in now:
        if bot.name not in before:
            raise ConfigError(
                "was not there when the ladder began; give another state folder", key=bot.name, where=where
            )
        old = before[bot.name]
        if old.content != bot.content:
            raise ConfigError(
                f"has changed since the ladder began (content {old.content[:12]}, now {bot.content[:12]}); put it back,"
                " or give another state folder",
                key=bot.name,
                where=where,
            )
        if old.author != bot.author:
            raise ConfigError("has another author than when the ladder began", key=bot.name, where=where)
    for name in before:
        if name not in {bot.name for bot in now}:
            raise ConfigError("took part when the ladder began and is missing now", key=name, where=where)
    if [bot.name for bot in kept] != [bot.name for bot in now]:
        raise ConfigError("stand in another order than when the ladder began", key="bots", where=where)


def game_id(rules: Mapping[str, Any], deal: int, commitment: bytes, seats: Sequence[Bot]) -> str:
    """The id of a game, 64 hex digits: a hash of its rules, its deal, and who sits where with what content."""
    whole = {
        "rules": rules,
        "deal": str(deal),
        "commitment": commitment.hex(),
        "seats": [[bot.name, bot.content] for bot in seats],
    }
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(b"mtref/ladder-game/v1\0" + text.encode()).hexdigest()


def public_id(deal_seed: bytes, game: str) -> str:
    """The id of a game as its bots may know it, 16 hex digits: it does not tell them who else sits there."""
    return hmac.digest(deal_seed, b"mtref/game/v1\0" + game.encode(), "sha256").hex()[:16]


def _differences(key: str, before: Any, after: Any) -> list[tuple[str, Any, Any]]:
    """The innermost keys in which two plain values differ."""
    if before == after:
        return []
    if not isinstance(before, dict) or not isinstance(after, dict):
        return [(key, before, after)]
    keys = [*before, *(name for name in after if name not in before)]
    pairs = ((f"{key}.{name}" if key else name, before.get(name), after.get(name)) for name in keys)
    return [found for pair in pairs for found in _differences(*pair)]
