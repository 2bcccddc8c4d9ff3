"""`mtref submit` from beginning to end, with real bots in the ladder's sandbox."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from mtref.ladder.submit.send import to_send
from tests.e2e.commands import mtref
from tests.ladder.archives import member, tar_of, zip_of
from tests.ladder.smallladder import BOTS, games_of, small_ladder

STEPS = [
    "starts and connects",
    "plays cubano",
    "answers in time",
    "can be started again",
    "memory",
    "ends by itself and leaves nothing",
    "plays the ladder's game",
]


def sent(folder: Path, program: str, note: str = "") -> Path:
    """An archive of a bot that is the program and a module it imports."""
    path = folder / "alpha.zip"
    files = {
        "alpha/bot.py": "import book\n" + program.replace("from __future__ import annotations", ""),
        "alpha/book.py": f"# {note}\n",
    }
    path.write_bytes(zip_of([(name, text.encode()) for name, text in files.items()]))
    return path


@pytest.mark.slow
def test_a_bot_is_tried_out_entered_and_plays_and_its_next_version_takes_its_place(tmp_path: Path) -> None:
    ladder = small_ladder(tmp_path / "x", "seats: 2\n" + BOTS)
    greedy = (tmp_path / "x" / "a.py").read_text()
    path = sent(tmp_path, greedy)

    first = mtref("submit", path, "--author", "ann", "--ladder", ladder)
    assert first.returncode == 0, first.stderr
    *steps, last = first.stdout.splitlines()
    assert [line.split(": ")[0].partition(". ")[2] for line in steps] == STEPS
    assert all(": passed: " in line for line in steps)
    assert last.startswith("entered as alpha@1 (content ")

    again = mtref("submit", path, "--author", "ann", "--ladder", ladder, "--json")
    assert again.returncode == 0 and json.loads(again.stdout) | {"content": ""} == {
        "label": "alpha@1",
        "content": "",
        "already": True,
        "steps": [],
    }
    stolen = mtref("submit", path, "--author", "bob", "--ladder", ladder)
    assert (stolen.returncode, stolen.stderr) == (
        1,
        "mtref: refused: alpha: belongs to another author; give another name\n",
    )

    assert mtref("ladder", "run", ladder).returncode == 0
    assert len(games_of(ladder)[1]) == 6 + 6
    sent(tmp_path, greedy, "second")
    second = mtref("submit", path, "--author", "ann", "--ladder", ladder)
    assert second.stdout.splitlines()[-1].startswith("entered as alpha@2 "), second.stderr
    assert mtref("ladder", "run", ladder).returncode == 0
    assert len(games_of(ladder)[1]) == 6 + 6 + 6
    standings = mtref("ladder", "standings", ladder).stdout
    assert "alpha@2" in standings and "alpha@1" not in standings
    history = mtref("ladder", "history", "alpha", "--ladder", ladder).stdout.splitlines()
    assert [line.split()[0] for line in history] == ["alpha@1"] * 6 + ["alpha@2"] * 6
    assert "18 games" not in mtref("ladder", "plan", "--summary", ladder).stdout


@pytest.mark.slow
def test_a_bot_that_was_handed_in_reads_its_own_files_and_none_of_the_ladder_s(tmp_path: Path) -> None:
    ladder = small_ladder(tmp_path / "x", "seats: 2\n" + BOTS)
    ladder.write_text(ladder.read_text().replace("sandbox: none", "sandbox: bwrap"))
    mtref("ladder", "author", "add", "ann", "--ladder", ladder)
    other = tmp_path / "other.py"
    other.write_text((tmp_path / "x" / "b.py").read_text())
    assert mtref("submit", other, "--ladder", ladder).returncode == 0
    spy = tmp_path / "spy"
    spy.mkdir()
    (spy / "own.txt").write_text("own")
    program = (tmp_path / "x" / "a.py").read_text().replace("from __future__ import annotations", "")
    (spy / "bot.py").write_text(
        "from pathlib import Path\n"
        "home = Path(__file__).resolve().parent\n"
        "assert Path('own.txt').read_text() == (home / 'own.txt').read_text() == 'own'\n"
        "state = home.parents[1]\n"
        f"assert state == Path({str(tmp_path / 'x' / 'ladder-state')!r})\n"
        f"for path in (state, state / 'store', Path({str(tmp_path)!r}), state.parent / 'a.py'):\n"
        "    found = [one for one in path.rglob('*') if one.is_file()] if path.is_dir() else [path]\n"
        "    readable = [one for one in found if one.exists() and home not in one.parents]\n"
        "    assert not readable, readable\n" + program
    )
    done = mtref("submit", spy, "--ladder", ladder)
    assert done.returncode == 0, done.stdout
    assert "new, and played first: other@1, spy@1" in mtref("ladder", "plan", "--summary", ladder).stdout
    run = mtref("ladder", "run", ladder)
    assert run.returncode == 0, run.stderr
    seats = [seat for game in games_of(ladder)[1] for seat in game.seats if seat.bot == "spy@1"]
    assert len(seats) == 8 and not any(seat.faults for seat in seats)


def test_a_bot_that_fails_a_step_is_not_entered_and_told_why(tmp_path: Path) -> None:
    ladder = small_ladder(
        tmp_path / "x", "seats: 2\n" + BOTS.replace("]", ", {submitted: alpha, author: ann}]")
    )
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_of_that_name")
    done = mtref("submit", broken, "--ladder", ladder)
    assert done.returncode == 1
    assert done.stdout.startswith(" 1. starts for cubano: FAILED: ") and "ModuleNotFoundError" in done.stdout
    assert done.stderr == "mtref: refused: 1 of 1 step failed\n"
    assert list((tmp_path / "x" / "ladder-state" / "store").iterdir()) == [], "nothing is kept"
    told = json.loads(mtref("submit", broken, "--ladder", ladder, "--json").stdout)["error"]
    assert told["message"] == "refused: 1 of 1 step failed" and told["exit"] == 1
    assert [step["passed"] for step in told["steps"]] == [False]

    (tmp_path / "x" / "link.py").symlink_to(broken)
    refused = mtref("submit", tmp_path / "x" / "link.py", "--ladder", ladder)
    assert (
        refused.returncode == 1
        and refused.stderr.startswith("mtref: refused: ")
        and "a symbolic link" in refused.stderr
    )
    kept = mtref("submit", broken, "--name", "alpha", "--ladder", ladder)
    assert kept.stderr == "mtref: refused: alpha: is kept for ann; give another name\n"
    taken = mtref("submit", broken, "--name", "a", "--ladder", ladder)
    assert taken.stderr == "mtref: refused: a: is a bot of the ladder's file; give another name\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--to", "localhost:1", "--author", "ann"],
            "--author cannot be used with --to: elsewhere the token says",
        ),
        (["--to", "localhost:1", "--ladder", "x.yaml"], "--ladder cannot be used with --to"),
        (["--insecure"], "--insecure goes only with --to"),
        (["--token-file", "x"], "--token-file goes only with --to"),
        (["--author", " "], "--author: must be a text that can be printed, and not empty"),
        (["--author", "a\x1b[2Jb"], "--author: must be a text that can be printed"),
    ],
)
def test_options_that_would_do_nothing_and_authors_that_are_no_names(
    tmp_path: Path, options: list[str], message: str
) -> None:
    done = mtref("submit", tmp_path / "a.py", *options)
    assert done.returncode == 2 and message in done.stderr


def test_what_is_packed_well_is_for_the_ladder_to_refuse(tmp_path: Path) -> None:
    packed = gzip.compress(tar_of([member("bot.py", b"x" * 3_000_000)]))
    assert len(packed) * 100 < 3_000_000
    (tmp_path / "alpha.tar.gz").write_bytes(packed)
    name, data = to_send(tmp_path / "alpha.tar.gz")
    assert name == "alpha.tar.zst" and len(data) < 100_000


@pytest.mark.parametrize("path", ["/nowhere/token", "/dev/zero"])
def test_a_token_that_cannot_be_read_is_one_line(path: str) -> None:
    done = mtref("remote", "versions", "localhost:1", "--insecure", "--token-file", path)
    assert (
        done.returncode == 2 and done.stderr.startswith(f"mtref: {path}: ") and done.stderr.count("\n") == 1
    )
