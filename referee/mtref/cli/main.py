"""The ``mtref`` command: finds the subcommand, and turns expected errors into one line. No subcommand is imported early."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import Final

import click

from mtref.cli.failures import asks_for_json, complain, print_error
from mtref_sdk.errors import ConfigError, MtrefError

__all__ = ["command", "main"]

COMMANDS: Final = {
    "match": "Play games between bots.",
    "serve": "Play games with bots that call from elsewhere.",
    "ladder": "Run a competition of many bots.",
    "submit": "Hand a bot in to a ladder.",
    "remote": "Ask a ladder that is served elsewhere.",
    "rules": "List the rule sets, or print one whole.",
    "explain": "Say what may be played in a position, and why the rest may not.",
    "replay": "Look at a recorded game: on the screen, as text or as a page.",
    "logs": "Find games among many logs.",
    "diff": "Name the first difference between two recorded games.",
    "branch": "Play a recorded game on from a moment, with another move.",
    "pin": "Write a test that asks a bot a decision of a recorded game.",
    "verify": "Check recorded games against the rules and their seeds.",
    "audit": "Show that no seat is sent what it may not know.",
    "check": "Find out whether a bot is fit to play.",
    "drill": "Play honest bots against the shipped villains.",
    "new": "Write a starter bot.",
    "sandbox": "Find out how far bots can be isolated on this machine.",
}
"""The subcommands in the order of the help; each lives in the module of its name and is called ``command`` there."""


class Lazy(click.Group):
    """A group that imports a subcommand's module only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of a name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(f"mtref.cli.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mtref", prog_name="mtref", message="%(prog)s %(version)s")
def command() -> None:
    """Run Mexican Train matches between bots. `mtref COMMAND --help` tells more."""
    try:
        os.getcwd()  # noqa: PTH109 - nothing else of pathlib is needed here
    except OSError as error:  # paths lead nowhere, and no process can be started
        raise MtrefError("the current directory is gone; change to one that exists") from error


def main() -> None:
    """Entry point of the ``mtref`` script. Exit 0 done, 1 failed, 2 usage; 128 + n when ended by signal n."""
    _open_streams()
    try:
        answer = command.main(prog_name="mtref", standalone_mode=False)
        code = answer if isinstance(answer, int) else 0
        sys.stdout.flush()
    except click.ClickException as error:
        message, code = error.format_message().removesuffix("."), error.exit_code
        _complain_of_usage(message, error)
        _tell_programs(message, code, error)
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        _let_go_of_stdout()  # whoever read our output has had enough
        code = 1
    except MtrefError as error:
        code = 2 if isinstance(error, ConfigError) else 1
        complain(str(error))
        _tell_programs(str(error), code, error)
    except OSError as error:  # a full disk, a folder that may not be read, a name that is too long
        message, code = f"{error.filename or 'output'}: {error.strerror or error}", 1
        complain(message)
        _tell_programs(message, code, error)
        _let_go_of_stdout()
    sys.exit(code)


def _complain_of_usage(message: str, error: click.ClickException) -> None:
    """Say in one line what is wrong with the command line, and where to read more; a command without any words prints its help."""
    if type(error).__name__ == "NoArgsIsHelpError":  # which older versions of click do not have
        error.show()
        return
    context = error.ctx if isinstance(error, click.UsageError) else None
    more = f" (see: {context.command_path} --help)" if context is not None else ""
    complain(message + more)


def _tell_programs(message: str, code: int, error: Exception) -> None:
    """Print the error as an object too, if the command line asks for JSON."""
    if asks_for_json(sys.argv[1:]):
        print_error(message, code, error)


def _open_streams() -> None:
    """Make stdin, stdout and stderr safe to use: open, and never failing on a character the terminal does not know."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:  # it was closed; its number must not become that of a log
            stream = open(os.open(os.devnull, os.O_RDWR), "w" if number else "r", encoding="utf-8")  # noqa: PTH123, SIM115
            setattr(sys, name, stream)
        elif number and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _let_go_of_stdout() -> None:
    """What could not be written is given up, or Python would complain again when it flushes stdout at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
