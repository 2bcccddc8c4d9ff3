"""A headless Chromium, Debian's, for the tests of pages. Without it these tests fail: nobody else looks at the pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from tests.browser.viewing import Page

FLAGS = (
    "--headless=new",
    "--no-sandbox",  # containers have no user namespaces, and the pages are our own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A browser with a profile of its own, for all tests of a run."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert program and driver, "install Chromium and its driver: apt-get install chromium chromium-driver"
    options = ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=Service(driver))
    yield browser
    browser.quit()


@pytest.fixture
def page(chromium: Chrome, tmp_path: Path) -> Iterator[Page]:
    """A page to be opened, on a desktop and in light colours unless the test says otherwise.

    It is checked afterwards that nothing went wrong inside: no error, and nothing the page's own policy forbade.
    """
    chromium.get("about:blank")
    chromium.get_log("browser")  # type: ignore[no-untyped-call]
    looked_at = Page(chromium, tmp_path)
    looked_at.screen(1280, 900)
    looked_at.colours("light")
    yield looked_at
    assert chromium.get_log("browser") == []  # type: ignore[no-untyped-call]
