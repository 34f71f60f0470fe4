"""What pages ask of those who collect texts, by headers and `<meta>`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import cedar
from cedar.pipelines.cli import main
from cedar.transforms.metadata.opt_outs import find_opt_out
from tests.helpers.corpus import rows

PARAGRAPH = "<p>The mill at the mouth of the river turns with each tide, and has done so for years.</p>"


def of_meta(*pairs: tuple[str, str]) -> str | None:
    metas = "".join(f'<meta name="{name}" content="{content}">' for name, content in pairs)
    return cedar.metadata(f"<html><head>{metas}</head><body>{PARAGRAPH * 4}").opt_out


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ((), None),
        (("x-robots-tag", "all"), None),
        (("x-robots-tag", "nofollow, max-snippet:20, unavailable_after: 25 Jun 2030 15:00:00 PST"), None),
        (("x-robots-tag", "noindex"), "noindex"),
        (("x-robots-tag", "NONE"), "noindex"),
        (("x-robots-tag", "noai, noimageai"), "noai; noimageai"),
        (("x-robots-tag", "max-snippet:-1, noindex"), "noindex"),
        (("x-robots-tag", "GPTBot: noindex, nofollow"), "gptbot: noindex"),
        (("x-robots-tag", "otherbot: noindex, nofollow, googlebot: nofollow"), "otherbot: noindex"),
        (("tdm-reservation", "1"), "tdm-reservation"),
        (("tdm-reservation", "0"), None),
        (("tdm-policy", "https://a.example/p.json"), None),
        (("tdm-reservation", "1", "tdm-policy", " /p.json"), "tdm-reservation /p.json"),
        (("x-robots-tag", "noai", "x-robots-tag", "noai, ccbot: none"), "noai; ccbot: noindex"),
    ],
)
def test_headers(headers: tuple[str, ...], expected: str | None) -> None:
    assert find_opt_out(tuple(zip(headers[::2], headers[1::2], strict=True)), {}) == expected


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("viewport", "noindex")], None),
        ([("robots", "index, follow")], None),
        ([("robots", "noindex,nofollow")], "noindex"),
        ([("Robots", "NoAI, NoImageAI")], "noai; noimageai"),
        ([("robots", "noai"), ("GPTBot", "noindex")], "noai; gptbot: noindex"),
        ([("CCBot", "nofollow"), ("google-extended", "none")], "google-extended: noindex"),
        (
            [("tdm-reservation", "1"), ("tdm-policy", "https://a.example/p")],
            "tdm-reservation https://a.example/p",
        ),
        ([("tdm-policy", "https://a.example/p"), ("tdm-reservation", "0")], None),
    ],
)
def test_metas(pairs: list[tuple[str, str]], expected: str | None) -> None:
    assert of_meta(*pairs) == expected


@given(st.lists(st.text(max_size=30), max_size=5))
def test_nothing_else_is_an_opt_out(values: list[str]) -> None:
    found = find_opt_out([("x-robots-tag", value) for value in values], {"robots": values})
    asks = any(word in value.lower() for value in values for word in ("noindex", "none", "noai", "noimageai"))
    assert found is None or asks


def test_headers_of_a_crawl_reach_the_column_and_a_rule(tmp_path: Path) -> None:
    answers = {"plain": [], "tagged": [("X-Robots-Tag", "noai")], "mined": [("TDM-Reservation", "1")]}
    with (tmp_path / "a.warc").open("wb") as file:
        writer = WARCWriter(file, gzip=False)
        for name, headers in answers.items():
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), *headers], "HTTP/1.1")
            body = f"<html><body>{PARAGRAPH * 6}</body></html>".encode()
            record = writer.create_warc_record(
                f"https://{name}.example/", "response", payload=io.BytesIO(body), http_headers=head
            )
            writer.write_record(record)
    command = ["extract", str(tmp_path / "a.warc"), "--with-metadata", "--quiet"]
    assert main([*command, "--output", str(tmp_path / "all")]) == 0
    found = {row["url"]: row["opt_out"] for row in rows(tmp_path / "all")}
    assert list(found.values()) == [None, "noai", "tdm-reservation"]
    assert main([*command, "--output", str(tmp_path / "kept"), "--keep", "opt_out is null"]) == 0
    assert [row["url"] for row in rows(tmp_path / "kept")] == ["https://plain.example/"]
    assert main(["export", str(tmp_path / "all"), "--output", str(tmp_path / "set"), "--quiet"]) == 0
    assert "2 pages ask not to be used" in (tmp_path / "set" / "README.md").read_text()
