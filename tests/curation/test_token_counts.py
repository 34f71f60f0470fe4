"""Counts of tokens: a column, the books and the card, by a stand-in for the package tokenizers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cedar.pipelines.cli import main
from cedar.transforms.model import packages
from tests.helpers.corpus import books, rows
from tests.helpers.crawl import write_warc


class SpaceTokenizer:
    """A token is what stands between spaces; its file says `"spaces"`."""

    @staticmethod
    def from_file(path: str) -> SpaceTokenizer:
        if json.loads(Path(path).read_text()) != "spaces":
            raise Exception("no variant of the enum matched")
        return SpaceTokenizer()

    def no_truncation(self) -> None:
        pass

    def no_padding(self) -> None:
        pass

    def encode_batch(self, texts: list[str], *, add_special_tokens: bool) -> list[list[str]]:
        assert not add_special_tokens
        return [text.split(" ") for text in texts]


@pytest.fixture
def tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace(Tokenizer=SpaceTokenizer))
    path = tmp_path / "tokenizer.json"
    path.write_text('"spaces"')
    return path


def test_tokens_are_a_column_and_sums_of_the_books_the_table_and_the_cards(
    tokenizer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl, corpus = write_warc(tmp_path / "a.warc.gz", 12), tmp_path / "corpus"
    command = ["extract", str(crawl), "--output", str(corpus), "--language"]
    assert main([*command, "--count-tokens", f"spaces={tokenizer}", "--keep", "offset > 3000"]) == 0
    kept, dropped = rows(corpus), rows(corpus, "dropped")
    assert kept
    assert dropped
    for row in (*kept, *dropped):
        assert row["spaces"] == len(row["text"].split(" "))
    total = sum(row["spaces"] for row in kept)
    assert books(corpus)["tokens"] == {"spaces eng": total}
    table = capsys.readouterr().out
    assert f"tokens (spaces) {total:,}" in " ".join(table.split())
    assert main(["report", str(corpus), "--text"]) == 0
    assert f"spaces eng {total:,}" in " ".join(capsys.readouterr().out.split())
    assert f"`spaces eng` {total:,}" in (corpus / "README.md").read_text()
    assert main(["export", str(corpus), "--output", str(tmp_path / "set"), "--columns", "text"]) == 0
    assert f"{total:,} tokens (spaces)" in (tmp_path / "set/README.md").read_text()


def test_a_corpus_that_is_there_is_counted_and_rules_see_the_count(tokenizer: Path, tmp_path: Path) -> None:
    crawl, corpus = write_warc(tmp_path / "a.warc.gz", 5), tmp_path / "corpus"
    assert main(["extract", str(crawl), "--output", str(corpus), "--quiet"]) == 0
    command = ["filter", str(corpus), "--count-tokens", f"spaces={tokenizer}", "--quiet"]
    assert main([*command, "--output", str(tmp_path / "counted")]) == 0
    total = sum(row["spaces"] for row in rows(tmp_path / "counted"))
    assert books(tmp_path / "counted")["tokens"] == {"spaces unknown": total}
    assert main([*command, "--output", str(tmp_path / "none"), "--keep", "spaces > 100000"]) == 0
    assert len(rows(tmp_path / "none", "dropped")) == 5
    # Another tokenizer is another corpus.
    other = tmp_path / "other.json"
    other.write_text(' "spaces"')
    command[3] = f"spaces={other}"
    assert main([*command, "--output", str(tmp_path / "counted")]) == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("tokenizer.json", "gpt2=tokenizer.json"),
        ("words=tokenizer.json", "'words'"),
        ("new=missing.json", "not a tokenizer: 'missing.json'"),
        ("new=broken.json", "no variant"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    value: str,
    said: str,
    tokenizer: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tokenizer.parent)
    Path("broken.json").write_text("{}")
    write_warc(Path("a.warc.gz"), 1)
    assert main(["extract", "a.warc.gz", "--output", "corpus", "--count-tokens", value]) == 2
    assert said in capsys.readouterr().err
    assert not Path("corpus").exists()


def test_without_the_package_the_command_that_installs_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    crawl = write_warc(tmp_path / "a.warc.gz", 1)
    command = ["extract", str(crawl), "--output", str(tmp_path / "c"), "--count-tokens", "a=b.json"]
    monkeypatch.setattr(packages, "requires", lambda _: ['tokenizers>=0.20; extra == "tokens"'])
    assert main(command) == 2
    assert "--count-tokens needs a package: pip install 'tokenizers>=0.20'\n" in capsys.readouterr().err
    monkeypatch.setattr(packages, "requires", lambda _: ["numpy>=2"])  # metadata without the extra
    assert main(command) == 2
    assert "--count-tokens needs a package: pip install tokenizers\n" in capsys.readouterr().err
