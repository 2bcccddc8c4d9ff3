"""TLS for bots that call over a network: what a port needs, from a certificate and its key."""

from __future__ import annotations

import ssl
from pathlib import Path

from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["server_context"]


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """What a port with TLS needs, which is for HTTP/2. Raises MtrefError for files that cannot be read or do not belong together."""
    for path in (key, certificate):
        try:
            path.read_bytes()
        except OSError as error:
            raise MtrefError(f"cannot read {escape(str(path))}: {error.strerror}") from error
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        raise MtrefError(
            f"{escape(str(certificate))} and {escape(str(key))} are no certificate and its key: {error.reason or error}"
        ) from error
    context.set_alpn_protocols(["h2"])
    return context
