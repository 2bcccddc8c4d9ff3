"""``mtref sandbox check``, and the options of isolation."""

from __future__ import annotations

import json
import shutil

import click
import pytest
from click.testing import CliRunner

from mtref.cli.sandbox import command
from mtref.cli.sandboxoptions import sandbox_options
from mtref.server.sandbox.levels import MIB, Limits


def test_check_tries_every_level_and_says_what_auto_would_take() -> None:
    result = CliRunner().invoke(command, ["check"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ") and line.split()[1] == "works"] == [
        "bwrap",
        "landlock",
        "rlimits",
        "none",
    ]
    assert lines[-1].startswith("  sandbox: bwrap (files, processes and network isolated; seccomp; ")


def test_check_prints_one_json_object() -> None:
    result = CliRunner().invoke(command, ["check", "--json", "--bot-memory", "1G"])
    report = json.loads(result.output)
    assert report["auto"]["level"] == "bwrap"
    assert report["auto"]["memory"].startswith("1024 MiB")
    assert [level["level"] for level in report["levels"]] == ["bwrap", "landlock", "rlimits", "none"]
    assert all(level["works"] and level["seconds"] > 0 for level in report["levels"])


def test_check_can_be_asked_for_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    run = CliRunner().invoke(command, ["check", "--require", "bwrap"], standalone_mode=False)
    assert run.return_value == 0
    found = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bwrap" else found(name))
    run = CliRunner().invoke(command, ["check", "--require", "bwrap"], standalone_mode=False)
    assert run.return_value == 1
    assert "bwrap     does not work here: bubblewrap is not installed" in run.output
    assert "not more" not in run.output.splitlines()[1]


@click.command()
@sandbox_options
def probe(sandbox: str, sandbox_require: str | None, limits: Limits) -> None:
    click.echo(json.dumps([sandbox, sandbox_require, limits.memory, limits.processes]))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ["auto", None, 512 * MIB, 64]),
        (["--sandbox", "landlock", "--bot-memory", "2G"], ["landlock", None, 2048 * MIB, 64]),
        (
            ["--sandbox-require", "bwrap", "--bot-memory", "100", "--bot-processes", "20"],
            ["auto", "bwrap", 100 * MIB, 20],
        ),
    ],
)
def test_options_of_isolation(words: list[str], expected: list[object]) -> None:
    assert json.loads(CliRunner().invoke(probe, words).output) == expected


@pytest.mark.parametrize("words", [["--sandbox", "docker"], ["--bot-memory", "lots"], ["--bot-memory", "0"]])
def test_what_cannot_be_read_is_a_usage_error(words: list[str]) -> None:
    result = CliRunner().invoke(probe, words)
    assert result.exit_code == 2
