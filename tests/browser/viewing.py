"""A page of a recorded game in a browser: opening it, moving in it, reading what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.ui import WebDriverWait

from mtref.replay.page.build import build
from mtref.replay.reader import LogReader

__all__ = ["Page"]

READ_TABLE = """
const texts = (root, what) => [...root.querySelectorAll(what)].map((one) => one.textContent);
const trains = {}, ends = {}, hands = {};
const marked = [], forgotten = [], unsatisfied = [];
for (const row of document.querySelectorAll("[data-train]")) {
  const id = row.dataset.train;
  trains[id] = texts(row, "li:not(.end) > .vh");
  ends[id] = Number(row.querySelector("li.end").textContent.replace("open end ", ""));
  if (row.querySelector(".marker")) marked.push(Number(id));
  if (row.querySelector(".marker")?.textContent.includes("forgotten")) forgotten.push(Number(id));
  if (row.querySelector(".open-double")) unsatisfied.push(id);
}
for (const row of document.querySelectorAll("[data-hand]")) {
  const size = Number.parseInt(row.querySelector(".count").textContent, 10);
  const total = Number(row.querySelector(".count").textContent.split("total ")[1]);
  const tiles = row.querySelector(".tiles");
  hands[row.dataset.hand] = {size, total, tiles: tiles && texts(tiles, "li > .vh").map((text) => text.split(",")[0])};
}
const yard = document.querySelector(".boneyard");
return {trains, ends, hands, marked, forgotten, unsatisfied, turn: document.querySelector(".hand.on-turn")?.dataset.hand ?? null,
  boneyard: Number(yard.textContent.match(/\\d+/)[0]), yard: yard.matches("details") ? texts(yard, "li > .vh") : null};
"""
"""What the page says of the table, read from the words for those who cannot see it."""


class Page:
    """One page in one browser."""

    def __init__(self, browser: Chrome, folder: Path) -> None:
        self.browser = browser
        self._folder = folder

    def screen(self, width: int, height: int, *, mobile: bool = False) -> None:
        """Look at it on a screen of this size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def colours(self, scheme: str) -> None:
        """The system wishes ``light`` or ``dark``."""
        wish = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)

    def open(self, log: Path, fragment: str = "", *, seat: int | None = None) -> str:
        """Make the page of a log and open it; returns its text."""
        with LogReader(log) as reader:
            text = build(reader, seat)
        path = self._folder / f"{log.name}-{seat}.html"
        path.write_text(text, encoding="ascii")
        self.browser.get(f"file://{path}{fragment}")
        return text

    def run(self, script: str, *arguments: object) -> Any:
        """What a script says that runs in the page."""
        return self.browser.execute_script(script, *arguments)

    def go(self, fragment: str) -> None:
        """Follow a link to a moment of the same page."""
        self.run("location.hash = arguments[0]; window.dispatchEvent(new Event('hashchange'))", fragment)

    def find(self, selector: str) -> WebElement:
        """The first element a CSS selector names."""
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        """All of them."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def click(self, name: str) -> None:
        """Press the button that is called so, by what a screen reader would say."""
        for button in self.all("button"):
            if button.accessible_name == name:
                button.click()
                return
        raise AssertionError(f"no button is called {name!r}")

    def choose(self, identifier: str, text: str) -> None:
        """Choose an entry of a list by its words."""
        Select(self.find(f"#{identifier}")).select_by_visible_text(text)

    def press(self, *keys: str) -> None:
        """Press keys, whatever has the focus."""
        ActionChains(self.browser).send_keys(*keys).perform()

    def wait_for(self, script: str) -> None:
        """Wait until the script returns something true."""
        WebDriverWait(self.browser, 10, poll_frequency=0.05).until(lambda _: self.run(script))

    def follow(self, link: WebElement, line: int) -> None:
        """Click a link and wait until it has led to a line; the browser tells the page a little later."""
        link.click()
        self.wait_for(f"return document.querySelector('#step').textContent.startsWith('Line {line},')")

    @property
    def said(self) -> str:
        """What is said of the current step."""
        return self.find("#step").text

    @property
    def line(self) -> int:
        """The line of the log that is shown."""
        return int(self.said.removeprefix("Line ").split(",")[0].split()[0])

    def tables(self, steps: list[int]) -> list[dict[str, Any]]:
        """The table at each of these places of the timeline, as `READ_TABLE` finds it."""
        found = self.run(
            f"const slider = document.querySelector('#slider'), read = () => {{ {READ_TABLE} }};"
            "return arguments[0].map((step) => { slider.value = step; slider.dispatchEvent(new Event('input', {bubbles: true}));"
            "return read(); });",
            steps,
        )
        assert isinstance(found, list)
        return found
