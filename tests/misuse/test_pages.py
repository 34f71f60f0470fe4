"""Pages, headers and extractors that say what no column holds: each costs its own page at most."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import fastavro
import pyarrow.parquet as pq
import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import cedar
from cedar.pipelines.cli import main
from cedar.transforms.corpus.formats import read_lines
from tests.helpers.crawl import article, respond
from tests.helpers.processes import ForkedRun

FORMATS = ("parquet", "avro", "jsonl")
ROOT = Path(__file__).parents[2]
SURROGATE = "\\ud83d"


def json_ld(text: str) -> bytes:
    return f'<script type="application/ld+json">{text}</script>'.encode() + article(1)


def property_of(name: str, value: object) -> bytes:
    text = json.dumps({"@type": "Article", name: value}).replace("SURROGATE", SURROGATE)
    return json_ld(text.replace("NUL", "\\u0000"))


PAGES: Mapping[str, bytes] = {
    "publisher": property_of("publisher", {"name": "The SURROGATE PaperNUL"}),
    "description": property_of("description", "about SURROGATE it\x07"),
    "author": property_of("author", {"name": "Jane SURROGATE Doe"}),
    "license": property_of("license", "https://a.test/SURROGATE"),
    "url": property_of("url", "https://a.test/NUL"),
    "date": property_of("datePublished", "2020-01-01SURROGATE"),
    "numbers": json_ld(
        '{"@type":"Article","description":1e999,"url":NaN,"datePublished":' + "9" * 5000 + "}"
    ),
    "nesting": json_ld('{"@type":' + "[" * 3000 + "]" * 3000 + "}"),
    "title": b"<title>a\x00b\x07&#x0;&#xd800;&#27;</title>" + article(1),
    "lang": b'<html lang="\xed\xa0\x80en">' + article(1),
    "references": b"<p>&#55357; words of it &#xDFFF; &#0;</p>" + article(1),
    "addresses": b'<base href="http://[x"><link rel=canonical href="http://[::x]/">' + article(1),
    "charset": b'<meta charset="\x00\xff">' + article(1),
}
HEADERS: Mapping[str, tuple[Mapping[str, str], Sequence[tuple[str, str]]]] = {
    "first day": ({"WARC-Date": "0001-01-01T00:00:00+14:00"}, ()),
    "last day": ({"WARC-Date": "9999-12-31T23:59:59-14:00"}, ()),
    "id": ({"WARC-Record-ID": "<urn:\x00\x07>"}, ()),
    "type": ({}, [("Content-Type", "text/html\x00; charset=\x00\x01")]),
    "language": ({}, [("Content-Language", "en\x00")]),
}


def write_crawl(path: Path) -> int:
    """A crawl of odd pages, and of pages with odd headers; returns their number."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for name, (record, http) in {**dict.fromkeys(PAGES, ({}, ())), **HEADERS}.items():
            headers = StatusAndHeaders("200 OK", [*http, ("Content-Type", "text/html")], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(
                    f"https://odd.test/{name}",
                    "response",
                    payload=io.BytesIO(PAGES.get(name, article(2))),
                    http_headers=headers,
                    warc_headers_dict=dict(record),
                )
            )
    return len(PAGES) + len(HEADERS)


def write_articles(path: Path, pages: int) -> Path:
    """A crawl of articles, numbered from 0."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number in range(pages):
            respond(writer, f"https://odd.test/{number}", "200 OK", article(number))
    return path


def rows(corpus: Path, kind: str = "pages") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in (corpus / kind).glob("*"):
        if path.suffix == ".parquet":
            found += pq.read_table(path).to_pylist()
            continue
        with path.open("rb") as file:
            reader = fastavro.reader(file) if path.suffix == ".avro" else read_lines(file)
            found += [dict(row) for row in reader]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("file_format", FORMATS)
def test_no_page_fails_its_shard_whatever_it_says(file_format: str, tmp_path: Path) -> None:
    crawl, corpus = tmp_path / "crawl.warc.gz", tmp_path / "corpus"
    pages = write_crawl(crawl)
    everything = ("--with-metadata", "--with-markdown", "--signals", "--signatures", "--quiet")
    command = ["extract", str(crawl), "--output", str(corpus), "--format", file_format, *everything]
    assert main(command) == 0
    found = {str(row["url"]).rpartition("/")[2]: row for row in rows(corpus)}
    assert len(found) == pages
    assert not list((corpus / "rejects").glob("*"))
    assert found["publisher"]["site_name"] == "The \ufffd Paper"
    assert found["description"]["description"] == "about \ufffd it"
    assert found["license"]["licence"] is None
    assert found["url"]["canonical_url"] is None
    assert found["first day"]["fetched_at"] is found["last day"]["fetched_at"] is None


METHODS = """
import sys
import cedar

class Silent(Exception):
    def __str__(self):
        raise SystemExit(5)

class Apart(BaseException):
    pass

FAULTS = {
    "0": lambda: ValueError("has \\ud83d in it"),
    "1": Silent,
    "2": MemoryError,
    "3": lambda: SystemExit(3),
    "4": lambda: Apart("of its own"),
    "5": GeneratorExit,
    "6": lambda: KeyError("x" * 10_000),
}

@cedar.extractor(summary="fails in whatever way")
def fails(html: str):
    for number, fault in FAULTS.items():
        if f"<title>Page {number}<" in html:
            raise fault()
    if "<title>Page 7<" in html:
        return [cedar.Block(text=3, kept=True, score=1.0)]
    return [cedar.Block(text="good \\ud800\\x00", kept=10**12, score=1.0)]

@cedar.extractor(summary="the same in the guard", guarded=True)
def guarded(html: str):
    return fails(html)
"""


def run_own_extractor(
    module: str, method: str, pages: int, *, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str]:
    """Extract pages by a function of a user's module; return the exit code and the errors."""
    (folder / "package").mkdir()
    name = f"{method}_module"
    (folder / "package" / f"{name}.py").write_text(module)
    monkeypatch.syspath_prepend(folder / "package")
    monkeypatch.setenv("PYTHONPATH", f"{folder}/package{os.pathsep}{ROOT}")
    crawl = write_articles(folder / "crawl.warc.gz", pages)
    command = ["extract", str(crawl), "--output", str(folder / "corpus"), "--workers", "1", "--quiet"]
    run = ForkedRun(*command, "--extractor", f"{name}:{method}")
    _, errors = run.communicate()
    return run.wait(), errors


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fails", "guarded"])
def test_an_extractor_that_fails_in_whatever_way_costs_one_page(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_own_extractor(METHODS, method, 10, folder=tmp_path, monkeypatch=monkeypatch)
    assert done == (0, "")
    assert [row["text"] for row in rows(tmp_path / "corpus")] == ["good \ufffd"] * 2
    rejects = rows(tmp_path / "corpus", "rejects")
    assert [row["detail"] for row in rejects][:6] == [
        "ValueError: has \ufffd in it",
        "Silent: a message that cannot be read: SystemExit",
        "MemoryError" if method == "fails" else "512 MiB of address space",
        "SystemExit: 3",
        "Apart: of its own",
        "GeneratorExit",
    ]
    assert len(rejects[6]["detail"]) == 500
    assert rejects[7]["detail"].endswith("returned a Block whose text is of type int: make it a str")
    reasons = {row["reason"] for row in rejects}
    assert reasons == {"extractor_error"} | ({"memory_limit"} if method == "guarded" else set())


LEAVING = """
import os
import cedar

def leaves(html: str) -> str:
    if "<title>Page 1<" in html:
        os._exit(3)
    return "stays"

unguarded = cedar.extractor(summary="ends its process")(leaves)

@cedar.extractor(summary="the same in the guard", guarded=True)
def guarded(html: str) -> str:
    return leaves(html)

@cedar.extractor(summary="on every page", guarded=True)
def always(html: str) -> str:
    os._exit(4)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "code", "complaint", "texts"),
    [
        ("guarded", 0, "", ["stays", "stays"]),
        ("always", 1, "failed: the method ended its process on a small page (exit code 4) [shard ", []),
        (
            "unguarded",
            0,
            "(exit code 3; an extractor that does so needs guarded=True) while on https://",
            ["stays", "stays"],
        ),
    ],
)
def test_an_extractor_that_ends_its_process_is_named_for_it(
    method: str,
    code: int,
    complaint: str,
    texts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended, errors = run_own_extractor(LEAVING, method, 3, folder=tmp_path, monkeypatch=monkeypatch)
    assert ended == code
    assert complaint in errors
    assert errors.count("\n") == {"unguarded": 2}.get(method, bool(complaint))
    if texts:
        assert [row["text"] for row in rows(tmp_path / "corpus")] == texts
        (reject,) = rows(tmp_path / "corpus", "rejects")
        unguarded = "the worker process died on it twice"
        assert reject["detail"] == {"unguarded": unguarded}.get(
            method, "the extractor's process died: exit code 3"
        )
        assert reject["reason"] == "extractor_error"


SPINNING = """
import sys
import time
from pathlib import Path
import apache_beam
import cedar.transforms.curation.curator as curation
import cedar.transforms.decode_page as decoding
import cedar.transforms.runtime.page_extractor as extraction
import cedar.transforms.extractors.html.reading
import cedar.transforms.metadata.reading as metadata
from cedar.pipelines.cli import main
from cedar.transforms.extractors.cedar.cedar import CedarExtraction
from cedar.transforms.runtime.progress_file import ProgressFile

def spins(function, page):
    def step(*arguments, **named):
        if any(page in str(argument) for argument in arguments):
            Path("spins").touch()
            while True:
                time.sleep(0.1)  # others run tests, too
        return function(*arguments, **named)
    return step

decoding.decode_record = spins(decoding.decode_record, "odd.test/1'")
extraction.registry.bind = lambda *_, bind=extraction.registry.bind: spins(bind(*_), "Paragraph 1 of page 2 ")
CedarExtraction.write_markdown = spins(CedarExtraction.write_markdown, "odd.test/3")
metadata.page_metadata = spins(metadata.page_metadata, "odd.test/4")
curation.measure = spins(curation.measure, "Paragraph 1 of page 5 ")
extraction.ExtractPlan.wall_seconds = 60.0

def hung_record(board, slot, seconds, resumed_at=0.0, hung=ProgressFile.hung_record):
    # A worker that spins has done so for a minute.
    spins = Path("spins")
    record = hung(board, slot, 0.0 if spins.exists() else seconds, resumed_at)
    if record is not None:
        spins.unlink(missing_ok=True)
    return record

ProgressFile.hung_record = hung_record
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="one worker is supervised where it can be forked")
def test_a_step_that_never_ends_costs_its_page_in_whatever_room_it_is(tmp_path: Path) -> None:
    crawl = write_articles(tmp_path / "crawl.warc.gz", 8)
    command = ["extract", str(crawl), "--output", "corpus", "--with-markdown", "--with-metadata", "--signals"]
    done = subprocess.run(
        [sys.executable, "-c", SPINNING, *command, "--quiet"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(
        "restarted: hung for over 60 s while on https://odd.test/"
    ) == 5 + done.stderr.count(" or a page before it ")
    numbers = [row["url"].rpartition("/")[2] for row in rows(tmp_path / "corpus")]
    assert numbers == ["0", "6", "7"]
    rejects = rows(tmp_path / "corpus", "rejects")
    assert [row["url"].rpartition("/")[2] for row in rejects] == ["1", "2", "3", "4", "5"]
    assert {(row["stage"], row["reason"]) for row in rejects} == {("read", "time_limit")}


def test_markdown_is_asked_for_by_its_options() -> None:
    with pytest.raises(TypeError, match=r"cedar.MarkdownOptions\(\), not 1"):
        cedar.extract("<p>x", markdown=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="links of Markdown is drop or keep, not 'x'"):
        cedar.MarkdownOptions(links="x")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_every_kind_are_a_page(kind: Any) -> None:
    html = article(1)
    assert cedar.extract(kind(html)).text == cedar.extract(html.decode()).text
    assert cedar.metadata(kind(html)) == cedar.metadata(html)


@pytest.mark.parametrize("method", ["cedar", "keep-all", "cetr"])
def test_a_string_with_a_byte_order_mark_is_the_page_without_it(method: str) -> None:
    html = article(1).decode()
    assert cedar.extract("\ufeff" + html, method) == cedar.extract(html, method)
    assert cedar.extract("\ufeffx", method) == cedar.extract("\ufeffx".encode(), method)


def test_standard_input_that_is_closed_is_one_line() -> None:
    command = f"{sys.executable} -m cedar text - <&-"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "cedar: standard input is closed: give a file, or pipe a page in\n"
