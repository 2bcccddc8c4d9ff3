"""Speaks gRPC without the SDK, and breaks the protocol in the WAY told: raw.py WAY; leaves may end by itself: raw.py leaves SECONDS."""

import os
import queue
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import grpc

from mtref_sdk._proto import mtref_pb2 as pb

WAY = sys.argv[1]
METHOD = "/mtref.v1.RefereeService/Play"


OLD: list[pb.Answer] = []
LEFT: Counter[int] = Counter()


def answers(update: pb.TableUpdate) -> Iterator[bytes]:
    """What is sent for one decision; the right answer is its first legal move."""
    asked = update.decision
    right = pb.Answer(table=update.table, decision=asked.id, move=asked.legal[0])
    match WAY:
        case "garbage":
            yield b"\xff\xff\xff garbage"
        case "empty":
            yield b""
        case "no_move":
            right.move = 31 << 6
            yield pb.FromBot(answers=[right]).SerializeToString()
        case "huge_number":
            right.move = 2**32 - 1
            yield pb.FromBot(answers=[right]).SerializeToString()
        case "wrong_table":
            right.table += 1
            yield pb.FromBot(answers=[right]).SerializeToString()
        case "hello_again":
            yield pb.FromBot(hello=pb.Hello(protocol=1)).SerializeToString()
        case "twice":
            yield pb.FromBot(answers=[right, right]).SerializeToString()
        case "twice_apart":
            yield pb.FromBot(answers=[right]).SerializeToString()
            yield pb.FromBot(answers=[right]).SerializeToString()
        case "old":
            yield pb.FromBot(answers=[*OLD, right]).SerializeToString()
            OLD[:] = [right]
        case "flood":
            wrong = pb.Answer(table=update.table, decision=asked.id ^ 1, move=0)
            for _ in range(2000):
                yield pb.FromBot(answers=[wrong]).SerializeToString()
        case "too_big":
            yield pb.FromBot(answers=[right] * 10_000).SerializeToString()
        case _:
            yield pb.FromBot(answers=[right]).SerializeToString()


def converse(channel: grpc.Channel, token: str, leave_at: int) -> bool:
    """One stream, from hello to its end, or until so many decisions have come: then it is left, and True returned."""
    views = pb.VIEW_MODE_FULL if WAY == "full_views" else pb.VIEW_MODE_EVENTS
    hello = pb.FromBot(hello=pb.Hello(protocol=7 if WAY == "version" else 1, view=views)).SerializeToString()
    out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    out.put(b"\xff" if WAY == "no_hello" else hello)
    call: Any = channel.stream_stream(METHOD)
    stream = call(iter(out.get, None), metadata=[("authorization", f"Bearer {token}")])
    decisions = 0
    if WAY == "deaf":
        time.sleep(600)
    for data in stream:
        for update in pb.FromReferee.FromString(data).updates:
            if not update.HasField("decision"):
                continue
            if WAY == "full_views" and (update.events or not update.view.hand or not update.view.trains):
                os._exit(9)
            often = WAY == "returns_often" and LEFT[update.table] < 4
            if decisions == leave_at or often:
                LEFT[update.table] += 1
                stream.cancel()
                return True
            for answer in answers(update):
                out.put(answer)
            decisions += 1
    return False


def main() -> None:
    token = "wrong" if WAY == "token" else os.environ["MTREF_TOKEN"]
    often = {"returns_too_often": [3] * 20, "returns_often": [10**9] * 20}
    leaving = {"leaves": [3], "returns": [3, 7], **often}.get(WAY, [])
    with grpc.insecure_channel(os.environ["MTREF_ADDRESS"]) as channel:
        for leave_at in [*leaving, 10**9]:
            if converse(channel, token, leave_at) and WAY == "leaves":
                time.sleep(float(sys.argv[2]) if len(sys.argv) > 2 else 600)
                break


if __name__ == "__main__":
    main()
