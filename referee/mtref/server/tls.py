"""TLS for whoever calls over a network: what a port for bots needs, from a certificate and its key."""

from __future__ import annotations

import ssl
from pathlib import Path

from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["contents", "server_context"]


def contents(certificate: Path, key: Path) -> tuple[bytes, bytes]:
    """The certificate and the key. Raises MtrefError for a file that cannot be read."""
    read: list[bytes] = []
    for path in (key, certificate):
        try:
            read.append(path.read_bytes())
        except OSError as error:
            raise MtrefError(f"cannot read {escape(str(path))}: {error.strerror}") from error
    return read[1], read[0]


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """What a port with TLS needs, which is for HTTP/2. Raises MtrefError for files that cannot be read or do not belong together."""
    contents(certificate, key)  # ssl does not say which of the two cannot be read
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        raise MtrefError(
            f"{escape(str(certificate))} and {escape(str(key))} are no certificate and its key: {error.reason or error}"
        ) from error
    context.set_alpn_protocols(["h2"])
    return context
