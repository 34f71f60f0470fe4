"""Files on a web server of faults: the bytes are right, or there is a fault; nothing in between."""

from __future__ import annotations

import random
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_file import HttpFile, HttpStorage
from cedar.transforms.files.http_options import FileChangedError, PermanentHttpError, WebConfig
from cedar.transforms.files.pace import RefusedError
from cedar.transforms.files.stores import storage_for
from tests.helpers.crawl_server import CrawlServer, FakeClock, Fault, crawl_server, patient_web

DATA = random.Random(5).randbytes(20_000)
PATH = "a.warc.gz"


@pytest.fixture(scope="module")
def shared() -> Iterator[CrawlServer]:
    with crawl_server({PATH: DATA, "empty": b""}) as server:
        yield server


@pytest.fixture
def server(shared: CrawlServer) -> CrawlServer:
    """The server, with nothing wrong and nothing asked yet."""
    shared.faults, shared.always, shared.etags = {}, {}, {}
    shared.log.clear()
    return shared


def read(server: CrawlServer, clock: FakeClock, path: str = PATH) -> bytes:
    with HttpFile(server.root + path, patient_web(clock)) as file:
        return file.readall()


def test_a_file_is_one_request_that_says_who_asks(server: CrawlServer) -> None:
    web = Web(WebConfig(contact="ops@corpus.example"))
    with HttpFile(server.root + PATH, web) as file:
        assert (file.readall(), file.read(1), file.tell()) == (DATA, b"", len(DATA))
        assert file.state().size == len(DATA)
    (asked,) = server.log
    assert asked.headers["range"] == "bytes=0-"
    assert asked.headers["accept-encoding"] == "identity"
    assert asked.headers["user-agent"].startswith("cedar-corpus/")
    assert asked.headers["user-agent"].endswith("; ops@corpus.example)")
    assert web.fetched.requests == 1
    assert web.fetched.bytes == len(DATA)


@pytest.mark.parametrize("form", ["{}", "http://{}"])
def test_a_proxy_of_the_environment_is_asked_for_the_address(
    form: str, server: CrawlServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", form.format(server.root.removeprefix("http://").rstrip("/")))
    monkeypatch.setenv("no_proxy", "")
    clock = FakeClock()
    server.files["http://files.example/a"] = b"by way of a proxy"
    with HttpFile("http://files.example/a", patient_web(clock)) as file:
        assert file.readall() == b"by way of a proxy"


def test_a_file_that_is_closed_in_its_middle_lets_go_of_the_answer(server: CrawlServer) -> None:
    file = HttpFile(server.root + PATH, patient_web(FakeClock()))
    assert file.read(3) == DATA[:3]
    assert file._answer is not None
    file.close()
    assert file._answer is None


def test_an_empty_file_has_no_bytes(server: CrawlServer) -> None:
    assert read(server, FakeClock(), "empty") == b""
    assert HttpStorage(Web()).stat(server.root + "empty").size == 0


def test_stat_asks_for_one_byte(server: CrawlServer) -> None:
    file = storage_for(server.root + PATH).stat(server.root + PATH)
    assert (file.size, file.version) == (len(DATA), 'etag:"v1"')
    assert server.log[0].headers["range"] == "bytes=0-0"


@pytest.mark.slow
@given(
    cuts=st.lists(
        st.tuples(st.integers(0, len(DATA)), st.sampled_from(["fin", "rst"])), min_size=1, max_size=3
    )
)
def test_a_body_that_is_cut_anywhere_is_taken_up_at_the_first_byte_not_delivered(
    shared: CrawlServer, cuts: list[tuple[int, str]]
) -> None:
    shared.log.clear()
    shared.faults[PATH] = [Fault(cut=cut, how=how) for cut, how in cuts]
    shared.always = {}
    clock = FakeClock()
    web = patient_web(clock)
    delivered = []
    with HttpFile(shared.root + PATH, web) as file:
        while data := file.read(7_000):
            delivered.append((file.tell() - len(data), data))
    assert b"".join(data for _, data in delivered) == DATA
    starts = [0]
    for cut, _ in cuts:
        if starts[-1] + cut < len(DATA):
            starts.append(starts[-1] + cut)
        else:
            break
    assert [asked.first for asked in shared.log] == starts
    assert all(asked.headers.get("if-match") == '"v1"' for asked in shared.log[1:])
    assert web.fetched.bytes == len(DATA)
    assert len(clock.slept) == len(starts) - 1


@pytest.mark.parametrize("cut", [-30, 0, 1000, len(DATA) - 1])
def test_a_server_that_stops_in_the_middle_is_asked_again(server: CrawlServer, cut: int) -> None:
    server.faults[PATH] = [Fault(cut=cut, how="stall")]
    web = patient_web(FakeClock(), WebConfig(timeouts=(10.0, 0.3)))
    with HttpFile(server.root + PATH, web) as file:
        assert file.readall() == DATA
    assert [asked.first for asked in server.log] == [0, max(0, cut)]
    assert web.fetched.retries == {"stall": 1}


@pytest.mark.parametrize("how", ["fin", "rst"])
def test_an_answer_that_is_cut_in_its_head_is_asked_for_again(server: CrawlServer, how: str) -> None:
    server.faults[PATH] = [Fault(cut=-30, how=how)]
    assert read(server, FakeClock()) == DATA
    assert [asked.first for asked in server.log] == [0, 0]


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 416])
def test_what_may_pass_is_waited_for_longer_each_time(server: CrawlServer, status: int) -> None:
    server.faults[PATH] = [Fault(status)] * 7
    clock = FakeClock()
    assert read(server, clock) == DATA
    waits = clock.waits(str(status))
    assert len(waits) == 7
    for n, wait in enumerate(waits):
        assert max(1.0, min(60, 2**n) / 2) <= wait <= min(60.0, 2.0**n)


def test_the_server_may_ask_for_more_patience(server: CrawlServer) -> None:
    server.faults[PATH] = [Fault(503, {"Retry-After": "90"}), Fault(503, {"Retry-After": "86400"})]
    clock = FakeClock()
    assert read(server, clock) == DATA
    assert clock.waits("503") == [90.0, 300.0]


def test_a_server_that_never_answers_well_is_given_up(server: CrawlServer) -> None:
    server.always[PATH] = Fault(503)
    with pytest.raises(OSError, match=r"the server answered 503 \(given up after 20 attempts"):
        read(server, FakeClock())
    assert len(server.log) == 20


def test_half_an_hour_without_progress_is_long_enough(server: CrawlServer) -> None:
    server.always[PATH] = Fault(503, {"Retry-After": "300"})
    with pytest.raises(OSError, match=r"given up after 3\d minutes without progress"):
        read(server, FakeClock())
    assert len(server.log) < 12


def test_progress_gives_patience_back() -> None:
    data = random.Random(6).randbytes(12 << 20)
    with crawl_server({PATH: data}) as server:
        server.always[PATH] = Fault(cut=256 << 10)
        assert read(server, FakeClock()) == data
        assert len(server.log) == 48


@pytest.mark.parametrize(
    "fault",
    [
        Fault(ignores="range"),
        Fault(headers={"Content-Range": "bytes 0-19999/20000"}),
        Fault(headers={"Content-Range": "bytes 999-19999/20000"}),
        Fault(headers={"Content-Range": ""}),
    ],
)
def test_an_answer_to_another_question_is_no_byte_of_the_file(server: CrawlServer, fault: Fault) -> None:
    server.faults[PATH] = [Fault(cut=1000), fault]
    clock = FakeClock()
    assert read(server, clock) == DATA
    assert [asked.first for asked in server.log] == [0, 1000, 1000]
    assert len(clock.waits("range")) == 1


def test_more_bytes_than_stated_are_not_delivered(server: CrawlServer) -> None:
    server.always[PATH] = Fault(headers={"Content-Length": "20000"}, body=DATA + b"more")
    assert read(server, FakeClock()) == DATA


def test_a_body_that_is_always_shorter_than_stated_is_a_fault(server: CrawlServer) -> None:
    server.always[PATH] = Fault(ignores="range", headers={"Content-Length": "20001"})
    with pytest.raises(OSError, match="given up"):
        read(server, FakeClock())


@pytest.mark.parametrize(
    "headers", [{"Content-Length": ""}, {"Content-Length": "", "Transfer-Encoding": "chunked"}]
)
def test_a_server_must_say_how_long_the_file_is(server: CrawlServer, headers: dict[str, str]) -> None:
    server.always[PATH] = Fault(ignores="range", headers=headers)
    with pytest.raises(PermanentHttpError, match="the server does not say how long the file is"):
        read(server, FakeClock())


@pytest.mark.parametrize(
    "second",
    [
        Fault(status=412),
        Fault(headers={"ETag": '"v2"'}, ignores="if-match"),
        Fault(headers={"Content-Range": "bytes 1000-19999/20001"}),
    ],
)
def test_a_file_that_changes_while_it_is_read_is_a_fault(server: CrawlServer, second: Fault) -> None:
    server.faults[PATH] = [Fault(cut=1000), second]
    with pytest.raises(FileChangedError, match="the file changed while it was read"):
        read(server, FakeClock())


def test_a_weak_etag_tells_versions_apart_but_is_no_condition(server: CrawlServer) -> None:
    server.etags[PATH] = 'W/"v1"'
    server.faults[PATH] = [Fault(cut=1000)]
    assert read(server, FakeClock()) == DATA
    assert "if-match" not in server.log[1].headers
    server.faults[PATH] = [Fault(cut=1000), Fault(headers={"ETag": 'W/"v2"'})]
    with pytest.raises(FileChangedError):
        read(server, FakeClock())


def test_without_an_etag_the_time_of_change_is_the_version(server: CrawlServer) -> None:
    server.always[PATH] = Fault(headers={"ETag": "", "Last-Modified": "Mon, 12 Jan 2026 19:22:06 GMT"})
    assert HttpStorage(Web()).stat(server.root + PATH).version == "mtime:1768245726000000000"


@pytest.mark.parametrize("status", [400, 401, 405, 403])
def test_a_refusal_for_good_is_not_asked_again(server: CrawlServer, status: int) -> None:
    server.always[PATH] = Fault(status)
    with pytest.raises(PermanentHttpError, match=f"the server answered {status}"):
        read(server, FakeClock())
    assert len(server.log) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_file_that_is_not_there_is_not_there(server: CrawlServer, status: int) -> None:
    server.always[PATH] = Fault(status)
    with pytest.raises(FileNotFoundError):
        read(server, FakeClock())
    assert HttpStorage(Web()).read(server.root + PATH) is None


def test_a_refusal_by_the_root_of_the_crawl_is_waited_out(server: CrawlServer) -> None:
    server.faults[PATH] = [Fault(403)] * 5
    clock = FakeClock()
    web = patient_web(clock, WebConfig(crawl_root=server.root))
    with HttpFile(server.root + PATH, web) as file:
        assert file.readall() == DATA
    assert clock.waits("403") == [60.0, 120.0, 240.0, 480.0, 900.0]
    assert web.fetched.retries == {"403": 5}


def test_an_hour_of_refusals_is_the_end(server: CrawlServer) -> None:
    server.always[PATH] = Fault(403)
    clock = FakeClock()
    web = patient_web(clock, WebConfig(crawl_root=server.root))
    with HttpFile(server.root + PATH, web) as file, pytest.raises(RefusedError, match="for an hour"):
        file.read(1)
    asked = len(server.log)
    assert 3600 <= clock.time - 1000 < 3600 + 900
    with HttpFile(server.root + PATH, web) as file, pytest.raises(RefusedError):
        file.read(1)
    assert len(server.log) == asked


def test_redirects_are_followed_and_the_url_as_given_is_asked_again(server: CrawlServer) -> None:
    with crawl_server({"there": b""}) as other:
        other.always["there"] = Fault(302, {"Location": server.root + PATH})
        server.faults[PATH] = [Fault(cut=1000)]
        assert read(other, FakeClock(), "there") == DATA
        assert len(other.log) == 2


@pytest.mark.parametrize(
    ("location", "message"),
    [
        ("/" + PATH, "more than 5 times"),
        ("ftp://127.0.0.1/x", "not a valid URL"),
        ("http://user:word@127.0.0.1/x", "user name or a password"),
    ],
)
def test_redirects_that_lead_nowhere_are_refused(server: CrawlServer, location: str, message: str) -> None:
    server.always[PATH] = Fault(302, {"Location": location})
    with pytest.raises(PermanentHttpError, match=message):
        read(server, FakeClock())


def test_a_content_coding_of_an_archive_is_taken_as_stored(server: CrawlServer) -> None:
    server.always[PATH] = Fault(headers={"Content-Encoding": "gzip"})
    assert read(server, FakeClock()) == DATA


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://name:word@127.0.0.1/a", "user name or a password"),
        ("http://127.0.0.1:port/a", "not a valid URL"),
        ("http:///a", "not a valid URL"),
        ("http://no-such-host.invalid/a", "no such host"),
    ],
)
def test_urls_that_cannot_be_asked_are_named(url: str, message: str) -> None:
    with pytest.raises(PermanentHttpError, match=message), HttpFile(url, patient_web(FakeClock())) as file:
        file.read(1)


def test_a_server_that_is_not_there_is_asked_again() -> None:
    clock = FakeClock()
    with socket.socket() as taken:
        # Bound, but nobody listens: connections are refused.
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/a"
        with pytest.raises(OSError, match="given up after 20 attempts"):
            HttpFile(url, patient_web(clock)).read(1)
    assert len(clock.waits("connection")) == 19


def test_seeking_reads_on_where_it_is_near_and_asks_again_where_it_is_far() -> None:
    data = random.Random(7).randbytes(3 << 20)
    with crawl_server({PATH: data}) as server, HttpFile(server.root + PATH, Web()) as file:
        assert file.read(10) == data[:10]
        file.seek(500_000)
        assert file.read(10) == data[500_000:500_010]
        assert len(server.log) == 1
        file.seek(2_000_000)
        assert file.read(10) == data[2_000_000:2_000_010]
        file.seek(-5, 2)
        assert file.readall() == data[-5:]
        file.seek(0)
        assert file.read(3) == data[:3]
        assert [asked.first for asked in server.log] == [0, 2_000_000, len(data) - 5, 0]


def test_nothing_is_written_to_a_web_server() -> None:
    storage = storage_for("https://host.example/corpus")
    for write in (storage.create, storage.delete):
        with pytest.raises(PermanentHttpError, match="choose another --output"):
            write("https://host.example/corpus/x")


def test_tls_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            *subject,
            "-keyout",
            key,
            "-out",
            certificate,
        ],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("openssl is not installed")
    tls = SSLContext(PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    with crawl_server({PATH: DATA}, tls) as server, crawl_server({PATH: DATA}) as plain:
        with pytest.raises(PermanentHttpError, match="certificate is not valid"):
            read(server, FakeClock())
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        server.faults[PATH] = [Fault(cut=1000)]
        assert read(server, FakeClock()) == DATA
        server.always[PATH] = Fault(302, {"Location": plain.root + PATH})
        with pytest.raises(PermanentHttpError, match="from https to http"):
            read(server, FakeClock())
