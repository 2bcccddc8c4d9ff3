"""docs/protocol.md says what is true: its bytes, its numbers, its names."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from mtref_sdk import events as happened
from mtref_sdk import parse_move, parse_tile
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.decisionfile import decision_to_json
from mtref_sdk.grpcwire import STATUSES
from mtref_sdk.tiles import Tile
from mtref_sdk.wire import EVENT_KINDS, HIDDEN, PROTOCOL_VERSION
from tests.sdk.sample_decisions import early_decision
from tests.sdk.scripted import packed

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "protocol.md").read_text("utf-8")
IDENTITY = 0x1122334455667788
LEGAL = [parse_move(text).code for text in ("4-9@1", "4-9@m1")]
EXAMPLES = {
    "hello": pb.FromBot(hello=pb.Hello(protocol=PROTOCOL_VERSION, sdk="example 1", view=pb.VIEW_MODE_EVENTS)),
    "update": pb.FromReferee(
        updates=[
            pb.TableUpdate(
                table=1,
                events=packed(
                    happened.TilePlayed(1, Tile(3, 9), "m1", 9),
                    happened.TurnStarted(0),
                    happened.TileDrawn(0, Tile(4, 9)),
                ),
                decision=pb.Decision(id=IDENTITY, legal=LEGAL, move_ms=1000, bank_ms=10_000),
            )
        ]
    ),
    "answer": pb.FromBot(answers=[pb.Answer(table=1, decision=IDENTITY, move=parse_move("4-9@m1").code)]),
}


def example(name: str) -> bytes:
    """The bytes of a fenced block: in each line the pairs of hex digits before the explanation."""
    block = re.search(rf"^```hex {name}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    assert block, name
    lines = [re.match(r"\s*((?:[0-9a-f]{2}(?: {1,2}|$))+)", line) for line in block[1].splitlines()]
    return b"".join(bytes.fromhex(line[1]) for line in lines if line)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_bytes_of_the_worked_example_are_those_that_are_sent(name: str) -> None:
    assert example(name) == EXAMPLES[name].SerializeToString()
    assert type(EXAMPLES[name]).FromString(example(name)) == EXAMPLES[name]


def test_every_kind_of_event_is_in_the_table_with_its_number_and_its_fields() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (.*) \|$", TEXT, re.MULTILINE)
    assert [(int(number), name) for number, name, _ in rows] == [
        (number, kind.name) for number, kind in enumerate(EVENT_KINDS, start=1)
    ]
    for (_, name, numbers), kind in zip(rows, EVENT_KINDS, strict=True):
        described = re.sub(r"\(.*?\)", "", numbers.split(";")[0]).split(",")
        described = [part for part in described if "alone" not in part]
        assert len(described) == len(fields(kind)), name


def test_the_numbers_of_the_examples_are_right() -> None:
    for text in ("0-0", "3-9", "4-9", "12-12"):
        assert f"{text} is {parse_tile(text).code}" in TEXT
    assert "4-9 on seat 1's train is 8770, on `m1` 8788" in TEXT
    assert LEGAL == [8770, 8788]
    assert f"{HIDDEN} is a tile you may not see" in TEXT
    assert f"{parse_move('stop').code} is `stop`" in TEXT
    assert f"`Hello.protocol` and `Welcome.protocol` are {PROTOCOL_VERSION}." in TEXT


def test_every_kind_of_fault_and_every_view_mode_is_described() -> None:
    names = [name for name, number in [*pb.FaultKind.items(), *pb.ViewMode.items()] if number]
    assert [name for name in names if f"`{name}`" not in TEXT] == []


def test_every_status_the_referee_ends_a_call_with_is_described() -> None:
    sources = (ROOT / "referee" / "mtref" / "server").rglob("*.py")
    used = {
        name for path in sources for name in re.findall(r"grpcwire\.([A-Z_]+)", path.read_text("utf-8"))
    } & set(STATUSES)
    assert len(used) > 5
    assert {name for name in used if f"| `{name}` |" not in TEXT} == set()


def test_every_name_in_the_document_is_one_of_the_proto_file() -> None:
    proto = (ROOT / "proto" / "mtref" / "v1" / "mtref.proto").read_text("utf-8")
    messages = set(re.findall(r"`((?:From|Table)[A-Z]\w+|Hello|Welcome|View|Fault|Decision|Answer)\b", TEXT))
    assert messages
    assert {name for name in messages if f"message {name} " not in proto} == set()
    for name in re.findall(r"`([A-Z]\w+)\.(\w+)`", TEXT):
        message, field = name
        assert field in getattr(pb, message).DESCRIPTOR.fields_by_name, name


def test_every_key_of_a_decision_file_is_described() -> None:
    section = TEXT.split("## Decision files")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    described = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert described == list(json.loads(decision_to_json(early_decision())))
