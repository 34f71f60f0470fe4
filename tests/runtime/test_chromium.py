"""The browser that lays pages out, played by a program that speaks as it does; and what becomes of pages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cedar.transforms.extractors import extract, registry
from cedar.transforms.extractors.tree.limits import MAX_TAGS
from cedar.transforms.extractors.tree.tree import read_tree, visible_source
from cedar.transforms.extractors.vips import rendering
from cedar.transforms.extractors.vips.browsers import browser_command, refuse_browser, wants_browser
from cedar.transforms.runtime.chromium import Browser, BrowserLostError, RenderingGuard
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS
from tests.runtime import fake_browser

COMMAND = (sys.executable, str(Path(fake_browser.__file__)))
OPTIONS = registry.options_json(registry.parse_options("vips", {"layout": "chromium"}))
PAGE = (
    b"<style>p{color:red}</style><body><p>one &lt; two<b>bold</b> tail<br><script>x</script>"
    b"<p title='\"'>three"
)


@pytest.fixture
def browser() -> Iterator[Browser]:
    made = Browser(COMMAND, seconds=5, pages=3)
    yield made
    made.close()


def page_of(text: str) -> str:
    tree = read_tree(visible_source(f"<body><p>{text}".encode()), keep_hidden=False)
    return rendering.numbered(tree, b"")


def test_boxes_come_back_by_the_numbers_of_elements_and_the_places_of_texts(browser: Browser) -> None:
    tree = read_tree(visible_source(PAGE), keep_hidden=False)
    page = rendering.numbered(tree, PAGE)
    assert "<style>p{color:red}</style>" in page
    assert "<script" not in page
    rendered, rest = rendering.unpacked(browser.lay_out(page).packed() + b"rest")
    assert rest == b"rest"
    boxes = rendering.boxes_of(tree, rendered)
    assert (boxes.elements["box"][:, 2] == 100).all()
    assert (np.diff(boxes.elements["box"][:, 1]) > 0).all()
    assert ((boxes.texts[:, 2] == 100) == (tree.chars > 0)).all()
    assert (boxes.width, boxes.height, boxes.elements["display"].tolist()) == (1024, 5000, [3] * tree.size)


def test_a_browser_is_replaced_after_so_many_pages_and_after_each_that_costs_it(browser: Browser) -> None:
    for _ in range(4):
        browser.lay_out(page_of("fine"))
    assert browser.starts == 2
    for costs in ("crash", "leave", "nonsense"):
        with pytest.raises(BrowserLostError):
            browser.lay_out(page_of(costs))
        before = browser.starts
        browser.lay_out(page_of("fine"))
        assert browser.starts == before + 1


def test_a_page_that_takes_too_long_costs_no_more_than_its_time() -> None:
    browser = Browser(COMMAND, seconds=0.2)
    try:
        browser.lay_out(page_of("fine"))
        with pytest.raises(BrowserLostError, match="no answer in time"):
            browser.lay_out(page_of("hang"))
    finally:
        browser.close()


def test_pages_that_the_browser_loses_are_estimated_and_say_so() -> None:
    guard = RenderingGuard(("vips", OPTIONS), DEFAULT_LIMITS, Browser(COMMAND, seconds=5))
    try:
        words = "a paragraph of more words than a segment needs to be kept "
        rendered = guard.extract(f"<body><p>{words * 2}".encode())
        assert (rendered.fallback, rendered.text) == (None, (words * 2).strip())
        lost = guard.extract(f"<body><p>crash {words}".encode())
        assert lost.fallback == "layout=estimate: the page crashed it"
        assert lost.text == extract(f"<body><p>crash {words}", "vips").text
    finally:
        guard.close()


def test_a_page_whose_tree_cannot_be_held_is_not_laid_out() -> None:
    method = rendering.bind("vips", OPTIONS)
    page = b"<p>" * (MAX_TAGS + 1) + b"text"
    assert method(rendering.ASK + page).text == ""
    assert method(rendering.ESTIMATE + page).fallback == f"cetr: {MAX_TAGS + 1} tags"
    assert method(page).fallback == f"cetr: {MAX_TAGS + 1} tags"


def test_boxes_of_another_page_are_refused() -> None:
    tree = read_tree(visible_source(b"<body><p>one"), keep_hidden=False)
    rendered = rendering.Rendered.empty(tree.size + 1, 1, 9.0, 9.0)
    with pytest.raises(ValueError, match="boxes of 4 elements for 3"):
        rendering.boxes_of(tree, rendered)
    made = rendering.Rendered.empty(tree.size, 3, 9.0, 9.0)
    made.texts["element"], made.texts["place"], made.texts["box"] = [2, 99, 2], [0, 0, 7], 5.0
    assert rendering.boxes_of(tree, made).texts.sum() == 20  # one text fits, four numbers of 5
    for wrong in (b"", b"x" * 80, rendered.packed()[:-1]):
        with pytest.raises(ValueError, match="boxes"):
            rendering.unpacked(wrong)


def test_style_sheets_of_a_screen_are_kept() -> None:
    page = b"<style>a</style><STYLE media=print>b</STYLE><style media='screen, print'>c</style><style>d"
    assert rendering.style_sheets(page) == ["a", "c"]


def test_without_a_browser_or_with_root_it_is_refused_plainly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match=r"there is no chromium on PATH: install it"):
        browser_command(sandbox=True)
    with pytest.raises(ValueError, match="or take layout=estimate"):
        ExtractPlan.of("vips", {"layout": "chromium"})
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(ValueError, match="--browser-no-sandbox"):
        browser_command(sandbox=True)
    assert browser_command(sandbox=False) == (str(program), "--no-sandbox")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert browser_command(sandbox=True) == (str(program),)
    assert ExtractPlan.of("vips", {"layout": "chromium"}).browser == (str(program),)
    assert ExtractPlan.of("vips").browser == ()


def test_only_workers_have_a_browser() -> None:
    assert wants_browser("vips", OPTIONS)
    assert not wants_browser("vips", "{}")
    assert not wants_browser("cetr", "{}")
    for refuse in (
        lambda: extract("<p>x", "vips", layout="chromium"),
        lambda: refuse_browser("vips", OPTIONS),
    ):
        with pytest.raises(ValueError, match="needs a worker with a browser"):
            refuse()
    refuse_browser("cetr", "{}")
