"""The viewer on a terminal: pressing keys and reading the screen."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Static

from mtref.replay.reader import LogReader
from mtref.replay.records import BotInfo
from mtref.replay.screen.app import KEYS, SHOWN_AS, ReplayApp
from mtref.replay.tape import Tape
from mtref_sdk.ruleset import preset
from tests.replay.games import write_game

Wide, Narrow = (140, 50), (80, 24)
Look = Callable[[ReplayApp, Pilot[None]], Awaitable[None]]


def shown(app: ReplayApp, part: str) -> str:
    return str(app.query_one(f"#{part}", Static).content)


def watch(log: Path, look: Look, *, seat: int | None = None, size: tuple[int, int] = Wide) -> None:
    """Open the viewer on a screen that is not there, and do what `look` does."""

    async def run() -> None:
        with LogReader(log) as reader:
            app = ReplayApp(Tape(reader), seat)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await look(app, pilot)

    asyncio.run(run())


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rules = preset("traditional").with_overrides({"rounds": 2})
    return write_game(tmp_path_factory.mktemp("logs") / "game.jsonl", rules, seats=4, faulty=True)


def test_keys_lead_where_the_list_of_keys_says(log: Path) -> None:
    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        assert "Round 1: engine 12-12" in shown(app, "said")
        for keys, said in (
            (["t"], "is on turn"),
            (["d"], "chooses"),
            (["right"], "plays"),
            (["left"], "chooses"),
            (["f"], "fault of seat 3: illegal_move: 0-0@9 \\x1b[2J\\u202e? -> default move"),
            (["r"], "Round 2: engine 11-11"),
            (["r"], "the log is complete"),
            (["R", "R", "R"], "before the first round"),
            (["R"], "there is no earlier round"),
            (["end"], "the seed is revealed"),
            (["home"], "line 1, everything"),
            (["g", "1", "4", "3", "enter"], "line 143,"),
            (["g", "x", "enter"], "a line is a number"),
            (["g", "9", "escape", "right"], "line 144,"),
        ):
            await press(pilot, *keys)
            assert said in shown(app, "said"), keys
        await press(pilot, "question_mark")
        assert len(app.screen_stack) == 2
        await press(pilot, "x")
        assert len(app.screen_stack) == 1

    watch(log, look)


def test_what_is_typed_fast_is_the_answer_to_the_question(log: Path) -> None:
    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        for key in ("g", "1", "4", "3", "enter"):
            app.post_message(Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        assert shown(app, "said").startswith("line 143, everything: ")

    watch(log, look)


def test_the_document_lists_every_key() -> None:
    text = (Path(__file__).parents[2] / "docs" / "replay.md").read_text("utf-8")
    table = text.partition("| key |")[2].partition("\n\n")[0]
    listed = {key for row in table.splitlines() for key in re.findall(r"`([^`]+)`", row.partition(" | ")[0])}
    assert listed - {"0", "9"} == {SHOWN_AS.get(key, key) for key, _, _ in KEYS}


def test_every_train_marker_and_double_is_drawn(log: Path) -> None:
    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        await press(pilot, "slash", *"satisfy", "enter")
        assert "double on" in shown(app, "said")
        table = shown(app, "table")
        moment = app.position.moment
        assert f"Round 1 of 2   engine 12║12   boneyard {moment.table.boneyard}" in table
        assert "[unsatisfied double]" in table
        for train in moment.table.trains.values():
            if train.links:
                tiles = [f"{a}{'║' if a == b else '│'}{b}" for a, b in train.links]
                assert " ".join([*tiles, f"->{train.end}"]) in " ".join(table.split())
        for hand in moment.hands:
            assert hand is not None
            for tile in hand:
                assert f"{tile.low}│{tile.high}" in table.replace("║", "│")
        await press(pilot, "slash", *"marker up", "enter")
        assert "[marker up]" in shown(app, "table")

    watch(log, look)


def test_search_goes_on_back_and_round(log: Path) -> None:
    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        await press(pilot, "slash", *"FAULT OF", "enter")
        first = app.position.line
        await press(pilot, "n")
        assert app.position.line > first
        await press(pilot, "N", "N", "n")
        assert app.position.line == first
        await press(pilot, "slash", *"nowhere", "enter")
        assert "nothing found: nowhere" in shown(app, "said")

    watch(log, look)


def test_a_decision_lists_what_was_legal(log: Path) -> None:
    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        await press(pilot, "2", "d", "d", "d")
        made = app.position.choice
        assert made is not None and made.seat == 2
        choice = shown(app, "choice")
        assert choice.startswith("seat 2 (heavy)") and choice.count("@") == len(made.legal)
        assert choice.count("*") == 2

    watch(log, look)


def test_the_eyes_of_a_seat_see_only_its_hand(log: Path) -> None:
    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        await press(pilot, "t", "v")
        assert "as seat 0 knew it" in shown(app, "said")
        assert shown(app, "table").count("hidden") == 3
        assert "seat 1 chooses" not in shown(app, "events")
        await press(pilot, "1")
        assert "as seat 1 knew it" in shown(app, "said")
        await press(pilot, "9")
        assert "these eyes are not to be had here" in shown(app, "said")
        await press(pilot, "a")
        assert "hidden" not in shown(app, "table")

    watch(log, look)


def test_a_viewer_for_one_seat_has_no_other_eyes(log: Path) -> None:
    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        for keys in (["v"], ["a"], ["0"]):
            await press(pilot, "t", *keys)
            assert shown(app, "table").count("hidden") == 3
            assert app.position.eyes == 2
        await press(pilot, "end")
        assert "the log is complete" in shown(app, "said")

    watch(log, look, seat=2)


def test_plays_until_it_is_paused(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtref.replay.screen.app.SECONDS_A_STEP", 0.01)

    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        await press(pilot, "space")
        while app.position.index < 5:
            await pilot.pause(0.01)
        await press(pilot, "space")
        there = app.position.index
        await pilot.pause(0.05)
        assert app.position.index == there

    watch(log, look)


def test_fits_a_small_terminal_and_scrolls(log: Path) -> None:
    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        await press(pilot, "g", "1", "0", "0", "enter")
        side, table = app.query_one("#side"), app.query_one("#scroll")
        assert side.region.y >= table.region.bottom
        assert max(map(len, shown(app, "table").splitlines())) <= 80
        await press(pilot, "pagedown")
        assert table.scroll_offset.y > 0
        await press(pilot, "pageup", "down", "up")
        assert table.scroll_offset.y == 0

    watch(log, look, size=Narrow)


def test_hostile_names_and_broken_logs_are_shown_as_they_are(tmp_path: Path) -> None:
    bots = [BotInfo("[bold]\x1b[2J", ""), BotInfo("x" * 1000, ""), BotInfo("", "")]
    broken = write_game(tmp_path / "game.jsonl", seats=3, bots=bots, stop_after=20)

    async def look(app: ReplayApp, pilot: Pilot[None]) -> None:
        await press(pilot, "end")
        assert "the log breaks off here" in shown(app, "said")
        table = shown(app, "table")
        assert "[bold]\\x1b[2J" in table and "xxxxxxxxx…" in table and "no name" in table

    watch(broken, look)


def test_opens_by_itself_on_a_terminal_only(log: Path) -> None:
    command = [sys.executable, "-c", "from mtref.cli.main import main; main()", "replay", str(log)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert printed.stdout.startswith("game test-1")

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as viewer:
        os.close(theirs)
        screen = b""
        while b"engine" not in screen:
            screen += os.read(ours, 65536)
        assert b"\x1b[?1049h" in screen  # the other screen, so that the terminal is as before when it ends
        os.write(ours, b"q")
        while True:
            try:
                screen += os.read(ours, 65536)
            except OSError:  # nobody holds the other end any more
                break
        assert viewer.wait(30) == 0
    os.close(ours)
    assert b"\x1b[?1049l" in screen
