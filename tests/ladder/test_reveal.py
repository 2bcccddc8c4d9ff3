"""The seed of a deal comes into logs that are there already, of whatever format."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtref.ladder.reveal import reveal_in_logs
from mtref.replay.compress import compress_file
from mtref.replay.verify import verify_log
from mtref.rules import fairdeal

GOLDEN = Path(__file__).parents[1] / "golden"
SEED = fairdeal.deal_seed(fairdeal.master_seed("golden unrevealed"), "1")


@pytest.mark.parametrize("form", ["mtref-log-1", "mtref-log-2"])
def test_a_seed_is_added_once_and_the_log_verifies(tmp_path: Path, form: str) -> None:
    log = tmp_path / "a.jsonl.zst"
    compress_file(GOLDEN / form / "unrevealed.jsonl", log)
    assert not verify_log(log).seed_revealed
    reveal_in_logs([(log, SEED)])
    assert verify_log(log).seed_revealed
    before = log.read_bytes()
    reveal_in_logs([(log, SEED)])
    assert log.read_bytes() == before
