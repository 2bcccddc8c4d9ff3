"""``mtref ladder serve`` and ``mtref ladder author``: a ladder that authors reach from elsewhere, and who they are."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mtref.cli.ladderfile import beginning, ladder_argument, ladder_option
from mtref.cli.ladderlive import Watcher, watching
from mtref.cli.ladderrun import check_cluster, held, referees, resume_command, until_signal
from mtref.cli.listening import check_security, host_and_port, is_loopback
from mtref.ladder.authors import Authors
from mtref.ladder.configfile import load_config
from mtref.ladder.happenings import Ended
from mtref.ladder.journal import HeldError
from mtref.ladder.runner import LadderRun
from mtref_sdk.errors import ConfigError

if TYPE_CHECKING:
    from mtref.portal.server import Operator, Portal

__all__ = ["author", "serve"]


@click.command("serve")
@ladder_argument
@click.option(
    "--listen",
    default="127.0.0.1:7200",
    show_default=True,
    metavar="HOST:PORT",
    help="Where authors call; port 0 takes a free one, and says which.",
)
@click.option("--cert", type=click.Path(dir_okay=False, path_type=Path), help="TLS: the certificate, PEM.")
@click.option("--key", type=click.Path(dir_okay=False, path_type=Path), help="TLS: its private key, PEM.")
@click.option("--insecure", is_flag=True, help="No TLS: for authors on this machine only.")
@click.option(
    "--operator",
    metavar="HOST:PORT",
    help="Health service and reflection, for this machine only; needs mtref[operator].",
)
@click.option(
    "--concurrency", type=click.IntRange(1, 256), metavar="N", help="Instead of what the file says."
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster, such as tcp://head:8786 (see docs/cluster.md).",
)
@click.option("--json", "as_json", is_flag=True, help="Print what happens, one JSON object a line.")
def serve(
    ladder: Path,
    *,
    listen: str,
    cert: Path | None,
    key: Path | None,
    insecure: bool,
    operator: str | None,
    concurrency: int | None,
    cluster: str | None,
    as_json: bool,
) -> int:
    """Play a ladder without end, and let authors hand bots in from elsewhere.

    New versions play first, then the ladder's file, then tables of neighbours whose intervals overlap most, until Ctrl-C; the same command goes on.
    Let authors in with `mtref ladder author add`. See docs/ladder.md, "Serving". Exit codes as for `mtref ladder run`, 0 when it was stopped.
    """
    host, port = host_and_port(listen, 1, free=True)
    check_security(host, cert, key, insecure=insecure, who="authors")
    if operator is not None and not is_loopback(host_and_port(operator, 1, free=True, key="--operator")[0]):
        raise ConfigError("the operator's port is for this machine only", key="--operator")
    check_cluster(load_config(ladder), cluster)

    from mtref.portal.server import Operator, Portal  # noqa: PLC0415 - imports grpc
    from mtref.portal.tls import server_credentials  # noqa: PLC0415

    credentials = server_credentials(cert, key) if cert and key else None

    async def job(run: LadderRun, watcher: Watcher) -> Ended:
        portal = Portal(run, f"[{host}]:{port}" if ":" in host else f"{host}:{port}", credentials)
        ports: list[Portal | Operator] = [portal]
        watcher.say(f"authors call port {portal.port}")
        if operator is not None:
            ports.append(Operator(operator))
            watcher.say(f"the operator asks port {ports[-1].port}")
        for one in ports:
            await one.start()
        try:
            return await run.run()
        finally:
            await asyncio.gather(*(one.stop() for one in ports))

    with beginning(ladder) as (found, journal):
        config = found if concurrency is None else replace(found, concurrency=concurrency)
        try:
            with journal.hold(), watching(as_json=as_json) as watcher:
                run = LadderRun(config, journal, referees(config, cluster), watcher.hear, endless=True)
                watcher.table = run.table
                command = resume_command(ladder)
                ended = asyncio.run(until_signal(run, job(run, watcher), watcher, command))
                watcher.hear(ended)
                click.echo(f"stopped; to go on: {command}", err=True)
        except HeldError as error:
            return held(error, as_json=as_json)
    return 1 if ended.discrepancies or ended.conflicts else 0


@click.group("author")
def author() -> None:
    """Say who may hand bots in to a ladder that is served."""


@author.command("add")
@click.argument("name")
@ladder_option
def add(name: str, *, ladder: Path) -> None:
    """Let an author in, and print the token, which is shown this once. One who is there gets a new one instead of the old."""
    click.echo(Authors(load_config(ladder).state).add(name))


@author.command("list")
@ladder_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def list_authors(*, ladder: Path, as_json: bool) -> None:
    """List the authors."""
    names = Authors(load_config(ladder).state).names()
    click.echo(json.dumps({"authors": names}) if as_json else "\n".join(names) or "there are no authors yet")


@author.command("remove")
@click.argument("name")
@ladder_option
def remove(name: str, *, ladder: Path) -> None:
    """Let an author in no more. Bots and results stay."""
    Authors(load_config(ladder).state).remove(name)
