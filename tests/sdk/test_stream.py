"""The bot's end of the call: what becomes of it when the other end is gone, talks nonsense or is no referee at all."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mtref_sdk.client import Connection, play
from mtref_sdk.errors import ConfigError, ProtocolError
from mtref_sdk.grpcwire import packed, written
from mtref_sdk.http2 import frames
from mtref_sdk.http2.connection import Http2, HttpStream
from mtref_sdk.http2.frames import frame
from mtref_sdk.http2.headers import Headers
from mtref_sdk.stream import Stream
from tests.sdk.http2ends import ANSWER, settings
from tests.sdk.scripted import FirstMove

SAYS = (b":status", b"200"), (b"content-type", b"application/grpc")


@contextmanager
def served(folder: Path, serve: Callable[[socket.socket], object], *, opens: bool = True) -> Iterator[Stream]:
    """A stream to a server that serves one connection, and then hangs up; open it yourself if not `opens`."""
    path = str(folder / "s")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()

        def run() -> None:
            with listening.accept()[0] as peer:
                peer.settimeout(30)
                serve(peer)

        thread = threading.Thread(target=run)
        thread.start()
        stream = Stream()
        if opens:
            stream.open(Connection(f"unix:{path}", "t"))
        try:
            yield stream
        finally:
            thread.join()


def outcome(stream: Stream) -> str:
    """How it ended, in words."""
    while stream.read() is not None:
        pass
    with pytest.raises(ProtocolError) as caught:
        stream.close()
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("the referee ended the connection: ")


def says(*data: bytes, first: bool = True) -> Callable[[socket.socket], None]:
    """A server that says this once it has heard something."""

    def serve(peer: socket.socket) -> None:
        peer.recv(65536)
        with_settings = settings() if first else b""
        peer.sendall(with_settings + b"".join(data))

    return serve


def block(*headers: tuple[bytes, bytes], ends: bool = True) -> bytes:
    """Headers as bytes, none of them compressed."""
    listed = b"".join(
        b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value for name, value in headers
    )
    return frame(frames.HEADERS, frames.END_HEADERS | (frames.END_STREAM if ends else 0), 1, listed)


def data(*messages: bytes, flags: int = 0) -> bytes:
    return frame(frames.DATA, flags, 1, b"".join(map(packed, messages)))


@pytest.mark.parametrize(
    ("serve", "text"),
    [
        (lambda peer: peer.recv(65536), "UNAVAILABLE: the connection was lost"),
        (says(b"HTTP/1.1 400 Bad Request\r\n\r\n", first=False), "INTERNAL: a frame is too long"),
        (says(b"\0" * 100, first=False), "INTERNAL: there is no stream 0"),
        (says(b"\0\0\3\x08\0\0\0\0\0abc"), "INTERNAL: a window update has four bytes"),
        (says(block((b":status", b"404"))), "UNKNOWN: it answered with the HTTP status 404"),
        (says(block((b":status", b"503"), ends=False)), "UNKNOWN: it answered with the HTTP status 503"),
        (says(block(*ANSWER, (b"grpc-status", b"16"))), "UNAUTHENTICATED: "),
        (says(block(*ANSWER, (b"grpc-status", b"99"), (b"grpc-message", b"x"))), "UNKNOWN: x"),
        (says(block(*ANSWER, (b"grpc-status", b"what"))), "UNKNOWN: "),
        (
            says(block(*ANSWER, (b"grpc-status", b"13"), (b"grpc-message", written("Töpfe %\n🂓")))),
            "INTERNAL: Töpfe % 🂓",
        ),
        (says(block(*ANSWER)), "UNAVAILABLE: the call was cut off"),
        (
            says(block(*ANSWER, ends=False), data(b"abc", flags=frames.END_STREAM)),
            "UNAVAILABLE: the call was cut off",
        ),
        (
            says(frame(frames.RST_STREAM, 0, 1, struct.pack(">I", 7))),
            "UNAVAILABLE: the call was cut off (reset, code 7)",
        ),
        (
            says(frame(frames.GOAWAY, 0, 0, bytes(4) + b"\0\0\0\x0bcalm")),
            "UNAVAILABLE: the connection was lost",
        ),
        (
            says(block(*ANSWER, ends=False), frame(frames.DATA, 0, 1, b"\1\0\0\0\1x")),
            "INTERNAL: compressed messages are not taken",
        ),
    ],
    ids=[
        *("gone", "http1", "zeros", "garbage", "404", "503", "trailers only", "99", "no number", "not ascii"),
        *("no status", "no trailers", "reset", "goodbye", "compressed"),
    ],
)
def test_an_end_that_is_not_in_good_order_is_told_in_one_line(
    serve: Callable[[socket.socket], object], text: str, tmp_path: Path
) -> None:
    with served(tmp_path, serve) as stream:
        assert outcome(stream) == text
        stream.write(b"to nobody")
        stream.leave()
        assert stream.read() is None


def test_what_was_said_before_the_connection_was_lost_is_heard(tmp_path: Path) -> None:
    with served(tmp_path, says(block(*ANSWER, ends=False), data(b"a", b"", b"c"))) as stream:
        assert [stream.read() for _ in range(4)] == [b"a", b"", b"c", None]
        assert outcome(stream) == "UNAVAILABLE: the connection was lost"


def test_messages_come_in_whatever_pieces(tmp_path: Path) -> None:
    answer = settings() + block(*ANSWER, ends=False) + data(b"a" * 200, b"b" * 3) + data(b"c")
    trailers = block((b"grpc-status", b"0"))

    def serve(peer: socket.socket) -> None:
        for byte in answer + trailers:
            peer.sendall(bytes([byte]))
        while peer.recv(65536):
            pass

    with served(tmp_path, serve) as stream:
        assert [stream.read() for _ in range(4)] == [b"a" * 200, b"b" * 3, b"c", None]
        stream.close()


def test_a_message_that_is_none_is_a_failure_in_one_line(tmp_path: Path) -> None:
    def serve(peer: socket.socket) -> None:
        peer.sendall(settings() + block(*ANSWER, ends=False) + data(b"\xff"))
        while peer.recv(65536):
            pass

    with served(tmp_path, serve, opens=False):
        connection = Connection(f"unix:{tmp_path / 's'}", "t")
        with pytest.raises(ProtocolError, match="the referee sent something that is no message"):
            play(FirstMove(), connection)


class Narrow:
    """A server with as little room as there may be, which says everything back, and ends when the bot does."""

    def __init__(self, window: int) -> None:
        self.http = Http2(client=False, window=65535)
        self.window, self.heard = window, b""
        self.over = False
        self.http.on_headers = self._headers
        self.http.on_data = self._data
        self.http.on_end = self._end

    def serve(self, peer: socket.socket) -> None:
        peer.sendall(self.http.outgoing() + settings((frames.INITIAL_WINDOW, self.window)))
        while not self.over:
            self.http.receive(peer.recv(65536))
            peer.sendall(self.http.outgoing())
        while peer.recv(65536):
            pass

    def _headers(self, stream: HttpStream, headers: Headers) -> None:
        del headers
        self.http.headers(stream, SAYS)

    def _data(self, stream: HttpStream, data: bytes) -> None:
        self.heard += data
        self.http.taken(stream, len(data))
        self.http.send(stream, data)
        self.http._say(frames.WINDOW_UPDATE, 0, stream.number, struct.pack(">I", len(data)))

    def _end(self, stream: HttpStream) -> None:
        self.http.end(stream, ((b"grpc-status", b"0"),))
        self.over = True


@pytest.mark.parametrize("window", [1, 7, 1000])
def test_a_referee_with_little_room_gets_everything_in_time(window: int, tmp_path: Path) -> None:
    narrow = Narrow(window)
    messages = [bytes([number]) * (50 * number) for number in range(8)]
    with served(tmp_path, narrow.serve) as stream:
        for message in messages:
            stream.write(message)
        assert [stream.read() for _ in messages] == messages
        stream.leave()
        stream.close()
    assert narrow.heard == b"".join(map(packed, messages))


def test_who_leaves_waits_only_so_long_for_a_referee_that_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mtref_sdk.stream._LEAVE_S", 0.01)
    left = threading.Event()
    with served(tmp_path, lambda _: left.wait()) as stream:
        stream.leave()
        left.set()
        assert outcome(stream).startswith("UNAVAILABLE: the connection was lost: ")


@pytest.mark.parametrize(
    "address",
    [
        *("localhost", "", ":443", "host:99999", "host:", "host:1e3", "host:-1", "localhost:" + "9" * 400),
        *("a..b:80", "x" * 300 + ":80", ".x:80", "[]:80", "http://localhost", "unix-abstract:name"),
    ],
)
@pytest.mark.parametrize("certificate", [None, ""])
def test_an_address_that_is_none_is_one_line(address: str, certificate: str | None) -> None:
    with pytest.raises(ConfigError) as caught:
        Stream().open(Connection(address, "t", certificate))
    assert str(caught.value).startswith("MTREF_ADDRESS: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["unix:", "unix:/none", "unix:" + "x" * 200, "unix:///none", "dns:///nobody.invalid:80"]
)
def test_an_address_where_nobody_is_is_one_line(address: str) -> None:
    stream = Stream()
    stream.open(Connection(address, "t"))
    assert outcome(stream).startswith(f"UNAVAILABLE: cannot connect to {address}: ")


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_a_host_is_written_as_ever(host: str) -> None:
    family = socket.AF_INET6 if host == "[::1]" else socket.AF_INET
    with socket.create_server((host.strip("[]"), 0), family=family) as listening:
        stream = Stream()
        stream.open(Connection(f"{host}:{listening.getsockname()[1]}", "t"))
        with listening.accept()[0] as peer:
            assert peer.recv(24) == frames.PREFACE
        assert outcome(stream).startswith("UNAVAILABLE: the connection was lost")


def test_a_certificate_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        for file in (tmp_path / "none.pem", tmp_path, Path(__file__)):
            with pytest.raises(ConfigError) as caught:
                Stream().open(Connection(address, "t", str(file)))
            assert str(caught.value).startswith("MTREF_CERT: cannot be read: ")
            assert "\n" not in str(caught.value)


def test_a_token_that_is_no_text_is_sent_as_it_is(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        path = str(tmp_path / "other")
        listening.bind(path)
        listening.listen()
        stream = Stream()
        stream.open(Connection(f"unix:{path}", "\udcff"))
        with listening.accept()[0] as peer:
            assert peer.recv(24) == frames.PREFACE
        assert outcome(stream).startswith("UNAVAILABLE: ")


@pytest.mark.parametrize("address", ["unix:/\udcff", "\udcff:1"])
def test_an_address_that_is_no_text_is_one_line(address: str) -> None:
    stream = Stream()
    try:
        stream.open(Connection(address, "t"))
    except ConfigError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert "cannot connect to" in outcome(stream)
