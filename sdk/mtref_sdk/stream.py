"""The bot's end of the one call: HTTP/2 over a blocking socket, and gRPC's framing on it. Bytes of messages in and out, nothing else.

grpcio can do the same, as any client of gRPC can; with its threads and queues a message costs a bot five times as much.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, Final

from mtref_sdk.errors import ConfigError, ProtocolError
from mtref_sdk.grpcwire import CONTENT_TYPE, Messages, packed, status_name, text_of
from mtref_sdk.http2.connection import Http2, HttpStream
from mtref_sdk.http2.headers import Headers
from mtref_sdk.wire import METHOD

if TYPE_CHECKING:
    from mtref_sdk.client import Connection

__all__ = ["Stream"]

_WINDOW: Final = 1 << 24
"""So many bytes the referee may send before we have read them: what it tells is on its way while the bot still thinks."""

_CHUNK: Final = 1 << 16

_LEAVE_S: Final = 1.0
"""How long a bot that gives up waits for the referee to have read its last answers."""


class Stream:
    """The call, from `open` on. After it has ended `read` gives None and `write` does nothing; `close` knows how it ended.

    One thread reads. Another may write.
    """

    _socket: socket.socket
    _call: HttpStream

    def __init__(self) -> None:
        self._lock = Lock()
        self._http = Http2(client=True, window=_WINDOW)
        self._http.on_headers = self._look_at
        self._http.on_data = self._take
        self._http.on_end = lambda _: self._end(self._status, self._details)
        self._http.on_reset = lambda _, code: self._end(self._status, f"{self._details} (reset, code {code})")
        self._incoming: deque[bytes] = deque()
        self._messages = Messages()
        self._ended = False
        self._status, self._details = "UNAVAILABLE", "the call was cut off"

    def open(self, connection: Connection) -> None:
        """Connect and make the call. Raises ConfigError for an address or a certificate that cannot be used."""
        address, encrypted = connection.address, connection.certificate is not None
        try:
            self._socket = _connected(connection)
        except OSError as error:
            self._end("UNAVAILABLE", f"cannot connect to {address}: {error.strerror or error}")
            return
        with self._lock:
            self._call = self._http.request(
                (
                    (b":method", b"POST"),
                    (b":scheme", b"https" if encrypted else b"http"),
                    (b":path", METHOD.encode()),
                    (b":authority", b"localhost" if _is_path(address) else os.fsencode(address)),
                    (b"te", b"trailers"),
                    (b"content-type", CONTENT_TYPE),
                    (b"authorization", b"Bearer " + os.fsencode(connection.token)),
                )
            )
            self._flush()

    def read(self) -> bytes | None:
        """The next message of the referee; None when there are no more."""
        while not self._incoming and not self._ended:
            self._receive()
        return self._incoming.popleft() if self._incoming else None

    def write(self, *messages: bytes) -> None:
        """Send messages; as soon as the referee has room for them, if it has none."""
        with self._lock:
            if not self._ended:
                self._http.send(self._call, b"".join(map(packed, messages)))
                self._flush()

    def leave(self) -> None:
        """End the call from our side in good order: what the referee has not read yet is lost with the connection."""
        if self._ended:
            return
        with self._lock:
            self._http.end(self._call)
            self._flush()
        self._socket.settimeout(_LEAVE_S)
        while not self._ended:
            self._receive()

    def close(self) -> None:
        """Hang up. Raises ProtocolError unless the referee has ended the call in good order."""
        if hasattr(self, "_socket"):
            self._socket.close()
        if self._status != "OK":
            details = " ".join(self._details.split())  # on one line
            raise ProtocolError(f"the referee ended the connection: {self._status}: {details}")

    # -- inside

    def _receive(self) -> None:
        """Wait for something, and take it in."""
        try:
            data = self._socket.recv(_CHUNK)
        except OSError as error:
            self._end("UNAVAILABLE", f"the connection was lost: {error.strerror or error}")
            return
        if not data:
            self._end("UNAVAILABLE", "the connection was lost")
            return
        with self._lock:
            try:
                self._http.receive(data)
            except ProtocolError as error:
                self._end("INTERNAL", str(error))
            self._flush()

    def _take(self, stream: HttpStream, data: bytes) -> None:
        self._incoming.extend(self._messages.feed(data))
        self._http.taken(stream, len(data))

    def _look_at(self, _: HttpStream, headers: Headers) -> None:
        """Headers at the beginning or the end of the answer; the status stands in the last."""
        known = dict(headers)
        code = known.get(b":status", b"200").decode(errors="replace")
        if code != "200":
            self._end("UNKNOWN", f"it answered with the HTTP status {code}")
        elif b"grpc-status" in known:
            self._status = status_name(known[b"grpc-status"].decode(errors="replace"))
            self._details = text_of(known.get(b"grpc-message", b"").decode(errors="replace"))

    def _flush(self) -> None:
        """Send what there is. The lock is held."""
        data = self._http.outgoing()
        if data:
            with contextlib.suppress(OSError):  # whoever reads hears of it, and perhaps why
                self._socket.sendall(data)

    def _end(self, status: str, details: str) -> None:
        if not self._ended:
            self._ended, self._status, self._details = True, status, details


def _is_path(address: str) -> bool:
    return address.startswith("unix:")


def _connected(connection: Connection) -> socket.socket:
    """A socket at the address, encrypted if there is a certificate. Raises OSError, and ConfigError."""
    address = connection.address
    if _is_path(address):
        path = address.removeprefix("unix:")
        unix = socket.socket(socket.AF_UNIX)
        try:
            unix.connect(path.removeprefix("//") if path.startswith("///") else path)
        except OSError:
            unix.close()
            raise
        return unix
    host, _, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if host[:1] in {"", "."} or not port.isdecimal() or len(port) > 5 or int(port) > 65535:
        raise ConfigError(f"{address!r} is no address; write unix:PATH or HOST:PORT", key="MTREF_ADDRESS")
    try:
        plain = socket.create_connection((host, int(port)))
    except UnicodeError as error:
        raise ConfigError(f"{host!r} is no name of a host", key="MTREF_ADDRESS") from error
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if connection.certificate is None:
        return plain
    with contextlib.ExitStack() as stack:
        stack.enter_context(plain)
        encrypted = _encrypted(plain, host, connection.certificate)
        stack.pop_all()
        return encrypted


def _encrypted(plain: socket.socket, host: str, certificate: str) -> socket.socket:
    import ssl  # noqa: PLC0415 - most bots play on this machine, without

    try:
        context = ssl.create_default_context(cafile=certificate or None)
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror or error}", key="MTREF_CERT") from error
    context.set_alpn_protocols(["h2"])
    return context.wrap_socket(plain, server_hostname=host)
