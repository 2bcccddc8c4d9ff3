"""Choosing the level bots run at: what was asked for, what works here, and saying honestly what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from mtref.server.sandbox.levels import AUTO, MIB, Bot, InForce, Level, Limits
from mtref.server.sandbox.prepare import Prepared, Workshop
from mtref.server.sandbox.probe import OPENINGS, Finding, try_level
from mtref.server.sandbox.undertaker import clearing_away
from mtref.server.sandbox.users import SeatUsers
from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["Sandbox", "Trial", "choose_sandbox", "explained", "try_out"]


@dataclass(slots=True)
class Sandbox:
    """A level that was seen to work. ``in_force`` says what holds, ``warning`` what `auto` had to do without."""

    in_force: InForce
    warning: str | None
    _workshop: Workshop

    def prepare(self, bot: Bot) -> Prepared:
        """Make everything ready for a bot. Blocks for some milliseconds. Raises MtrefError."""
        return self._workshop.prepare(bot)

    def close(self) -> None:
        """No bot is running any more."""
        self._workshop.close()


@dataclass(frozen=True, slots=True)
class Trial:
    """How one level did: a sandbox and how long its canary took in seconds; or why the level is not to be had."""

    level: Level
    sandbox: Sandbox | None
    seconds: float
    reason: str | None

    @property
    def in_force(self) -> InForce | None:
        """What holds at this level; None when it does not work."""
        return self.sandbox.in_force if self.sandbox else None


def try_out(level: Level, limits: Limits, readable: tuple[Path, ...] = ()) -> Trial:
    """Run a canary at one level.

    Where root cannot give bots users of their own, it is tried with bots that stay root but without capabilities;
    not inside bubblewrap, where the kernel does not let such a root make a user namespace.
    """
    trial = _try_out(Workshop, level, limits, readable)
    if trial.sandbox is not None or level in {Level.NONE, Level.BWRAP} or not SeatUsers.needed():
        return trial
    second = _try_out(partial(Workshop, own_users=False), level, limits, readable)
    if second.sandbox is None:
        return trial
    facts = second.sandbox.in_force
    second.sandbox.in_force = explained(facts, [f"bots have no users of their own: {trial.reason}"])
    return second


def _try_out(
    make: Callable[..., Workshop],
    level: Level,
    limits: Limits,
    readable: tuple[Path, ...],
) -> Trial:
    with clearing_away() as announce:
        try:
            workshop = make(level, limits, readable, announce=announce)
        except MtrefError as error:
            return Trial(level, None, 0.0, escape(str(error)))
        try:
            finding = try_level(workshop)
        except MtrefError as error:
            workshop.close()
            return Trial(level, None, 0.0, escape(str(error)))
        workshop.announce = _ignore  # from now on there is a launcher
    return Trial(level, Sandbox(_in_force(workshop, finding), None, workshop), finding.seconds, None)


def _ignore(_: Iterable[str]) -> None:
    """Nobody needs to know."""


def choose_sandbox(
    requested: str = AUTO,
    *,
    require: str | None = None,
    limits: Limits | None = None,
    readable: tuple[Path, ...] = (),
) -> Sandbox:
    """The sandbox for a match. Blocks for about a tenth of a second.

    `requested` is one of `CHOICES`; `require` is the weakest level that will do. Bots may read `readable` besides their
    own. Raises MtrefError, one line, when the level asked for or required is not to be had; only AUTO falls back, and
    then `warning` says so.
    """
    limits = limits or Limits()
    weakest = Level(require) if require else Level.NONE
    wanted = sorted(Level, key=lambda level: -level.strength) if requested == AUTO else [Level(requested)]
    if wanted[0].strength < weakest.strength:
        raise MtrefError(f"--sandbox {requested} is weaker than --sandbox-require {require}")
    reasons: list[str] = []
    for level in wanted:
        if level.strength < weakest.strength:
            break
        trial = try_out(level, limits, readable)
        if trial.sandbox is not None:
            trial.sandbox.in_force = explained(trial.sandbox.in_force, reasons)
            if reasons:
                trial.sandbox.warning = f"the sandbox is only {level}: {'; '.join(reasons)}"
            return trial.sandbox
        reasons.append(f"{level}: {trial.reason}")
    asked = f"--sandbox-require {require}" if require and requested == AUTO else f"--sandbox {requested}"
    raise MtrefError(f"{asked} is not to be had here: {'; '.join(reasons)} (see: mtref sandbox check)")


def explained(facts: InForce, reasons: list[str]) -> InForce:
    """The same facts, and why the stronger levels are not in force."""
    known = [*reasons, facts.why_not_more] if facts.why_not_more else reasons
    return replace(facts, why_not_more="; ".join(known) or None)


def _in_force(workshop: Workshop, finding: Finding) -> InForce:
    limits, place = workshop.limits, workshop.place
    memory, tasks = f"{limits.memory // MIB} MiB", str(limits.processes)
    if place is not None:
        memory, tasks = f"{memory} by cgroup v{place.version}", f"{tasks} by cgroup v{place.version}"
    else:
        memory += " for each process"
        if workshop.powerless:
            tasks = "unlimited, as they are root's"
        elif workshop.level is not Level.BWRAP and not workshop.own_user:
            tasks = f"{4 * limits.processes} more of your user, shared by all bots"
    return InForce(
        level=workshop.level,
        users=_users(workshop),
        memory=memory if workshop.level is not Level.NONE else "unlimited",
        processes=tasks if workshop.level is not Level.NONE else "unlimited",
        freezer=f"cgroup v{place.version}" if place and place.freezes else "signals",
        open=tuple(OPENINGS[name] for name in finding.openings),
        why_not_more=workshop.no_cgroup,
    )


def _users(workshop: Workshop) -> str:
    if workshop.own_user:
        return "a user of its own each"
    if workshop.powerless:
        return "root without capabilities"
    return "root" if os.geteuid() == 0 else "your user"
