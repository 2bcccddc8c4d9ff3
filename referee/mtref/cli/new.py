"""``mtref new``: writes a starter bot that already plays. The bot itself is `starter_bot.txt` beside this file."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path
from typing import IO

import click

from mtref_sdk.errors import ConfigError

__all__ = ["command"]


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def command(file: Path) -> None:
    """Write a commented starter bot to FILE, such as my_bot.py. It plays as it is; a file that exists is left alone."""
    if not file.name:  # of "", and of a folder such as ".."
        raise ConfigError("is no file's name; write one such as my_bot.py", where=str(file))
    if file.suffix != ".py":
        raise ConfigError(
            f"a bot's file ends in .py; write {shlex.quote(str(file.with_name(file.name + '.py')))}",
            where=str(file),
        )
    shown = shlex.quote(str(file))
    template = files("mtref.cli").joinpath("starter_bot.txt").read_text("utf-8")
    # The name stands in the docstring, which a quote or a backslash must not end or change.
    plain = (
        shown if shown.isascii() and shown.isprintable() and not set(shown) & set("\\\"'") else "my_bot.py"
    )
    try:
        with file.open("x", encoding="utf-8") as out:
            _fill(file, out, template.replace("{name}", plain))
    except FileExistsError:
        raise ConfigError("is there already, and is left as it is", where=str(file)) from None
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", where=str(file)) from None
    except ValueError:
        raise ConfigError("is no file's name", where=ascii(str(file))) from None
    click.echo(f"wrote {shown}; try it: mtref match {shown} {shown}")


def _fill(file: Path, out: IO[str], text: str) -> None:
    """Write the text to the file just made, which is not left behind by half."""
    try:
        out.write(text)
        out.flush()
    except OSError:
        file.unlink()
        raise
