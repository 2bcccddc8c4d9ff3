"""The options with which a command reaches a ladder that is served, and the client they make."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from mtref.cli.listening import host_and_port, is_loopback
from mtref.textfile import read_text
from mtref_sdk.errors import ConfigError

if TYPE_CHECKING:
    from mtref.portal.client import LadderClient

__all__ = ["TOKEN_VARIABLE", "connect", "remote_options"]

TOKEN_VARIABLE: Final = "MTREF_AUTHOR_TOKEN"  # noqa: S105 - the name of a variable
_Returned = TypeVar("_Returned")


def remote_options(function: Callable[..., _Returned]) -> Callable[..., _Returned]:
    """Give a command ``--ca``, ``--token-file`` and ``--insecure``; it is called with `dial`, which makes a client for an address."""

    @click.option(
        "--ca",
        type=click.Path(dir_okay=False, path_type=Path),
        help="The certificates to trust, PEM. [default: the system's]",
    )
    @click.option(
        "--token-file",
        type=click.Path(dir_okay=False, path_type=Path),
        help=f"A file with your token. [default: the variable {TOKEN_VARIABLE}]",
    )
    @click.option("--insecure", is_flag=True, help="No TLS: for a ladder on this machine only.")
    @functools.wraps(function)
    def with_remote(
        *args: Any, ca: Path | None, token_file: Path | None, insecure: bool, **kwargs: Any
    ) -> _Returned:
        dial = functools.partial(connect, ca=ca, token_file=token_file, insecure=insecure)
        return function(*args, dial=dial, **kwargs)

    return with_remote


def connect(address: str, *, ca: Path | None, token_file: Path | None, insecure: bool) -> LadderClient:
    """A client for the ladder at an address. Raises ConfigError and MtrefError; nobody is called yet."""
    host, _ = host_and_port(address, 1, key="HOST:PORT")
    if insecure and not is_loopback(host):
        raise ConfigError(f"without TLS only this machine may be called, not {host}", key="--insecure")
    if token_file is not None:
        token = read_text(token_file).strip()
    else:
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token or not token.isascii() or not token.isprintable():
        raise ConfigError(
            f"there is no token; set {TOKEN_VARIABLE}, or give --token-file", key=TOKEN_VARIABLE
        )
    from mtref.portal.client import LadderClient  # noqa: PLC0415 - imports grpc

    return LadderClient(address, token, ca, insecure=insecure)
