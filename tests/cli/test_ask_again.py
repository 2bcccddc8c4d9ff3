"""``mtref replay --attach``, ``--pdb``, ``--rerun`` and ``--position``, ``mtref pin`` and ``mtref branch`` as an author meets them."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mtref.cli.main import main
from mtref.replay.encode import move_text
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import BotInfo, LogDecision, LogHeader
from mtref_sdk.ruleset import preset
from tests.replay.games import short, write_game

ROOT = Path(__file__).parent.parent.parent
VILLAINS = ROOT / "referee/mtref/villains"
HERE = ("--sandbox", "none")
HOSTILE = [BotInfo("\x1b[2J[bold]\n'''", "rm \u202e'''\".py"), BotInfo('"""\\', "")]

FIRST = """
from mtref_sdk import Bot, run


class First(Bot):
    def choose(self, decision):
        move = decision.legal_moves[0]
        return move


run(First())
"""

PRINTS = FIRST.replace("return move", 'print("see \\x1b[2J", flush=True); raise ValueError("bad")')

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def mtref(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command; gives back exit code, stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mtref", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A game of one round, two seats, in which seat 0 lays its heaviest tile."""
    return write_game(tmp_path / "game.jsonl.zst", short())


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot that plays its first legal move."""
    path = tmp_path / "first.py"
    path.write_text(FIRST)
    return path


def decisions(path: Path, seat: int) -> list[LogLine]:
    with LogReader(path) as reader:
        return [line for line in reader if isinstance(line.record, LogDecision) and line.record.seat == seat]


def plays_first(line: LogLine) -> bool:
    return isinstance(line.record, LogDecision) and line.record.move == line.record.legal[0]


# -- attach


def test_attach_prints_what_the_bot_answers_and_what_the_log_has(mtref: Run, log: Path, bot: Path) -> None:
    asked = decisions(log, 0)
    line = next(line for line in asked[3:] if not plays_first(line))
    code, out, err = mtref("replay", log, "--seat", 0, "--at", line.number, "--attach", bot, "--json", *HERE)
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert isinstance(line.record, LogDecision)
    assert (found["line"], found["seat"], found["bot"]) == (line.number, 0, "first")
    assert found["move"] == found["legal"][0] != found["log"]
    before = [other for other in asked if other.number < line.number]
    assert found["before"]["asked"] == len(before)
    different = [other.number for other in before if not plays_first(other)]
    assert [entry["line"] for entry in found["before"]["different"]] == different
    code, out, _ = mtref("replay", log, "--seat", 0, "--at", line.number - 1, "--attach", bot, *HERE)
    assert code == 0 and f"line {line.number}: seat 0 is asked" in out
    assert f"{found['log']} (by the bot)" in out and f"first in line {different[0]}" in out


def test_a_bot_that_fails_is_told_and_what_it_printed_is_shown_as_text(
    mtref: Run, log: Path, tmp_path: Path
) -> None:
    failing = tmp_path / "prints.py"
    failing.write_text(PRINTS)
    code, out, err = mtref("replay", log, "--seat", 0, "--at", 2, "--attach", failing, *HERE)
    assert code == 1 and "crash: the process ended with exit code 1" in out
    assert "  | see \\x1b[2J" in err and "ValueError: bad" in err and "\x1b" not in out + err
    failing.write_text("import nothing_of_this_name")
    code, out, err = mtref("replay", log, "--seat", 0, "--at", 2, "--attach", failing, *HERE)
    assert (code, out) == (
        1,
        "",
    ) and "mtref: prints: the bot ended with exit code 1 before it was ready" in err
    assert "ModuleNotFoundError" in err


def test_pdb_stops_in_choose_at_that_decision_and_nowhere_else(
    mtref: Run, log: Path, bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = decisions(log, 0)[5]
    at = ("replay", log, "--seat", 0, "--at", line.number, "--attach", bot)
    monkeypatch.setattr(sys, "stdin", io.StringIO("p decision.legal_moves\nn\nc\n"))
    code, out, _ = mtref(*at, "--pdb")
    assert code == 0
    assert "first.py(7)choose()" in out and "-> move = decision.legal_moves[0]" in out
    assert out.count("choose()") == 2  # the stop, and the step
    assert f"line {line.number}: seat 0 is asked its decision 6" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    code, _, err = mtref(*at, "--pdb")
    assert code == 1 and "the debugger was left before the bot had answered" in err
    bot.write_text(PRINTS)
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n"))
    code, _, err = mtref(*at[:5], 2, *at[6:], "--pdb")
    assert code == 1 and "ValueError: bad" in err


def test_pdb_is_for_bots_in_python_files(mtref: Run, log: Path, bot: Path) -> None:
    at = ("replay", log, "--seat", 0, "--at", 9)
    code, _, err = mtref(*at, "--attach", f"{sys.executable} {bot}", "--pdb")
    assert code == 2 and "--pdb: goes only with a .py file that uses mtref_sdk" in err
    bot.write_text("print('no bot')")
    code, _, err = mtref(*at, "--attach", bot, "--pdb")
    assert code == 1 and "the file never calls run(…) with its bot" in err


# -- rerun


def test_rerun_lists_where_the_bot_differs(mtref: Run, log: Path, bot: Path) -> None:
    different = [line.number for line in decisions(log, 0) if not plays_first(line)]
    code, out, err = mtref("replay", log, "--seat", 0, "--rerun", bot, *HERE)
    *listed, summary = out.splitlines()
    assert (code, err) == (1, "")
    assert [int(text.split(":")[0].removeprefix("line ")) for text in listed] == different
    asked = len(decisions(log, 0))
    assert summary == f"first, asked {asked} decisions of seat 0: {len(different)} of them different"


def test_a_bot_that_plays_as_the_log_has_it_is_done(mtref: Run, tmp_path: Path) -> None:
    log, bot = tmp_path / "a.jsonl", ROOT / "bots/random_bot.py"
    options = ("--rule", "rounds=1", "--quiet", "--in-process", "--seed", "x", "--log", log)
    assert mtref("match", bot, bot, *options)[0] == 0
    code, out, _ = mtref("replay", log, "--seat", 1, "--rerun", bot, *HERE)
    assert code == 0 and out.endswith("none of them different\n") and out.count("\n") == 1
    _, out, _ = mtref("replay", log, "--seat", 1, "--rerun", bot, "--json", *HERE)
    found = json.loads(out)
    assert (found["different"], found["deterministic"], found["wavering"]) == ([], True, [])


def test_a_bot_with_chance_of_its_own_is_found_and_named(mtref: Run, log: Path) -> None:
    code, out, _ = mtref("replay", log, "--seat", 1, "--rerun", VILLAINS / "own_chance.py", *HERE)
    assert code == 1
    assert "own_chance is not deterministic: asked twice, it differs from itself at " in out


def test_without_the_seed_it_is_said_what_that_means(mtref: Run, tmp_path: Path, bot: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", reveal=False)
    for options in (["--at", 9, "--attach", bot], ["--rerun", bot]):
        _, _, err = mtref("replay", log, "--seat", 0, *options, *HERE)
        assert "the log does not hold the seed, so the bot's private seed is not the one it had" in err


# -- positions and pins


def test_positions_of_a_log_go_into_explain(mtref: Run, log: Path, tmp_path: Path) -> None:
    line = decisions(log, 1)[4]
    assert isinstance(line.record, LogDecision)
    for eyes in ([], ["--seat", 1]):
        code, out, _ = mtref("replay", log, "--at", line.number, *eyes, "--position")
        assert code == 0 and out.startswith(f"# line {line.number} of game test-1")
        (tmp_path / "here.yaml").write_text(out)
        _, out, _ = mtref("explain", tmp_path / "here.yaml", "--json")
        assert len(json.loads(out)["legal"]) == len(line.record.legal)
        _, out, _ = mtref("replay", log, "--at", line.number, *eyes, "--position", "--json")
        (tmp_path / "here.json").write_text(out)
        assert mtref("explain", tmp_path / "here.json")[0] == 0


def test_a_pinned_decision_passes_with_a_bot_that_chooses_well_and_fails_with_another(
    mtref: Run, log: Path, bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = next(line for line in decisions(log, 0)[3:] if not plays_first(line))
    assert isinstance(line.record, LogDecision)
    monkeypatch.chdir(tmp_path)
    at = ("pin", log, "--seat", 0, "--at", line.number, "--bot", bot.name)
    (tmp_path / "tests").mkdir()
    as_it_was, another = tmp_path / "tests/test_as_it_was.py", tmp_path / "tests/test_another.py"
    code, out, err = mtref(*at, "-o", as_it_was)
    assert (code, out) == (0, "") and f"pytest {as_it_was}" in err
    _, legal, _ = mtref(*at)
    played = legal.split("GOOD_MOVES = {")[1].split("}")[0].strip('"')
    assert mtref(*at, "--avoid", played, "-o", another)[0] == 0
    assert ' / "../first.py"' in another.read_text()
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "1 failed, 1 passed" in ran.stdout
    assert "FAILED tests/test_as_it_was.py::test_line_" in ran.stdout
    code, _, err = mtref(*at, "-o", another)
    assert code == 2 and "exists already and is not overwritten" in err


def test_a_pin_of_a_hostile_log_is_a_harmless_test(mtref: Run, tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", bots=HOSTILE, seed="'''+\"\"\"{x}")
    code, out, _ = mtref("pin", log, "--seat", 0, "--at", 9)
    assert code == 0 and out.isascii() and "\x1b" not in out
    spaces: dict[str, object] = {"__file__": "x.py", "__name__": "x"}
    exec(compile(out, "x.py", "exec"), spaces)
    assert "decision" in str(spaces["DECISION"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--avoid", "3-9@9"], "3-9@9 is not legal there; legal: "),
        (["--avoid", "nonsense"], "nonsense"),
        (["--move", "0-0@0", "--avoid", "0-0@0"], "--move and --avoid cannot be used together"),
        (["--seat", "5"], "--seat 5: the log has the seats 0 to 1"),
    ],
)
def test_a_wrong_pin_is_refused(mtref: Run, log: Path, options: list[str], message: str) -> None:
    code, out, err = mtref("pin", log, "--seat", 0, "--at", 9, *options)
    assert code != 0 and out == "" and message in err


# -- branch


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


def test_bots_may_be_named_with_their_seats(mtref: Run, log: Path, bot: Path, tmp_path: Path) -> None:
    at, move, _ = branchable(log)
    out = tmp_path / "out.jsonl"
    seated = ("--with", f"1=NAMED={bot}", "--with", f"0={ROOT / 'bots/greedy.py'}")
    assert mtref("branch", log, "--at", at, "--move", move, *seated, "--log", out, "--in-process")[0] == 0
    with LogReader(out) as reader:
        assert [info.name for info in reader.header.bots] == ["greedy", "NAMED"]


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
    with LogReader(out) as reader:
        assert isinstance(reader.first.record, LogHeader) and reader.header.seeded
    (tmp_path / "known.yaml").write_text(mtref("replay", log, "--at", at, "--seat", 0, "--position")[1])
    code, _, err = mtref("branch", tmp_path / "known.yaml", "--move", move, *seated)
    assert code == 2 and "every tile must be known; unknown are the hands of seats 1" in err


# -- everywhere


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--attach", "x.py", "--seat", "0"], "--attach needs --at"),
        (["--attach", "x.py", "--at", "3"], "--attach needs --seat"),
        (["--rerun", "x.py"], "--rerun needs --seat"),
        (["--rerun", "x.py", "--seat", "0", "--at", "3"], "--rerun and --at cannot be used together"),
        (["--position"], "--position needs --at"),
        (["--position", "--at", "3", "--html", "x"], "only --seat goes with it"),
        (["--pdb"], "--pdb goes only with --attach"),
        (["--pdb", "--attach", "x.py", "--seat", "0", "--at", "3", "--json"], "--pdb and --json"),
        (["--attach", "x.py", "--seat", "9", "--at", "3"], "--seat 9: the log has the seats 0 to 1"),
    ],
)
def test_options_that_do_not_go_together_are_usage_errors(
    mtref: Run, log: Path, options: list[str], message: str
) -> None:
    code, out, err = mtref("replay", log, *options)
    assert code == 2 and message in out + err


def test_an_unknown_version_is_one_clear_sentence_everywhere(
    mtref: Run, log: Path, bot: Path, tmp_path: Path
) -> None:
    plain = write_game(tmp_path / "plain.jsonl")
    newer = tmp_path / "newer.jsonl"
    newer.write_bytes(plain.read_bytes().replace(b"mtref-log/1", b"mtref-log/9", 1))
    for arguments in [
        ("replay", newer, "--seat", 0, "--at", 9, "--attach", bot),
        ("replay", newer, "--seat", 0, "--rerun", bot),
        ("replay", newer, "--at", 9, "--position"),
        ("pin", newer, "--seat", 0, "--at", 9),
        ("branch", newer, "--at", 9, "--move", "0-0@0", "--with", bot, bot),
    ]:
        code, out, err = mtref(*arguments)
        assert (code, out) == (1, "")
        assert err.count("\n") == 1 and "the format is mtref-log/9" in err and "reads only mtref-log/1" in err


def test_hostile_names_are_shown_as_text(mtref: Run, bot: Path, tmp_path: Path) -> None:
    log = write_game(
        tmp_path / "a.jsonl", preset("cubano").with_overrides({"rounds": 1}), bots=HOSTILE, seats=3
    )
    name = "\x1b[2J\u202e"
    printed = ""
    for arguments in [
        ("replay", log, "--seat", 0, "--at", 9, "--attach", f"{name}={bot}", *HERE),
        ("replay", log, "--seat", 0, "--rerun", f"{name}={bot}", *HERE),
        ("replay", log, "--at", 9, "--position"),
        ("branch", log, "--at", 9, "--move", "0-0@0", "--with", bot),
    ]:
        _, out, err = mtref(*arguments)
        printed += out + err
    assert "\\x1b[2J\\u202e" in printed
    assert all(char == "\n" or char.isprintable() for char in printed)
