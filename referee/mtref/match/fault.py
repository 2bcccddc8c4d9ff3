"""What can go wrong with a bot, as a closed list, and what the referee does about it, as data.

Nothing here knows how a fault was found; `mtref.match.table` applies a policy, the edge reports the kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from mtref_sdk.errors import ConfigError

__all__ = ["LENIENT", "POLICIES", "STRICT", "FaultKind", "FaultPolicy", "Treatment", "policy_of"]


class FaultKind(StrEnum):
    """Every kind of failure of a bot. Adding one means giving it a treatment in each policy below."""

    ILLEGAL_MOVE = "illegal_move"
    """A move that the rules do not allow now."""
    MALFORMED_REPLY = "malformed_reply"
    """Bytes that are no message, or a number that is no move."""
    STALE_REPLY = "stale_reply"
    """An answer to a decision that is over, or that was never asked. It is ignored and counted."""
    TIMEOUT = "timeout"
    """No answer within move time, bank and margin."""
    CRASH = "crash"
    """The bot's process ended after the deal, whatever its exit code."""
    DISCONNECT = "disconnect"
    """The bot's stream was lost while its process lives. The clock runs on."""
    START_FAILURE = "start_failure"
    """The bot was not ready before the deal: no game is played."""
    FLOOD = "flood"
    """Far more messages than there are decisions."""
    MEMORY = "memory"
    """The bot went over its memory limit."""
    PROTOCOL = "protocol"
    """A message the protocol does not allow at that moment."""


class Treatment(StrEnum):
    """What a fault costs."""

    COUNTED = "counted"
    """Nothing; it is counted and shown. Only a decision that can have no answer any more gets the default move."""
    STRIKE = "strike"
    """A strike, and the default move for the decision at hand."""
    FORFEIT = "forfeit"
    """The seat: the default policy plays it to the end of the game."""


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """How faults are treated. A seat forfeits at its `strikes`-th strike, or at once for a fault treated so."""

    name: str
    strikes: int
    treatments: Mapping[FaultKind, Treatment]

    def treatment(self, kind: FaultKind) -> Treatment:
        """What a fault of this kind costs."""
        return self.treatments[kind]

    def to_dict(self) -> dict[str, object]:
        """The policy as JSON."""
        return {
            "name": self.name,
            "strikes": self.strikes,
            "treatments": {kind.value: treatment.value for kind, treatment in self.treatments.items()},
        }


LENIENT = FaultPolicy(
    "lenient",
    strikes=3,
    treatments={
        FaultKind.ILLEGAL_MOVE: Treatment.STRIKE,
        FaultKind.MALFORMED_REPLY: Treatment.STRIKE,
        FaultKind.STALE_REPLY: Treatment.COUNTED,
        FaultKind.TIMEOUT: Treatment.STRIKE,
        FaultKind.CRASH: Treatment.FORFEIT,
        FaultKind.DISCONNECT: Treatment.COUNTED,
        FaultKind.START_FAILURE: Treatment.FORFEIT,
        FaultKind.FLOOD: Treatment.FORFEIT,
        FaultKind.MEMORY: Treatment.FORFEIT,
        FaultKind.PROTOCOL: Treatment.STRIKE,
    },
)
"""The default: three strikes, or a crash."""

STRICT = FaultPolicy("strict", strikes=1, treatments=dict.fromkeys(FaultKind, Treatment.FORFEIT))
"""The first fault of any kind forfeits the seat."""

POLICIES: Mapping[str, FaultPolicy] = {policy.name: policy for policy in (LENIENT, STRICT)}


def policy_of(setting: str | Mapping[str, object]) -> FaultPolicy:
    """The policy a name stands for, or a mapping ``{strikes: 3, illegal_move: forfeit, …}`` that changes `LENIENT`.

    Raises ConfigError naming the key and what is allowed.
    """
    if isinstance(setting, str):
        if setting not in POLICIES:
            raise ConfigError(f"no such policy: {setting}; one of {', '.join(POLICIES)}", key="faults")
        return POLICIES[setting]
    treatments = dict(LENIENT.treatments)
    kinds = {kind.value: kind for kind in FaultKind}
    costs = {treatment.value: treatment for treatment in Treatment}
    strikes = LENIENT.strikes
    for key, value in setting.items():
        if key == FaultKind.START_FAILURE:
            raise ConfigError("cannot be chosen: no game is played then", key=f"faults.{key}")
        if key == "strikes":
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ConfigError(f"must be a whole number from 1, not {value!r}", key="faults.strikes")
            strikes = value
        elif key in kinds and str(value) in costs:
            treatments[kinds[key]] = costs[str(value)]
        elif key in kinds:
            allowed = ", ".join(costs)
            raise ConfigError(f"must be one of {allowed}, not {value!r}", key=f"faults.{key}")
        else:
            raise ConfigError(
                f"no such fault: {key}; one of strikes, {', '.join(kinds)}", key=f"faults.{key}"
            )
    return FaultPolicy("custom", strikes, treatments)
