"""Rules for addresses, and lists of what is not wanted."""

from __future__ import annotations

import gzip
import pickle
import re
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.pipelines.cli import main
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.url_options import UrlOptions, url_rules
from cedar.pipelines.report.facts import hosts_of
from cedar.transforms.urls.block_lists import BlockList, LongList, read_block_list
from cedar.transforms.urls.canonical import ascii_host, ascii_url, host_of, written_host
from cedar.transforms.urls.rules import UrlRules
from tests.helpers.crawl import write_warc


@pytest.fixture(autouse=True)
def _own_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def block_list(folder: Path, kind: str, *lines: str, name: str = "list.txt") -> BlockList:
    path = folder / f"{kind}-{name}"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_block_list(name, kind, str(path))


def refusal(rules: UrlRules, url: str) -> str | None:
    found = rules.refusal(url)
    return None if found is None else str(found)


BLOCKED = {
    "https://bad.example.co.uk/x": "list.txt: example.co.uk",
    "https://EXAMPLE.co.uk": "list.txt: example.co.uk",
    "http://user:pass@example.co.uk:8080?a=@b": "list.txt: example.co.uk",
    "https://example.co.uk./": "list.txt: example.co.uk",
    "http://one.host.blogspot.com/": None,
    "http://two.blogspot.com/": "list.txt: two.blogspot.com",
    "http://deep.two.blogspot.com/": None,  # neither its registered domain, blogspot.com, nor its host
    "http://192.0.2.7/a": "list.txt: 192.0.2.7",
    "http://[2001:db8::1]/a": "list.txt: [2001:db8::1]",
    "http://8.192.0.2.7/a": None,
    "http://co.uk/": None,
    "http://www.xn--bcher-kva.example.com/": None,
    "http://a.xn--bcher-kva.com/": "list.txt: xn--bcher-kva.com",
    "http://localhost/": "list.txt: localhost",
    "mailto:example.co.uk": None,
    "http://": None,
    "//a..b/": None,
    "": None,
}


def test_a_registered_domain_or_a_host_is_blocked(tmp_path: Path) -> None:
    lines = (
        "# hosts",
        "example.co.uk",
        "",
        "two.blogspot.com",
        " 192.0.2.7 \r",
        "XN--BCHER-KVA.com",
        "localhost",
    )
    rules = UrlRules(blocked=(block_list(tmp_path, "domains", *lines, "[2001:db8::1]"),))
    found = {url: refusal(rules, url) for url in BLOCKED}
    assert found == {url: line and f"blocked: {line}" for url, line in BLOCKED.items()}


def test_urls_are_compared_as_they_stand_and_addresses_without_scheme(tmp_path: Path) -> None:
    urls = block_list(tmp_path, "urls", "https://a.example/x/", "b.example/y")
    assert (
        refusal(UrlRules(blocked=(urls,)), "https://a.example/x/")
        == "blocked: list.txt: https://a.example/x/"
    )
    assert refusal(UrlRules(blocked=(urls,)), "https://a.example/x") is None
    assert refusal(UrlRules(blocked=(urls,)), "https://b.example/y") is None
    addresses = block_list(tmp_path, "addresses", "a.example/x/", "b.example/y")
    for url in ("https://a.example/x", "http://a.example/x//", "http://b.example/y"):
        assert refusal(UrlRules(blocked=(addresses,)), url) is not None
    assert refusal(UrlRules(blocked=(addresses,)), "https://b.example/y?z") is None


def test_words_stand_alone_and_soft_ones_count(tmp_path: Path) -> None:
    hard = block_list(tmp_path, "words", "Gam-Bling", "#comment", " \t# other", "!", name="hard")
    soft = block_list(tmp_path, "soft_words", "win", "odds", "bets", name="soft")
    rules = UrlRules(blocked=(soft, hard))
    assert refusal(rules, "http://a.example/gambling-win-odds") == "blocked: hard: gambling"
    assert refusal(rules, "http://a.example/Gambling") is None
    assert refusal(rules, "http://a.example/gamblings/!") is None
    assert refusal(rules, "http://a.example/win/win") is None
    assert refusal(rules, "http://a.example/win.odds") == "blocked: soft: odds, win"
    assert refusal(UrlRules(blocked=(soft,), soft_at=3), "http://a.example/win.odds") is None


def test_substrings_are_found_across_signs_and_in_capitals(tmp_path: Path) -> None:
    rules = UrlRules(blocked=(block_list(tmp_path, "substrings", "casino royal", "é"),))
    assert refusal(rules, "http://a.example/Casino_ROYALs") == "blocked: list.txt: casinoroyal"
    assert refusal(rules, "http://a.example/casino/palace") is None


def test_expressions_come_first_and_rules_travel_closed(tmp_path: Path) -> None:
    rules = UrlRules(re.compile("a"), re.compile("z"), (block_list(tmp_path, "domains", "ab.example"),))
    assert refusal(rules, "http://ab.example/z") == "url_filter: in --url-exclude"
    assert refusal(rules, "b") == "url_filter: not in --url-include"
    assert refusal(rules, "http://ab.example/") is not None
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert "_lists" not in vars(again)
    assert refusal(again, "http://ab.example/") is not None


def test_a_long_list_is_made_once_a_machine_and_of_what_was_read(tmp_path: Path) -> None:
    path = tmp_path / "domains.gz"
    path.write_bytes(gzip.compress(b"ab.example\n"))
    rules = UrlRules(blocked=(read_block_list("d", "domains", str(path)),))
    assert refusal(rules, "http://ab.example/") is not None
    path.unlink()
    assert refusal(pickle.loads(pickle.dumps(rules)), "http://ab.example/") is not None
    for made in tmp_path.glob("cedar-lists-*/*"):
        made.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickle.dumps(rules)).refusal("http://ab.example/")
    path.write_bytes(b"other.example\n")
    with pytest.raises(OSError, match="has changed since the run began"):
        pickle.loads(pickle.dumps(rules)).refusal("http://ab.example/")


def test_a_list_that_is_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "domains.gz"
    path.write_bytes(gzip.compress(b"ab.example\n" * 99)[:-9])
    with pytest.raises(ValueError, match="cannot read the list"):
        read_block_list("d", "domains", str(path))


@pytest.mark.parametrize("kind", ["domains", "urls", "words", "soft_words", "substrings"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("ab.example\ncd.example\n".encode("utf-16"), "is not text in UTF-8"),
        ("ab.example\n".encode("utf-16-le"), "is not text in UTF-8"),
        (b"ab.example\n\0\n", "is not text in UTF-8"),
        ("bücher.example\n".encode("latin-1"), "is not text in UTF-8"),
        (b"", "has no entries"),
        (b"\xef\xbb\xbf# none\n\r\n \t\n#ab.example", "has no entries"),
    ],
)
def test_a_list_that_can_block_nothing_is_refused(
    kind: str, content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, crawl = tmp_path / "list.txt", write_warc(tmp_path / "a.warc.gz", 2)
    path.write_bytes(content)
    option = f"--block-{kind.replace('_', '-')}"
    assert main(["extract", str(crawl), "--output", str(tmp_path / "o"), option, str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"cedar: the list {path} {said}")
    assert error.count("\n") == 1
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize("content", ["ab.example", "\ufeffab.example", "# of\n\n\t ab.example"])
def test_a_list_with_one_entry_is_taken(content: str, tmp_path: Path) -> None:
    rules = UrlRules(blocked=(block_list(tmp_path, "domains", content),))
    assert refusal(rules, "http://ab.example/") is not None


def test_of_the_ut1_lists_a_category_without_any_entry_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "adult"
    folder.mkdir()
    choices = UrlOptions(block_ut1=(str(tmp_path), "adult"))
    (folder / "domains").write_bytes(b"# none\n")
    (folder / "urls").write_bytes(b"")
    with pytest.raises(UsageError, match=r"the UT1 list 'adult' in .* has no entries"):
        url_rules(choices)
    (folder / "domains").write_bytes(b"b\xfccher.example\nab.example\n")
    assert refusal(url_rules(choices), "http://ab.example/") is not None


@given(lines=st.lists(st.binary(max_size=6)), other=st.binary(max_size=6))
def test_lines_and_no_others_are_held(
    lines: list[bytes], other: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("lists") / "urls"
    path.write_bytes(b"\n".join(lines))
    held = LongList(read_block_list("l", "urls", str(path), is_part=True))
    whole = b"\n".join(lines).removeprefix(b"\xef\xbb\xbf")
    wanted = {line.strip().decode("utf-8", "surrogateescape") for line in whole.split(b"\n")}
    wanted = {line for line in wanted if line and not line.startswith("#")}
    assert all(held.holds(ascii_url(line)) for line in wanted)
    entry = other.decode("utf-8", "surrogateescape")
    assert held.holds(entry) == (entry in set(map(ascii_url, wanted)))


# Letters beyond ASCII: every way to write a host is one host.

FORMS = {
    "hualañe.cl": ("xn--hualae-0wa.cl", "HUALAÑE.CL", "hualan\u0303e.cl", "huala%C3%B1e.cl", "hualañe.cl."),
    "straße.example": ("xn--strae-oqa.example", "STRAßE.example", "straße。example", "stra%c3%9fe.example"),
    "президент.рф": ("xn--d1abbgf6aiiy.xn--p1ai", "ПРЕЗИДЕНТ.РФ", "президент.xn--p1ai"),
    "例え.テスト": ("xn--r8jz45g.xn--zckzah", "例え。テスト", "例え｡テスト", "例え．テスト"),
}


@pytest.mark.parametrize("host", FORMS)
def test_a_domain_is_blocked_however_it_is_written(host: str, tmp_path: Path) -> None:
    forms = (host, *FORMS[host])
    for number, line in enumerate(forms):
        rules = UrlRules(blocked=(block_list(tmp_path, "domains", line, name=f"{number}"),))
        for form in forms:
            for url in (
                f"https://{form}/x",
                f"http://u@{form}:8080/",
                f"//{form}",
                f"https://www.{form}?q=ñ",
            ):
                assert refusal(rules, url) is not None, (line, url)
        assert refusal(rules, "https://hualane.cl/") is None
        assert refusal(rules, "https://strasse.example/") is None


def test_urls_beyond_ascii_are_one_in_escapes_and_punycode(tmp_path: Path) -> None:
    written = ("https://bücher.example/füße?q=é", "https://xn--bcher-kva.example/f%C3%BC%C3%9Fe?q=%C3%A9")
    for number, line in enumerate(written):
        rules = UrlRules(blocked=(block_list(tmp_path, "urls", line, name=f"{number}"),))
        assert all(refusal(rules, url) is not None for url in written)
        address = block_list(tmp_path, "addresses", line.partition("://")[2] + "/", name=f"{number}")
        assert all(refusal(UrlRules(blocked=(address,)), url) is not None for url in written)
        assert refusal(rules, "https://bücher.example/fusse?q=é") is None


@given(st.text(max_size=20))
def test_any_text_has_a_form_and_it_is_its_own(text: str) -> None:
    found = ascii_host(text)
    assert found.isascii()
    assert ascii_url(text).isascii()
    assert ascii_url(ascii_url(text)) == ascii_url(text)
    assert host_of(f"http://{text}/").isascii()


def test_what_lies_below_an_unknown_top_level_domain_is_blocked_too(tmp_path: Path) -> None:
    rules = UrlRules(blocked=(block_list(tmp_path, "domains", "worse.example", "shop.internal"),))
    for url in ("https://www.worse.example/", "http://a.b.worse.example", "http://x.shop.internal:80/"):
        assert refusal(rules, url) is not None
    assert refusal(rules, "https://notworse.example/") is None


# Lists of another form than one domain per line.


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (("# hosts", "0.0.0.0 ads.example", "127.0.0.1 localhost"), "hosts file"),
        (("::1 localhost ip6", "0.0.0.0\tads.example"), "hosts file"),
        (("! Title", "||ads.example^", "||b.example^$third-party"), "write one domain per line"),
        (("||ads.example^", "@@||b.example^"), "ad blocker"),
        (("https://ads.example/", "http://b.example/x"), "--block-urls"),
        (("*.ads.example",), "write one domain per line"),
        (("address=/ads.example/0.0.0.0",), "write one domain per line"),
        (("ads.example,adult",), "write one domain per line"),
    ],
)
def test_a_list_of_domains_without_any_domain_is_refused_and_says_what_it_has(
    lines: tuple[str, ...], word: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=word) as raised:
        block_list(tmp_path, "domains", *lines)
    first = next(line for line in lines if not line.startswith("#"))
    assert repr(first) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("line", ["ads.example", "192.0.2.7", "[2001:db8::1]", "localhost", "bücher.example"])
def test_a_list_with_one_domain_among_other_lines_is_taken(line: str, tmp_path: Path) -> None:
    rules = UrlRules(blocked=(block_list(tmp_path, "domains", "0.0.0.0 a.example", line),))
    assert refusal(rules, f"http://{line}/") is not None


def test_every_command_takes_the_same_host_for_one_site() -> None:
    urls = [
        "https://Example.org:8080/a",
        "http://user@example.org./b",
        "example.org/c",
        "https://b\u00fccher.example/d",
        "https://xn--bcher-kva.example?e",
        "https://[::1]/f",
        "/g",
        "",
    ]
    assert hosts_of(pa.array(urls)).to_pylist() == [host_of(url) for url in urls]
    assert len({host_of(url) for url in urls}) == 4
    assert written_host(urls[3]) == "b\u00fccher.example"
