"""User ids for bots: each is held by one referee at a time, whatever becomes of that one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mtref.server.sandbox import users
from mtref.server.sandbox.users import SeatUsers
from mtref_sdk.errors import MtrefError

TAKE = "import os; from mtref.server.sandbox.users import SeatUsers; u = SeatUsers(); print(u.take()); os.kill(os.getpid(), 9)"


def test_no_two_bots_share_a_user_not_even_those_of_two_referees() -> None:
    ours, theirs = SeatUsers(), SeatUsers()
    held = [ours.take(), theirs.take(), ours.take()]
    assert len(set(held)) == 3
    assert all(number in users.SEAT_USERS for number in held)
    ours.close()
    theirs.close()


def test_a_user_that_was_given_back_can_be_taken_again() -> None:
    holder, other = SeatUsers(), SeatUsers()
    number = holder.take()
    holder.give_back(number)
    assert number in {other.take(), other.take(), other.take()}
    other.close()


def test_the_kernel_gives_back_what_a_killed_referee_held() -> None:
    run = subprocess.run([sys.executable, "-c", TAKE], capture_output=True, text=True, check=False)
    assert not run.stdout or int(run.stdout) in users.SEAT_USERS
    assert run.returncode == -9
    holder = SeatUsers()
    assert holder.take() in users.SEAT_USERS
    holder.close()


def test_when_all_are_held_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "SEAT_USERS", range(61000, 61002))
    holder = SeatUsers()
    holder.take()
    holder.take()
    with pytest.raises(MtrefError, match="all 2 user ids for bots are in use"):
        holder.take()
    holder.close()
