"""The benchmark itself: what it computes from its passes, and that its subjects run and count right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mtref.bench.measure import Spread, Table, cpu_seconds, in_turn
from mtref.bench.pingpong import PingPong
from mtref.bench.pingpong import play as bounce
from mtref.bench.play import Game, play


def test_ratios_are_taken_within_a_pass() -> None:
    samples = {
        "floor": [{"µs": 1.0}, {"µs": 10.0}, {"µs": 2.0}],
        "it": [{"µs": 2.0}, {"µs": 20.0}, {"µs": 4.0}],
    }
    table = Table("a title", "floor", ("µs",), samples)
    assert table.value("it", "µs") == Spread(4.0, 2.0, 20.0)
    assert table.ratio("it", "µs") == Spread(2.0, 2.0, 2.0)
    assert table.ratio("floor", "µs") is None
    assert table.text().splitlines()[-1].split() == ["it", "4", "(2-20)", "2", "(2-2)"]
    assert table.to_mapping()["subjects"]["it"]["µs"]["ratio_median"] == 2.0


def test_a_subject_may_lack_a_column() -> None:
    table = Table("", "floor", ("ms",), {"floor": [{"ms": 1.0}], "it": [{"ms": 2.0, "MB": 3.0}]})
    assert table.columns == ["ms", "MB"]
    assert table.value("floor", "MB") is None and table.ratio("it", "MB") is None


def test_subjects_take_turns_forwards_and_backwards() -> None:
    order: list[str] = []

    def subject(name: str) -> dict[str, float]:
        order.append(name)
        return {}

    in_turn({name: lambda name=name: subject(name) for name in "abc"}, 2)  # type: ignore[misc]
    assert "".join(order) == "abccba"


def test_processor_time_of_another_process_is_known() -> None:
    busy = "import sys\nfor _ in range(10**6): pass\nprint(flush=True)\nsys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert cpu_seconds([child.pid]) > 0.001
        assert cpu_seconds([child.pid, os.getpid()]) > cpu_seconds([child.pid])
        child.communicate()


@pytest.mark.parametrize("over", ["grpc", "door", "socket"])
def test_the_floor_is_measured_over_real_processes(over: str) -> None:
    found = bounce(PingPong(over, 60, 16, 20))  # type: ignore[arg-type]
    assert set(found) == {"wall µs", "CPU µs"}
    assert min(found.values()) > 0


def test_a_match_is_measured_from_deal_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    found = play(Game(games=2, options={"rounds": "1"}, core=max(os.sched_getaffinity(0))))
    assert found["CPU µs"] > found["referee's"] > 0
    assert 2.0 <= found["messages"] < 2.5  # one there and one back, and the beginning and end of each game
    assert found["bytes out"] > found["bytes back"] > 0


def test_it_prints_one_object() -> None:
    command = [sys.executable, "-m", "mtref.bench", "--quick", "--json", "counts"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    [table] = told["parts"]["counts"]
    assert table["subjects"]["1 at once"]["messages"]["median"] > 2
