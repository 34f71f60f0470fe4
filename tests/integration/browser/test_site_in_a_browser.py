"""The site of `cedar browse` in a real browser, from disk and from a web server; and pages under axe-core."""

from __future__ import annotations

import functools
import http.server
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from cedar.pipelines.cli import main
from tests.helpers.crawl import article, respond
from tests.integration.browser.conftest import Browser
from tests.integration.browser.test_pages_in_a_browser import ATTACKS, attacking

webdriver = pytest.importorskip("selenium.webdriver")
Keys, By = webdriver.Keys, webdriver.common.by.By
pytestmark = pytest.mark.needs("selenium", "chromium")

PAGE = "#page:not([hidden]) h2"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a crawl, its corpus and duplicates, and what is drawn of them."""
    root = tmp_path_factory.mktemp("site")
    with (root / "crawl.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, attack in enumerate(ATTACKS):
            respond(writer, f"https://attack.example/{number}?{attack}", "200 OK", attacking(attack).encode())
        near = article(1, 14).replace(b"boat 9 came in late", b"a ferry never arrived")
        for url, body in (("a", article(1, 14)), ("b", near), ("c", article(3, 1))):
            respond(writer, f"https://crawl.example/{url}", "200 OK", body)
        respond(writer, f"https://gone.example/{ATTACKS[0]}", "404 Not Found", b"")
    options = ["--keep", "words > 50", "--preset", "c4", "--signatures", "--with-markdown", "--with-metadata"]
    corpus, result = str(root / "corpus"), str(root / "unique")
    assert main(["extract", str(root / "crawl.warc.gz"), "--output", corpus, *options, "--quiet"]) == 0
    assert main(["dedup", corpus, "--output", result]) == 0
    assert main(["browse", corpus, "--duplicates", result, "--output", str(root / "site")]) == 0
    assert main(["report", corpus, "--duplicates", result, "--output", str(root / "report.html")]) == 0
    assert main(["report", result, "--output", str(root / "duplicates.html")]) == 0
    gold = {"id": "one", "text": "A page.", "html": "<p>A page of words.</p><p>And more of it.</p>"}
    (root / "gold.jsonl").write_text(json.dumps(gold) + "\n", encoding="utf-8")
    evaluated = [
        "--extractor",
        "cedar",
        "--extractor",
        "cetr",
        "--output",
        str(root / "scores.html"),
        "--quiet",
    ]
    assert main(["evaluate", str(root / "gold.jsonl"), *evaluated]) == 0
    page = [str(root / "crawl.warc.gz"), "--url", "https://crawl.example/a", "--extractor", "cetr"]
    assert main(["explain", *page, "--output", str(root / "cetr.html")]) == 0
    return root


@pytest.fixture(scope="module", params=["disk", "server"])
def site(request: pytest.FixtureRequest, crawled: Path) -> Iterator[str]:
    """The address of the site's directory."""
    if request.param == "disk":
        yield (crawled / "site").as_uri()
        return
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(crawled / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def wait(browser: Browser, selector: str) -> None:
    """Wait until an element is there."""
    deadline = time.monotonic() + 10
    while not browser.count(selector):
        assert time.monotonic() < deadline, f"no {selector}: {browser.complaints()}"
        time.sleep(0.02)


def check_quiet(browser: Browser, site: str) -> None:
    """Assert that no request left the directory, that nothing was refused, and that nothing of pages ran."""
    assert browser.complaints() == []
    assert [url for url in browser.requests() if not url.startswith(f"{site}/")] == []
    assert browser.run("return window.ran === undefined")
    assert browser.count("#attack, iframe, img, base") == 0


def test_every_part_of_every_row_shows_quietly(site: str, browser: Browser) -> None:
    browser.show(f"{site}/index.html")
    wait(browser, "#hits a")
    rows = browser.count("#hits a")
    assert rows == len(ATTACKS) + 4
    seen = set()
    for row in range(rows):
        for part in ("text", "markdown", "signals", "duplicates", "facts"):
            browser.run("location.hash = arguments[0]", f"page={row}&part={part}")
            wait(browser, PAGE)
            time.sleep(0.05)
            seen.add(browser.run("return document.querySelector('.tabs [aria-selected=true]').id"))
    assert seen == {"tab-text", "tab-markdown", "tab-signals", "tab-duplicates", "tab-facts"}
    check_quiet(browser, site)


def test_pages_are_found_by_words_and_filters(site: str, browser: Browser) -> None:
    browser.show(f"{site}/index.html#verdict=dropped&q=crawl.example")
    wait(browser, "#hits a")
    assert browser.run("return [...document.querySelectorAll('#hits .url')].map((of) => of.textContent)") == [
        "https://crawl.example/c"
    ]
    browser.show(f"{site}/index.html")
    wait(browser, "#hits a")
    browser.driver.find_element(By.TAG_NAME, "body").send_keys("/")
    browser.driver.switch_to.active_element.send_keys("crawl.EXAMPLE page")
    assert browser.run("return document.querySelector('#count').textContent") == "3 of 18 rows"
    assert browser.run("return new URLSearchParams(location.hash.slice(1)).get('q')") == "crawl.EXAMPLE page"
    browser.driver.find_element(By.CSS_SELECTOR, ".facets .v-kept").click()
    time.sleep(0.1)
    assert browser.count("#hits a") == 1
    browser.driver.find_element(By.TAG_NAME, "body").send_keys("j")
    wait(browser, PAGE)
    browser.driver.find_element(By.CSS_SELECTOR, '[role="tab"][aria-selected="true"]').send_keys(
        Keys.ARROW_RIGHT
    )
    wait(browser, ".part-markdown pre")
    check_quiet(browser, site)


def test_duplicates_stand_side_by_side_with_what_differs(site: str, browser: Browser) -> None:
    browser.show(f"{site}/index.html#verdict=duplicate&q=crawl.example")
    wait(browser, "#hits a")
    browser.driver.find_element(By.CSS_SELECTOR, "#hits a").click()
    wait(browser, PAGE)
    browser.driver.find_element(By.ID, "tab-duplicates").click()
    wait(browser, ".sides mark")
    marks = browser.run("return [...document.querySelectorAll('.sides mark')].map((of) => of.textContent)")
    assert set(marks) == {"boat 9 came in late", "a ferry never arrived"}
    check_quiet(browser, site)


def test_drawings_open_from_the_site(site: str, browser: Browser) -> None:
    browser.show(f"{site}/index.html#page=0")
    wait(browser, 'a[href="drawings/0.html"]')
    browser.driver.find_element(By.CSS_SELECTOR, 'a[href="drawings/0.html"]').click()
    wait(browser, "ol.blocks")
    check_quiet(browser, site)


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1280, 1920])
def test_nothing_of_the_site_runs_over_the_edge(width: int, crawled: Path, browser: Browser) -> None:
    address = (crawled / "site" / "index.html").as_uri()
    for fragment, there in (("", "#hits a"), ("#page=0", PAGE), ("#page=0&part=signals", "table.signals")):
        browser.show(address + fragment, width=width)
        wait(browser, there)
        assert browser.run("return document.documentElement.scrollWidth") <= width
    for name in ("report.html", "duplicates.html", "scores.html", "cetr.html"):
        browser.show(crawled / name, width=width)
        assert browser.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.needs("CEDAR_AXE")
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1280])
def test_axe_finds_no_violation(width: int, dark: bool, crawled: Path, browser: Browser) -> None:
    front = (crawled / "site" / "index.html").as_uri()
    duplicate = f"{front}#verdict=duplicate&q=crawl.example&page=15&part=duplicates"
    places = [
        *((f"{front}{fragment}", there) for fragment, there in (("", "#hits a"), ("#page=0", PAGE))),
        (f"{front}#page=0&part=signals", "table.signals"),
        (f"{front}#page=0&part=facts", "#part dl"),
        (duplicate, PAGE),
        ((crawled / "site" / "drawings" / "0.html").as_uri(), "ol.blocks"),
        ((crawled / "report.html").as_uri(), ".funnel"),
        ((crawled / "duplicates.html").as_uri(), ".pair"),
        ((crawled / "scores.html").as_uri(), ".scores svg"),
        ((crawled / "cetr.html").as_uri(), ".points"),
    ]
    for address, there in places:
        browser.show(address, width=width, dark=dark)
        wait(browser, there)
        assert browser.violations() == [], address
