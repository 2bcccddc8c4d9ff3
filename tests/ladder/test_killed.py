"""Whatever is killed and whenever: the next run goes on, and in the end everything is as if nothing had happened."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from mtref.ladder.configfile import load_config
from mtref.ladder.contract import contract_of, entered_bots
from mtref.ladder.journal import open_journal
from mtref.match.plan import draw_master_seed
from mtref.replay.verify import verify_log
from tests.e2e.commands import mtref_argv
from tests.ladder.handin import enter
from tests.ladder.processes import descendants, kill, launchers, wait_until_gone
from tests.ladder.smallladder import BOTS, small_ladder

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

FRESH = "seats: 2\ndeals: 2\n" + BOTS
REUSE = "seats: 3\ndeals: 12\nrotation: random\nreuse: 4\n" + BOTS


def start(path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        mtref_argv("ladder", "run", path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def hand_in(path: Path) -> None:
    """Begin the ladder with a bot that was handed in, and replaced, before the first run."""
    config = load_config(path)
    journal = open_journal(config, create=True)
    journal.begin(contract_of(config), entered_bots(config), draw_master_seed(config.seed))
    text = (path.parent / "b.py").read_text()
    for number in range(2):
        enter(journal, config.store, "alpha", f"{text}\n# {number}\n")
    journal.close()


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


@pytest.mark.parametrize(("settings", "hits"), [(FRESH, 40), (REUSE, 100)], ids=["fresh", "reuse"])
def test_kills_at_any_moment_change_no_result(tmp_path: Path, settings: str, hits: int) -> None:
    undisturbed = small_ladder(tmp_path / "undisturbed", settings)
    hand_in(undisturbed)
    finish(undisturbed)
    expected = results(undisturbed)
    path = small_ladder(tmp_path / "killed", settings)
    hand_in(path)
    rng = random.Random(settings)
    moments = 0
    while moments < hits:
        run = start(path)
        while moments < hits and run.poll() is None:
            time.sleep(rng.uniform(0.2, 1.6))  # the moment is the subject here, not a condition
            victim = rng.choice(["runner", "worker", "launcher"])
            if victim == "runner":
                hit = [run.pid]
            elif victim == "worker":
                hit = descendants(run.pid, "mtref.ladder.worker")
            else:
                hit = launchers(run.pid)
            if hit and run.poll() is None:
                moments += 1
                kill(rng.choice(hit))
            if victim == "runner":
                break
        if run.poll() is None and moments < hits:
            run.wait(30)
        kill(run.pid)
        run.communicate()
        wait_until_gone(str(path.parent))
        if run.returncode == 0:
            assert results(path) == expected
            shutil.rmtree(path.parent / "ladder-state")
            hand_in(path)
    finish(path)
    assert results(path) == expected
    assert sorted(entry.name for entry in (path.parent / "ladder-state").iterdir() if entry.is_dir()) == [
        "logs",
        "store",
    ]
