"""Bots that were handed in, and their stages, are in the journal once and for all, whichever database it is."""

from __future__ import annotations

import secrets
import threading

import pytest

from mtref.ladder.records import Bot
from mtref.ladder.register import PlannedStage, current
from mtref.ladder.sqljournal import SqlJournal
from mtref_sdk.errors import MtrefError
from tests.ladder.journalplaces import Place
from tests.ladder.journals import game

STAGE = PlannedStage(1, "arrival", "new@1", (("b0", "new@1"), ("b1", "new@1")), 4, 3)


def bot(content: str, author: str | None = "ann") -> Bot:
    return Bot("whatever", content, author, "bot.py", deterministic=False)


def test_versions_and_stages_are_read_as_they_were_written(journal: SqlJournal, place: Place) -> None:
    register = journal.register
    assert register.state() == (0, 0) and register.stages() == []
    first, other, second = (
        register.enter(name, bot(text)) for name, text in (("new", "1"), ("other", "2"), ("new", "3"))
    )
    assert [one.label for one in (first, other, second)] == ["new@1", "other@1", "new@2"]
    register.plan(STAGE)
    register.park("new@1", "it did not start")
    register.park("new@1", "another reason comes too late")
    again = place.open()
    versions = again.register.versions()
    assert [version.label for version in versions] == ["new@1", "other@1", "new@2"]
    assert [version.parked for version in versions] == ["it did not start", None, None]
    assert versions[1] == other and versions[1].bot.content == "2" and not versions[1].bot.deterministic
    assert current(versions) == {"new": versions[2], "other": versions[1]}
    assert again.register.state() == (3, 1)
    assert again.register.stages() == [STAGE] and list(STAGE.deal_range) == [4, 5, 6]
    assert [one.name for one in again.bots()] == ["b0", "b1", "b2"], "the file's bots are the file's"
    again.close()


def test_a_stage_is_planned_once(journal: SqlJournal) -> None:
    journal.register.plan(STAGE)
    with pytest.raises(MtrefError):
        journal.register.plan(STAGE)


def test_numbers_are_given_once_by_several_at_the_same_time(journal: SqlJournal, place: Place) -> None:
    labels: list[str] = []

    def enter_some() -> None:
        own = place.open()
        labels.extend(own.register.enter("new", bot(secrets.token_hex(32))).label for _ in range(5))
        own.close()

    threads = [threading.Thread(target=enter_some) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(labels) == sorted(f"new@{number}" for number in range(1, 21))


def test_a_single_game_is_found_by_its_id(journal: SqlJournal) -> None:
    one = game(1, 1, {"b0": 3, "b1": 5})
    journal.add(one)
    assert journal.game(one.id) == one and journal.game("0") is None
