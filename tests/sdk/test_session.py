"""The session of a bot: what it makes of the referee's numbers, without any connection."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import pytest

from mtref_sdk import Bot, Clock, Decision, GameResult, GameStart, Move
from mtref_sdk.errors import ProtocolError
from mtref_sdk.session import BotSession
from tests.sdk.scripted import DEAL, LEGAL, RULES, told


def game(table: int, private_seed: bytes = bytes(32)) -> GameStart:
    return GameStart(table=table, game=f"g{table}", seat=0, seats=2, rules=RULES, private_seed=private_seed)


class Counter(Bot):
    """Says how often it was asked at its table, by its move; what it saw goes to `log`, which copies share."""

    log: list[object]

    def __init__(self, log: list[object]) -> None:
        type(self).log = log
        self.asked = 0

    def game_started(self, game: GameStart) -> None:
        self.log.append(game.game)

    def choose(self, decision: Decision) -> Move:
        self.asked += 1
        self.log.append((decision.game, decision.table, self.asked))
        return decision.legal_moves[(self.asked - 1) % len(decision.legal_moves)]

    def game_ended(self, result: GameResult) -> None:
        self.log.append(result)


class Asked(Bot):
    """Answers with whatever `answer` makes of the decision."""

    def __init__(self, answer: Callable[[Bot, Decision], object]) -> None:
        self.answer = answer

    def choose(self, decision: Decision) -> Move:
        return self.answer(self, decision)  # type: ignore[return-value] # wrong answers are the point


def test_each_table_gets_its_own_copy_of_the_bot() -> None:
    log: list[object] = []
    pattern = Counter(log)
    session = BotSession(pattern)
    session.start(game(1))
    session.start(game(2))
    for table in (1, 2):
        session.tell(table, told(*DEAL))
    answers = [session.decide(table, LEGAL) for table in (1, 1, 2, 1)]
    assert answers == [LEGAL[0], LEGAL[1], LEGAL[0], LEGAL[0]]
    assert log == ["g1", "g2", ("g1", 1, 1), ("g1", 1, 2), ("g2", 2, 1), ("g1", 1, 3)]
    assert pattern.asked == 0


def test_the_private_seed_decides_the_random_generator() -> None:
    def drawn(private_seed: bytes) -> list[float]:
        numbers: list[float] = []

        def answer(bot: Bot, decision: Decision) -> Move:
            numbers.append(bot.rng.random())
            return decision.legal_moves[0]

        session = BotSession(Asked(answer))
        session.start(game(1, private_seed))
        session.decide(1, LEGAL)
        session.decide(1, LEGAL)
        return numbers

    assert drawn(b"a" * 32) == drawn(b"a" * 32)
    assert drawn(b"a" * 32) != drawn(b"b" * 32)


def test_the_clock_comes_with_the_decision() -> None:
    clocks: list[Clock] = []

    def answer(_: Bot, decision: Decision) -> Move:
        clocks.append(decision.clock)
        return decision.legal_moves[0]

    session = BotSession(Asked(answer))
    session.start(game(1))
    session.decide(1, LEGAL, clock=Clock.of_ms(250, 0))
    session.decide(1, LEGAL)
    assert clocks == [Clock(0.25, 0.0), Clock(inf, inf)]


def test_an_illegal_move_is_sent_for_the_referee_to_judge() -> None:
    session = BotSession(Asked(lambda _bot, _decision: Move(LEGAL[0]).lifted()))
    session.start(game(1))
    assert session.decide(1, LEGAL) == LEGAL[0] | 1


@pytest.mark.parametrize("answer", [None, "3-12@0", LEGAL[0]])
def test_an_answer_that_is_no_move_is_the_bots_error(answer: object) -> None:
    session = BotSession(Asked(lambda _bot, _decision: answer))
    session.start(game(1))
    with pytest.raises(TypeError, match="must return a Move"):
        session.decide(1, LEGAL)


def test_what_the_bot_raises_comes_through() -> None:
    session = BotSession(Asked(lambda _bot, _decision: 1 // 0))
    session.start(game(1))
    with pytest.raises(ZeroDivisionError):
        session.decide(1, LEGAL)


def test_a_table_that_is_over_is_gone() -> None:
    log: list[object] = []
    session = BotSession(Counter(log))
    session.start(game(1))
    result = GameResult("finished", (3, 0), (2, 1))
    session.end(1, result)
    assert log == ["g1", result]
    for call in (
        lambda: session.tell(1, b""),
        lambda: session.decide(1, LEGAL),
        lambda: session.end(1, result),
    ):
        with pytest.raises(ProtocolError, match="no table 1"):
            call()


def test_a_table_cannot_start_twice() -> None:
    session = BotSession(Counter([]))
    session.start(game(1))
    with pytest.raises(ProtocolError, match="twice"):
        session.start(game(1))


def test_a_bot_needs_no_constructor_of_its_base_class() -> None:
    class Bare(Bot):
        def __init__(self) -> None:
            self.anything = 1

        def choose(self, decision: Decision) -> Move:
            return self.rng.choice(decision.legal_moves)

    assert 0 <= Bare().rng.random() < 1
    session = BotSession(Bare())
    session.start(game(1))
    assert session.decide(1, LEGAL) in LEGAL
