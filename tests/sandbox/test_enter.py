"""The first program of a bot: it follows its orders or says in one line why not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from mtref.server.sandbox import enter


def run(**orders: Any) -> subprocess.CompletedProcess[str]:
    what = {"cwd": "/", "env": {}, **orders}
    return subprocess.run(
        [sys.executable, "-I", "-S", enter.__file__],
        env=enter.written(what),
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_becomes_the_next_program_with_a_bare_environment(tmp_path: Path) -> None:
    result = run(argv=["/usr/bin/env"], cwd=str(tmp_path), env={"A": "b"})
    assert (result.returncode, result.stdout, result.stderr) == (0, "A=b\n", "")


def test_a_program_that_does_not_exist_is_one_line() -> None:
    result = run(argv=["/no/such/program"])
    assert result.returncode == enter.FAILED
    assert result.stderr == "mtref sandbox: /no/such/program: No such file or directory\n"


def test_orders_that_are_not_understood_are_one_line() -> None:
    script = [sys.executable, "-I", "-S", enter.__file__]
    for env in ({}, {"MTREF_ORDERS": "{"}, {"MTREF_ORDERS": "YQ=="}, enter.written({})):
        result = subprocess.run(script, env=env, capture_output=True, text=True, check=False)
        assert result.returncode == enter.FAILED
        assert result.stderr.startswith("mtref sandbox: orders that cannot be followed: ")
        assert result.stderr.count("\n") == 1


def test_files_are_passed_as_descriptors() -> None:
    result = run(argv=["/bin/sh", "-c", 'cat "/proc/self/fd/$1"', "sh", "{data}"], files={"data": b"content"})
    assert result.stdout == "content"


def test_limits_are_never_raised() -> None:
    low = ["/bin/sh", "-c", f"ulimit -n 100; exec {sys.executable} -I -S {enter.__file__}"]
    orders = {"argv": ["/bin/sh", "-c", "ulimit -n"], "cwd": "/", "env": {}, "limits": {"NOFILE": 200}}
    result = subprocess.run(low, env=enter.written(orders), capture_output=True, text=True, check=True)
    assert result.stdout == "100\n"


def test_the_tasks_of_a_user_are_counted_with_their_threads() -> None:
    ours = enter.tasks_of(os.getuid())
    assert ours >= len(list(Path("/proc/self/task").iterdir()))
    assert enter.tasks_of(4_000_000) == 0


def test_it_loads_little_and_nothing_heavy() -> None:
    code = f"import sys; sys.argv = ['x']; exec(open({enter.__file__!r}).read(), {{'__name__': 'x', '__file__': {enter.__file__!r}}}); print(len(sys.modules), 'dataclasses' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    count, heavy = result.stdout.split()
    assert int(count) < 90 and heavy == "False"
