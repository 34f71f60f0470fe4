"""Public names that are called with arguments of other types: an error at the call says what to write."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import cedar
from cedar.transforms.extractors import plugins

PAGE = "<p>A page that has some words."
NAME = "extractor is the name of a method, as 'cedar', not"
INPUTS = "inputs are paths, as in cedar.ReadWarc('crawl/*.warc.gz'), not"
DECORATOR = (
    'write @cedar.extractor(summary="what it does") above def name(html: str, *, option=default) -> str'
)


def takes_a_page(html: str) -> str:
    return html


async def waits(html: str) -> str:
    return html


class Text:
    def __init__(self, html: str) -> None:
        self.html = html


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], str]] = [
    (cedar.extract, (None,), {}, "a page is bytes or a str, not NoneType"),
    (cedar.extract, ([b"x"],), {}, "a page is bytes or a str, not list"),
    (cedar.extract, (PAGE, None), {}, f"{NAME} NoneType"),
    (cedar.extract, (PAGE, 3), {}, f"{NAME} int"),
    (cedar.extract, (PAGE, takes_a_page), {}, f"{NAME} function"),
    (cedar.extract, (PAGE,), {"url": 5}, "url is a str or None, not int"),
    (cedar.extract, (PAGE,), {"url": b"http://a.test/"}, "url is a str or None, not bytes"),
    (cedar.extract, (PAGE,), {"body_only": "no"}, "body_only is True or False, not 'no'"),
    (cedar.metadata, (None,), {}, "a page is bytes or a str, not NoneType"),
    (cedar.metadata, (PAGE, 5), {}, "url is a str or None, not int"),
    (cedar.metadata, (PAGE,), {"fetched_at": "2020-01-01"}, "fetched_at is a datetime, microseconds"),
    (cedar.metadata, (PAGE,), {"fetched_at": 1.5}, "fetched_at is a datetime, microseconds"),
    (cedar.metadata, (PAGE,), {"fetched_at": date(2020, 1, 1)}, "fetched_at is a datetime, microseconds"),
    (cedar.Extract, (5,), {}, f"{NAME} int"),
    (cedar.Extract, (None,), {}, f"{NAME} NoneType"),
    (cedar.ReadWarc, (None,), {}, f"{INPUTS} (None,)"),
    (cedar.ReadWarc, (["a.warc"],), {}, f"{INPUTS} (['a.warc'],)"),
    (cedar.ReadWarc, (), {}, f"{INPUTS} ()"),
    (cedar.ReadWarc, ("a.warc",), {"plan": 5}, "plan is a ReadPlan or None, not int"),
    (cedar.DecodePage, (5,), {}, "filter is a PageFilter or None, not int"),
    (cedar.extractor, (takes_a_page,), {}, DECORATOR),
    (cedar.extractor, ("what it does",), {}, DECORATOR),
    (cedar.extractor, (), {}, DECORATOR),
    (cedar.extractor, (), {"summary": ""}, DECORATOR),
    (cedar.extractor, (), {"summary": 5}, DECORATOR),
    (cedar.extractor, (), {"summary": "s", "paper": None}, DECORATOR),
    (cedar.extractor, (), {"summary": "s", "guarded": "yes"}, DECORATOR),
]


@pytest.mark.parametrize(("call", "arguments", "options", "message"), CALLS)
def test_an_argument_that_makes_no_sense_is_an_error_at_the_call(
    call: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError) as raised:
        call(*arguments, **options)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: "text", f"<lambda> is not a function that takes a page: {DECORATOR}"),
        (len, f"len is not a function that takes a page: {DECORATOR}"),
        (5, f"5 is not a function that takes a page: {DECORATOR}"),
        (Text, f"Text is not a function that takes a page: {DECORATOR}"),
        (waits, f"waits is not a function that takes a page: {DECORATOR}"),
        (lambda *, html: html, f"<lambda> takes no page as its first argument: {DECORATOR}"),
        (lambda **options: str(options), f"<lambda> takes no page as its first argument: {DECORATOR}"),
        (lambda html, size: html[size], "option 'size' of <lambda> needs a default"),
        (lambda html, *sizes: html + str(sizes), "option 'sizes' of <lambda> needs a default"),
        (lambda html, **options: html + str(options), "option 'options' of <lambda> needs a default"),
    ],
)
def test_what_takes_no_page_is_no_extractor(function: Any, message: str) -> None:
    with pytest.raises(TypeError) as raised:
        cedar.extractor(summary="what it does")(function)
    assert str(raised.value) == message


def test_a_function_that_is_described_is_left_as_it_is() -> None:
    for function in (lambda html: html, lambda html, /, *, size=3: html[size:], lambda html="": html):
        assert cedar.extractor(summary="what it does", paper="2026", guarded=True)(function) is function
        described = plugins.Described("what it does", "2026", guarded=True)
        assert getattr(function, "__cedar_extractor__") == described  # noqa: B009


def test_packages_of_ones_own_may_have_the_names_of_cedars_folders(tmp_path: Path) -> None:
    for name in ("pipelines", "transforms", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text("VALUE = 1\n")
    (tmp_path / "transforms" / "__init__.py").write_text("")
    program = (
        "import cedar, pipelines.mine, transforms.mine, tests.mine; print(cedar.extract('<p>Words').text)"
    )
    command = [sys.executable, "-c", program]
    # A folder without an __init__ is a package only if no other folder of its name on sys.path has one.
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "Words\n", "")
