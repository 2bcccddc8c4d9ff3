"""Nothing a bot is sent holds the seed of the deal, or anything else from which hands could be computed."""

from __future__ import annotations

import base64
import hashlib
import sys
from pathlib import Path

import pytest

from mtref.match.entry import parse_entry
from mtref.match.plan import draw_master_seed, plan_games
from mtref.rules import fairdeal
from mtref.server.drill import short
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.ruleset import PRESET_NAMES, preset
from tests.bots.villains import bot
from tests.server.playing import play

RECORDER = Path(__file__).parent.parent / "bots" / "recorder.py"
SEAT = 1


def forms(secret: bytes) -> list[bytes]:
    """A secret as it might be written."""
    text = secret.hex().encode()
    return [secret, secret[::-1], text, text.upper(), base64.b64encode(secret).rstrip(b"=")]


@pytest.mark.parametrize("view", ["events", "full"])
@pytest.mark.parametrize("name", PRESET_NAMES)
def test_no_message_holds_a_secret_of_the_deal(name: str, view: str, tmp_path: Path) -> None:
    record = tmp_path / "record"
    spy = parse_entry(f"{sys.executable} {RECORDER} {record} {view} odd")
    rounds = short(preset(name)).rounds
    played = play([bot("greedy"), spy, bot("first_legal")], rules=name, rounds=str(rounds))
    sent = [bytes.fromhex(line) for line in record.read_text().splitlines()]
    assert len(sent) > 5 and not played.result.bots[0].faults
    master = draw_master_seed("test")
    (planned,) = plan_games(master, 3, 1)
    seed = planned.deal_seed
    assert played.game.commitment == planned.commitment.hex()
    secrets = [master, seed, hashlib.sha256(seed).digest()]
    secrets += [fairdeal.round_key(seed, planned.deal, number) for number in range(1, rounds + 1)]
    secrets += [fairdeal.private_seed(seed, seat) for seat in range(3) if seat != SEAT]
    everything = b"".join(sent)
    assert [secret.hex() for secret in secrets if any(form in everything for form in forms(secret))] == []
    own = fairdeal.private_seed(seed, SEAT)
    starts = [start for data in sent for start in pb.FromReferee.FromString(data).starts]
    assert [(start.seat, start.private_seed, start.commitment) for start in starts] == [
        (SEAT, own, planned.commitment)
    ]
