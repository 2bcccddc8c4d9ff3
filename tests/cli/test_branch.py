"""``mtref branch`` as an author meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mtref.replay.encode import move_text
from mtref.replay.reader import LogReader
from mtref.replay.records import LogDecision, LogHeader
from mtref.replay.verify import verify_log
from tests.cli.loggames import HERE, ROOT, Run, decisions
from tests.replay.games import short, write_game


def branchable(path: Path) -> tuple[int, str, str]:
    """The line of a decision, another legal move, and one that is not legal."""
    for line in decisions(path, 0)[3:]:
        made = line.record
        assert isinstance(made, LogDecision)
        if len(made.legal) > 1 and made.legal[1] != made.move:
            return line.number, move_text(made.legal[1]), move_text(made.legal[0] ^ 1 << 6)
    raise AssertionError("there is none")


@pytest.mark.parametrize("how", [["--in-process"], [*HERE], [*HERE, "--no-clock", "--skip-forced"]])
def test_a_branch_is_played_written_and_verified(
    mtref: Run, log: Path, bot: Path, tmp_path: Path, how: list[str]
) -> None:
    at, move, _ = branchable(log)
    out = tmp_path / "out.jsonl.gz"
    code, said, _ = mtref(
        "branch", log, "--at", at, "--move", move, "--with", bot, bot, "--log", out, "--quiet", *how
    )
    assert code == 0 and "first" in said
    code, said, _ = mtref("verify", out)
    assert code == 0 and said.startswith("ok") and "not checked" not in said
    code, said, _ = mtref("replay", out, "--text")
    assert code == 0 and f"a branch of game test-1, which it left in line {at} by {move}" in said
    code, said, _ = mtref("replay", out, "--seat", 1, "--rerun", bot, *HERE)
    assert "first, asked" in said


def test_over_processes_the_same_move_and_bots_with_chance_give_the_same_game(
    mtref: Run, tmp_path: Path
) -> None:
    log, out, bot = tmp_path / "a.jsonl", tmp_path / "b.jsonl", ROOT / "bots/random_bot.py"
    options = ("--rule", "rounds=2", "--quiet", "--seed", "x", *HERE, "--log", log)
    assert mtref("match", bot, bot, *options)[0] == 0
    line = decisions(log, 1)[20]
    assert isinstance(line.record, LogDecision)
    move = move_text(line.record.move)
    _, said, _ = mtref(
        "branch", log, "--at", line.number, "--move", move, "--with", bot, bot, *HERE, "--log", out
    )
    assert verify_log(out).game_digest == verify_log(log).game_digest
    assert verify_log(log).game_digest[:16] in said


def test_bots_may_be_named_with_their_seats(mtref: Run, log: Path, bot: Path, tmp_path: Path) -> None:
    at, move, _ = branchable(log)
    out = tmp_path / "out.jsonl"
    seated = ("--with", f"1=NAMED={bot}", "--with", f"0={ROOT / 'bots/greedy.py'}")
    assert mtref("branch", log, "--at", at, "--move", move, *seated, "--log", out, "--in-process")[0] == 0
    with LogReader(out) as reader:
        assert [info.name for info in reader.header.bots] == ["greedy", "NAMED"]


def test_other_bots_make_it_another_game(mtref: Run, log: Path, bot: Path, tmp_path: Path) -> None:
    at, move, _ = branchable(log)
    ids = []
    for number, other in enumerate((bot, bot, ROOT / "bots/greedy.py")):
        out = tmp_path / f"{number}.jsonl"
        mtref("branch", log, "--at", at, "--move", move, "--with", bot, other, "--log", out, "--in-process")
        with LogReader(out) as reader:
            ids.append(reader.header.game)
    assert ids[0] == ids[1] != ids[2]


def test_tiles_that_are_dealt_afresh_make_it_another_game(
    mtref: Run, log: Path, bot: Path, tmp_path: Path
) -> None:
    at, move, _ = branchable(log)
    cut = write_game(tmp_path / "cut.jsonl", short())
    cut.write_bytes(b"".join(cut.read_bytes().splitlines(keepends=True)[:at]))
    ids = []
    for number, seed in enumerate(("x", "x", "y")):
        out = tmp_path / f"{number}.jsonl"
        options = ("--with", bot, bot, "--seed", seed, "--log", out, "--in-process")
        assert mtref("branch", cut, "--at", at, "--move", move, *options)[0] == 0
        with LogReader(out) as reader:
            ids.append(reader.header.game)
    assert ids[0] == ids[1] != ids[2]


def test_what_cannot_be_branched_is_refused_with_the_reason(mtref: Run, log: Path, bot: Path) -> None:
    at, move, wrong = branchable(log)
    for arguments, code, message in [
        ((log, "--at", at, "--move", wrong, "--with", bot, bot), 1, "legal: "),
        ((log, "--at", at, "--move", move, "--with", bot), 2, "a bot for each of the 2 seats is needed; seat 1 had"),
        ((log, "--at", at, "--move", move, "--with", f"0={bot}", bot), 2, "either each bot has its seat"),
        ((log, "--at", at, "--move", move, "--with", f"7={bot}", f"0={bot}"), 2, "there is no seat 7"),
        ((log, "--at", at, "--move", move, "--with", f"0={bot}", f"0={bot}"), 2, "seat 0 has two bots"),
        ((log, "--move", move, "--with", bot, bot), 2, "--at is needed with a log"),
        ((bot, "--at", at, "--move", move, "--with", bot, bot), 1, "not an mtref log"),
    ]:  # fmt: skip
        found, out, err = mtref("branch", *arguments)
        assert (found, out) == (code, "") and message in err


def test_a_position_is_played_on_with_real_processes(
    mtref: Run, log: Path, bot: Path, tmp_path: Path
) -> None:
    at, move, wrong = branchable(log)
    here, out = tmp_path / "here.yaml", tmp_path / "out.jsonl"
    here.write_text(mtref("replay", log, "--at", at, "--position")[1])
    seated = ("--with", bot, bot, "--seed", "x", *HERE)
    code, _, err = mtref("branch", here, "--move", wrong, *seated)
    assert code == 1 and "legal: " in err
    code, said, _ = mtref("branch", here, "--move", move, *seated, "--log", out, "--json")
    assert code == 0 and json.loads(said)["games"][0]["log"] == str(out)
    assert mtref("verify", out)[0] == 0
    story = mtref("replay", out, "--text")[1].splitlines()
    assert not [line for line in story if re.fullmatch(r" *\d+  seat \d *", line)]  # turns that only count
    with LogReader(out) as reader:
        assert isinstance(reader.first.record, LogHeader) and reader.header.seeded
    (tmp_path / "known.yaml").write_text(mtref("replay", log, "--at", at, "--seat", 0, "--position")[1])
    code, _, err = mtref("branch", tmp_path / "known.yaml", "--move", move, *seated)
    assert code == 2 and "every tile must be known; give the tiles of seat 1" in err


def test_an_option_that_does_nothing_is_refused(mtref: Run, log: Path, bot: Path) -> None:
    at, move, _ = branchable(log)
    words = ("branch", log, "--at", at, "--move", move, "--with", bot, bot, "--in-process")
    code, out, err = mtref(*words, "--bank", 3)
    assert (code, out) == (2, "") and "--bank cannot be used with --in-process" in err
