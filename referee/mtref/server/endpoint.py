"""Where one bot is expected to call, and with which token. Values only; listening is `stream`'s business."""

from __future__ import annotations

import secrets
import ssl
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Endpoint", "TcpEndpoint", "UnixEndpoint", "new_token"]


def new_token() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class UnixEndpoint:
    """A socket in a folder of its own, whose path was never used before."""

    path: Path
    token: str = field(default_factory=new_token, repr=False)

    @property
    def address(self) -> str:
        """As gRPC writes it."""
        return f"unix:{self.path}"

    @property
    def context(self) -> ssl.SSLContext | None:
        """None: whoever may open the socket is on this machine."""
        return None


@dataclass(frozen=True, slots=True)
class TcpEndpoint:
    """A port on which bots of other machines may call. Without `context` nothing is encrypted."""

    host: str
    port: int
    context: ssl.SSLContext | None = field(repr=False)
    token: str = field(default_factory=new_token, repr=False)

    @property
    def address(self) -> str:
        """As gRPC writes it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


Endpoint = UnixEndpoint | TcpEndpoint
"""One bot's own: no two bots share one."""
