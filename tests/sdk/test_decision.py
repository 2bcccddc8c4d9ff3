"""Decisions are lazy, and stay true however late they are looked at."""

from __future__ import annotations

from math import inf

import pytest

from mtref_sdk import STOP, Clock, Decision, GameStart, Observation, parse_move
from mtref_sdk import events as happened
from mtref_sdk.books import Books
from mtref_sdk.decision import NO_CLOCK
from mtref_sdk.session import BotSession
from mtref_sdk.tiles import Tile
from tests.sdk.scripted import DEAL, LEGAL, RULES, FirstMove, told


def never() -> Observation:
    raise AssertionError("nobody looked at the observation")


def codes(*moves: str) -> list[int]:
    return [parse_move(move).code for move in moves]


def test_legal_moves_need_no_observation() -> None:
    decision = Decision(never, codes("0-5@0", "0-5@m1", "stop"), codes("0-5@0"))
    assert [str(move) for move in decision.legal_moves] == ["0-5@0", "0-5@m1", "stop"]
    assert [str(move) for move in decision.may_lift] == ["0-5@0"]
    assert repr(decision) == "<Decision of game '': 0-5@0, 0-5@m1, stop>"
    assert decision.clock == NO_CLOCK


def test_the_observation_is_made_once() -> None:
    made = []

    def observe() -> Observation:
        made.append(Observation(RULES, seats=2, seat=0))
        return made[-1]

    decision = Decision(observe, LEGAL)
    assert decision.observation is decision.observation
    assert len(made) == 1


def test_allows_tells_legal_moves_from_others() -> None:
    decision = Decision(never, codes("0-5@0", "0-5@m1", "stop"), codes("0-5@0"))
    for allowed in ("0-5@0", "0-5@m1", "0-5@0 lift", "stop"):
        assert decision.allows(parse_move(allowed))
    for refused in ("0-5@1", "0-5@m1 lift", "0-6@0"):
        assert not decision.allows(parse_move(refused))
    assert not Decision(never, codes("0-5@0")).allows(STOP)


def test_a_clock_without_limits_is_infinite() -> None:
    assert Clock.of_ms(None, None) == Clock(inf, inf) == NO_CLOCK
    assert Clock.of_ms(1500, 0) == Clock(1.5, 0.0)


def seated() -> tuple[BotSession, FirstMove]:
    """A session at table 1, and the copy of the bot that sits there."""
    players: list[FirstMove] = []

    class Known(FirstMove):
        def game_started(self, game: GameStart) -> None:
            super().game_started(game)
            players.append(self)

    session = BotSession(Known())
    session.start(GameStart(table=1, game="g", seat=0, seats=2, rules=RULES))
    return session, players[0]


def test_events_are_not_folded_before_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[int | None] = []
    catch_up = Books.catch_up

    def counting(books: Books, end: int | None = None) -> None:
        folded.append(end)
        catch_up(books, end)

    monkeypatch.setattr(Books, "catch_up", counting)
    session, player = seated()
    session.tell(1, told(*DEAL))
    session.decide(1, LEGAL)
    assert player.decisions[0].legal_moves
    assert folded == []
    assert player.decisions[0].observation.engine == 12
    assert len(folded) == 1


def test_a_decision_kept_for_later_shows_its_own_moment() -> None:
    session, player = seated()
    session.tell(1, told(*DEAL))
    session.decide(1, LEGAL)
    session.tell(1, told(happened.TilePlayed(0, Tile(3, 12), "0", 3), happened.TurnStarted(1)))
    session.decide(1, LEGAL)
    old, new = player.decisions
    assert new.observation.trains["0"].end == 3
    assert old.observation.trains["0"].end == 12
    assert (len(old.observation.history), len(new.observation.history)) == (len(DEAL), len(DEAL) + 2)
    assert [str(tile) for tile in old.observation.hand] == ["3-12", "5-12"]
    assert [str(tile) for tile in new.observation.hand] == ["5-12"]


def test_an_observation_does_not_change_when_the_game_goes_on() -> None:
    session, player = seated()
    session.tell(1, told(*DEAL))
    session.decide(1, LEGAL)
    seen = player.decisions[0].observation
    imagined = seen.after(happened.TilePlayed(0, Tile(5, 12), "0", 5))
    session.tell(1, told(happened.TilePlayed(0, Tile(3, 12), "0", 3), happened.TurnStarted(1)))
    session.decide(1, LEGAL)
    assert player.decisions[1].observation.open_ends["0"] == 3
    assert seen.open_ends["0"] == 12
    assert seen.history == DEAL
    assert imagined.open_ends["0"] == 5
    assert player.decisions[1].observation.history[:-2] == DEAL
