"""Where a command listens, and whether it may do so without TLS."""

from __future__ import annotations

import ipaddress
from pathlib import Path

from mtref_sdk.errors import ConfigError

__all__ = ["check_security", "host_and_port", "is_loopback"]


def host_and_port(listen: str, ports: int, *, free: bool = False, key: str = "--listen") -> tuple[str, int]:
    """The two parts of HOST:PORT, with room for so many ports from there on. With `free` port 0 is one. Raises ConfigError."""
    host, _, text = listen.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not text.isdecimal() or not (0 if free else 1) <= int(text) <= 65536 - ports:
        room = f"with room for {ports} ports" if ports > 1 else "with a port from 0 to 65535"
        raise ConfigError(f"{listen!r} is no HOST:PORT {room}", key=key)
    return host, int(text)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_security(host: str, cert: Path | None, key: Path | None, *, insecure: bool, who: str) -> None:
    """Raises ConfigError unless there is TLS, or no need for it. `who` would send tokens."""
    if (cert is None) != (key is None):
        raise ConfigError("a certificate and its key go together: give both", key="--cert, --key")
    if cert is not None:
        if insecure:
            raise ConfigError("with a certificate there is TLS; leave one of them out", key="--insecure")
        return
    if not insecure:
        raise ConfigError(
            f"{who} would send their tokens in the clear: give --cert and --key, or --insecure for {who} on this machine"
        )
    if not is_loopback(host):
        raise ConfigError(f"without TLS only this machine may be served, not {host}", key="--insecure")
