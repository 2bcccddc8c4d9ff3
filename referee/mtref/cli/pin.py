"""``mtref pin``: writes a test for a bot author's own repository, which asks the bot one decision of a recorded game."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import click

from mtref.match.question import as_decision
from mtref.match.retelling import Question, Retelling
from mtref.replay.encode import move_text
from mtref.replay.reader import LogReader
from mtref.text import escape
from mtref_sdk.decisionfile import decision_to_json
from mtref_sdk.errors import ConfigError, MtrefError
from mtref_sdk.moves import parse_move

__all__ = ["command"]

_EXAMPLES = """\b
Examples:
  mtref pin game.jsonl --seat 2 --at 143 --bot my_bot.py -o tests/test_line_143.py
  mtref pin game.jsonl --seat 2 --at 143 --avoid 3-9@m1    anything but that move
"""

_TEST = '''\
"""A decision of a recorded game: {where}. Run it with pytest; it needs mtref-sdk and the bot."""

from __future__ import annotations

from pathlib import Path

from mtref_sdk.testing import ask, decision_from_json, load_bot

BOT = Path(__file__).parent / {bot}
"""The bot's file, as seen from the folder of this test."""

GOOD_MOVES = {{{good}}}
"""What the bot may choose; {played}."""

PRIVATE_SEED = bytes.fromhex("{seed}")
"""What its random generator begins from{like}."""

DECISION = r\'\'\'
{decision}\'\'\'


def test_{name}() -> None:
    move = ask(load_bot(BOT), decision_from_json(DECISION), PRIVATE_SEED)
    assert str(move) in GOOD_MOVES
'''


@click.command(
    "pin", short_help="Write a test that asks a bot a decision of a recorded game.", epilog=_EXAMPLES
)
@click.argument("log")
@click.option("--seat", type=click.IntRange(0), required=True, metavar="S", help="Whose decision.")
@click.option(
    "--at",
    type=click.IntRange(1),
    required=True,
    metavar="N",
    help="The decision in line N of the log, or the seat's next one.",
)
@click.option("--bot", metavar="FILE", help="The bot's .py file. [default: the one the log names]")
@click.option(
    "--move",
    "good",
    multiple=True,
    metavar="M",
    help="A good move; may be repeated. [default: what was played]",
)
@click.option("--avoid", "bad", multiple=True, metavar="M", help="Any move but this one; may be repeated.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write the test; not over a file. [default: print it]",
)
def command(
    log: str,
    seat: int,
    at: int,
    bot: str | None,
    good: Sequence[str],
    bad: Sequence[str],
    output: Path | None,
) -> None:
    """Write a pytest file that asks a bot what seat S was asked in line N of LOG, and compares its move.

    The file holds all that the seat knew and needs mtref-sdk only, so it can live in the bot's own repository, where it
    fails until the bot chooses well, and from then on if it ever chooses badly again. What a bot remembers of
    earlier decisions is not in it; `mtref replay --attach` plays those too.
    """
    if good and bad:
        raise click.UsageError("--move and --avoid cannot be used together")
    with LogReader(log) as reader:
        if seat >= reader.header.seats:
            raise click.UsageError(f"--seat {seat}: the log has the seats 0 to {reader.header.seats - 1}")
        retelling = Retelling(reader, seat)
        question = retelling.question_at(at)
    if bot is None:
        command_line = retelling.header.bots[seat].command
        bot = command_line if command_line.endswith(".py") and "\n" not in command_line else "my_bot.py"
    folder = Path() if output is None else output.parent
    text = _text(retelling, question, _seen_from(folder, bot), _good_moves(question, good, bad))
    if output is None or str(output) == "-":
        click.echo(text, nl=False)
        return
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ConfigError("exists already and is not overwritten", where=str(output)) from None
    except OSError as error:
        raise MtrefError(f"cannot write {escape(str(output))}: {error.strerror}") from error
    click.echo(f"wrote {escape(str(output))}; run it with: pytest {escape(str(output))}", err=True)


def _seen_from(folder: Path, bot: str) -> str:
    """The path of the bot's file as the test says it: from its own folder, unless nothing is known of the file."""
    return os.path.relpath(bot, folder) if Path(bot).exists() and not Path(bot).is_absolute() else bot


def _good_moves(question: Question, good: Sequence[str], bad: Sequence[str]) -> list[str]:
    """The moves the test lets pass, as texts. Raises ConfigError for one that is not legal, or if none is left."""
    ask, made = question.ask, question.made
    legal = [move_text(code) for code in ask.legal] + [move_text(code | 1) for code in ask.may_lift]
    given = [str(parse_move(text)) for text in (*good, *bad)]
    for text in given:
        if text not in legal:
            raise ConfigError(
                f"{text} is not legal there; legal: {', '.join(legal)}", key="--move or --avoid"
            )
    if good:
        return given
    if not bad and made is not None and made.by == "bot":
        return [move_text(made.move)]
    left = [text for text in legal if text not in given]
    if not left:
        raise ConfigError("no legal move is left", key="--avoid")
    return left


def _text(retelling: Retelling, question: Question, bot: str, good: Sequence[str]) -> str:
    ask, made, header = question.ask, question.made, retelling.header
    table = retelling.table
    heard = table.seats[ask.seat].heard()
    decision = decision_to_json(as_decision(ask, header.game, table.options.rules, header.seats, heard))
    game = re.sub(r"[^0-9A-Za-z]+", "_", header.game)[:40]
    legal = ", ".join(move_text(code) for code in ask.legal)
    how = "nothing was played" if made is None else f"{move_text(made.move)} was played ({made.by})"
    return _TEST.format(
        where=f"line {question.line} of game {game}, seat {ask.seat}",
        bot=json.dumps(bot),
        good=", ".join(map(json.dumps, good)),
        played=f"legal are {legal}; in the game {how}",
        seed=table.private_seed(ask.seat).hex(),
        like=", as in that game"
        if retelling.revealed
        else "; in that game it was another one, which the log does not hold",
        decision=decision.replace("'", "\\u0027"),
        name=f"line_{question.line}_of_game_{game}",
    )
