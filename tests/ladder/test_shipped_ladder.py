"""The ladder at the root of the repository is a real one."""

from __future__ import annotations

from mtref.ladder.configfile import load_config
from tests.e2e.commands import ROOT, mtref


def test_it_enters_every_bot_that_is_shipped() -> None:
    config = load_config(ROOT / "ladder.yaml")
    files = sorted((ROOT / "bots").glob("*.py"))
    assert sorted(path for bot in config.bots for path in bot.files) == files
    assert all(len(bot.content()) == 64 for bot in config.bots)


def test_its_plan_can_be_printed() -> None:
    done = mtref("ladder", "plan", ROOT / "ladder.yaml")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "shipped-bots: round-robin, 3 bots, 2 at a table, rules playboard\n60 games: "
    )
