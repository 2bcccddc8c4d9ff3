"""`mtref audit` as an organiser meets it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.commands import mtref


def test_an_audit_compares_every_seat_in_both_views_and_finds_nothing() -> None:
    args = ("audit", "--rules", "cubano", "--seats", 2, "--deals", 2, "--seed", "audit")
    done = mtref(*args, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["leaks"] == 0 and len(report["compared"]) == 2 * 2 * 2
    assert sum(found["decisions"] for found in report["compared"]) > 0
    text = mtref(*args)
    assert text.returncode == 0
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
