"""A bot that is asked again gets the bytes which the seat got in the game, and what it answers changes nothing."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from mtref.match.clock import ClockSettings
from mtref.match.entry import parse_entry
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.retelling import Retelling
from mtref.replay.reader import LogError, LogReader
from mtref.replay.records import LogDecision, LogFault
from mtref.server.asking import ask_here, ask_process
from mtref.server.isolation import unprotected
from mtref.server.runner import play_match
from mtref.server.teller import Reply
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.load import load_bot
from mtref_sdk.ruleset import RuleSet, preset
from tests.replay.games import write_game

ROOT = Path(__file__).parent.parent.parent
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*/*.jsonl*"))
RANDOM, GREEDY = ROOT / "bots/random_bot.py", ROOT / "bots/greedy.py"
CLOCK = ClockSettings(move_ms=0.5, bank_ms=60_000.0, increment_ms=1.25)


def recorder(out: Path, *ways: str) -> str:
    return " ".join([sys.executable, str(ROOT / "tests/bots/recorder.py"), str(out), *ways])


def retelling(log: Path, seat: int) -> Retelling:
    with LogReader(log) as reader:
        return Retelling(reader, seat)


def asked(bot: str, log: Path, seat: int, until: int | None = None) -> list[Reply]:
    return asyncio.run(ask_process(parse_entry(bot), retelling(log, seat), unprotected(), until))


def played(log: Path, *bots: str, rules: RuleSet, clock: ClockSettings = CLOCK) -> None:
    options = MatchOptions(rules, seed="asking", clock=clock)
    asyncio.run(play_match(options, [parse_entry(bot) for bot in bots], LogPlace(str(log))))


def messages(out: Path) -> list[tuple[int, Any]]:
    """Length and content of each message, the ids of decisions masked: they are random in a game."""
    found = []
    for line in out.read_text().splitlines():
        message = pb.FromReferee.FromString(bytes.fromhex(line))
        for update in message.updates:
            if update.HasField("decision"):
                assert update.decision.id
                update.decision.id = 1
        for fault in message.faults:
            fault.decision = bool(fault.decision)
        found.append((len(line) // 2, message))
    return found


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("playboard", ["events"]),
        ("playboard", ["full"]),
        ("cubano-forgetful", ["odd"]),
        ("dominos-cc", ["odd", "full"]),
    ],
)
def test_the_bot_gets_the_bytes_that_the_seat_got(tmp_path: Path, name: str, ways: list[str]) -> None:
    rules = preset(name).with_overrides({"rounds": 2})
    log, then, now = tmp_path / "a.jsonl", tmp_path / "then", tmp_path / "now"
    played(log, str(GREEDY), recorder(then, *ways), str(RANDOM), rules=rules)
    replies = asked(recorder(now, *ways), log, 1)
    assert messages(now) == messages(then)
    with LogReader(log) as reader:
        records = [line.record for line in reader]
    faults = [record.kind for record in records if isinstance(record, LogFault)]
    assert bool(faults) == ("odd" in ways)
    different = [reply for reply in replies if reply.question.made and reply.code != reply.question.made.move]
    assert [reply.wrong is not None for reply in different] == [True] * len(different)
    by_default = [record for record in records if isinstance(record, LogDecision) and record.by == "default"]
    assert len(different) == len(by_default)


def test_up_to_a_moment_the_bot_gets_the_beginning_of_them(tmp_path: Path) -> None:
    log, then, now = tmp_path / "a.jsonl", tmp_path / "then", tmp_path / "now"
    played(log, recorder(then), str(GREEDY), rules=preset("playboard").with_overrides({"rounds": 1}))
    everything = asked(recorder(now), log, 0)
    line = everything[7].question.line
    now.unlink()
    some = asked(recorder(now), log, 0, line - 1)
    assert [reply.question.line for reply in some] == [reply.question.line for reply in everything[:8]]
    assert messages(now) == messages(then)[: len(messages(now))]
    assert messages(now)[-1][1].updates[0].HasField("decision")


def test_a_bot_with_chance_answers_what_it_answered_then(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    played(log, str(RANDOM), str(RANDOM), rules=preset("online-table").with_overrides({"rounds": 2}))
    over_grpc = asked(str(RANDOM), log, 1)
    here = ask_here(load_bot(RANDOM), retelling(log, 1))
    for reply, other in zip(over_grpc, here, strict=True):
        assert reply.question.made is not None
        assert reply.code == other.code == reply.question.made.move
        one, two = reply.question.ask, other.question.ask
        assert (one.id, one.seat, one.legal, one.may_lift) == (two.id, two.seat, two.legal, two.may_lift)
        assert (one.move_ms, one.bank_ms) == (two.move_ms, two.bank_ms)


def test_in_this_process_the_last_question_alone_is_asked_inside_of_what_is_put_around_it(
    tmp_path: Path,
) -> None:
    class Around:
        entered = 0

        def __enter__(self) -> None:
            Around.entered += 1

        def __exit__(self, *_: object) -> None:
            pass

    log = write_game(tmp_path / "a.jsonl", seats=2)
    replies = ask_here(load_bot(GREEDY), retelling(log, 0), 30, Around)
    assert Around.entered == 1
    assert replies[-1].question.line >= 30 > replies[-2].question.line


CRASHES = """
from mtref_sdk import Bot, run

class Crashes(Bot):
    n = 0
    def choose(self, decision):
        self.n += 1
        if self.n == 3:
            print("here \\x1b[2J it ends")
            raise ZeroDivisionError
        return decision.legal_moves[0]

run(Crashes())
"""


def test_a_bot_that_dies_is_asked_no_more(tmp_path: Path) -> None:
    log, bot = write_game(tmp_path / "a.jsonl"), tmp_path / "bot.py"
    bot.write_text(CRASHES)
    printed: list[bytes] = []
    job = ask_process(parse_entry(str(bot)), retelling(log, 0), unprotected(), None, printed.append)
    replies = asyncio.run(job)
    assert [reply.gone for reply in replies] == [False, False, True]
    assert replies[-1].wrong == "crash: the process ended with exit code 1"
    assert b"ZeroDivisionError" in b"".join(printed)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_golden_logs_can_be_asked_again(path: Path) -> None:
    with LogReader(path) as reader:
        made = [line for line in reader if isinstance(line.record, LogDecision)]
        complete = path.name != "broken-off.jsonl"
    seat = 1
    replies = ask_here(load_bot(RANDOM), retelling(path, seat))
    expected = [line.number for line in made if line.record.seat == seat]  # type: ignore[union-attr]
    lines = [reply.question.line for reply in replies]
    assert lines[: len(expected)] == expected
    assert len(lines) == len(expected) or not complete
    assert not [reply.wrong for reply in replies if reply.wrong]


def test_a_log_that_breaks_off_ends_with_the_question_that_was_out(tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", stop_after=9)
    with LogReader(log) as reader:
        last = max(line.number for line in reader)
    pending = [
        reply.question
        for seat in range(2)
        for reply in ask_here(load_bot(GREEDY), retelling(log, seat))
        if reply.question.made is None
    ]
    assert [question.line for question in pending] == [last + 1]
    whole = write_game(tmp_path / "b.jsonl")
    with LogReader(whole) as reader:
        record = next(line.record for line in reader if line.number == last + 1)
    assert isinstance(record, LogDecision)
    assert (record.seat, record.legal) == (pending[0].ask.seat, pending[0].ask.legal)


def test_where_nothing_is_asked_any_more_the_last_question_is_named(tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl")
    with LogReader(log) as reader:
        decisions = [line for line in reader if isinstance(line.record, LogDecision)]
    last = max(line.number for line in decisions if line.record.seat == 0)  # type: ignore[union-attr]
    with pytest.raises(
        LogError, match=f"seat 0 has no decision in this line or later; the last is in line {last}"
    ):
        retelling(log, 0).question_at(last + 1)


def test_without_the_seed_the_private_seed_is_another_one_and_always_the_same(tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", reveal=False)
    shown = write_game(tmp_path / "b.jsonl")
    one, two, real = retelling(log, 0), retelling(log, 0), retelling(shown, 0)
    assert (one.revealed, real.revealed) == (False, True)
    assert one.table.private_seed(0) == two.table.private_seed(0) != real.table.private_seed(0)
