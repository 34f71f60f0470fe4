"""A real browser, headless: Debian's Chromium and driver, or what CHROMIUM and CHROMEDRIVER name."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from selenium import webdriver

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
_STYLE = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"


@dataclass(frozen=True, slots=True)
class Browser:
    """The browser, with what these tests ask of it."""

    driver: webdriver.Chrome

    def show(
        self, place: Path | str, *, width: int = 1280, dark: bool = False, media: str = "screen"
    ) -> None:
        """Open a file from disk, or a URL, in a window of this width."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme], "media": media})
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)  # what other pages said is theirs
        self.driver.get("about:blank")  # else another fragment of the same page would not load it
        self.requests()
        self.driver.get(place if isinstance(place, str) else place.as_uri())

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page, past its policy; return what that returns."""
        return self.driver.execute_script(script, *arguments)

    def count(self, selector: str) -> int:
        """How many elements match."""
        return int(self.run("return document.querySelectorAll(arguments[0]).length", selector))

    def style(self, selector: str, name: str) -> str:
        """A computed style of the first element that matches."""
        return str(self.run(_STYLE, selector, name))

    def violations(self) -> list[str]:
        """What axe-core finds against the page: rules, with the first place of each."""
        source = Path(os.environ["CEDAR_AXE"]).read_text(encoding="utf-8")
        self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source})
        run = "const done = arguments[0]; axe.run().then((found) => done(found.violations))"
        found: list[dict[str, Any]] = self.driver.execute_async_script(run)
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]

    def complaints(self) -> list[str]:
        """What the console has said since the page was opened."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """What the page has asked for since it was opened, itself included."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith("data:")]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests, with a profile of its own."""
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in (*_ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.chrome.service.Service(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    yield Browser(driver)
    driver.quit()
