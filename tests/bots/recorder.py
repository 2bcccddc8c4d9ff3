"""Writes down every message of the referee, as a line of hex, and answers mostly well: recorder.py FILE [VIEW]."""

from __future__ import annotations

import os
import queue
import sys
from pathlib import Path
from typing import Any

import grpc

from mtref_sdk._proto import mtref_pb2 as pb

OUT = Path(sys.argv[1])
VIEW = pb.VIEW_MODE_FULL if "full" in sys.argv[2:] else pb.VIEW_MODE_EVENTS
ODD = "odd" in sys.argv[2:]


def answer(update: pb.TableUpdate, number: int) -> bytes:
    """The last legal move; every ninth time something wrong, if it is to be odd, but only twice what strikes."""
    asked = update.decision
    right = pb.Answer(table=update.table, decision=asked.id, move=asked.legal[-1])
    if ODD and number == 9:
        return b"\xff\xff"
    if ODD and number == 18:
        right.move = 31 << 11
    if ODD and number % 9 == 5:
        return pb.FromBot(answers=[pb.Answer(table=1, decision=0, move=0), right]).SerializeToString()
    return pb.FromBot(answers=[right]).SerializeToString()


def main() -> None:
    out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    out.put(pb.FromBot(hello=pb.Hello(protocol=1, view=VIEW)).SerializeToString())
    number = 0
    with grpc.insecure_channel(os.environ["MTREF_ADDRESS"]) as channel, OUT.open("w") as record:
        call: Any = channel.stream_stream("/mtref.v1.RefereeService/Play")
        for data in call(
            iter(out.get, None), metadata=[("authorization", f"Bearer {os.environ['MTREF_TOKEN']}")]
        ):
            record.write(data.hex() + "\n")
            record.flush()
            for update in pb.FromReferee.FromString(data).updates:
                if update.HasField("decision"):
                    number += 1
                    out.put(answer(update, number))


if __name__ == "__main__":
    main()
