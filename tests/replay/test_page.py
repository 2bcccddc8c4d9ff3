"""What is in the file of a page, whoever opens it with whatever."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mtref.cli.main import command
from mtref.replay.page.build import SCRIPTS, STYLES, build
from mtref.replay.reader import LogError, LogReader
from mtref.replay.records import BotInfo
from mtref_sdk.errors import MtrefError
from mtref_sdk.ruleset import preset
from tests.replay.games import short, write_game

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "mtref-log-1").glob("*.jsonl*"))
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


def without_what_is_hidden(log: Path, seat: int) -> str:
    """The log with something else in every place of which `seat` knows nothing."""
    lines = []
    for text in log.read_text("ascii").splitlines():
        line = json.loads(text)
        other = line.get("seat", seat) != seat
        match line.get("event", line["t"]):
            case "hand_dealt" | "boneyard_stacked" if other or line["event"] == "boneyard_stacked":
                line["tiles"] = ["0-0"] * len(line["tiles"])
            case "tile_drawn" | "engine_search_drawn" if other:
                line["tile"] = "0-0"
            case "decision" if other:
                line |= {
                    "legal": ["stop"],
                    "move": "stop",
                    "may_lift": [],
                    "ms": 1,
                    "bank_ms": 1,
                    "by": "bot",
                }
            case "fault" if other:
                line |= {"kind": "x", "message": "x", "done": "x"}
            case "header":
                line["commitment"] = "00" * 32
            case "end":
                line |= {"game_digest": "", "file_digest": ""}
            case "seed_revealed":
                line["seed"] = "00" * 32
        lines.append(json.dumps(line))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", ["playboard", "cubano", "traditional"])
def test_the_page_of_a_seat_holds_nothing_the_seat_did_not_know(tmp_path: Path, name: str) -> None:
    log = write_game(tmp_path / "game.jsonl", short(name), seats=3, faulty=True)
    other = tmp_path / "other.jsonl"
    for seat in range(3):
        other.write_text(without_what_is_hidden(log, seat), "ascii")
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
    text = log.read_text("ascii").replace('"game":"test-1"', '"game":"</title><script>&"')
    log.write_text(text, "ascii")
    page = page_of(log)
    assert Elements(page).found == Elements(tame).found
    name = data_in(page)["lines"][0][5][0]["name"]
    assert name == "</script><!--<script>\\u2028&amp;</style>\\u202e\\x00"


def test_every_part_is_used_and_no_page_is_made_of_nonsense(tmp_path: Path) -> None:
    assets = Path(build.__code__.co_filename).parent / "assets"
    assert {path.name for path in assets.iterdir()} == {*STYLES, *SCRIPTS, "page.html"}
    assert max(len(path.read_text("utf-8").splitlines()) for path in assets.iterdir()) < 300
    log = write_game(tmp_path / "game.jsonl")
    log.write_text(
        log.read_text("ascii").replace('"turn_started","seat":1', '"turn_started","seat":7'), "ascii"
    )
    with pytest.raises(LogError, match="cannot happen"):
        page_of(log)
