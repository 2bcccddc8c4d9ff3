"""`mtref match` as a user meets it: tables, JSON, logs, and one clear line for everything that is wrong."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.bots.villains import BROKEN, HERE
from tests.e2e.commands import ROOT, mtref, mtref_argv

GREEDY, RANDOM = "bots/greedy.py", "bots/random_bot.py"
QUICK = ("--rule", "rounds=1", "--seed", "cli")


def test_a_game_is_shown_as_a_table() -> None:
    done = mtref("match", GREEDY, RANDOM, "--seed", "cli")
    assert done.returncode == 0
    assert done.stderr == ""
    heading, _, first, second, *rest = [line for line in done.stdout.splitlines() if line.strip()]
    assert " ".join(heading.split()) == "place seat bot 1 2 3 4 total decisions median p95 max faults"
    for line in (first, second):
        cells = line.split()
        assert cells[2] in {"greedy", "random_bot"}
        assert sum(map(int, cells[3:7])) == int(cells[7])
        assert cells[-1] == "-"
    assert rest[0].startswith("playboard, 4 rounds, grpc, ")


def test_several_games_are_shown_as_a_summary() -> None:
    done = mtref("match", GREEDY, RANDOM, GREEDY, *QUICK, "--games", 6, "--in-process")
    assert done.returncode == 0
    heading, _, *bots = [line.split() for line in done.stdout.splitlines() if line.strip()][:5]
    assert " ".join(heading) == "# bot score behind wins place decisions median p95 max faults"
    assert sorted(line[1] for line in bots) == ["greedy", "greedy", "random_bot"]
    assert "6 games of 1 round," in done.stdout


def test_json_is_one_object_and_the_same_twice_but_for_times() -> None:
    first, second = (mtref("match", GREEDY, RANDOM, *QUICK, "--games", 2, "--json") for _ in range(2))
    assert first.stderr == second.stderr == ""
    one, other = json.loads(first.stdout), json.loads(second.stdout)
    assert one["format"] == "mtref-result/1"
    assert [game["deal"] for game in one["games"]] == ["1", "2"]
    assert [[seat["bot"] for seat in game["seats"]] for game in one["games"]] == [[0, 1], [1, 0]]
    for result in (one, other):
        assert result["sandbox"]["line"].startswith("sandbox: ")
        assert set(result["referee_delay_ms"]) == {"median", "p95", "max", "total"}
        for key in ("seconds", "referee_delay_ms", "warnings"):
            del result[key]
        for bot in [*result["bots"], *(seat for game in result["games"] for seat in game["seats"])]:
            del bot["times_ms"]
    assert one == other


def test_in_process_and_over_grpc_are_the_same_games() -> None:
    args = ("match", RANDOM, RANDOM, GREEDY, *QUICK, "--games", 3, "--json")
    over_grpc, here, shared = (
        json.loads(mtref(*args, *more).stdout) for more in ((), ["--in-process"], ["--tables", 3])
    )
    digests = [[game["digest"] for game in result["games"]] for result in (over_grpc, here, shared)]
    assert digests[0] == digests[1] == digests[2]


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.zst", "jsonl.gz"])
def test_a_log_is_written_and_verified(tmp_path: Path, ending: str) -> None:
    log = tmp_path / f"game.{ending}"
    played = json.loads(mtref("match", GREEDY, RANDOM, *QUICK, "--log", log, "--json").stdout)
    assert played["games"][0]["log"] == str(log)
    verified = json.loads(mtref("verify", log, "--json").stdout)["logs"][0]
    assert verified["game_digest"] == played["games"][0]["digest"]
    assert verified["seed_revealed"]
    assert [path.name for path in tmp_path.iterdir()] == [log.name]


def test_several_games_are_logged_in_a_directory_and_none_is_overwritten(tmp_path: Path) -> None:
    args = ("match", GREEDY, RANDOM, *QUICK, "--games", 3, "--in-process", "--log", tmp_path / "logs")
    assert mtref(*args).returncode == 0
    logs = sorted((tmp_path / "logs").iterdir())
    assert [log.name[:2] for log in logs] == ["1-", "2-", "3-"]
    assert mtref("verify", *logs).returncode == 0
    again = mtref(*args)
    assert again.returncode == 2
    assert "exists already" in again.stderr


def test_names_are_shown_escaped_and_may_be_equal_empty_or_hostile() -> None:
    names = ["\x1b[31mred", "", "[bold]x", "\u202eevil", "same", "same", "é" * 100]
    bots = [f"{name}={GREEDY}" for name in names]
    done = mtref("match", *bots, *QUICK, "--rules", "online-table", "--in-process")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout and "\u202e" not in done.stdout
    assert r"\x1b[31mred" in done.stdout and "[bold]x" in done.stdout and r"\u202eevil" in done.stdout
    assert "é" * 31 + "…" in done.stdout
    played = json.loads(
        mtref("match", *bots, *QUICK, "--rules", "online-table", "--in-process", "--json").stdout
    )
    assert [bot["name"] for bot in played["bots"]] == names


@pytest.mark.parametrize(
    ("bot", "line", "said"),
    [
        (
            BROKEN,
            "ended with exit code 1 before it was ready; the last it printed:",
            "SyntaxError",
        ),
        (
            HERE / "unimportable.py",
            "ended with exit code 1 before it was ready",
            "ModuleNotFoundError: No module",
        ),
        (HERE / "never.py", "did not connect within 10 s; the last it printed:", "thinking about connecting"),
        ("/bin/true", "ended with exit code 0 before it was ready", ""),
        ("nosuchprogram --fast", "cannot be started: No such file or directory", ""),
        (f"python3 {HERE / 'raw.py'} version", "broke the protocol: the bot speaks protocol 7", ""),
        (f"python3 {HERE / 'raw.py'} no_hello", "broke the protocol: 1 bytes that are no FromBot", ""),
        (f"python3 {HERE / 'raw.py'} token", "before it was ready; the last it printed:", "UNAUTHENTICATED"),
    ],
)
def test_a_bot_that_is_not_ready_means_no_game_and_one_line_with_its_last_output(
    bot: object, line: str, said: str, tmp_path: Path
) -> None:
    bot = str(bot).replace("python3 ", f"{mtref_argv()[0]} ")
    done = mtref("match", GREEDY, bot, *QUICK, "--start-limit", 10, "--log", tmp_path / "log.jsonl", "--json")
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert error["exit"] == 1 and line in error["message"]
    first, *rest = done.stderr.splitlines()
    assert first.startswith("mtref: no game was played: bot 2, ")
    assert line in first
    assert all(text.startswith("  | ") for text in rest)
    assert said in done.stderr
    assert not list(tmp_path.iterdir())


def test_every_bot_that_is_not_ready_is_named() -> None:
    done = mtref("match", "/bin/true", GREEDY, "/bin/false", "--start-limit", 10)
    assert done.returncode == 1
    assert "bot 1, true" in done.stderr and "bot 3, false" in done.stderr and "bot 2" not in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "line"),
    [
        (["bots/nosuch.py", GREEDY], 1, "mtref: no such file: bots/nosuch.py"),
        ([GREEDY], 2, "mtref: BOT: needs at least two; the same bot may be given twice"),
        ([GREEDY] * 5, 2, "mtref: seats: "),
        ([GREEDY] * 11, 2, "mtref: seats: "),
        ([GREEDY, GREEDY, "--rules", "nosuch"], 2, "nosuch"),
        ([GREEDY, GREEDY, "--rule", "rounds=99"], 2, "rounds"),
        ([GREEDY, GREEDY, "--games", "0"], 2, "--games"),
        ([GREEDY, GREEDY, "--move-time", "soon"], 2, "'soon' is no time"),
        ([GREEDY, GREEDY, "--faults", "harsh"], 2, "--faults"),
        ([GREEDY, "cat 'x"], 2, "cannot be read as a command"),
        ([GREEDY, "cat", "--in-process"], 2, "can be played --in-process only if it is a .py file"),
        ([GREEDY, str(BROKEN), "--in-process"], 1, "SyntaxError"),
        ([GREEDY, GREEDY, "--log", "/nosuch/dir/file"], 2, "cannot write a log here"),
    ],
)
def test_wrong_usage_is_one_line(args: list[str], code: int, line: str) -> None:
    done = mtref("match", *args)
    assert done.returncode == code
    assert line in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr and done.stdout == ""


def test_strict_faults_end_with_exit_1_after_the_result() -> None:
    illegal = f"{mtref_argv()[0]} {HERE / 'fails.py'} illegal 2"
    done = mtref("match", GREEDY, illegal, *QUICK, "--faults", "strict", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["bots"][1]["forfeits"] == 1
    assert mtref("match", GREEDY, illegal, *QUICK, "--json").returncode == 0


def test_verbose_says_on_stderr_what_happens() -> None:
    done = mtref("match", GREEDY, f"{mtref_argv()[0]} {HERE / 'fails.py'} exits 2", *QUICK, "--verbose")
    assert "process started" in done.stderr and "game ended" in done.stderr
    assert "crash" in done.stderr and "the process ended with exit code 0" in done.stderr


def test_what_bots_print_in_process_is_no_part_of_the_result() -> None:
    done = mtref("match", GREEDY, HERE / "floods.py", *QUICK, "--in-process", "--json")
    json.loads(done.stdout)


def test_a_reader_that_goes_away_is_no_crash() -> None:
    argv = mtref_argv("match", GREEDY, RANDOM, *QUICK, "--games", 150, "--in-process", "--json")
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_help_is_there_at_once_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from mtref.cli.main import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0\n"
        "heavy = {'grpc', 'yaml', 'structlog', 'rich', 'google.protobuf', 'asyncio', 'mtref.cli.match'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([*mtref_argv()[:2], code, "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Play games between bots" in done.stdout
    assert mtref("--version").stdout.startswith("mtref ")


def test_with_several_tables_too_an_error_is_one_line(tmp_path: Path) -> None:
    args = ("match", GREEDY, RANDOM, *QUICK, "--games", 3, "--tables", 3, "--log", tmp_path)
    assert mtref(*args).returncode == 0
    again = mtref(*args)
    assert again.returncode == 2
    assert len(again.stderr.splitlines()) == 1 and "exists already" in again.stderr
