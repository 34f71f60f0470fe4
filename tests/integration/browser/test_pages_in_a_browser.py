"""The pages of `cedar explain` and `cedar report` in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from cedar import extract, names
from cedar.pipelines.cli import main
from cedar.pipelines.sample.archive import write_sample
from tests.helpers.crawl import article, respond
from tests.integration.browser.conftest import Browser

webdriver = pytest.importorskip("selenium.webdriver")
ActionChains, Keys, By = webdriver.ActionChains, webdriver.Keys, webdriver.common.by.By
pytestmark = pytest.mark.needs("selenium", "chromium")

SAMPLES = files("cedar.pipelines.sample").joinpath("pages")
ATTACKS = (
    "<script>window.ran = 1</script>",
    "</script><script>window.ran = 1</script>",
    "</style><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "<svg onload='window.ran = 1'>",
    "<iframe src='https://attack.example/'></iframe>",
    "<link rel=stylesheet href='https://attack.example/x.css'>",
    "<meta http-equiv=refresh content='0;url=https://attack.example/'>",
    "<base href='https://attack.example/'>",
    "\"'><b id=attack>",
    "]]>--><b id=attack>",
    "{{ 7 * 7 }}{% include 'x' %}",
    "\u202egnorw\u202c \u2067x\u2069",
    "\\u003cscript>window.ran = 1\\u003c/script>",
)

Explain = Callable[..., Path]


@pytest.fixture(scope="module")
def duplicates(report: Path) -> Path:
    """A report of duplicates among the pages of the first corpus."""
    corpus, target = report.with_name("alike"), report.with_name("alike.html")
    crawl = report.with_name("sample.warc.gz")
    assert main(["extract", str(crawl), "--output", str(corpus), "--signatures", "--quiet"]) == 0
    assert main(["dedup", str(corpus), "--output", str(corpus.with_name("unique"))]) == 0
    assert main(["report", str(corpus.with_name("unique")), "--output", str(target)]) == 0
    return target


@pytest.fixture
def explain(tmp_path: Path) -> Explain:
    """Make the HTML that explains a page."""

    def made(page: str | bytes, *arguments: str) -> Path:
        source, target = tmp_path / "page.html", tmp_path / "out.html"
        source.write_bytes(page if isinstance(page, bytes) else page.encode())
        assert main(["explain", str(source), "--output", str(target), *arguments]) == 0
        return target

    return made


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run over the sample crawl and a page of attacks; compared with another run."""
    directory = tmp_path_factory.mktemp("report")
    with (directory / "sample.warc.gz").open("wb") as file:
        write_sample(file)
        writer = WARCWriter(file, gzip=True)
        for number, attack in enumerate(ATTACKS):
            respond(writer, f"https://attack.example/{number}?{attack}", "200 OK", attacking(attack).encode())
    corpora = []
    for name, extractor in (("first", "cetr"), ("second", "keep-all")):
        corpora.append(str(directory / name))
        arguments = ["--output", corpora[-1], "--extractor", extractor, "--quiet"]
        assert main(["extract", str(directory / "sample.warc.gz"), *arguments]) == 0
    assert main(["report", *corpora, "--output", str(directory / "report.html")]) == 0
    return directory / "report.html"


def attacking(attack: str) -> str:
    """A page with an attack in every place, as text and as markup."""
    text = attack.replace("&", "&amp;").replace("<", "&lt;")
    lines = "".join(f"<p>{text} and many more words of a long line, number {n}</p>\n" for n in range(5))
    return (
        f"<html><head><title>{text}</title></head>\n<body>\n<ul><li><a href='/'>Home</a></li></ul>\n"
        f'{lines}<p title="{text}">{attack} and the words after it in the line</p>\n</body></html>\n'
    )


def check_quiet(browser: Browser, path: Path) -> None:
    """Assert that the page said nothing, asked for nothing but itself, and ran nothing of others."""
    assert browser.complaints() == []
    assert browser.requests() == [path.as_uri()]
    assert browser.run("return window.ran === undefined")
    assert browser.count("#attack") == 0


@pytest.mark.parametrize("extractor", names())
@pytest.mark.parametrize("page", ["article.html", "one_line.html", "chinese.html", "no_tags.txt"])
def test_page_loads_quietly_with_a_row_for_each_block(
    page: str, extractor: str, browser: Browser, explain: Explain
) -> None:
    html = SAMPLES.joinpath(page).read_text(encoding="utf-8")
    path = explain(html, "--extractor", extractor)
    browser.show(path)
    check_quiet(browser, path)
    assert browser.count("ol.blocks li[id]") == len(extract(html, extractor=extractor).blocks)


def test_charts_have_a_bar_and_a_point_for_each_line(browser: Browser, explain: Explain) -> None:
    html = article(1, paragraphs=60)
    browser.show(explain(html, "--extractor", "cetr"))
    lines = extract(html, "cetr").metrics.lines
    plots = browser.run(
        "return [...document.querySelectorAll('.plot')].map((plot) =>"
        " plot.querySelector('.bars, .points').children.length)"
    )
    assert plots == [lines] * 4
    widths = browser.run(
        "return [...document.querySelectorAll('.bars')].map((bars) =>"
        " [...bars.children].filter((bar) => bar.getBoundingClientRect().width > 0).length)"
    )
    assert widths == [lines] * 3


def test_pointing_at_a_bar_marks_its_line_and_the_reverse(browser: Browser, explain: Explain) -> None:
    browser.show(explain(article(1), "--extractor", "cetr"))
    bars = browser.driver.find_elements(By.CSS_SELECTOR, ".bars")[1]
    bar = bars.find_elements(By.TAG_NAME, "rect")[9]
    ActionChains(browser.driver).move_to_element(bar).perform()
    assert browser.run("return [...document.querySelectorAll('li.on')].map((row) => row.id)") == ["m0b10"]
    assert browser.count(".bars rect.on") == 3
    assert browser.count(".points .on") == 1
    said = browser.run("return document.querySelector('.readout').textContent")
    assert said.startswith(("kept line 10:", "dropped line 10:"))
    browser.run("document.querySelector('.show-source').click()")  # lines without text, too
    browser.run("for (const run of document.querySelectorAll('details')) run.open = true")
    row = browser.driver.find_element(By.ID, "m0b4")
    ActionChains(browser.driver).move_to_element(row).perform()
    marked = "return [...document.querySelector('.bars').children].findIndex((bar) => bar.matches('.on'))"
    assert browser.run(marked) == 3


def test_pointing_at_an_element_marks_all_blocks_in_it(browser: Browser, explain: Explain) -> None:
    html = article(1)
    browser.show(explain(html, "--extractor", "cetd-ds"))
    body = browser.driver.find_element(By.CSS_SELECTOR, ".bars rect")
    ActionChains(browser.driver).move_to_element(body).perform()
    assert browser.count("li.on") == len(extract(html, extractor="cetd-ds").blocks)
    assert "/html/body: TD" in browser.run("return document.querySelector('.readout').textContent")


def test_keys_go_through_the_bars_and_to_the_text(browser: Browser, explain: Explain) -> None:
    browser.show(explain(article(1), "--extractor", "cetr"))
    plot = browser.driver.find_element(By.CSS_SELECTOR, ".plot")
    plot.send_keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert plot.get_attribute("aria-valuenow") == "2"
    assert "line 2:" in str(plot.get_attribute("aria-valuetext"))
    plot.send_keys(Keys.END)
    assert plot.get_attribute("aria-valuenow") == plot.get_attribute("aria-valuemax")
    plot.send_keys(Keys.HOME, Keys.ENTER)
    assert browser.run("return document.activeElement.hash") == "#m0b1"
    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.run("return document.activeElement.hash") == "#m0b2"
    assert browser.run("return document.querySelector('li.on').id") == "m0b2"


def test_only_kept_or_only_dropped_can_be_shown(browser: Browser, explain: Explain) -> None:
    browser.show(explain(article(1)))
    browser.run("document.querySelector('.show-source').scrollIntoView({block: 'center'})")
    shown = (
        "return [...document.querySelectorAll('ol.blocks li[id]')]"
        ".filter((row) => row.getClientRects().length).map((row) => row.matches('.k'))"
    )
    for value, expected in (("only-kept", {True}), ("only-dropped", {False}), ("", {True, False})):
        browser.driver.find_element(By.CSS_SELECTOR, f'input[value="{value}"]').click()
        assert set(browser.run(shown)) == expected
    assert browser.style(".source", "display") == browser.style("ol.blocks small", "display") == "none"
    for kind in ("source", "numbers"):
        browser.driver.find_element(By.CSS_SELECTOR, f".show-{kind}").click()
    assert browser.style(".source", "display") == "block"
    assert browser.style("ol.blocks small", "display") != "none"


def test_what_is_dropped_is_folded_and_unfolds_where_a_bar_leads(browser: Browser, explain: Explain) -> None:
    browser.show(explain(article(1)))
    assert (
        browser.run("return [...document.querySelectorAll('.run details')].some((run) => run.open)") is False
    )
    assert not browser.run("return document.querySelector('#m0b1').checkVisibility()")
    browser.driver.find_element(By.CSS_SELECTOR, ".plot").send_keys(Keys.HOME, Keys.ENTER)
    assert browser.run("return document.activeElement.hash") == "#m0b1"
    assert browser.run("return document.querySelector('#m0b1').checkVisibility()")


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_in_a_page_run_nothing(attack: str, browser: Browser, explain: Explain) -> None:
    path = explain(attacking(attack), "--extractor", "cetr", "--extractor", "cetd-ds")
    browser.show(path)
    check_quiet(browser, path)
    assert browser.count("script") == 2
    browser.driver.find_element(By.CSS_SELECTOR, ".plot").send_keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ENTER)
    check_nothing_ran = browser.run("return window.ran === undefined")
    assert check_nothing_ran
    assert browser.complaints() == []


def test_policy_stops_what_would_get_in(browser: Browser, explain: Explain) -> None:
    browser.show(explain(article(1)))
    browser.run(
        "const script = document.createElement('script'); script.textContent = 'window.ran = 1';"
        "document.body.append(script);"
        "const image = new Image(); image.src = 'https://attack.example/x.png'; document.body.append(image);"
        "const box = document.createElement('div'); box.innerHTML = '<b onclick=\"window.ran = 1\">x</b>';"
        "document.body.append(box); box.firstChild.click()"
    )
    assert browser.run("return window.ran === undefined")
    said = " ".join(browser.complaints())
    assert "script-src" in said
    assert "img-src" in said


def test_report_loads_quietly(browser: Browser, report: Path) -> None:
    browser.show(report)
    check_quiet(browser, report)
    assert browser.count("script") == 0
    assert browser.count(".bars rect.other") > 0


@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
def test_nothing_runs_over_the_edge(width: int, browser: Browser, explain: Explain, report: Path) -> None:
    long_words = "<body>\n<p>" + "x" * 3000 + "</p>\n<i></i><p>" + "https://x.example/" * 90 + "</p>\n</body>"
    pages = [
        report,
        explain(article(1), "--extractor", "cetr-tm", "--extractor", "cetd-ds"),
    ]
    for path in pages:
        browser.show(path, width=width)
        assert browser.run("return document.documentElement.scrollWidth") <= width
    browser.show(explain(long_words), width=width)
    assert browser.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_its_ground(
    dark: bool, browser: Browser, explain: Explain, report: Path
) -> None:
    contrast = """
        const parts = (color) => color.match(/[0-9.]+/g).slice(0, 3).map(Number);
        const light = (color) => parts(color).map((v) => v / 255)
            .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = (element) => {
            const color = getComputedStyle(element).backgroundColor;
            return /, 0\\)$/.test(color) && element.parentElement ? ground(element.parentElement) : color;
        };
        return [...document.querySelectorAll("p, li, small, b, i, td, th, dt, dd, code, h1, h2, h3, a, mark")]
            .filter((element) => element.getClientRects().length && element.textContent.trim())
            .map((element) => {
                const pair = [light(getComputedStyle(element).color), light(ground(element))];
                return [(Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05), element.outerHTML];
            }).filter(([ratio]) => ratio < 4.5)
    """
    for path in (report, explain(article(1), "--extractor", "cetr", "--extractor", "keep-all")):
        browser.show(path, dark=dark)
        assert browser.run(contrast) == []


def test_sliders_and_pictures_have_names(browser: Browser, explain: Explain) -> None:
    browser.show(explain(article(1), "--extractor", "cetr-tm"))
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    found = [node for node in nodes if node.get("role", {}).get("value") in {"slider", "image", "img"}]
    assert len(found) >= 5
    assert all(node.get("name", {}).get("value") for node in found)


def test_print_leaves_out_what_cannot_be_used(browser: Browser, explain: Explain) -> None:
    browser.show(explain(article(1)), dark=True, media="print")
    assert browser.style(".controls", "display") == "none"
    assert browser.style("body", "backgroundColor") == "rgb(255, 255, 255)"
    assert browser.style(".bars rect.k", "fill") != browser.style(".bars rect:not(.k)", "fill")
