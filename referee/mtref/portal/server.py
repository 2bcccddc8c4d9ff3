"""The ports of a ladder that is served: one for authors, with TLS, and one for its operator, who may ask whether all is well."""

from __future__ import annotations

import contextlib
from typing import Final

from mtref.ladder.runner import LadderRun
from mtref.portal.service import LadderService
from mtref.portal.wire import PIECE, SERVICE
from mtref.server.wiring import grpc
from mtref_sdk.errors import ConfigError, MtrefError

__all__ = ["Operator", "Portal"]

_CALLS_AT_ONCE: Final = 64
_GRACE_SECONDS: Final = 1.0

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", 4 * PIECE),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_metadata_size", 4096),
    ("grpc.absolute_max_metadata_size", 8192),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.so_reuseport", 0),
    ("grpc.server_handshake_timeout_ms", 3000),
    ("grpc.http2.max_ping_strikes", 2),
    ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
    ("grpc.compression_enabled_algorithms_bitset", 1),
    ("grpc.max_connection_idle_ms", 10_000),
    ("grpc.enable_retries", 0),
)
"""What a connection may do, with room for pieces of files."""


class Portal:
    """The authors' port. Without `credentials` nothing is encrypted, which is for this machine alone."""

    def __init__(self, ladder: LadderRun, address: str, credentials: grpc.ServerCredentials | None) -> None:
        self._server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=_CALLS_AT_ONCE)
        self._server.add_generic_rpc_handlers((LadderService(ladder).handlers(),))
        self.port = _bind(self._server, address, credentials)

    async def start(self) -> None:
        """Begin to listen."""
        await self._server.start()

    async def stop(self) -> None:
        """End all calls soon."""
        await self._server.stop(_GRACE_SECONDS)


class Operator:
    """The operator's port: gRPC's health service and reflection. Raises ConfigError when their packages are not there."""

    def __init__(self, address: str) -> None:
        try:
            from grpc_health.v1 import health, health_pb2, health_pb2_grpc  # noqa: PLC0415 - needs an extra
            from grpc_reflection.v1alpha import reflection  # noqa: PLC0415
        except ImportError as error:
            raise ConfigError(
                "health and reflection need an extra: pip install 'mtref[operator]'", key="--operator"
            ) from error
        self._server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=_CALLS_AT_ONCE)
        self._health = health.aio.HealthServicer()
        self._serving = health_pb2.HealthCheckResponse.SERVING
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self.port = _bind(self._server, address, None)

    async def start(self) -> None:
        """Begin to listen, and say that all is well."""
        for service in ("", SERVICE):
            await self._health.set(service, self._serving)
        await self._server.start()

    async def stop(self) -> None:
        """Say that it ends, and end."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(_GRACE_SECONDS)


def _bind(server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None) -> int:
    port = 0
    with contextlib.suppress(RuntimeError):
        if credentials is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, credentials)
    if not port:
        raise MtrefError(f"cannot listen at {address}; is the port taken, or the certificate no good?")
    return port
