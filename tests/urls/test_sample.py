"""Samples of pages by a hash of the URL."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.pipelines.cli import main
from cedar.pipelines.common.option_types import sample_size
from cedar.pipelines.extract.job import make_plan
from cedar.transforms.urls.sample import SampleSize, sample_of, url_hash
from tests.extract.runs import options_for
from tests.helpers.corpus import books, rows
from tests.helpers.crawl import write_warc

URLS = [f"https://h{number % 97}.example/page/{number}" for number in range(20_000)]
EXTRACT = ("--extractor", "cetr", "--quiet")


def chosen(size: str, seed: int = 0) -> set[str]:
    sample = sample_of(sample_size(size), seed, URLS)
    return {url for url in URLS if sample.has(url)}


def test_hashes_are_the_same_everywhere() -> None:
    assert url_hash("https://a.example/ü\udc80", 7) == 0xE3C71D00BFA7E755


def test_samples_have_their_size_and_are_nested() -> None:
    assert 150 < len(chosen("1%")) < 250
    assert chosen("1%") < chosen("2%") < chosen("100%") == set(URLS)
    assert len(chosen("300")) == 300
    assert chosen("1%") < chosen("300") < chosen("301")
    assert chosen("30000") == set(URLS)
    assert len(chosen("50%") & chosen("50%", seed=1)) < 11_000


@given(st.permutations(range(8)), st.integers(1, 16))
def test_a_number_takes_all_pages_of_a_url_in_any_order(order: list[int], number: int) -> None:
    urls = [URLS[at] for at in order for _ in range(2)]
    sample = sample_of(SampleSize(number=number), 0, urls)
    assert sample == sample_of(SampleSize(number=number), 0, sorted(urls))
    assert sum(map(sample.has, urls)) == number + number % 2


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of two files of forty pages, beside these files."""
    folder = tmp_path_factory.mktemp("sample")
    for number in (0, 40):
        write_warc(folder / f"{number}.warc.gz", 40, first=number, paragraphs=2)
    assert main(["extract", str(folder), "--output", str(folder / "corpus"), *EXTRACT]) == 0
    return folder / "corpus"


def urls(corpus: Path) -> list[str]:
    return [row["url"] for row in rows(corpus)]


def test_commands_take_the_same_pages_and_the_books_balance(whole: Path, tmp_path: Path) -> None:
    files = sorted(map(str, whole.parent.glob("*.warc.gz")))
    sample = ("--sample", "30%", "--seed", "2", "--quiet")
    more = ("--split-size", "64KiB")
    assert main(["extract", *files, "--output", str(tmp_path / "plain"), *EXTRACT, *sample]) == 0
    assert main(["extract", *files[::-1], "--output", str(tmp_path / "other"), *EXTRACT, *sample, *more]) == 0
    expected = [url for url in urls(whole) if sample_of(sample_size("30%"), 2, ()).has(url)]
    assert 10 < len(expected) < 40
    assert sorted(urls(tmp_path / "plain")) == sorted(urls(tmp_path / "other")) == sorted(expected)
    written = books(tmp_path / "plain")
    assert written["balanced"]
    assert written["rejected"]["sample"] >= 80 - len(expected)  # redirects and the like among them
    assert all(row["reason"] != "sample" for row in rows(tmp_path / "plain", "rejects"))

    assert main(["filter", str(whole), "--output", str(tmp_path / "filtered"), *sample]) == 0
    assert urls(tmp_path / "filtered") == expected
    assert books(tmp_path / "filtered")["rejected"] == {"sample": 80 - len(expected)}
    output = tmp_path / "exported"
    assert main(["export", str(whole), "--output", str(output), "--columns", "text", *sample]) == 0
    (file,) = (output / "data").iterdir()
    import pyarrow.parquet as pq

    texts = {row["url"]: row["text"] for row in rows(whole)}
    assert pq.read_table(file)["text"].to_pylist() == [texts[url] for url in expected]


def test_records_that_are_passed_over_are_counted_as_if_they_were_read(whole: Path, tmp_path: Path) -> None:
    files = sorted(map(str, whole.parent.glob("*.warc.gz")))
    sample = ("--sample", "30%", "--seed", "2", "--quiet")
    # A row for each reject needs what the header says, so that nothing is passed over.
    assert (
        main(
            ["extract", *files, "--output", str(tmp_path / "read"), *EXTRACT, *sample, "--reject-rows", "all"]
        )
        == 0
    )
    assert main(["extract", *files, "--output", str(tmp_path / "passed"), *EXTRACT, *sample]) == 0
    assert rows(tmp_path / "passed") == rows(tmp_path / "read")
    for name in ("records_read", "pages", "rejected", "bytes"):
        assert books(tmp_path / "passed")[name] == books(tmp_path / "read")[name]
    assert len(rows(tmp_path / "read", "rejects")) == sum(books(tmp_path / "read")["rejected"].values())


def test_a_number_of_pages_is_drawn_where_the_pages_are_known(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["extract", str(whole.parent), "--output", str(tmp_path / "e"), "--sample", "5"]) == 2
    assert "--sample 1%" in capsys.readouterr().err
    assert main(["filter", str(whole), "--sample", "5", "--keep", "words > 9", "--dry-run", "--json"]) == 0
    assert capsys.readouterr().out == '{"pages": 5, "kept": 5, "dropped": {}, "sampled_out": 75}\n'
    assert main(["filter", str(whole), "--sample", "5", "--output", str(tmp_path / "five"), "--quiet"]) == 0
    few = urls(tmp_path / "five")
    assert len(few) == 5
    assert main(["filter", str(whole), "--sample", "9", "--output", str(tmp_path / "nine"), "--quiet"]) == 0
    assert set(few) < set(urls(tmp_path / "nine"))
    # Another sample is another corpus.
    capsys.readouterr()
    assert main(["filter", str(whole), "--sample", "9", "--output", str(tmp_path / "five"), "--quiet"]) == 2
    assert "sample" in capsys.readouterr().err


def test_an_export_of_another_sample_is_refused(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["export", str(whole), "--output", str(tmp_path / "data"), "--quiet"]
    assert main([*command, "--sample", "10%"]) == 0
    assert main(command) == 2
    assert "sample" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "is_passing"), [((), True), (("--limit", "5"), False), (("--reject-rows", "all"), False)]
)
def test_records_outside_of_a_sample_are_passed_over_unless_each_of_them_counts(
    more: tuple[str, ...], is_passing: bool, tmp_path: Path
) -> None:
    crawl = write_warc(tmp_path / "a.warc.gz", 2)
    options = options_for(str(crawl), "--output", str(tmp_path / "corpus"), "--sample", "1%", *more)
    plan, _ = make_plan(options)
    assert (plan.read.options.is_wanted is not None) is is_passing
