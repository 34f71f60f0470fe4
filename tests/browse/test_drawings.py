"""Which pages of a corpus are drawn, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from cedar.pipelines.browse.drawings import Drawings
from cedar.pipelines.browse.rows import ShownRow, Stratum
from cedar.pipelines.cli import main
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.page_lookup import PageSource, _from_bytes
from cedar.transforms.files.http_options import WebConfig
from cedar.transforms.model.records import Page
from tests.helpers.corpus import rows
from tests.helpers.crawl import article
from tests.helpers.crawl_root import MAIN, make_root


def test_pages_are_drawn_from_archives_on_a_store_and_not_from_web_servers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(place: PageSource, url: str, _: object) -> Page:
        if "gone" in place.path:
            raise UsageError(f"cannot read {place.path}: not there")
        return _from_bytes(article(place.offset or 0), url)

    monkeypatch.setattr("cedar.pipelines.browse.drawings.read_page", read)
    drawings = Drawings({"extractor": "cetr", "extractor_options": "{}"}, WebConfig())
    sources = (
        "s3://crawl/a.warc.gz",
        "s3://crawl/gone.warc.gz",
        "https://cc.example/b.warc.gz",
        "/no/such.warc",
    )
    for number, source in enumerate(sources):
        values = {"source": source, "offset": number}
        stratum = Stratum("kept", "", "eng", 3)
        drawings.add(number, ShownRow(stratum, f"https://crawl.example/{number}", "", values, None))
    drawn = dict(drawings.drawn(50))
    assert list(drawn) == [0]
    assert "Page 0" in drawn[0]
    assert drawings.refusals == {
        "cannot read s3://crawl/gone.warc.gz: not there": 1,
        "archives on a web server: the command of a page draws it": 1,
    }


def test_pages_of_a_mirror_of_a_crawl_are_drawn(tmp_path: Path) -> None:
    root, corpus, site = make_root(tmp_path / "root"), tmp_path / "c", tmp_path / "site"
    assert main(["extract", f"cc:{MAIN}", "--crawl-root", f"{root}", "--output", f"{corpus}", "--quiet"]) == 0
    assert main(["browse", f"{corpus}", "--crawl-root", f"{root}", "--output", f"{site}"]) == 0
    assert list((site / "drawings").glob("*.html"))


def test_who_names_no_mirror_is_told_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root, corpus = make_root(tmp_path / "root"), tmp_path / "c"
    assert main(["extract", f"cc:{MAIN}", "--crawl-root", f"{root}", "--output", f"{corpus}", "--quiet"]) == 0

    def no_network(*_: object, **__: object) -> None:
        raise OSError("no such host")

    monkeypatch.delenv("CEDAR_CC_ROOT", raising=False)
    monkeypatch.setattr("cedar.pipelines.common.page_lookup.list_inputs", no_network)
    url = rows(corpus)[0]["url"]
    assert main(["explain", f"{corpus}", "--url", url]) == 2
    assert (
        "(--crawl-root names a mirror, if the corpus was made from one): no such" in capsys.readouterr().err
    )
