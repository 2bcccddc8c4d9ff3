"""Clicking, typing and reading in a page of a game, as people do."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_core_python.base import AXE_FILE_PATH
from selenium.webdriver.common.keys import Keys

from mtref.replay.records import BotInfo
from mtref_sdk.ruleset import preset
from tests.browser.viewing import Page
from tests.replay.games import short, write_game

pytestmark = pytest.mark.slow

DECISION = 238  # of seat 3 in round 2 of the long game
FAULT = 28  # its first
GOLDEN = Path(__file__).parents[1] / "golden" / "mtref-log-1"


@pytest.fixture(scope="module")
def long_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirteen rounds with four seats."""
    path = tmp_path_factory.mktemp("logs") / "long.jsonl"
    return write_game(path, preset("traditional"), seats=4, faulty=True)


def test_opens_within_a_second_and_loads_nothing(page: Page, long_game: Path) -> None:
    text = page.open(long_game)
    assert len(text) < 1_000_000
    firsts = []
    for _ in range(4):  # the best one: what else the machine is doing is not the page's fault
        page.wait_for("return performance.getEntriesByType('paint').length === 2")
        firsts += page.run("return performance.getEntriesByType('paint').map((one) => one.startTime)")[1:]
        page.browser.refresh()
    assert min(firsts) < 1000
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.run("return document.scripts.length") == 2


def test_buttons_lead_where_they_say(page: Page, long_game: Path) -> None:
    page.open(long_game)
    assert "Round 1 is dealt: engine 12-12" in page.said
    page.click("Previous round")
    assert page.said == "Line 1 Before the first round"
    page.click("Next round")
    page.click("Next turn")
    assert "is on turn" in page.said
    page.click("Next decision")
    page.click("Next step")
    assert "plays" in page.said
    page.click("Next fault")
    assert page.line == FAULT
    assert "Fault of seat 3 (Zufall é): illegal_move. 0-0@9 \\x1b[2J\\u202e? (default move)" in page.said
    page.click("Previous step")
    assert page.line == FAULT - 1
    page.click("Previous turn")
    page.click("Previous round")
    assert "Round 1 is dealt" in page.said
    page.click("Previous fault")
    assert page.said == "There is no earlier fault"


def test_keys_do_the_same(page: Page, long_game: Path) -> None:
    page.open(long_game)
    for key, said in (
        ("r", "Round 2 is dealt"),
        ("R", "Round 1 is dealt"),
        ("t", "is on turn"),
        ("d", "chooses"),
        (Keys.ARROW_RIGHT, "plays"),
        (Keys.ARROW_LEFT, "chooses"),
        ("f", "Fault of seat 3"),
        (Keys.END, "The deal's seed is revealed"),
        (Keys.HOME, "Before the first round"),
    ):
        page.press(key)
        assert said in page.said, key
    for key, view in (("2", "2"), ("v", "3"), ("a", "")):
        page.press(key)
        assert page.find("#view").get_attribute("value") == view, key
    page.press("9")
    assert page.said == "These eyes are not to be had here"
    page.press("g")
    page.press("143", Keys.ENTER)
    assert page.line == 143
    page.find("#table").click()
    page.press("?")
    assert page.find("#help").is_displayed()
    page.find("#keys-on").click()
    page.press(Keys.ESCAPE)
    page.press("r")
    assert page.line == 143  # keys are off


def test_plays_by_itself_and_stops_at_the_end(page: Page, tmp_path: Path) -> None:
    page.open(write_game(tmp_path / "game.jsonl"))
    last = int(page.find("#slider").get_attribute("max") or "0")
    page.choose("speed", "very fast")
    page.press(Keys.TAB)
    page.press(Keys.HOME)
    page.click("Play")
    page.wait_for("return Number(document.querySelector('#slider').value) > 3")
    assert page.find("#step").get_attribute("aria-live") == "off"
    page.click("Pause")
    assert page.find("#step").get_attribute("aria-live") == "polite"
    page.press(Keys.END)
    page.press(Keys.ARROW_LEFT)
    page.click("Play")
    page.wait_for("return document.querySelector('#play').textContent === 'Play'")
    assert page.find("#slider").get_attribute("value") == str(last)


def test_a_link_leads_to_a_moment_and_a_seat(page: Page, long_game: Path) -> None:
    page.open(long_game, f"#n={DECISION}&seat=3")
    assert page.line == DECISION
    assert page.find("#view").get_attribute("value") == "3"
    page.press(Keys.ARROW_RIGHT)
    page.wait_for(f"return location.hash === '#n={DECISION + 1}&seat=3'")
    page.go(f"#n={DECISION}&seat=0")
    assert page.line == DECISION - 1  # the decision of seat 3 is nothing seat 0 knows of
    page.go("#n=99999999&seat=77")
    assert "The deal's seed is revealed" in page.said
    page.go("#n=rubbish&seat=")
    assert "The deal's seed is revealed" in page.said


def test_a_decision_shows_what_was_legal_and_what_was_chosen(page: Page, long_game: Path) -> None:
    page.open(long_game, f"#n={DECISION}")
    assert [move.text for move in page.all(".moves li")] == ["1-7 on 1", "3-3 on 3", "3-8 on 3 – played"]
    assert page.find(".moves [aria-current]").text.startswith("3-8 on 3")
    assert "by the bot, 22.2 ms, bank 60.00 s; 3 legal moves" in page.find("#decision").text
    hand = page.find("[data-hand='3']")
    assert page.run("return arguments[0].querySelector('.chosen').textContent", hand) == "3-8, chosen"
    legal = page.run(
        "return [...arguments[0].querySelectorAll('.legal')].map((one) => one.textContent)", hand
    )
    assert legal == ["1-7, legal", "3-3, legal"]
    assert page.find("[data-train='3'] .end").get_attribute("class") == "end chosen"


def test_what_a_seat_does_not_know_is_not_shown(page: Page, long_game: Path) -> None:
    page.open(long_game, f"#n={DECISION}")
    page.choose("view", "seat 0 (heavy)")
    assert [page.find(f"[data-hand='{seat}']").text.endswith("hidden") for seat in range(4)] == [
        False, True, True, True,
    ]  # fmt: skip
    assert "Nothing is being decided" in page.find("#decision").text
    shown = page.find("#event-list").text
    assert "seat 0 (heavy) draws" in shown.replace("Seat", "seat")
    assert "Seat 1 (Zufall é) draws a tile" in shown
    assert "Seat 1 (Zufall é) chooses" not in shown
    assert len(page.all("#faults tbody tr")) == page.find("#faults").text.count("seat 0 (heavy)")
    page.press(Keys.ESCAPE, "v")
    page.run("document.activeElement.blur()")
    page.press("v")
    assert page.find("#view").get_attribute("value") == "1"


def test_the_page_of_a_seat_offers_no_other_eyes(page: Page, long_game: Path) -> None:
    page.open(long_game, "#n=238&seat=2", seat=1)
    assert [option.text for option in page.all("#view option")] == ["seat 1 (Zufall é)"]
    assert "Only what seat 1 knew." in page.find("header").text
    assert page.find("[data-hand='2']").text.endswith("hidden")


def test_charts_have_tables_and_lead_to_their_moments(page: Page, long_game: Path) -> None:
    page.open(long_game)
    scores = page.find("#scores")
    assert "seat 0 (heavy) ends at" in str(page.find("#scores svg").get_attribute("aria-label"))
    scores.find_element("css selector", "summary").click()
    assert len(page.all("#scores tbody tr")) == 13
    page.find("#times summary").click()
    longest = page.find("#times tbody a")
    page.follow(longest, int(longest.text.rsplit(" ", 1)[1]))
    page.follow(page.find("#faults a"), FAULT)


def test_events_are_links_with_one_tab_stop(page: Page, long_game: Path) -> None:
    page.open(long_game, f"#n={DECISION}")
    assert page.find("#event-list [aria-current=step]").text.startswith(str(DECISION))
    assert len(page.all("#event-list a[tabindex='0']")) == 1
    page.follow(page.find("#event-list .current + li a"), DECISION + 1)


def test_dark_follows_the_system_until_it_is_chosen(page: Page, long_game: Path) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    page.open(long_game)
    light = page.run(ground)
    page.colours("dark")
    dark = page.run(ground)
    assert light != dark
    page.choose("theme", "light")
    assert page.run(ground) == light
    page.colours("light")
    page.choose("theme", "dark")
    assert page.run(ground) == dark


def test_fits_a_phone(page: Page, long_game: Path) -> None:
    page.screen(390, 844, mobile=True)
    page.open(long_game, "#n=640")
    assert page.run("return document.documentElement.scrollWidth") <= 390
    buttons = [button for button in page.all("#controls button") if button.is_displayed()]
    assert len(buttons) == 11
    for button in buttons:
        box = button.rect
        assert box["width"] >= 32 and box["height"] >= 32
    controls = page.run("return document.querySelector('#controls').getBoundingClientRect().bottom")
    assert controls <= 844
    page.click("Next step")
    assert page.line == 641


def test_tiles_can_show_numbers(page: Page, long_game: Path) -> None:
    page.open(long_game, "#n=640")
    page.choose("faces", "numbers")
    assert page.all(".train use[href^='#digits']")
    assert not page.all(".train use[href^='#pips']")


def test_every_number_has_as_many_pips_apart_from_each_other(page: Page, long_game: Path) -> None:
    page.open(long_game)
    for number in range(19):
        spots = page.run(
            "return [...document.querySelectorAll(arguments[0])].map((pip) => "
            "['cx', 'cy', 'r'].map((name) => Number(pip.getAttribute(name))))",
            f"#pips{number} circle",
        )
        assert len(spots) == number
        for at, (x, y, radius) in enumerate(spots):
            assert radius <= min(x, y, 20 - x, 20 - y)
            for other_x, other_y, _ in spots[:at]:
                assert (x - other_x) ** 2 + (y - other_y) ** 2 > (2 * radius) ** 2


@pytest.mark.parametrize(
    "hostile", ["</script><script>document.title='x'</script>", "<img src=x onerror=alert(1)>"]
)
def test_hostile_texts_are_texts(page: Page, tmp_path: Path, hostile: str) -> None:
    bots = [BotInfo(hostile, hostile), BotInfo("\u202e" + "long" * 200, "\x1b[2J")]
    page.open(write_game(tmp_path / "game.jsonl", short(), bots=bots, faulty=True))
    assert page.find(".train h3").text.startswith(hostile[:31])
    assert "\\u202elong" in page.find("header").text
    assert page.run("return document.scripts.length") == 2
    assert page.run("return document.images.length") == 0
    assert page.browser.title == "test-1 - mtref"
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")


def test_a_game_that_broke_off_says_so(page: Page, tmp_path: Path) -> None:
    page.open(write_game(tmp_path / "game.jsonl", stop_after=5))
    assert "The log breaks off after line" in page.find("header").text


def test_a_branch_says_where_it_comes_from_and_which_move_made_it(page: Page) -> None:
    page.open(GOLDEN / "branch.jsonl.gz", "#n=62")
    assert (
        "A branch of game golden cubano-forgetful-1, which it left in line 62 by 7-8@3."
        in page.find("header").text
    )
    assert "the move by which this branch left its origin" in page.find("#decision").text
    page.open(GOLDEN / "placed.jsonl.zst")
    assert "Played on from a position by 7-8@3;" in page.find("header").text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_known_barrier_for_anybody(page: Page, long_game: Path, scheme: str, width: int) -> None:
    page.screen(width, 900, mobile=width < 500)
    page.colours(scheme)
    page.open(long_game, f"#n={FAULT + 1}")
    page.run(Path(AXE_FILE_PATH).read_text("utf-8"))
    found = page.browser.execute_async_script("axe.run().then(arguments[0])")
    barriers = {one["id"]: [node["target"] for node in one["nodes"]] for one in found["violations"]}
    assert barriers == {}
    assert "color-contrast" in {one["id"] for one in found["passes"]}
    landmarks = page.run(
        "return ['header', 'nav', 'main', 'aside'].map((one) => document.querySelectorAll(one).length)"
    )
    assert landmarks == [1, 1, 1, 1]


def test_focus_goes_through_the_page_in_reading_order(page: Page, long_game: Path) -> None:
    page.open(long_game, f"#n={DECISION}")
    met = []
    for _ in range(24):
        page.press(Keys.TAB)
        focused = page.browser.switch_to.active_element
        met.append(focused.accessible_name)
    assert met[0] == "Skip to the table"
    assert met[1:4] == ["View", "Tiles", "Colours"]
    assert met.index("Keys") < met.index("Previous round") < met.index("Play") < met.index("Timeline")
