"""Gold sets in all their forms, and the pages that are wanted of them."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from cedar.transforms.scoring.gold import (
    GoldPage,
    GoldSet,
    evenly_spaced,
    from_json_line,
    read_marked,
    unwrapped,
)

HTML = "<p>Käse</p>".encode("latin-1")


def row(number: int, **more: Any) -> dict[str, Any]:
    page = {
        "id": f"p{number}",
        "url": None,
        "text": f"text {number}",
        "html_b64": base64.b64encode(HTML).decode(),
    }
    return page | more


def lines(number: int) -> bytes:
    return "\n".join(json.dumps(row(i, lang="de")) for i in range(number)).encode() + b"\n\n"


def packed(name: str, data: bytes) -> bytes:
    if name.endswith(".gz"):
        return gzip.compress(data)
    if name.endswith(".zst"):
        half = len(data) // 2  # two frames, as appended files have
        return zstandard.compress(data[:half]) + zstandard.compress(data[half:])
    return data


@pytest.mark.parametrize("name", ["set.jsonl", "set.jsonl.gz", "set.jsonl.zst"])
def test_json_lines_are_read_plain_and_packed(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(packed(name, lines(5)))
    gold_set = GoldSet.at(str(tmp_path / name))
    assert (gold_set.name, gold_set.count()) == ("set", 5)
    pages = list(gold_set.read([1, 3]))
    assert [page.id for page in pages] == ["p1", "p3"]
    assert pages[0] == GoldPage("set", "p1", HTML, "text 1", lang="de")


def test_all_that_a_line_says_is_kept() -> None:
    about = {
        "url": "https://a.example/",
        "page_type": "forum",
        "with": ["in"],
        "without": ["out"],
        "title": "T",
    }
    page = from_json_line("s", json.dumps(row(1, **about)).encode())
    assert (page.url, page.page_type) == ("https://a.example/", "forum")
    assert (page.wanted, page.unwanted) == (("in",), ("out",))


def test_html_may_stand_in_the_line_as_text() -> None:
    line = json.dumps({"id": 7, "text": "x", "html": "<p>é"}).encode()
    assert from_json_line("s", line).html == "<p>é".encode()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[]", "object"),
        (b'{"id": 1}', "object with id"),
        (b'{"id": 1, "text": "x"}', "html_b64 or html"),
        (b'{"id": 1, "text": "x", "html_b64": "?"}', "not base64"),
        (b"{", "page 1"),
    ],
)
def test_a_bad_line_is_named(line: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(ValueError, match=message):
        list(GoldSet.at(str(path)).read([0]))


def test_cleaneval_gold_loses_its_url_line_and_its_marks() -> None:
    url, text = read_marked("\ufeff URL: http://a.example/x\n\n<h>Head\n <p>One < two <b>\n<l>item\n")
    assert url == "http://a.example/x"
    assert text == "Head\nOne < two <b>\nitem"
    assert read_marked("no address\n") == (None, "no address")


@pytest.mark.parametrize(
    ("page", "inner"),
    [
        (b'<text id="1" title="a > b">\n<html>x</html>\n</text>\n', b"\n<html>x</html>\n"),
        (b"  <TEXT id=1><p>y</TEXT>", b"<p>y"),
        (b"<text id='never closed'", b"<text id='never closed'"),
        (b"<html><text >z</text></html>", b"<html><text >z</text></html>"),
        (b"<textarea>z", b"<textarea>z"),
    ],
)
def test_the_organisers_wrapper_is_no_part_of_a_page(page: bytes, inner: bytes) -> None:
    assert unwrapped(page) == inner


def test_directory_of_pages_and_gold(tmp_path: Path) -> None:
    for part in ("input", "gold"):
        (tmp_path / "clean" / part).mkdir(parents=True)
    (tmp_path / "clean/input/2.html").write_bytes(b'<text id="2"><p>two</text>')
    (tmp_path / "clean/input/1.htm").write_bytes(b"<p>one")
    (tmp_path / "clean/input/9.html").write_bytes(b"without gold")
    (tmp_path / "clean/gold/2-cleaned.txt").write_text("URL: http://two.example/\n<p>two\n")
    (tmp_path / "clean/gold/1.txt").write_text("<p>one\r\n<p>more")
    (tmp_path / "clean/pages.json").write_text(
        '{"1": {"lang": "en", "with": ["one"], "url": "http://one.example/"}}'
    )
    gold_set = GoldSet.at(str(tmp_path / "clean"))
    assert (gold_set.name, gold_set.count()) == ("clean", 2)
    assert list(gold_set.read([0, 1])) == [
        GoldPage("clean", "1", b"<p>one", "one\nmore", "http://one.example/", "en", wanted=("one",)),
        GoldPage("clean", "2", b"<p>two", "two", "http://two.example/"),
    ]


def test_a_set_that_is_not_there_or_empty_or_damaged_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no gold at"):
        GoldSet.at(str(tmp_path / "none.jsonl"))
    for name, content in (
        ("empty.jsonl", b"\n"),
        ("bad.jsonl.gz", b"no gzip"),
        ("bad.jsonl.zst", b"no zstd"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=r"no gold page|cannot read"):
            GoldSet.at(str(tmp_path / name)).count()


def test_pages_of_a_limit_are_evenly_spaced() -> None:
    assert evenly_spaced(10, 3) == [0, 3, 6]
    assert evenly_spaced(3, 10) == evenly_spaced(3, None) == [0, 1, 2]
    assert len(set(evenly_spaced(674, 150))) == 150
