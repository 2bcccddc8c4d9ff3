"""What `mtref sandbox check` finds: every level tried, and what would be in force."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

from mtref.server.sandbox import kernel
from mtref.server.sandbox.choose import Trial, explained, try_out
from mtref.server.sandbox.levels import InForce, Level, Limits

__all__ = ["Report", "examine"]


@dataclass(frozen=True, slots=True)
class Report:
    """The trials, strongest level first, and what ``--sandbox auto`` puts in force."""

    machine: str
    trials: tuple[Trial, ...]
    in_force: InForce

    @property
    def strongest(self) -> Level:
        """The strongest level that works."""
        return self.in_force.level

    def to_mapping(self) -> dict[str, object]:
        """The report as JSON-able facts."""
        levels = [
            {
                "level": str(trial.level),
                "works": trial.in_force is not None,
                "why_not": trial.reason,
                "seconds": trial.seconds,
                "in_force": trial.in_force.to_mapping() if trial.in_force else None,
            }
            for trial in self.trials
        ]
        return {"machine": self.machine, "auto": self.in_force.to_mapping(), "levels": levels}

    def text(self) -> str:
        """The report for people."""
        lines = [self.machine]
        for trial in self.trials:
            lines.append(f"  {trial.level:9} {_told(trial)}")
            if trial.in_force and trial.in_force.why_not_more:
                lines.append(f"  {'':9} not more, because {trial.in_force.why_not_more}")
        return "\n".join([*lines, "With --sandbox auto:", f"  {self.in_force.line}"])


def _told(trial: Trial) -> str:
    if trial.in_force is None:
        return f"does not work here: {trial.reason}"
    can = ", ".join(trial.in_force.open) or "nothing of what was tried"
    return f"works ({trial.seconds * 1000:.0f} ms); bots can: {can}"


def examine(limits: Limits) -> Report:
    """Try every level. Blocks for about half a second."""
    trials = []
    in_force = None
    reasons: list[str] = []
    for level in reversed(Level):
        trial = try_out(level, limits)
        trials.append(trial)
        if trial.sandbox is None:
            reasons.append(f"{level}: {trial.reason}")
            continue
        trial.sandbox.close()
        in_force = in_force or explained(trial.sandbox.in_force, reasons)
    assert in_force is not None, "a program can always be run without isolation"
    return Report(_machine(), tuple(trials), in_force)


def _machine() -> str:
    system = os.uname()
    tools = [f"Landlock version {kernel.landlock_version()}"]
    tools += [f"{name}: {shutil.which(name) or 'not installed'}" for name in ("bwrap", "prlimit")]
    user = "root" if os.geteuid() == 0 else "an ordinary user"
    return f"{system.sysname} {system.release} {system.machine}, as {user}; {'; '.join(tools)}"
