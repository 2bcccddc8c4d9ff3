"""Whatever is killed and whenever: the next run goes on, and in the end everything is as if nothing had happened."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mtref.ladder.configfile import load_config
from mtref.ladder.journal import open_journal
from mtref.replay.verify import verify_log
from tests.house.repository import ROOT
from tests.ladder.processes import descendants, kill, wait_until_gone

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

MOMENTS = 50
"""How often each of the two ladders is hit."""

COMMON = (
    "name: killed\nrules: {preset: cubano, tile_set: 6, hand: 5, rounds: 1}\nseed: killed\nconcurrency: 2\n"
)
FRESH = "seats: 2\ndeals: 4\nbots: [{file: a.py}, {file: b.py}, {file: c.py}]\n"
REUSE = "seats: 3\ndeals: 24\nrotation: random\nreuse: 4\nbots: [{file: a.py}, {file: b.py}, {file: c.py}]\n"


def ladder_in(folder: Path, settings: str) -> Path:
    folder.mkdir()
    for name, bot in (("a", "greedy"), ("b", "random_bot"), ("c", "greedy")):
        shutil.copy(ROOT / "bots" / f"{bot}.py", folder / f"{name}.py")
    path = folder / "ladder.yaml"
    path.write_text(COMMON + settings)
    return path


def start(path: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from mtref.cli.main import main; main()", "ladder", "run", str(path)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(path: Path) -> None:
    """Run to the end."""
    run = start(path)
    _, complaints = run.communicate(timeout=600)
    assert run.returncode == 0, complaints.decode()


def results(path: Path) -> dict[str, str]:
    config = load_config(path)
    journal = open_journal(config, create=False)
    try:
        assert journal.conflicts() == []
        assert journal.not_played() == []
        for game in journal.games():
            verified = verify_log(config.state / str(game.log))
            assert verified.game_digest == game.digest and verified.seed_revealed
        return {game.id: game.digest for game in journal.games()}
    finally:
        journal.close()


@pytest.mark.parametrize("settings", [FRESH, REUSE], ids=["fresh", "reuse"])
def test_kills_at_any_moment_change_no_result(tmp_path: Path, settings: str) -> None:
    undisturbed = ladder_in(tmp_path / "undisturbed", settings)
    finish(undisturbed)
    expected = results(undisturbed)
    path = ladder_in(tmp_path / "killed", settings)
    rng = random.Random(settings)
    moments = 0
    while moments < MOMENTS:
        run = start(path)
        while moments < MOMENTS and run.poll() is None:
            time.sleep(rng.uniform(0.2, 1.6))  # the moment is the subject here, not a condition
            victim = rng.choice(["runner", "mtref.ladder.worker", "launcher.py"])
            hit = [run.pid] if victim == "runner" else descendants(run.pid, victim)
            if hit and run.poll() is None:
                moments += 1
                kill(rng.choice(hit))
            if victim == "runner":
                break
        if run.poll() is None and moments < MOMENTS:
            run.wait(30)
        kill(run.pid)
        run.communicate()
        wait_until_gone(str(path.parent))
        if run.returncode == 0:
            assert results(path) == expected
            shutil.rmtree(path.parent / "ladder-state")
    finish(path)
    assert results(path) == expected
    assert sorted(entry.name for entry in (path.parent / "ladder-state").iterdir() if entry.is_dir()) == [
        "logs"
    ]
