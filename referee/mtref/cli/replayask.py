"""``mtref replay --attach``, ``--pdb`` and ``--rerun``: asks a bot again what a seat was asked in a recorded game."""

from __future__ import annotations

import bdb
import contextlib
import json
import pdb  # noqa: T100 - the debugger is what is asked for
import sys
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mtref.cli.matchrun import isolated
from mtref.cli.replayanswer import Attached, Rerun
from mtref.match.entry import Entry, parse_entry
from mtref.match.retelling import Retelling, is_seed_of
from mtref.replay.reader import LogReader
from mtref.rules import fairdeal
from mtref.server.sandbox.levels import AUTO, Limits
from mtref.text import escape
from mtref_sdk.bot import Bot
from mtref_sdk.decision import Decision
from mtref_sdk.errors import ConfigError, MtrefError
from mtref_sdk.load import load_bot
from mtref_sdk.moves import Move

if TYPE_CHECKING:
    from mtref.server.teller import Reply

__all__ = ["attach", "rerun", "retelling_of"]

SHOWN = 200
"""Lines shown of what the bot printed."""


def retelling_of(reader: LogReader, seat: int, seed: str | None) -> Retelling:
    """The game as a seat heard it; `seed` is the text of the match's ``--seed``. Raises ConfigError when it was another."""
    known = None
    if seed is not None:
        known = fairdeal.deal_seed(fairdeal.master_seed(seed), reader.header.deal)
        if not is_seed_of(reader.header, known):
            raise ConfigError("the game was not dealt from this text; see its commitment", key="--seed")
    return Retelling(reader, seat, known)


def attach(
    retelling: Retelling,
    at: int,
    bot: str,
    *,
    debugger: bool,
    as_json: bool,
    sandbox: tuple[str, str | None, Limits],
) -> int:
    """Ask `bot` the seat's first decision in line `at` or later, after all that went before. Returns the exit code."""
    entry = parse_entry(bot)
    if debugger and entry.file is None:
        text = (
            "goes only with a .py file that uses mtref_sdk; for another program leave it out, or play a match with "
            "--debug --by-hand and start the bot in its own debugger"
        )
        raise ConfigError(text, key="--pdb")
    if debugger and (sandbox[0] != AUTO or sandbox[1] is not None):
        raise ConfigError("a bot inside this command cannot be isolated", key="--pdb")
    output = bytearray()
    if debugger:
        replies = _in_debugger(entry, retelling, at)
        if replies is None:
            return 1
    else:
        try:
            replies = _over_grpc(entry, retelling, at, output, sandbox)
        finally:
            _show_output(entry, bytes(output))
    if not replies or (replies[-1].question.line < at and not replies[-1].gone):
        raise retelling.none_at(at, replies[-1].question if replies else None)
    _say_unrevealed(retelling)
    found = Attached(entry, retelling, replies[-1], replies[:-1])
    _print(found, as_json=as_json)
    return int(found.reply.wrong is not None)


def rerun(retelling: Retelling, bot: str, *, as_json: bool, sandbox: tuple[str, str | None, Limits]) -> int:
    """Ask `bot` every decision of the seat, twice, and list the differences. Returns the exit code."""
    entry = parse_entry(bot)
    passes: list[list[Reply]] = []
    output = bytearray()
    for once_more in (retelling, retelling.again()):
        output.clear()
        passes.append(_over_grpc(entry, once_more, None, output, sandbox))
    _say_unrevealed(retelling)
    found = Rerun(entry, retelling, *passes)
    if any(reply.gone for reply in found.first):
        _show_output(entry, bytes(output))
    _print(found, as_json=as_json)
    return int(bool(found.different or found.wavering))


def _print(found: Attached | Rerun, *, as_json: bool) -> None:
    for line in [json.dumps(found.to_dict())] if as_json else found.lines():
        click.echo(line)


def _over_grpc(
    entry: Entry,
    retelling: Retelling,
    until: int | None,
    output: bytearray,
    sandbox: tuple[str, str | None, Limits],
) -> list[Reply]:
    from mtref.server.asking import ask_process  # noqa: PLC0415 - slow to import
    from mtref.server.interrupt import Interrupted, run_until_signal  # noqa: PLC0415
    from mtref.server.notready import StartError  # noqa: PLC0415

    with isolated(*sandbox) as isolation:
        job = ask_process(entry, retelling, isolation.with_secret(str(retelling.path)), until, output.extend)
        try:
            return run_until_signal(job)
        except Interrupted as end:
            if retelling.out is not None:
                click.echo(f"mtref: no answer yet to the decision in line {retelling.out.line}", err=True)
            raise SystemExit(128 + end.number) from None
        except StartError as error:
            output[:] = error.output
            raise MtrefError(f"{entry.name}: the bot {error}") from error


def _in_debugger(entry: Entry, retelling: Retelling, at: int) -> list[Reply] | None:
    """The replies of the bot in this process; at the last one a debugger stands in its `choose`. None if that was left."""
    from mtref.server.asking import ask_here  # noqa: PLC0415 - imports protobuf

    assert entry.file is not None
    try:
        bot = load_bot(entry.file)
    except ConfigError as error:
        raise MtrefError(str(error)) from error
    try:
        return ask_here(bot, retelling, at, lambda: _stopping_in_choose(bot))
    except bdb.BdbQuit:
        click.echo("the debugger was left before the bot had answered", err=True)
    except Exception:  # noqa: BLE001 - whatever the bot raises is for its author to read
        click.echo(traceback.format_exc(), err=True, nl=False)
    return None


class _Debugger(pdb.Pdb):
    """Remembers whether it was left before the bot had answered."""

    left = False

    def set_quit(self) -> None:
        """See `bdb.Bdb`."""
        self.left = True
        super().set_quit()


@contextlib.contextmanager
def _stopping_in_choose(bot: Bot) -> Iterator[None]:
    """While this lasts, every copy of `bot` is asked in the debugger, which stops at the first line of its `choose`."""
    kind = type(bot)
    choose = kind.choose

    def stopped(self: Bot, decision: Decision) -> Move:
        debugger = _Debugger()
        move = debugger.runcall(choose, self, decision)
        if debugger.left:
            raise bdb.BdbQuit
        return move  # type: ignore[return-value]  # what choose returned, whatever that is

    kind.choose = stopped  # type: ignore[method-assign]
    try:
        yield
    finally:
        kind.choose = choose  # type: ignore[method-assign]


def _show_output(entry: Entry, output: bytes) -> None:
    """What the bot printed, on stderr."""
    lines = output.decode("utf-8", "backslashreplace").splitlines()
    if not lines:
        return
    click.echo(f"{escape(entry.name, 40)} printed:", err=True)
    if len(lines) > SHOWN:
        click.echo(f"  | ({len(lines) - SHOWN} lines before)", err=True)
    for line in lines[-SHOWN:]:
        click.echo(f"  | {escape(line, 1000)}", err=True)
    sys.stderr.flush()


def _say_unrevealed(retelling: Retelling) -> None:
    if not retelling.revealed:
        click.echo(
            "mtref: the log does not hold the seed, so the bot's private seed is not the one it had: "
            "what it draws from its random generator is not what it drew then",
            err=True,
        )
