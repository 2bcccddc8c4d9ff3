"""Faults and policies as data."""

from __future__ import annotations

import pytest

from mtref.match.clock import Clock, ClockSettings
from mtref.match.fault import LENIENT, POLICIES, STRICT, FaultKind, FaultPolicy, Treatment, policy_of
from mtref.match.hearing import Hearing
from mtref.match.seat import Seat
from mtref_sdk.errors import ConfigError
from mtref_sdk.events import TurnStarted


def seat(policy: FaultPolicy) -> Seat:
    return Seat(0, Clock.full(ClockSettings()), policy, Hearing(1))


def test_the_list_of_kinds_is_closed() -> None:
    assert [kind.value for kind in FaultKind] == [
        "illegal_move",
        "malformed_reply",
        "stale_reply",
        "timeout",
        "crash",
        "disconnect",
        "start_failure",
        "flood",
        "memory",
        "protocol",
    ]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=str)
def test_a_policy_treats_every_kind(policy: FaultPolicy) -> None:
    assert set(policy.treatments) == set(FaultKind)


def test_three_strikes_of_any_kind_are_a_forfeit() -> None:
    at = seat(LENIENT)
    assert at.blame(FaultKind.TIMEOUT) is Treatment.STRIKE
    assert at.blame(FaultKind.STALE_REPLY) is Treatment.COUNTED
    assert at.blame(FaultKind.ILLEGAL_MOVE) is Treatment.STRIKE
    assert (at.strikes, at.forfeited) == (2, False)
    assert at.blame(FaultKind.MALFORMED_REPLY) is Treatment.FORFEIT
    assert (at.strikes, at.forfeited) == (3, True)
    assert at.fault_counts() == {"illegal_move": 1, "malformed_reply": 1, "stale_reply": 1, "timeout": 1}


def test_news_are_gathered_for_a_seat_until_it_forfeits() -> None:
    at = seat(STRICT)
    at.hearing.add(TurnStarted(0))
    assert at.take_news()
    while at.blame(FaultKind.CRASH) is not Treatment.FORFEIT:
        pass
    at.hearing.add(TurnStarted(0))
    assert at.take_news() == b""
    assert at.heard()


@pytest.mark.parametrize("kind", FaultKind)
def test_strict_forfeits_at_the_first_fault_of_any_kind(kind: FaultKind) -> None:
    assert seat(STRICT).blame(kind) is Treatment.FORFEIT


def test_a_crash_is_a_forfeit_at_once() -> None:
    assert seat(LENIENT).blame(FaultKind.CRASH) is Treatment.FORFEIT


def test_a_mapping_changes_the_lenient_policy() -> None:
    policy = policy_of({"strikes": 5, "illegal_move": "forfeit"})
    assert policy.strikes == 5
    assert policy.treatment(FaultKind.ILLEGAL_MOVE) is Treatment.FORFEIT
    assert policy.treatment(FaultKind.TIMEOUT) is Treatment.STRIKE
    assert policy_of("strict") is STRICT


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("harsh", "faults: no such policy: harsh; one of lenient, strict"),
        ({"strikes": 0}, "faults.strikes: must be a whole number from 1, not 0"),
        ({"strikes": True}, "faults.strikes"),
        ({"crashes": "forfeit"}, "faults.crashes: no such fault: crashes; one of strikes, illegal_move"),
        ({"crash": "death"}, "faults.crash: must be one of counted, strike, forfeit, not 'death'"),
        ({"start_failure": "strike"}, "faults.start_failure: cannot be chosen: no game is played then"),
    ],
)
def test_a_wrong_policy_is_refused_with_its_key(setting: object, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        policy_of(setting)  # type: ignore[arg-type]  # as a file may have it
    assert message in str(caught.value)
