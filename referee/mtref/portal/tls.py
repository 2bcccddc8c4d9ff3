"""TLS at the authors' port, which grpcio serves."""

from __future__ import annotations

from pathlib import Path

from mtref.server.tls import contents
from mtref.server.wiring import grpc

__all__ = ["server_credentials"]


def server_credentials(certificate: Path, key: Path) -> grpc.ServerCredentials:
    """What a port with TLS needs. Raises MtrefError for a file that cannot be read."""
    chain, secret = contents(certificate, key)
    return grpc.ssl_server_credentials([(secret, chain)])
