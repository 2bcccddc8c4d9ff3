"""An author's side of the calls. Answers are plain values, named as in the proto file; what goes wrong is a MtrefError of one line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from mtref.portal._proto import ladder_pb2 as pb
from mtref.portal.wire import PIECE, SERVICE
from mtref.server.wiring import grpc
from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["LadderClient"]

_QUICK_SECONDS: Final = 60.0
_LONG_SECONDS: Final = 1200.0


class LadderClient:
    """Calls one ladder with one token. `ca` is a file with the certificates to trust, None for the system's; with `insecure` there is no TLS."""

    def __init__(self, address: str, token: str, ca: Path | None, *, insecure: bool) -> None:
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        if insecure:
            self._channel = grpc.insecure_channel(address)
        else:
            try:
                roots = None if ca is None else ca.read_bytes()
            except OSError as error:
                raise MtrefError(f"cannot read {escape(str(ca))}: {error.strerror}") from error
            self._channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(roots))

    def close(self) -> None:
        """Hang up."""
        self._channel.close()

    def versions(self) -> dict[str, Any]:
        """See ListVersions."""
        return self._ask("ListVersions", pb.ListVersionsRequest(), pb.ListVersionsResponse)

    def standings(self) -> dict[str, Any]:
        """See GetStandings."""
        return self._ask("GetStandings", pb.GetStandingsRequest(), pb.GetStandingsResponse)

    def compare(self, one: str, two: str) -> dict[str, Any]:
        """See CompareBots."""
        return self._ask("CompareBots", pb.CompareBotsRequest(one=one, two=two), pb.CompareBotsResponse)

    def games(self, bot: str) -> Iterator[dict[str, Any]]:
        """See ListGames: all of them, page by page."""
        after = ""
        while True:
            page = self._ask("ListGames", pb.ListGamesRequest(bot=bot, after=after), pb.ListGamesResponse)
            yield from page["games"]
            after = page["more"]
            if not after:
                return

    def log(self, game: str) -> bytes:
        """See DownloadLog."""
        call: grpc.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(
            f"/{SERVICE}/DownloadLog"
        )
        with self._complaints():
            pieces = call(
                pb.DownloadLogRequest(game=game).SerializeToString(),
                timeout=_LONG_SECONDS,
                metadata=self._metadata,
            )
            return b"".join(pb.DownloadLogResponse.FromString(data).piece for data in pieces)

    def submit(self, name: str, file_name: str, sent: bytes) -> Iterator[dict[str, Any]]:
        """See Submit: the answers as they come, each with one key, ``step``, ``admitted`` or ``refused``."""

        def parts() -> Iterator[bytes]:
            header = pb.SubmitHeader(name=name, file_name=file_name)
            yield pb.SubmitRequest(header=header).SerializeToString()
            for start in range(0, len(sent), PIECE):
                yield pb.SubmitRequest(piece=sent[start : start + PIECE]).SerializeToString()

        call: grpc.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(f"/{SERVICE}/Submit")
        with self._complaints():
            for data in call(parts(), timeout=_LONG_SECONDS, metadata=self._metadata):
                yield _plain(pb.SubmitResponse.FromString(data))

    def unrated(self, bot: str, opponents: list[str]) -> tuple[dict[str, Any], bytes]:
        """See PlayUnrated: the result, and the log. Raises MtrefError when it was not played."""
        call: grpc.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(
            f"/{SERVICE}/PlayUnrated"
        )
        request = pb.PlayUnratedRequest(bot=bot, opponents=opponents)
        result: dict[str, Any] = {}
        pieces: list[bytes] = []
        with self._complaints():
            for data in call(request.SerializeToString(), timeout=_LONG_SECONDS, metadata=self._metadata):
                news = pb.PlayUnratedResponse.FromString(data)
                if news.HasField("refused"):
                    raise MtrefError(news.refused)
                if news.HasField("result"):
                    result = _plain(news.result)
                pieces.append(news.piece)
        return result, b"".join(pieces)

    def _ask(self, method: str, request: Message, kind: type[Message]) -> dict[str, Any]:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(f"/{SERVICE}/{method}")
        with self._complaints():
            data = call(request.SerializeToString(), timeout=_QUICK_SECONDS, metadata=self._metadata)
            return _plain(kind.FromString(data))

    @contextlib.contextmanager
    def _complaints(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as error:
            details = getattr(
                error, "details", lambda: None
            )()  # what is raised is a call, too, if it came so far
            raise MtrefError(f"{self._address}: {escape(details or str(error), 500)}") from None


def _plain(message: Message) -> dict[str, Any]:
    found: dict[str, Any] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return found
