"""The same ladder on a cluster: the same games, whoever is killed, and no work for machines that lack what is asked for."""

from __future__ import annotations

import os
import random
import re
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.commands import ROOT, mtref, mtref_argv
from tests.ladder.clusters import running_cluster
from tests.ladder.processes import descendants, wait_until_gone
from tests.ladder.smallladder import BOTS, games_of, small_ladder

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SETTINGS = "seats: 2\ndeals: 3\n" + BOTS
KILLS = 6


def results(path: Path) -> dict[str, str]:
    return {game.id: game.digest for game in games_of(path)[1]}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The results of a run on this machine alone."""
    path = small_ladder(tmp_path_factory.mktemp("local") / "ladder", SETTINGS)
    assert mtref("ladder", "run", path).returncode == 0
    return results(path)


def test_a_cluster_plays_the_same_games(tmp_path: Path, expected: dict[str, str]) -> None:
    path = small_ladder(tmp_path / "ladder", SETTINGS)
    with running_cluster(tmp_path) as cluster:
        done = mtref("ladder", "run", path, "--cluster", cluster.address)
        assert done.returncode == 0, done.stderr
    assert results(path) == expected
    config, games = games_of(path)
    assert all((config.state / str(game.log)).is_file() for game in games)
    stored = [len(list((tmp_path / f"worker{n}").rglob("mtref-bots/*/bot"))) for n in range(2)]
    assert all(count in {0, 2} for count in stored), (
        "each different file once; folders of ended workers are gone"
    )


def test_bots_that_are_handed_in_travel_whole_and_play_there(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "ladder", "seats: 2\nbots: [{file: a.py}, {file: b.py}]\n")
    bot = tmp_path / "alpha"
    (bot / "parts").mkdir(parents=True)
    greedy = (path.parent / "a.py").read_text().replace("from __future__ import annotations", "")
    (bot / "bot.py").write_text(
        f"from pathlib import Path\nassert (Path(__file__).parent / 'parts' / 'x').read_text() == 'x'\n{greedy}"
    )
    (bot / "parts" / "x").write_text("x")
    assert mtref("submit", bot, "--ladder", path).returncode == 0
    with running_cluster(tmp_path) as cluster:
        done = mtref("ladder", "run", path, "--cluster", cluster.address)
        assert done.returncode == 0, done.stderr
    games = games_of(path)[1]
    seats = [seat for game in games for seat in game.seats if seat.bot == "alpha@1"]
    assert len(games) == 6 and len(seats) == 4 and not any(seat.faults for seat in seats)


def test_kills_of_workers_scheduler_and_driver_change_no_result(
    tmp_path: Path, expected: dict[str, str]
) -> None:
    path = small_ladder(tmp_path / "ladder", SETTINGS)
    rng = random.Random(2)
    with running_cluster(tmp_path) as cluster:
        command = mtref_argv("ladder", "run", path, "--cluster", cluster.address)
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for number in range(KILLS):
            time.sleep(rng.uniform(1.0, 4.0))  # the moment is the subject here, not a condition
            victim = ("worker", "scheduler", "driver")[number % 3]
            if victim == "worker":
                rng.choice(cluster.workers).kill()
            elif victim == "scheduler":
                cluster.scheduler.kill()
            else:
                run.kill()
            if victim == "driver" or run.poll() is not None:
                run.communicate()
                run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, complaints = run.communicate(timeout=300)
        while run.returncode == 3:  # three losses running leave a game to the next run
            run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            _, complaints = run.communicate(timeout=300)
        assert run.returncode == 0, complaints.decode()
    assert results(path) == expected
    wait_until_gone(str(tmp_path))


def test_only_workers_with_the_tag_play_and_without_one_nothing_is_played(tmp_path: Path) -> None:
    path = small_ladder(tmp_path / "ladder", "seats: 2\n" + BOTS)
    path.write_text(path.read_text().replace("sandbox: none", "sandbox: rlimits"))
    with running_cluster(tmp_path, ["", "--resources rlimits=1"]) as cluster:
        run = subprocess.Popen(
            mtref_argv("ladder", "run", path, "--cluster", cluster.address), stdout=subprocess.DEVNULL
        )
        seen = [0, 0]
        while run.poll() is None:
            for number, worker in enumerate(cluster.workers):
                seen[number] += len(descendants(worker.process.pid, "mtref.ladder.worker"))
            time.sleep(0.1)
        assert run.returncode == 0
        assert seen[0] == 0 and seen[1] > 0
    (tmp_path / "other").mkdir()
    path = small_ladder(tmp_path / "other" / "ladder", "seats: 2\n" + BOTS)
    path.write_text(path.read_text().replace("sandbox: none", "sandbox: bwrap"))
    with running_cluster(tmp_path / "other", [""]) as cluster:
        done = mtref("ladder", "run", path, "--cluster", cluster.address)
    assert done.returncode == 1
    assert "no worker has the tag bwrap, which sandbox: bwrap asks for" in done.stderr
    assert games_of(path)[1] == []


def test_a_cluster_speaks_tls_as_the_document_says(tmp_path: Path, expected: dict[str, str]) -> None:
    make = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=mtref -addext subjectAltName=IP:127.0.0.1"
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    subprocess.run(["openssl", *make.split(), *files], check=True, capture_output=True)
    text = (ROOT / "docs" / "cluster.md").read_text("utf-8")
    variables = dict(re.findall(r"(DASK_DISTRIBUTED__COMM\w+)=(\S+)", text))
    assert len(variables) == 8
    for name, value in variables.items():
        if value.endswith(".pem"):
            variables[name] = str(tmp_path / value.replace("ca.pem", "cert.pem"))
    path = small_ladder(tmp_path / "ladder", SETTINGS)
    with running_cluster(tmp_path, environment=variables, protocol="tls") as cluster:
        done = subprocess.run(
            mtref_argv("ladder", "run", path, "--cluster", cluster.address),
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert results(path) == expected
