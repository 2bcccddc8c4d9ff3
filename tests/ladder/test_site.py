"""The pages of a ladder: what they say, what they keep to themselves, and that nothing foreign gets in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mtref.ladder.site.build import write_site
from mtref.ladder.site.pages import front_page
from mtref.ladder.standings import Standings
from tests.ladder.bench import TEXT, Bench
from tests.ladder.journals import not_played


def links(text: str) -> list[str]:
    return re.findall(r'(?:href|src)="([^"]*)"', text)


def site_of(bench: Bench, replays: int = 100) -> Path:
    folder = bench.config.state / "site"
    write_site(bench.journal, bench.config.state, folder, replays)
    return folder


def test_every_link_leads_to_a_page_and_nothing_comes_from_elsewhere(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.run()
    folder = site_of(bench, replays=7)
    bench.journal.close()
    pages = [folder / "index.html", *(folder / "bots").iterdir()]
    assert sorted(path.name for path in pages) == [
        "first.html",
        "first2.html",
        "first3.html",
        "index.html",
        "last.html",
    ]
    for path in pages:
        text = path.read_text("utf-8")
        assert "<script" not in text and "default-src 'none'" in text
        for link in links(text):
            assert link == "data:," or (path.parent / link).resolve().is_file(), link
    assert len(list((folder / "games").iterdir())) == 7
    assert "36 games on 3 deals, 2 bots at a table, round-robin." in pages[0].read_text("utf-8")
    assert 'aria-label="rating of last after so many deals"' in (folder / "bots" / "last.html").read_text(
        "utf-8"
    )


def test_no_game_of_a_deal_that_is_still_played_can_be_watched(tmp_path: Path) -> None:
    bench = Bench(tmp_path)

    def stop_within_the_second_deal(_: object) -> None:
        if len(bench.referees.finished) == 14:
            bench.ladder.stop()

    bench.referees.after = stop_within_the_second_deal
    bench.run()
    folder = site_of(bench)
    deals = {game.id[:16]: game.deal for game in bench.journal.games()}
    bench.journal.close()
    shown = [deals[path.stem] for path in (folder / "games").iterdir()]
    assert len(shown) == 12 and set(shown) == {1}


def test_what_bots_say_is_shown_and_does_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, TEXT.replace("name: test", 'name: "<b>&\\"\\e[31m"'))
    bench.run()
    entry = not_played(1, 1, "<script>alert(1)</script>\x1b[2J")
    bench.journal.add_not_played(
        type(entry)(entry.id, 1, ("first", "last"), ("last",), entry.reason, 1, entry.at)
    )
    folder = site_of(bench, replays=0)
    bench.journal.close()
    assert "<h1>&lt;b&gt;&amp;&quot;\\x1b[31m</h1>" in (folder / "index.html").read_text("utf-8")
    text = (folder / "bots" / "last.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[2J" in text and "<script" not in text


@pytest.mark.parametrize("games", [0])
def test_a_ladder_without_a_game_has_a_page_too(games: int) -> None:
    text = front_page("empty", ["nothing yet"], Standings("score", (), games, None), {})
    assert "<h1>empty</h1>" in text


def test_a_site_is_renewed_in_place(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.run()
    first = (site_of(bench) / "index.html").read_bytes()
    assert (site_of(bench) / "index.html").read_bytes() == first
    assert not list((bench.config.state / "site").rglob("*.new"))
    bench.journal.close()
