"""`cedar extract` from a web server: rows as from the disk, faults named, nothing of a fault committed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from cedar.transforms.files.http_options import without_secrets
from tests.helpers.corpus import books
from tests.helpers.crawl import write_warc
from tests.helpers.crawl_server import CrawlServer, Fault, crawl_server

NAMES = ("a.warc.gz", "b.warc.gz", "c.warc.gz")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A directory with three archives."""
    for number, name in enumerate(NAMES):
        write_warc(tmp_path / "crawl" / name, 6, first=10 * number)
    return tmp_path / "crawl"


@pytest.fixture
def server(crawl: Path) -> Iterator[CrawlServer]:
    """The same archives on a server, and lists of them."""
    files = {name: (crawl / name).read_bytes() for name in NAMES}
    with crawl_server(files) as server:
        server.files["urls"] = "".join(f"{server.root}{name}\n" for name in NAMES).encode()
        server.files["paths.gz"] = gzip.compress("\n".join(NAMES).encode())
        yield server


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry at once: how long they wait is the business of other tests."""
    monkeypatch.setattr("cedar.transforms.runtime.worker_progress.WorkerProgress.sleep", lambda *_: None)
    monkeypatch.setattr("cedar.transforms.files.http_client.sleep_silently", lambda *_: None)


def extract(output: Path, *arguments: str) -> int:
    return main(["extract", *arguments, "--output", str(output), "--workers", "1", "--extractor", "cetr"])


def rows(corpus: Path) -> list[dict[str, Any]]:
    """Pages and rejects but for the times and the source."""
    found = []
    for kind in ("pages", "rejects"):
        for path in sorted((corpus / kind).glob("*.parquet")):
            table = pq.read_table(path)
            keep = [n for n in table.column_names if not n.endswith("_seconds") and n != "source"]
            found += table.select(keep).to_pylist()
    return sorted(found, key=lambda row: (row["url"], row["offset"]))


def test_rows_are_those_of_the_local_files(crawl: Path, server: CrawlServer, tmp_path: Path) -> None:
    assert extract(tmp_path / "local", str(crawl)) == 0
    assert extract(tmp_path / "web", *(server.root + name for name in NAMES)) == 0
    assert rows(tmp_path / "web") == rows(tmp_path / "local")
    fetch = books(tmp_path / "web")["fetch"]
    assert fetch["requests"] == 3
    assert fetch["bytes"] == sum((crawl / name).stat().st_size for name in NAMES)
    assert fetch["retries"] == {}
    assert list(books(tmp_path / "web")["seconds"]) == ["fetch", "read", "decode", "extract", "write"]
    assert books(tmp_path / "local")["fetch"]["requests"] == 0
    # One look at each file for its size, then one request for all of it.
    assert [asked.headers["range"] for asked in server.asked(NAMES[0])] == ["bytes=0-0", "bytes=0-"]


@pytest.mark.parametrize("arguments", [["@{}urls"], ["@{}paths.gz", "--prefix", "{}"]])
def test_lists_on_a_server_name_files_on_a_server(
    arguments: list[str], crawl: Path, server: CrawlServer, tmp_path: Path
) -> None:
    given = [argument.format(server.root) for argument in arguments]
    assert extract(tmp_path / "web", *given, "--slice", "1:") == 0
    sources = {json.loads(p.read_text())["source"] for p in (tmp_path / "web" / "shards").iterdir()}
    assert sources == {server.root + name for name in NAMES[1:]}


def test_what_breaks_on_the_way_costs_no_row(crawl: Path, server: CrawlServer, tmp_path: Path) -> None:
    size = (crawl / NAMES[0]).stat().st_size
    server.faults[NAMES[0]] = [
        Fault(503),
        None,
        Fault(cut=size // 3),
        Fault(502),
        Fault(cut=100, how="rst"),
        Fault(ignores="range"),
    ]
    assert extract(tmp_path / "local", str(crawl)) == 0
    assert extract(tmp_path / "web", *(server.root + name for name in NAMES)) == 0
    assert rows(tmp_path / "web") == rows(tmp_path / "local")
    fetch = books(tmp_path / "web")["fetch"]
    assert fetch["retries"] == {"502": 1, "cut": 2, "range": 1}
    assert fetch["requests"] == 7
    assert fetch["waited"] >= 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault(503), "the server answered 503 (given up after 20 attempts)"),
        (Fault(403), "the server answered 403"),
        (Fault(404), "no such file"),
        (Fault(headers={"ETag": '"v2"'}), "the file changed while it was read"),
    ],
)
def test_a_file_that_cannot_be_had_fails_alone_and_the_same_command_completes(
    fault: Fault,
    message: str,
    server: CrawlServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    urls = [server.root + name for name in NAMES]
    server.faults[NAMES[1]] = [None, *[fault] * 400]
    assert extract(tmp_path / "web", *urls) == 1
    assert f"{server.root}{NAMES[1]}" in capsys.readouterr().err
    (run,) = (json.loads(path.read_text()) for path in (tmp_path / "web" / "runs").iterdir())
    assert [failure["source"] for failure in run["failures"]] == [server.root + NAMES[1]]
    assert message in run["failures"][0]["fault"]
    assert len(list((tmp_path / "web" / "shards").iterdir())) == 2
    server.faults.clear()
    server.log.clear()
    assert extract(tmp_path / "web", *urls) == 0
    assert len(list((tmp_path / "web" / "shards").iterdir())) == 3
    # What is committed is looked at, but not fetched again.
    assert [asked.headers["range"] for asked in server.asked(NAMES[0])] == ["bytes=0-0"]


def test_a_file_that_changed_is_read_again_when_that_is_asked_for(
    server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = server.root + NAMES[0]
    assert extract(tmp_path / "web", url) == 0
    server.etags[NAMES[0]] = '"v2"'
    server.files[NAMES[0]] = server.files[NAMES[1]]
    assert extract(tmp_path / "web", url) == 2
    assert "--refresh reads it again" in capsys.readouterr().err
    assert extract(tmp_path / "web", url, "--refresh") == 0
    assert {row["url"] for row in rows(tmp_path / "web")} >= {"https://crawl.example/10"}
    assert not [row for row in rows(tmp_path / "web") if row["url"] == "https://crawl.example/0"]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("{}none.warc.gz", "nothing matches {}none.warc.gz"),
        ("@{}none", "cannot read the list {}none"),
        ("{}", "not a file: {} (web servers cannot be listed"),
        ("http://me:word@127.0.0.1/a.warc.gz", "a user name or a password is not taken"),
        ("http://no-such-host.invalid/a.warc.gz", "no such host"),
    ],
)
def test_inputs_that_are_not_there_are_one_line_and_nothing_is_written(
    argument: str, message: str, server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(tmp_path / "web", argument.format(server.root)) == 2
    error = capsys.readouterr().err
    assert message.format(server.root) in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "web").exists()


def test_a_corpus_cannot_be_on_a_web_server(server: CrawlServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", server.root + NAMES[0], "--output", server.root + "corpus"]) == 2
    assert "web servers are for reading, choose another --output" in capsys.readouterr().err


def test_a_record_of_a_file_on_a_server_is_shown(
    server: CrawlServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["text", server.root + NAMES[0], "--url", "https://crawl.example/3"]) == 0
    assert "of page 3 says" in capsys.readouterr().out


SIGNED = "X-Amz-Signature=s3cr3t&X-Amz-Credential=s3cr3t%2F2026&X-Amz-Expires=9"


def holds_secret(folder: Path) -> list[str]:
    """The files below a folder that hold the secret, in Parquet columns, too."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            text = str(pq.read_table(path).to_pylist())
        else:
            text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
        found += [path.name] * ("s3cr3t" in text or "s3cr3t" in path.name)
    return found


def test_the_signature_of_a_url_is_in_no_row_file_or_message(
    server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.files["signed"] = "".join(f"{server.root}{name}?v=2&{SIGNED}\n" for name in NAMES).encode()
    server.files |= {f"{name}?v=2&{SIGNED}": server.files[name] for name in NAMES}
    one, listed = tmp_path / "one", tmp_path / "listed"
    assert extract(one, f"{server.root}a.warc.gz?v=2&{SIGNED}") == 0
    assert extract(listed, f"@{server.root}signed") == 0
    for corpus, names in ((one, NAMES[:1]), (listed, NAMES)):
        sources = {
            row["source"] for path in (corpus / "pages").iterdir() for row in pq.read_table(path).to_pylist()
        }
        assert sources == {f"{server.root}{name}?v=2" for name in names}
        assert holds_secret(corpus) == []
    # A new signature is no new input.
    server.log.clear()
    renewed = SIGNED.replace("s3cr3t", "n3w")
    server.files["signed"] = server.files["signed"].replace(SIGNED.encode(), renewed.encode())
    server.files |= {f"{name}?v=2&{renewed}": server.files[name] for name in NAMES}
    assert extract(listed, f"@{server.root}signed") == 0
    assert [asked.path for asked in server.log] == ["signed"]
    server.always[f"a.warc.gz?v=2&{SIGNED}"] = Fault(403)
    server.files["signed"] = f"{server.root}a.warc.gz?v=2&{SIGNED}\n".encode()
    assert extract(tmp_path / "failed", f"@{server.root}signed") == 1
    assert holds_secret(tmp_path / "failed") == []
    told = capsys.readouterr()
    assert "s3cr3t" not in told.err + told.out
    assert f"{server.root}a.warc.gz?v=2" in told.err


@pytest.mark.parametrize("command", ["extract", "text", "explain"])
@pytest.mark.parametrize(
    "url",
    [
        "http://user:s3cr3t@127.0.0.1:1/a.warc.gz",
        "http://s3cr3t@127.0.0.1:1/a.warc.gz",
        "https://u:s3cr3t@[bad/a.warc.gz",
        "http://127.0.0.1:99999/a.warc.gz?token=s3cr3t",
        "http://127.0.0.1:1/a/?X-Amz-Signature=s3cr3t",
        "s3://key:s3cr3t@bucket/in/",
    ],
)
def test_a_password_is_in_no_message(
    command: str, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--output", str(tmp_path / "o")] if command == "extract" else []
    assert main([command, url, *more]) in (1, 2)
    told = capsys.readouterr()
    assert "s3cr3t" not in told.err + told.out
    assert told.err.splitlines()[-1].startswith("cedar: ")


@pytest.mark.parametrize(
    "location", ["http://user:s3cr3t@127.0.0.1/x", "ftp://user:s3cr3t@h/x", "http://h:b/?sig=s3cr3t&se=9"]
)
def test_a_password_that_a_redirect_sends_is_in_no_message(
    location: str, server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.always["a.warc.gz"] = Fault(302, {"Location": location})
    assert extract(tmp_path / "o", f"{server.root}a.warc.gz") == 2
    told = capsys.readouterr().err
    assert "s3cr3t" not in told
    assert "redirected" in told


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://h/a?x=1&sig=q&se=2&sv=3&y=4", "https://h/a?x=1&y=4"),
        ("https://h/a?se=2&sv=3", "https://h/a?se=2&sv=3"),
        ("https://h/a?Expires=1&Signature=q&Key-Pair-Id=k", "https://h/a"),
        ("https://h/a?GoogleAccessId=a&Signature=q&Expires=1#part", "https://h/a#part"),
        ("https://h/a?access%5Ftoken=q&id=7", "https://h/a?id=7"),
        ("https://user@h:80/a", "https://h:80/a"),
        (
            "abfs://container@account.dfs.core.windows.net/a",
            "abfs://container@account.dfs.core.windows.net/a",
        ),
        ("https://h/a?", "https://h/a"),
        ("https://h/a?jwt=q&pw=q&pass=q&session=q&auth=q&x-api-key=q&id_token=q&id=7", "https://h/a?id=7"),
        ("https://h/a?page_token=3&author=x&compass=n", "https://h/a?page_token=3&author=x&compass=n"),
        ("https://h/a.warc;token=q?y=1", "https://h/a.warc?y=1"),
        ("https://user:p/w#d@h/a", "https://h/a"),
        ("https://h:8080/@x/a:b@c", "https://h:8080/@x/a:b@c"),
        ("ftp://user@h/a", "ftp://h/a"),
        ("/data/a@b:c.warc?sig=1", "/data/a@b:c.warc?sig=1"),
    ],
)
def test_what_of_a_url_is_secret(url: str, name: str) -> None:
    assert without_secrets(url) == name
    assert without_secrets(name) == name
