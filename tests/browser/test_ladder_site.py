"""The pages of a ladder in a real browser: readable without a server, nothing forbidden, nothing cut off."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver.common.by import By

from mtref.ladder.site.build import write_site
from tests.browser.viewing import Page
from tests.ladder.bench import TEXT, Bench


def test_standings_bots_and_games_are_a_click_apart(page: Page, tmp_path: Path) -> None:
    bench = Bench(tmp_path / "ladder", TEXT)
    bench.run()
    site = tmp_path / "site"
    write_site(bench.journal, bench.config.state, site, 3)
    bench.journal.close()
    browser = page.browser
    browser.get((site / "index.html").as_uri())
    tables = browser.find_elements(By.TAG_NAME, "table")
    assert len(tables) == 2
    assert len(tables[0].find_elements(By.CSS_SELECTOR, "tr")) == 5
    drawn = tables[0].find_elements(By.CSS_SELECTOR, "svg circle")
    assert len(drawn) == 4 and all(dot.rect["width"] >= 7 for dot in drawn)
    assert (
        browser.execute_script("return getComputedStyle(document.querySelector('table')).borderCollapse")
        == "collapse"
    )
    for width, scheme in ((1280, "light"), (360, "dark")):
        page.screen(width, 800)
        page.colours(scheme)
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), width
    browser.find_element(By.LINK_TEXT, "last").click()
    assert browser.title == "last"
    chart = browser.find_element(By.CSS_SELECTOR, "svg[aria-label^='rating of last']")
    assert chart.rect["height"] > 50 and chart.find_elements(By.TAG_NAME, "circle")
    watch = browser.find_elements(By.LINK_TEXT, "watch")
    if not watch:
        browser.get(next((site / "games").iterdir()).as_uri())
    else:
        browser.execute_script("arguments[0].click()", watch[0])
    assert browser.find_elements(By.CSS_SELECTOR, "[data-train]")
