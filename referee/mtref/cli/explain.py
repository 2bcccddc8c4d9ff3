"""``mtref explain``: says what may be played in a position written by hand, and why the rest may not."""

from __future__ import annotations

import json
import sys

import click

from mtref.explain import Inquiry, answer, decision_of, told
from mtref.position import read_position
from mtref.textfile import decoded, read_text
from mtref_sdk.decisionfile import decision_to_json

__all__ = ["command"]


@click.command("explain")
@click.argument("position", metavar="POSITION")
@click.argument("moves", nargs=-1, metavar="[MOVE]...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, on one line.")
@click.option(
    "--decision",
    is_flag=True,
    help="The decision that comes next as a decision file, which mtref_sdk.testing reads. Implies --settle.",
)
@click.option(
    "--settle", is_flag=True, help="Make the draws and passes that are due before showing the position."
)
def command(position: str, moves: tuple[str, ...], *, as_json: bool, decision: bool, settle: bool) -> None:
    """Say what may be played in a position, and why the rest may not.

    POSITION is a YAML or JSON file, or - for standard input; docs/positions.md describes it. Moves are made in order, such as
    3-9@2, "4-12@m1 lift" or stop; draws and passes are made by the referee before the first and after each of them.
    Exit 1 when a move is refused, with the reason; exit 2 when the position is broken.
    """
    where = "standard input" if position == "-" else position
    text = decoded(sys.stdin.buffer.read(), where) if position == "-" else read_text(position)
    inquiry = Inquiry(read_position(text, where))
    if settle or decision:
        inquiry.settle()
    for move in moves:
        inquiry.make(move)
    if decision:
        text = decision_to_json(decision_of(inquiry))
        click.echo(json.dumps(json.loads(text)) if as_json else text, nl=as_json)
    elif as_json:
        click.echo(json.dumps(answer(inquiry)))
    else:
        for line in told(inquiry):
            click.echo(line)
