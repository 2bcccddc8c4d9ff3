"""``mtref serve``: plays a match with bots that call from elsewhere, over TCP. Parsing and calling only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mtref.cli.listening import check_security, host_and_port
from mtref.cli.matchoptions import Duration, Shown, match_options
from mtref.cli.matchrun import isolated, play_over_grpc, print_outcome
from mtref.cli.sandboxoptions import sandbox_options
from mtref.match.entry import Entry, parse_entry
from mtref.match.options import MatchOptions
from mtref.server.sandbox.levels import Limits
from mtref.text import escape
from mtref_sdk.errors import ConfigError

if TYPE_CHECKING:
    from mtref.server.starters import Starter

__all__ = ["command"]

_REMOTE = "remote"


@click.command("serve", short_help="Play games with bots that call from elsewhere.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@match_options
@click.option(
    "--listen",
    default="127.0.0.1:7100",
    show_default=True,
    metavar="HOST:PORT",
    help="Where the first remote bot is expected; each of the others has the next port.",
)
@click.option(
    "--public-name", metavar="HOST", help="What bots are told to call, if it is not the HOST of --listen."
)
@click.option("--cert", type=click.Path(dir_okay=False, path_type=Path), help="TLS: the certificate, PEM.")
@click.option("--key", type=click.Path(dir_okay=False, path_type=Path), help="TLS: its private key, PEM.")
@click.option("--insecure", is_flag=True, help="No TLS: for bots on this machine only.")
@click.option(
    "--join-limit",
    type=Duration(zero_allowed=False),
    default=300_000.0,
    metavar="TIME",
    help="How long to wait for the remote bots. [default: 300 s]",
)
@sandbox_options
def command(
    bots: Sequence[str],
    *,
    options: MatchOptions,
    shown: Shown,
    listen: str,
    public_name: str | None,
    cert: Path | None,
    key: Path | None,
    insecure: bool,
    join_limit: float,
    sandbox: str,
    sandbox_require: str | None,
    limits: Limits,
) -> None:
    """Play games like `mtref match`, with bots that their owners start: in an editor, under a debugger, on another machine.

    A BOT is `remote`, or NAME=remote, for each bot that will call; others are started here, as by `mtref match`. What to set
    before such a bot is started is printed on stderr. Each remote bot plays all games over one connection.
    """
    entries = [_entry(text) for text in bots]
    if len(entries) < 2:
        raise ConfigError("needs at least two", key="BOT")
    remote = [index for index, entry in enumerate(entries) if not entry.argv]
    if not remote:
        raise ConfigError("no bot to wait for; write NAME=remote for each that will call", key="BOT")
    options.rules.hand_size(len(entries))
    host, port = host_and_port(listen, len(remote))
    check_security(host, cert, key, insecure=insecure, who="bots")

    from mtref.server.runner import MatchSetup  # noqa: PLC0415 - slow to import
    from mtref.server.tls import server_context  # noqa: PLC0415
    from mtref.server.visitor import RemoteStarter, TcpEndpoint  # noqa: PLC0415

    context = server_context(cert, key) if cert and key else None
    starters: dict[int, Starter] = {}
    for number, index in enumerate(remote):
        endpoint = TcpEndpoint(host, port + number, context)
        told = TcpEndpoint(public_name or host, port + number, None, endpoint.token)
        words = [f"MTREF_ADDRESS={told.address}", f"MTREF_TOKEN={told.token}"]
        if cert is not None:
            words.append(f"MTREF_CERT={escape(str(cert))}")
        text = f"bot {index + 1}, {escape(entries[index].name, 40)}, is expected with\n  {' '.join(words)}"
        starters[index] = RemoteStarter(endpoint, join_limit / 1000, partial(click.echo, text, err=True))
    with isolated(sandbox, sandbox_require, limits) as isolation:
        setup = MatchSetup(isolation, starters, lists_unplayed=True, keeps_bots=True)
        result = play_over_grpc(options, entries, shown, setup)
    print_outcome(result, shown)


def _entry(text: str) -> Entry:
    name, separator, what = text.rpartition("=")
    if what != _REMOTE:
        return parse_entry(text)
    return Entry(name if separator else _REMOTE, _REMOTE, (), None, None)
