"""The filter: every call it names is refused, however its arguments are dressed up, and the rest is let through."""

from __future__ import annotations

import base64
import builtins
import errno
import fcntl
import json
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyseccomp
import pytest

from mtref.server.sandbox import seccomp
from mtref.server.sandbox.seccomp import FilterUnavailableError, build_filter

SCRIPT = Path(__file__).with_name("under_filter.py")
HIGH = 1 << 32
"""A bit the kernel does not look at in an argument that is an int; a filter must not, either."""


def number(name: str) -> int:
    return int(pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name))


def results(calls: Sequence[Sequence[int]], *, namespaces: bool = True) -> list[int]:
    """The error number of each call under the filter, 0 for success, minus the signal that ended it."""
    program = base64.b64encode(build_filter(namespaces=namespaces)).decode()
    command = [sys.executable, str(SCRIPT), program, json.dumps(calls)]
    run = subprocess.run(command, capture_output=True, check=True, text=True)
    found: list[int] = json.loads(run.stdout)
    return found


def test_every_call_of_the_list_is_refused() -> None:
    names = [name for name in seccomp.DENIED + seccomp.SYSTEM_V + seccomp.OWNERS if number(name) >= 0]
    assert len(names) > 80
    outcome = dict(zip(names, results([[number(name)] for name in names], namespaces=False), strict=True))
    assert outcome == dict.fromkeys(names, errno.EPERM)


def test_with_an_ipc_namespace_of_its_own_a_bot_may_use_it() -> None:
    private = 0
    assert results([[number("shmget"), private, 4096, 0o600]], namespaces=True) == [0]
    assert results([[number("shmget"), private, 4096, 0o600]], namespaces=False) == [errno.EPERM]


def test_where_files_are_those_of_the_machine_their_modes_do_not_change() -> None:
    nowhere = -1
    calls = [[number(name), nowhere, 0, 0, 0] for name in seccomp.MODES if number(name) >= 0]
    assert results(calls, namespaces=False) == [0] * len(calls)
    assert 0 not in results(calls, namespaces=True)


@pytest.mark.parametrize("namespaces", [False, True])
def test_the_limits_of_others_cannot_be_changed(namespaces: bool) -> None:
    calls = [[number("prlimit64"), pid, resource.RLIMIT_CPU, 0, 0] for pid in (os.getpid(), 1, HIGH | 1, 0)]
    assert results(calls, namespaces=namespaces) == [errno.EPERM, errno.EPERM, errno.EPERM, 0]


def test_namespaces_cannot_be_made_by_clone_either() -> None:
    flags = seccomp.NAMESPACE_FLAGS[1:]
    outcome = results([[number("clone"), flag | signal.SIGCHLD, 0, 0, 0, 0] for flag in flags])
    assert outcome == [errno.EPERM] * len(flags)
    assert results([[number("clone3"), 0, 0]]) == [errno.ENOSYS]


def test_only_unix_sockets_can_be_made() -> None:
    families = (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET, socket.AF_VSOCK, 38)
    calls = [[number("socket"), family | high, 1, 0] for family in families for high in (0, HIGH)]
    assert results(calls) == [errno.EAFNOSUPPORT] * len(calls)
    assert results([[number("socket"), socket.AF_UNIX, 1, 0]]) == [0]


@pytest.mark.parametrize("high", [0, HIGH])
def test_locks_do_nothing_and_seem_to_work(high: int, tmp_path: Path) -> None:
    """A lock structure at address 0 would be an error, if anybody looked at it."""
    calls = [[number("fcntl"), 0, command | high, 0] for command in seccomp.LOCKS]
    calls.append([number("flock"), 0, fcntl.LOCK_EX])
    assert results(calls) == [0] * len(calls)
    notices = [[number("fcntl"), 0, command | high, 0] for command in seccomp.NOTICES]
    assert results(notices) == [errno.EPERM] * len(notices)
    assert results([[number("fcntl"), 0, fcntl.F_GETFL | high, 0]]) == [0]


@pytest.mark.parametrize("high", [0, HIGH])
def test_nothing_can_be_typed_into_a_terminal(high: int) -> None:
    calls = [[number("ioctl"), 0, request | high, 0] for request in seccomp.TERMINAL_INPUT]
    assert results(calls) == [errno.EPERM] * len(calls)


def test_calls_newer_than_the_library_do_not_exist() -> None:
    calls = [[known] for known in range(seccomp._first_unknown(pyseccomp), seccomp.NEWEST)]
    assert calls
    assert set(results(calls)) == {errno.ENOSYS}


@pytest.mark.parametrize("name", ["getpid", "gettid", "sched_yield", "getuid"])
def test_other_calls_are_let_through(name: str) -> None:
    assert results([[number(name)]]) == [0]


def test_the_calls_of_another_architecture_end_the_bot() -> None:
    """On x86-64 the same calls can be made by a second set of numbers, x32."""
    x32 = 0x40000000
    outcome = results([[number("getpid") | x32]])
    assert outcome == ([-signal.SIGSYS] if os.uname().machine == "x86_64" else outcome)


def test_without_the_library_there_is_no_filter_and_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def no_library(name: str, *rest: Any, **named: Any) -> Any:
        if name == "pyseccomp":
            raise RuntimeError("Unable to find libseccomp")
        return real(name, *rest, **named)

    monkeypatch.delitem(sys.modules, "pyseccomp", raising=False)
    monkeypatch.setattr(builtins, "__import__", no_library)
    with pytest.raises(FilterUnavailableError, match="libseccomp2"):
        build_filter(namespaces=True)
