"""`mtref audit` as an organiser meets it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.bots.villains import BROKEN, HERE
from tests.e2e.commands import mtref


def test_an_audit_compares_every_seat_in_both_views_and_finds_nothing() -> None:
    args = ("audit", "--rules", "cubano", "--seats", 2, "--deals", 2, "--seed", "audit")
    done = mtref(*args, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["leaks"] == 0 and len(report["compared"]) == 2 * 2 * 2
    assert sum(found["decisions"] for found in report["compared"]) > 0
    text = mtref(*args)
    assert (text.returncode, text.stderr) == (
        0,
        "",
    )  # gRPC would print a traceback of a stream that is cancelled
    assert "seat 1, views: " in text.stdout and "nobody was told what he may not know" in text.stdout


def test_an_audit_of_a_log_takes_its_deal_and_needs_its_seed(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    bots = ("bots/greedy.py", "bots/greedy.py")
    assert mtref("match", *bots, "--rule", "rounds=1", "--in-process", "--log", log).returncode == 0
    done = mtref("audit", log)
    assert done.returncode == 0 and "seat 0, events: " in done.stdout
    lines = log.read_text().splitlines(keepends=True)
    (tmp_path / "kept.jsonl").write_text("".join(lines[:-1]))
    kept = mtref("audit", tmp_path / "kept.jsonl")
    assert kept.returncode == 1 and "the seed is not revealed" in kept.stderr


def test_a_bot_is_told_the_same_in_both_worlds_and_must_choose_the_same() -> None:
    done = mtref("audit", "bots/greedy.py", "bots/random_bot.py", "--seats", 3, "--seed", "bots", "--json")
    assert done.returncode == 0, done.stderr + done.stdout
    report = json.loads(done.stdout)
    assert {found["told_by"] for found in report["compared"]} == {"bot greedy", "bot random_bot"}
    assert sum(found["decisions"] for found in report["compared"]) >= 20


def test_a_bot_with_chance_of_its_own_is_found_out() -> None:
    done = mtref("audit", HERE / "own_chance.py", "--seats", 3, "--seed", "chance", "--deals", 5)
    assert done.returncode == 1
    assert "and then the bot CHOSE DIFFERENTLY" in done.stdout


def test_a_bot_that_cannot_start_cannot_be_audited() -> None:
    done = mtref("audit", BROKEN)
    assert done.returncode == 1
    assert "broken" in done.stderr and "before it was ready" in done.stderr and "Traceback" not in done.stderr
