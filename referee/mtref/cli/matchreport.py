"""What the result of a match says below its table: isolation, the referee's own delay, unplayed games, and bots' failures."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

from mtref.match.incident import Incident
from mtref.match.result import MatchResult
from mtref.match.times import Times
from mtref.text import escape

__all__ = ["report_lines"]


def report_lines(result: MatchResult) -> Iterator[str]:
    """Line by line, everything escaped. Of each bot the first failure is told."""
    if result.options.isolation is not None:
        yield str(result.options.isolation["line"])
    if result.facts.delay_ms is not None:
        yield f"the referee's own delay: {_figures(result.facts.delay_ms)} ms"
    for warning in result.warnings:
        yield f"warning: {warning}"
    for game in result.facts.unplayed:
        first, *rest = game.reason.splitlines()
        yield f"game {game.number} was not played and counts nowhere: {first}"
        yield from rest
    told: set[int] = set()
    for incident in result.facts.incidents:
        if incident.bot not in told:
            told.add(incident.bot)
            yield from _incident(result, incident)


def _figures(times: Times) -> str:
    return f"median {times.median:.1f}, p95 {times.p95:.1f}, max {times.max:.1f}"


def _incident(result: MatchResult, incident: Incident) -> Iterator[str]:
    name = escape(result.bots[incident.bot].name, 40)
    where = f" in game {incident.game}" if result.options.games > 1 else ""
    done = incident.done.replace("_", " ")
    yield f"bot {incident.bot + 1}, {name}{where}: {incident.kind} ({done}): {incident.message}"
    yield from (f"  | {line}" for line in incident.output)
    if incident.log is not None:
        words = ["mtref", "replay", incident.log, "--seat", str(incident.seat), "--at", str(incident.line)]
        yield f"  what it saw:  {escape(shlex.join(words), 500)}"
        words += ["--attach", result.bots[incident.bot].command]
        yield f"  ask it again:  {escape(shlex.join(words), 2000)}"
    if result.facts.seed is not None:
        yield f"  play it again:  {escape(_again(result), 2000)}"


def _again(result: MatchResult) -> str:
    """The command that plays the same deals, with a log to look at the moment; not the same log, as none is overwritten."""
    words, given = ["mtref"], iter(sys.argv[1:])
    for word in given:
        if word == "--log":
            next(given, None)
        elif not word.startswith("--log="):
            words.append(word)
    if result.options.seed is None:
        words += ["--seed", str(result.facts.seed)]
    return shlex.join([*words, "--log", "again/"])
