"""The gRPC client: real processes and a real socket, and a referee that follows a script."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.messages import handle
from mtref_sdk.session import BotSession
from tests.sdk.scripted import (
    LEGAL,
    TOKEN,
    FirstMove,
    ScriptedReferee,
    asking,
    finished,
    table_start,
)

LAST_MOVE = """
from mtref_sdk import Bot, run

class LastMove(Bot):
    def choose(self, decision):
        print("harmless", decision.observation.hand)
        return decision.legal_moves[-1]

run(LastMove())
"""
RAISING = """
from mtref_sdk import Bot, run

class Raising(Bot):
    def choose(self, decision):
        raise LookupError("no idea")

run(Raising())
"""
SCRIPT = [
    pb.FromReferee(starts=[table_start(1), table_start(2)]),
    pb.FromReferee(updates=[asking(1, 2**64 - 1), asking(2, 7)]),
    pb.FromReferee(
        updates=[asking(2, 8, told=())],
        ends=[finished(1)],
        faults=[pb.Fault(table=1, kind=pb.FAULT_KIND_LATE, text="table 1: no answer in time")],
    ),
    pb.FromReferee(ends=[finished(2)]),
]


async def start_bot(source: str, environment: Mapping[str, str], folder: Path) -> tuple[int, str]:
    """Runs a bot with only these settings of mtref; returns its exit code and its stderr."""
    file = folder / "bot.py"
    file.write_text(source)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MTREF", "GRPC"))}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(file),
        env={**inherited, **environment},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, stderr = await process.communicate()
    assert process.returncode is not None
    return process.returncode, stderr.decode()


def meet(source: str, referee: ScriptedReferee, folder: Path, token: str = TOKEN) -> tuple[int, str]:
    """Lets a bot play against a scripted referee."""

    async def both() -> tuple[int, str]:
        async with referee.listening(folder) as address:
            return await start_bot(source, {"MTREF_ADDRESS": address, "MTREF_TOKEN": token}, folder)

    return asyncio.run(both())


def test_a_bot_says_hello_answers_at_once_and_leaves_when_the_stream_ends(tmp_path: Path) -> None:
    referee = ScriptedReferee(SCRIPT)
    code, stderr = meet(LAST_MOVE, referee, tmp_path)
    assert code == 0
    assert stderr == "mtref bot: fault: table 1: no answer in time\n"
    hello, *said = referee.heard
    assert hello.hello.protocol == 1
    assert hello.hello.sdk.startswith("mtref-sdk ")
    assert hello.hello.view == pb.VIEW_MODE_EVENTS
    assert [list(message.answers) for message in said] == [
        [pb.Answer(table=1, decision=2**64 - 1, move=LEGAL[-1])],
        [pb.Answer(table=2, decision=7, move=LEGAL[-1])],
        [pb.Answer(table=2, decision=8, move=LEGAL[-1])],
    ]


def test_at_several_tables_the_same_answers_are_given_in_the_same_order(tmp_path: Path) -> None:
    referee = ScriptedReferee(SCRIPT, tables=2)
    code, stderr = meet(LAST_MOVE, referee, tmp_path)
    assert (code, stderr) == (0, "mtref bot: fault: table 1: no answer in time\n")
    answers = [answer for message in referee.heard[1:] for answer in message.answers]
    assert [(answer.table, answer.decision) for answer in answers] == [(1, 2**64 - 1), (2, 7), (2, 8)]


def test_no_answer_waits_for_the_choice_at_another_table(tmp_path: Path) -> None:
    """The second choice is not made before the answer to the first has arrived."""
    arrived = tmp_path / "arrived"
    script = [*SCRIPT[:2], pb.FromReferee(ends=[finished(1), finished(2)])]
    referee = ScriptedReferee(script, tables=2, on_answer=lambda _: arrived.touch())
    waiting = LAST_MOVE.replace(
        "        return",
        f"""        import pathlib, time
        while decision.table == 2 and not pathlib.Path({str(arrived)!r}).exists():
            time.sleep(0.001)
        return""",
    )
    assert meet(waiting, referee, tmp_path) == (0, "")
    assert [[answer.table for answer in message.answers] for message in referee.heard[1:]] == [[1], [2]]


def test_a_bot_that_raises_at_one_table_has_sent_its_answers_at_the_others(tmp_path: Path) -> None:
    referee = ScriptedReferee(SCRIPT, tables=2)
    raising = LAST_MOVE.replace("        return", "        assert decision.table == 1\n        return")
    code, stderr = meet(raising, referee, tmp_path)
    assert code == 1
    assert stderr.rstrip().endswith("AssertionError")
    assert [answer.table for message in referee.heard[1:] for answer in message.answers] == [1]


def test_a_bot_that_raises_leaves_its_traceback_and_fails(tmp_path: Path) -> None:
    code, stderr = meet(RAISING, ScriptedReferee(SCRIPT), tmp_path)
    assert code == 1
    assert stderr.rstrip().endswith("LookupError: no idea")
    assert "in choose" in stderr


def test_a_token_nobody_knows_is_one_line(tmp_path: Path) -> None:
    code, stderr = meet(LAST_MOVE, ScriptedReferee(SCRIPT), tmp_path, token="wrong")
    assert code == 1
    assert stderr == "mtref bot: the referee ended the connection: UNAUTHENTICATED: unknown token\n"


def test_a_referee_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    nowhere = {"MTREF_ADDRESS": f"unix:{tmp_path / 'nobody.sock'}", "MTREF_TOKEN": TOKEN}
    code, stderr = asyncio.run(start_bot(LAST_MOVE, nowhere, tmp_path))
    assert code == 1
    assert stderr.startswith("mtref bot: the referee ended the connection: UNAVAILABLE: ")
    assert stderr.count("\n") == 1


@pytest.mark.parametrize("missing", ["MTREF_ADDRESS", "MTREF_TOKEN"])
def test_a_bot_started_by_hand_says_how_bots_are_started(missing: str, tmp_path: Path) -> None:
    environment = {"MTREF_ADDRESS": "unix:/nowhere", "MTREF_TOKEN": TOKEN}
    del environment[missing]
    code, stderr = asyncio.run(start_bot(LAST_MOVE, environment, tmp_path))
    assert code == 2
    assert stderr.startswith(f"mtref bot: {missing} is not set; a referee starts bots: mtref match ")
    assert stderr.count("\n") == 1


def said(answer: bytes) -> pb.Answer:
    """The one answer of a message, which is as protobuf would have written it."""
    message = pb.FromBot.FromString(answer)
    assert message.SerializeToString() == answer
    (only,) = message.answers
    return only


def test_messages_are_handled_in_order_without_a_network(capsys: pytest.CaptureFixture[str]) -> None:
    session = BotSession(FirstMove())
    answers = [said(answer) for message in SCRIPT for answer in handle(session, message.SerializeToString())]
    assert [(answer.table, answer.decision, answer.move) for answer in answers] == [
        (1, 2**64 - 1, LEGAL[0]),
        (2, 7, LEGAL[0]),
        (2, 8, LEGAL[0]),
    ]
    assert capsys.readouterr().err == "mtref bot: fault: table 1: no answer in time\n"


def test_each_answer_is_handed_out_before_the_next_choice() -> None:
    chosen: list[int] = []

    class Noting(FirstMove):
        def choose(self, decision):  # type: ignore[no-untyped-def] # as a casual author writes it
            chosen.append(decision.table)
            return decision.legal_moves[0]

    session = BotSession(Noting())
    list(handle(session, SCRIPT[0].SerializeToString()))
    answers = handle(session, SCRIPT[1].SerializeToString())
    assert said(next(answers)).table == 1
    assert chosen == [1]
    assert said(next(answers)).table == 2
    assert chosen == [1, 2]


def test_the_start_of_a_game_is_told_whole() -> None:
    starts = []

    class Noting(FirstMove):
        def game_started(self, game):  # type: ignore[no-untyped-def]
            starts.append(game)

    message = pb.FromReferee(starts=[table_start(3, seat=1)])
    list(handle(BotSession(Noting()), message.SerializeToString()))
    (game,) = starts
    assert (game.table, game.game, game.seat, game.seats) == (3, "game-3", 1, 2)
    assert game.rules.name == "playboard"
    assert game.commitment == bytes(range(32))
    assert (game.clock.move_time, game.clock.bank) == (1.0, 60.0)
