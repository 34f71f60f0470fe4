"""Commands that no one should give: exit code 2 and one line that says what to write instead."""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from tests.helpers.crawl import article, write_warc

GOLD = Path(__file__).parent / "gold" / "handmade"

OPTIONS_OF_EXTRACT = [
    ("--url-include 'a{99999999999999}'", "not a valid regular expression: 'a{99999999999999}' ("),
    ("--url-include '('", "not a valid regular expression: '('"),
    (f"--url-exclude '{'(' * 3000}'", "not a valid regular expression: '((((((((((((((("),
    (f"--split-size {'9' * 400}", "not a valid size: '99999999999"),
    ("--split-size 1", "not a valid split size: '1' (at least 64KiB, or 0 for files as they are)"),
    ("--split-size 65535", "at least 64KiB"),
    ("--split-size 1KiB", "(at least 64KiB, or 0 for files as they are)"),
    ("--split-size abc", "not a valid size: 'abc' (write it as 128MiB)"),
    (f"--page-memory {'9' * 400}", "not a valid size: '99999999999"),
    (f"--page-memory {'9' * 20}GiB", "(from 1 byte to 1 EiB, as 128MiB)"),
    ("--page-memory 1", "not a valid size: '1' (at least 16MiB)"),
    ("--page-memory 0", "not a valid size: '0' (at least 16MiB)"),
    ("--page-memory 512", "(at least 16MiB; did you mean 512MiB?)"),
    ("--max-body 8", "not a valid size: '8' (from 1KiB to 1GiB; did you mean 8MiB?)"),
    ("--max-body 8B", "not a valid size: '8B' (from 1KiB to 1GiB)"),
    ("--max-body '8 parsecs'", "not a valid size: '8 parsecs' (write"),
    ("--page-timeout nan", "not a valid number of seconds: 'nan' (write it as 10 or 0.5)"),
    (f"--limit {'9' * 400}", "not a valid number: "),
    ("--limit 0", "a whole number from 1"),
    ("--connections x", "(from 1 to 100)"),
    ("--seed 4", "--seed chooses among samples: give --sample, too"),
    ("--workers -1", "not a valid number: '-1' (a whole number from 1)"),
    ("--connections 0", "(from 1 to 100)"),
    ("--status २००", "not a valid range of statuses"),
    ("--status 2xx", "range of statuses"),
    ("--status 299-200", "range of statuses"),
    ("--record-types respnse", "WARC record type"),
    ("--reject-rows some", "invalid choice"),
    ("--runner Foo", "not a valid runner: 'Foo' (one of local, "),
    ("--runner ''", "not a valid runner: ''"),
    ("--runner FlinkRuner", "not a valid runner: 'FlinkRuner' (did you mean FlinkRunner?)"),
    ("--format csv", "choose one of parquet, avro"),
    ("--compression ''", "compression"),
    ("--compression lzma", "choose zstd, snappy, gzip, none"),
    ("--extractor ctr", "unknown extractor 'ctr'"),
    ("--extractor cedar:smooth=x", "smooth"),
    ("--extractor cetr:smoothing=x", "fixed or literal"),
    ("--extractor cetr:=2", "smoothing=literal"),
    ("--slice 0:1", "--slice is for the lines of a list"),
    ("--slice 3:3", "range of lines"),
    ("--prefix s3://b/", "--prefix is for the lines of a list"),
    ("--watch 3 --plan --runner FlinkRunner", "--plan describes the inputs of now"),
    ("--no-such-option", "unknown option --no-such-option"),
    ("--ouptut p", "unknown option --ouptut, did you mean --output?"),
]
"""Options after `cedar extract a.warc.gz --output o`."""

QUEUES = [
    "kafka://a/t",
    "kafka://a:1",
    "kafka://a:1/t?other=x",
    "kafka://a:1/t/u",
    "pubsub://p",
    "amqp://a:1/q",
    "",
]
EMPTY = "empty: give a path (is a variable not set?)"
NO_QUEUE = "(write it as kafka://HOST:PORT/TOPIC or pubsub://PROJECT/SUBSCRIPTION)"
NO_DASH = "not a valid path: '-'"
TO_STORE = "not a valid path: 's3://bucket/page.html' (it is written on this machine alone"
NO_PAGES = "no pages: give the WARC file of the same name"

COMMANDS = [
    *((f"extract a.warc.gz --output o {options}", said) for options, said in OPTIONS_OF_EXTRACT),
    *((f"extract --queue '{uri}' --output o --runner FlinkRunner", NO_QUEUE) for uri in QUEUES),
    (
        "extract --queue kafka://h:1/t --output o --plan --runner FlinkRunner",
        "--plan describes the inputs of now",
    ),
    ("extract --output o", "INPUT"),
    ("extract a", "--output"),
    ("extract a --output", "--output"),
    ("extract none/*.warc.gz --output o", "nothing matches"),
    ("extract link.warc --output o", "cannot read"),
    ("extract a.warc.wet.gz --output o", NO_PAGES),
    ("extract a.warc.wat.gz --output o", NO_PAGES),
    ("extract a.wet --output o", NO_PAGES),
    ("extract '' --output o", EMPTY),
    ("extract a.warc.gz --output ''", EMPTY),
    ("extract a.warc.gz --output=", EMPTY),
    ("extract - --output o", NO_DASH),
    ("extract a.warc.gz --output -", NO_DASH),
    ("extract @ --output o", "not a valid list: '@' (write it as @warc.paths.gz)"),
    ("extract file://host/a.warc --output o", "not a path on this machine: 'file://host/a.warc'"),
    ("extract a\0b --output o", "not a valid path: 'a\\x00b'"),
    ("dedup c --output o --memory 64", "did you mean 64MiB?"),
    *(
        (f"export c --output o '--sample={size}'", "1%")
        for size in ("", "0%", "101%", "0", "1.5", "-1", "1 %", "many")
    ),
    ("report ''", EMPTY),
    ("report corpus --output ''", EMPTY),
    ("report c --output s3://bucket/page.html", TO_STORE),
    ("report nowhere", "not a corpus: nowhere"),
    ("report plain", "not a corpus: plain"),
    ("report odd/corpus.json", "not a corpus: odd/corpus.json"),
    ("report odd", "was not written by Cedar"),
    ("report a b c", "give one corpus"),
    ("report a --settle", "cedar check CORPUS --repair"),
    ("browse c --output s3://bucket/page.html", TO_STORE),
    ("explain ''", EMPTY),
    ("explain -", NO_DASH),
    ("explain page.html --output ''", EMPTY),
    ("explain page.html --output s3://bucket/page.html", TO_STORE),
    ("explain page.html --output nowhere/out.html", "cannot write"),
    ("explain page.html --gold ''", EMPTY),
    ("explain page.html --gold nowhere.txt", "cannot read the gold nowhere.txt"),
    ("explain page.html --extractor magic", "unknown extractor 'magic'"),
    ("explain page.html --extractor cetr:k=zero", "k must be"),
    ("explain page.html --extractor cetr:depth=3", "no option 'depth'"),
    ("explain page.html --extractor-option k=3", "--extractor NAME:K=V,K=V"),
    ("explain page.html --url https://x.example/", "not a WARC or ARC file"),
    ("explain nowhere.html", "nowhere.html"),
    ("explain a.warc.gz", "choose with --url one of https://crawl.example/0"),
    ("explain a.warc.gz --url https://x.example/", "no record with the URL https://x.example/"),
    ("explain a.warc.gz --offset 99999999", "none at 99999999"),
    ("evaluate ''", EMPTY),
    ("evaluate gold --results ''", EMPTY),
    ("evaluate gold --output -", NO_DASH),
    ("evaluate g --output s3://bucket/page.html", TO_STORE),
    ("evaluate --results s3://bucket/page.html", TO_STORE),
    ("evaluate g --page-memory 64", "did you mean 64MiB?"),
    ("evaluate nowhere.jsonl", "no gold at nowhere.jsonl"),
    (f"evaluate {GOLD} {GOLD}", "two gold sets are called 'handmade'"),
    (f"evaluate {GOLD} --extractor nope", "unknown extractor 'nope'"),
    (f"evaluate {GOLD} --extractor cetr:nope=1", "cetr has no option 'nope'"),
    (f"evaluate {GOLD} --extractor cetr:k=3,k=4", "an option is given twice"),
    (f"evaluate {GOLD} --extractor peer:nope", "unknown peer 'peer:nope'"),
    (f"evaluate {GOLD} --metric rouge", "unknown metric 'rouge'; there are: lcs, "),
    (f"evaluate {GOLD} --metric ,", "--metric is empty: name a measure, such as lcs"),
    (f"evaluate {GOLD} --results /no/such/place/r.json", "make its directory first"),
    (f"evaluate {GOLD} --sweep alpha=1:3:1", "cedar has no option 'alpha'"),
    (f"evaluate {GOLD} --folds x", "a whole number from 2"),
    (f"dedup c --output o --lines-pages {'9' * 30}", "a whole number from 2"),
    ("filter c --dry-run --keep 'words > 1' --seed 4", "--seed chooses among samples: give --sample, too"),
    ("export c --output o --seed 4", "--seed chooses among samples: give --sample, too"),
    ("extractors cetr --bibtex --json", "give one of them"),
    ("export made --output new --columns -id,text", "is written as '--columns=-id,text'"),
    ("export made --output new --file-size -1MiB", "is written as '--file-size=-1MiB'"),
    ("export made -o -new", "is written as '--output=-new'"),
    ("extract a.warc.gz --output o --sample -5%", "is written as '--sample=-5%'"),
    (
        "extract a.warc.gz --output o --with-html",
        "cedar builds no tree and gives no HTML: choose from cetd-ds",
    ),
    ("extract a.warc.gz --output o --extractor cetr --with-html", "cetr builds no tree"),
    ("extract a.warc.gz --output o --cdx nothere", "cannot read nothere: No such file or directory"),
    ("extract changed.warc.gz --output changed", "changed since it was read: --refresh"),
    ("export other --output new/deep", "schema '3', expected 3"),
    ("revisits other --output new.parquet", "schema '3', expected 3"),
    ("browse made --output kept", "kept is a corpus: choose another --output"),
    ("browse made --output clean", "clean is a result of cedar dedup: choose another --output"),
    ("export clean --output new", "it is a result of cedar dedup: name clean/corpus"),
    ("filter clean --output new --keep 'words > 1'", "name clean/corpus"),
    ("browse clean --output new", "name clean/corpus"),
    ("explain clean --url https://crawl.example/0", "name clean/corpus"),
    ("export unique --output new", "cedar dedup --write makes a corpus of it"),
    ("filter data --output new --keep 'words > 1'", "it is a data set of cedar export: name the corpus"),
    ("revisits kept --output new.parquet", "kept was made by cedar filter, which keeps no revisits"),
    ("revisits clean/corpus --output new.parquet", "was made by cedar dedup, which keeps no revisits"),
    ("check made --cdx nothere", "cannot read nothere: No such file or directory"),
    ("filter made --output new --decontaminate nothere", "nothere: No such file or directory"),
    ("dedup with_a_folder --output new", "with_a_folder/run.json: Is a directory"),
    ("check with_a_folder --repair", "cannot write"),
    ("extrat", "unknown command 'extrat', did you mean extract?"),
    ("zzz", "unknown command 'zzz', choose from text, explain, crawls, extract, filter, dedup, "),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive, a page, odd folders, and files that hold no pages."""
    folder = tmp_path_factory.mktemp("refusals")
    write_warc(folder / "a.warc.gz", 2)
    (folder / "link.warc").symlink_to("gone")
    (folder / "page.html").write_bytes(article(1))
    for name in ("a.warc.wet.gz", "a.warc.wat.gz", "a.wet"):
        (folder / name).write_bytes(b"WARC/1.0\r\n")
    (folder / "plain").mkdir()
    (folder / "odd").mkdir()
    (folder / "odd" / "corpus.json").write_text("[]")
    _make_corpora(folder)
    return folder


def _make_corpora(folder: Path) -> None:
    """Make a corpus, results of it, one with commits of another schema, and one whose input has changed."""
    write_warc(folder / "changed.warc.gz", 3)
    for words in (
        "extract a.warc.gz --output made",
        "extract a.warc.gz --output other",
        "extract a.warc.gz --output with_a_folder",
        "extract changed.warc.gz --output changed",
        "filter made --output kept --keep 'words > 1'",
        "dedup made --output unique",
        "dedup made --output clean --write",
        "export made --output data",
    ):
        with contextlib.chdir(folder):
            assert main([*shlex.split(words), "--quiet"]) == 0
    write_warc(folder / "changed.warc.gz", 4)
    (folder / "with_a_folder" / "run.json").unlink()
    (folder / "with_a_folder" / "run.json").mkdir()
    (commit,) = (folder / "other" / "shards").iterdir()
    commit.write_text(commit.read_text().replace('"schema": 3', '"schema": "3"'))


@pytest.mark.parametrize(("command", "said"), COMMANDS)
def test_a_refusal_is_one_line_and_nothing_is_written(
    command: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    assert main(shlex.split(command)) == 2
    assert sorted(folder.rglob("*")) == before
    out, error = capsys.readouterr()
    assert said in error
    assert (out, error.count("\n")) == ("", 1)
    assert "Errno" not in error
    assert len(error) < 400
