"""Asking for a level: what is asked for is given or refused, never quietly replaced by less."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

import pyseccomp
import pytest

from mtref.server.sandbox import choose, enter, kernel, prepare
from mtref.server.sandbox.choose import choose_sandbox
from mtref.server.sandbox.levels import Level, Limits
from mtref.server.sandbox.plan import Plan, make_plan
from mtref.server.sandbox.seccomp import FilterUnavailableError
from mtref_sdk.errors import MtrefError
from tests.sandbox.ways import Way, command_for

NAMESPACE_CALLS = ("unshare", "setns", "mount", "umount2", "pivot_root", "clone3")


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    found = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bwrap" else found(name))


def test_auto_takes_the_strongest_and_has_nothing_to_warn_of() -> None:
    sandbox = choose_sandbox()
    sandbox.close()
    assert sandbox.in_force.level is Level.BWRAP
    assert sandbox.in_force.open == ()
    assert sandbox.warning is None


@pytest.mark.usefixtures("no_bubblewrap")
def test_auto_falls_back_and_says_so_and_why() -> None:
    sandbox = choose_sandbox()
    sandbox.close()
    assert sandbox.in_force.level is Level.LANDLOCK
    assert sandbox.warning == (
        "the sandbox is only landlock: bwrap: bubblewrap is not installed (Debian: bubblewrap)"
    )
    assert "bubblewrap is not installed" in str(sandbox.in_force.why_not_more)


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_level_that_was_asked_for_is_refused_with_the_reason() -> None:
    with pytest.raises(
        MtrefError, match="--sandbox bwrap is not to be had here: bwrap: bubblewrap is not installed"
    ):
        choose_sandbox("bwrap")


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_level_that_is_required_is_refused_with_the_reason() -> None:
    with pytest.raises(MtrefError, match="--sandbox-require bwrap is not to be had here: bwrap: bubblewrap"):
        choose_sandbox(require="bwrap")
    choose_sandbox(require="landlock").close()


def test_asking_for_less_than_is_required_is_a_contradiction() -> None:
    with pytest.raises(MtrefError, match="--sandbox none is weaker than --sandbox-require landlock"):
        choose_sandbox("none", require="landlock")


@pytest.mark.usefixtures("no_bubblewrap")
def test_every_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "landlock_version", lambda: 0)
    with pytest.raises(
        MtrefError, match=r"bubblewrap is not installed .*; landlock: this kernel has no Landlock"
    ):
        choose_sandbox(require="landlock")


def test_without_seccomp_the_two_strong_levels_are_not_what_they_promise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(*, namespaces: bool) -> bytes:
        raise FilterUnavailableError("libseccomp is not installed (Debian: libseccomp2)")

    monkeypatch.setattr(prepare, "build_filter", missing)
    with pytest.raises(
        MtrefError, match=r"bwrap: libseccomp is not installed.*landlock: libseccomp is not installed"
    ):
        choose_sandbox(require="landlock")


def test_a_level_that_does_not_hold_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by running it: here the orders lose their system-call filter on the way."""

    def leaky(*arguments: Any) -> Plan:
        plan = make_plan(*arguments)
        orders = enter.read(plan.env)
        orders.pop("filter")
        return Plan(plan.argv, enter.written(orders))

    monkeypatch.setattr(prepare, "make_plan", leaky)
    trial = choose.try_out(Level.LANDLOCK, Limits())
    assert trial.sandbox is None
    assert trial.reason is not None
    assert "does not hold here" in trial.reason and "talk through file locks" in trial.reason


def test_where_namespaces_are_forbidden_landlock_still_isolates() -> None:
    """As in a container with Docker's default profile, which forbids the calls that make namespaces."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in NAMESPACE_CALLS:
        rules.add_rule(pyseccomp.ERRNO(38 if name == "clone3" else 1), name)
    for flag in (0x00020000, 0x10000000, 0x20000000, 0x40000000):
        rules.add_rule(pyseccomp.ERRNO(1), "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        profile = file.read()
    check = [sys.executable, "-c", "from mtref.cli.main import main; main()", "sandbox", "check", "--json"]
    command, env = command_for(Way("auto", ordinary=True))
    known = enter.read(env) if os.geteuid() == 0 else {"cwd": "/", "env": env}
    orders = {**known, "argv": check, "filter": profile}
    script = command if os.geteuid() == 0 else [sys.executable, "-I", "-S", enter.__file__]
    run = subprocess.run(script, env=enter.written(orders), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    levels = {level["level"]: level for level in report["levels"]}
    assert not levels["bwrap"]["works"]
    assert "No permissions to create" in levels["bwrap"]["why_not"]
    assert levels["landlock"]["works"] and levels["landlock"]["in_force"]["open"] == []
    assert report["auto"]["level"] == "landlock"
    assert "No permissions to create" in report["auto"]["why_not_more"]
