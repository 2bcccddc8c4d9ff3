"""Settings for every test, and the one fixture that several folders share. Others live beside the tests that use them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from mtref.cli.main import main

# The same examples on every run, and no deadline: a slow machine is not a bug, and a red build must be one for everybody.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
# On a developer's machine every run tries new examples.
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture
def mtref(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs the command `mtref` in this process; gives back exit code, stdout and stderr."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mtref", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return run


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have to report: the properties named ``report`` they recorded, in whichever process they ran."""
    for outcome in terminalreporter.stats.get("passed", []):
        for name, text in outcome.user_properties:
            if name == "report":
                terminalreporter.write_line(str(text))
