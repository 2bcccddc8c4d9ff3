"""What is in the file of a page, whoever opens it with whatever."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mtref.cli.main import command
from mtref.replay.formats.names import CURRENT
from mtref.replay.page.build import SCRIPTS, STYLES, build
from mtref.replay.reader import LogError, LogReader
from mtref.replay.records import BotInfo, LogDecision, LogEnd, LogFault, LogHeader, SeedRevealed
from mtref_sdk.errors import MtrefError
from mtref_sdk.events import BoneyardStacked, EngineSearchDrawn, HandDealt, TileDrawn
from mtref_sdk.moves import STOP_CODE
from mtref_sdk.ruleset import preset
from mtref_sdk.tiles import Tile
from tests.replay.games import short, summed_anew, write_game

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.jsonl*"))
HOSTILE = "</script><!--<script>\u2028&amp;</style>\u202e\x00"


def page_of(log: Path, seat: int | None = None) -> str:
    with LogReader(log) as reader:
        return build(reader, seat)


def data_in(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


def without_what_is_hidden(log: Path, seat: int) -> bytes:
    """The log with something else in every place of which `seat` knows nothing."""
    writing, nothing = CURRENT.writing(0), Tile(0, 0)
    data = b""
    with LogReader(log) as reader:
        for line in [reader.first, *reader]:
            record = line.record
            other = getattr(record, "seat", seat) != seat
            match record:
                case BoneyardStacked():
                    record = BoneyardStacked((nothing,) * len(record.tiles))
                case HandDealt() if other and record.tiles is not None:
                    record = HandDealt(record.seat, (nothing,) * len(record.tiles))
                case TileDrawn() | EngineSearchDrawn() if other:
                    record = replace(record, tile=nothing)
                case LogDecision() if other:
                    record = LogDecision(record.seat, (STOP_CODE,), (), STOP_CODE, "bot", 1, 1)
                case LogFault() if other:
                    record = LogFault(record.seat, "x", "x", "x")
                case LogHeader():
                    record = replace(record, commitment=bytes(32))
                case LogEnd():
                    record = replace(record, game_digest="", file_digest="")
                case SeedRevealed():
                    record = SeedRevealed(bytes(32))
            data += writing.add([record])
    return data


@pytest.mark.parametrize("name", ["playboard", "cubano", "traditional"])
def test_the_page_of_a_seat_holds_nothing_the_seat_did_not_know(tmp_path: Path, name: str) -> None:
    log = write_game(tmp_path / "game.jsonl", short(name), seats=3, faulty=True)
    other = tmp_path / "other.jsonl"
    for seat in range(3):
        other.write_bytes(without_what_is_hidden(log, seat))
        assert page_of(other, seat) == page_of(log, seat)
        assert page_of(other) != page_of(log)


@pytest.mark.parametrize("log", GOLDEN, ids=lambda path: path.name)
def test_a_page_is_small_and_loads_nothing(log: Path) -> None:
    page = page_of(log)
    assert page.isascii()
    assert len(page) < 1_000_000
    assert re.findall(r"(?:src|href)\s*=\s*[\"'](?!#)", page) == []
    assert re.findall(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page) == []


def test_thirteen_rounds_of_four_seats_stay_far_below_a_megabyte(tmp_path: Path) -> None:
    log = write_game(tmp_path / "game.jsonl", preset("traditional"), seats=4, faulty=True)
    assert len(page_of(log)) < 300_000


def test_the_command_writes_a_page_anew_each_time_but_never_over_the_log(tmp_path: Path) -> None:
    log, page = write_game(tmp_path / "game.jsonl"), tmp_path / "game.html"
    for options, seat in (([], None), (["--seat", "1"], 1)):
        done = CliRunner().invoke(command, ["replay", str(log), "--html", str(page), *options])
        assert (done.exit_code, done.output) == (0, "")
        assert page.read_text("ascii") == page_of(log, seat)
    before = log.read_bytes()
    refused = CliRunner().invoke(command, ["replay", str(log), "--html", str(log)])
    assert refused.exit_code == 2 and "that is the log itself" in refused.output
    assert log.read_bytes() == before
    with pytest.raises(MtrefError, match=r"cannot write .*nowhere"):
        CliRunner().invoke(
            command, ["replay", str(log), "--html", str(tmp_path / "nowhere" / "x")], catch_exceptions=False
        )
    both = CliRunner().invoke(command, ["replay", str(log), "--html", str(page), "--at", "9"])
    assert both.exit_code == 2 and "only --seat goes with it" in both.output


class Elements(HTMLParser):
    """Collects which elements a page has, and which attributes they have."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(" ".join([tag, *(name for name, _ in attrs)]))


def test_hostile_texts_change_no_element(tmp_path: Path) -> None:
    tame = page_of(write_game(tmp_path / "tame.jsonl"))
    log = write_game(tmp_path / "hostile.jsonl", bots=[BotInfo(HOSTILE, HOSTILE)])
    data = log.read_bytes().replace(b'"game":"test-1"', b'"game":"</title><script>&"')
    log.write_bytes(summed_anew(data.splitlines()))
    page = page_of(log)
    assert Elements(page).found == Elements(tame).found
    name = data_in(page)["lines"][0][5][0]["name"]
    assert name == "</script><!--<script>\\u2028&amp;</style>\\u202e\\x00"


def test_every_part_is_used_and_no_page_is_made_of_nonsense(tmp_path: Path) -> None:
    assets = Path(build.__code__.co_filename).parent / "assets"
    assert {path.name for path in assets.iterdir()} == {*STYLES, *SCRIPTS, "page.html"}
    assert max(len(path.read_text("utf-8").splitlines()) for path in assets.iterdir()) < 300
    log = write_game(tmp_path / "game.jsonl")
    data = log.read_bytes().replace(b'"turn_started"', b'"turn_started","seat":7')
    log.write_bytes(summed_anew(data.splitlines()))
    with pytest.raises(LogError, match="cannot happen"):
        page_of(log)
