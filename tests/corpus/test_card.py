"""The card of a corpus: its header names files and types, and what a person wrote in it stays."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.cli import main
from cedar.transforms.corpus.card import merged
from tests.helpers.crawl import write_warc


def header(card: str) -> list[str]:
    assert card.startswith("---\n")
    return card[3:].partition("\n---\n")[0].strip("\n").splitlines()


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_warc(tmp_path_factory.mktemp("crawl") / "a|b`.warc.gz", 20)


def extracted(crawl: Path, corpus: Path, *options: str) -> str:
    assert main(["extract", str(crawl), "--output", str(corpus), "--quiet", *options]) == 0
    return (corpus / "README.md").read_text(encoding="utf-8")


def test_header_names_the_files_of_each_kind_that_there_is(crawl: Path, tmp_path: Path) -> None:
    lines = header(extracted(crawl, tmp_path / "corpus", "--keep", "words > 1000"))
    assert [line for line in lines if not line.startswith("  description: 0 pages, ")] == [
        "configs:",
        *("- config_name: default", "  data_files:", "  - split: train", "    path: pages/*"),
        *("- config_name: dropped", "  data_files:", "  - split: train", "    path: dropped/*"),
        *("- config_name: rejects", "  data_files:", "  - split: train", "    path: rejects/*"),
    ]


@pytest.mark.parametrize("make", ["extract", "export"])
def test_sets_of_other_rows_in_directories_of_one_name_are_described_otherwise(
    crawl: Path, tmp_path: Path, make: str
) -> None:
    """By that `datasets`, which keeps what it has loaded by the name of the directory, tells them apart."""
    extracted(crawl, tmp_path / "corpus")
    described = []
    for number, options in enumerate(([], ["--sample", "5"], [])):
        output = tmp_path / str(number) / "data"
        source = crawl if make == "extract" else tmp_path / "corpus"
        chosen = ["--keep", "offset > 3000"] if options and make == "extract" else options
        assert main([make, str(source), "--output", str(output), *chosen]) == 0
        lines = header((output / "README.md").read_text(encoding="utf-8"))
        described.append(next(line for line in lines if line.startswith("  description: ")))
    assert described[0] == described[2] != described[1]


def test_header_of_json_lines_has_the_keys_and_types_of_every_line(crawl: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    lines = header(extracted(crawl, corpus, "--format", "jsonl", "--compression", "gzip", "--signals"))
    assert "dataset_info:" in lines
    names = [line.removeprefix("  - name: ") for line in lines if line.startswith("  - name: ")]
    pages = rows_of(corpus / "pages")
    rejects = rows_of(corpus / "rejects")
    assert names == [*pages[0], *rejects[0]]
    dtypes = {line.removeprefix("    dtype: ") for line in lines if line.startswith("    dtype: ")}
    assert dtypes == {"string", "int64", "int32", "bool", "float64", "float32", "timestamp[us, tz=UTC]"}


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in folder.iterdir() for line in gzip.open(path)]


def test_text_has_counts_choices_and_sources(crawl: Path, tmp_path: Path) -> None:
    card = extracted(crawl, tmp_path / "corpus", "--keep", "words > 1000")
    assert "| pages | 0 |\n| dropped | 20 |\n" in card
    assert "options digest" not in card
    assert "- schema" not in card
    assert "`keep: words > 1000` 20" in card
    assert "- extractor: `cedar`" in card
    assert "a\\|b'.warc.gz`" in card


@pytest.mark.parametrize("compression", ["zstd", "gzip"])
def test_text_of_packed_json_lines_names_the_package_that_unpacks_them(
    crawl: Path, tmp_path: Path, compression: str
) -> None:
    card = extracted(crawl, tmp_path / "corpus", "--format", "jsonl", "--compression", compression)
    assert ("where the package `zstandard` is installed" in card) is (compression == "zstd")


def test_avro_has_a_card_without_configurations(crawl: Path, tmp_path: Path) -> None:
    assert header(extracted(crawl, tmp_path / "corpus", "--format", "avro")) == []


def test_what_a_person_wrote_stays(crawl: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    card = extracted(crawl, corpus)
    theirs = card.replace("---\n", "---\nlicense: cc0-1.0\ntags:\n- boats\n", 1)
    theirs = theirs.replace("\n---\n", "\nlanguage: en\n---\n# Boats\n", 1)
    theirs = theirs.replace("| pages | 20 |", "| pages | 7 |")
    (corpus / "README.md").write_text(theirs, encoding="utf-8")
    again = extracted(crawl, corpus)
    assert header(again)[:4] == ["license: cc0-1.0", "tags:", "- boats", "language: en"]
    assert "\n---\n# Boats\n" in again
    assert "| pages | 20 |" in again
    assert header(again).count("configs:") == 1
    assert extracted(crawl, corpus) == again
    (corpus / "README.md").write_text("A card of my own.\n", encoding="utf-8")
    assert extracted(crawl, corpus) == "A card of my own.\n"


@pytest.mark.parametrize("before", ["", "---", "---\n", "---\nconfigs:\n", "text\n---\n"])
def test_a_card_that_is_cut_is_a_persons(before: str) -> None:
    assert merged("configs:\n<!-- x -->", before) == before
