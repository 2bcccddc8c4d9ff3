"""TLS at the authors' port: reading a certificate and its key."""

from __future__ import annotations

from pathlib import Path

from mtref.server.wiring import grpc
from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["server_credentials"]


def server_credentials(certificate: Path, key: Path) -> grpc.ServerCredentials:
    """What a port with TLS needs. Raises MtrefError for a file that cannot be read."""
    contents: list[bytes] = []
    for path in (key, certificate):
        try:
            contents.append(path.read_bytes())
        except OSError as error:
            raise MtrefError(f"cannot read {escape(str(path))}: {error.strerror}") from error
    return grpc.ssl_server_credentials([(contents[0], contents[1])])
