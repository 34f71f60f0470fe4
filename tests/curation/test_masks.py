"""What is masked: the data of people, and nothing that only looks like it."""

from __future__ import annotations

import dataclasses
import ipaddress
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cedar.transforms.curation._personal import EMAIL, IP, PHONE, find_personal
from cedar.transforms.curation.masks import STYLES, Mask, PageMask, masked_page
from cedar.transforms.model.annotations import Drop, Markdown, Masked, Metadata, Own, Signals
from cedar.transforms.model.columns import ALL_GROUPS, PageTable
from cedar.transforms.model.records import SignatureRow
from tests.helpers.elements import extracted, shard
from tests.helpers.shapes import assert_linear

ALL = Mask(("email", "ip", "phone"))

MASKED = {
    "write to ann@example.org.": "write to <EMAIL>.",
    "<ann.b+c@mail.example.co.uk>": "<<EMAIL>>",
    "(ann_b@example.org)": "(<EMAIL>)",
    "'ann@example.org'": "'<EMAIL>'",
    "mailto:ann@example.org?subject=x": "mailto:<EMAIL>?subject=x",
    "http://a.example/?mail=ann%40example.org&b": "http://a.example/?mail=<EMAIL>&b",
    "o'neil@example.org": "<EMAIL>",
    "ann@ex-ample.org-": "<EMAIL>-",
    "ann@xn--mnchen-3ya.de, bob@example.org": "<EMAIL>, <EMAIL>",
    "jürgen.müller@münchen.de": "<EMAIL>",
    "请写信到ann@example.com谢谢": "请写信到<EMAIL>谢谢",
    "почта: ivan@пример.рф": "почта: <EMAIL>",
    "ann@[8.8.8.8]": "<EMAIL>",
    "root@93.184.216.34": "<EMAIL>",
    r"ann\_b@example.org": "<EMAIL>",
    "ann@example.museum": "<EMAIL>",
    "ann@example.org.\nBob": "<EMAIL>.\nBob",
    "from 93.184.216.34, then": "from <IP>, then",
    "http://93.184.216.34:8080/x": "http://<IP>:8080/x",
    "93.184.216.34 - - [10/Oct/2000]": "<IP> - - [10/Oct/2000]",
    "see 8.8.8.8.": "see <IP>.",
    "9.9.9.9-9.9.9.12": "<IP>-<IP>",
    "9.9.9.9 - 9.9.9.12": "<IP> - <IP>",
    "8.8.8.8/24 and 1.1.1.1": "<IP>/24 and <IP>",
    "在8.8.8.8上": "在<IP>上",
    "at 2a00:1450:4001:81b::200e now": "at <IP> now",
    "[2606:4700:4700::1111]:443": "[<IP>]:443",
    "2001:4860:4860:0:0:0:0:8888": "<IP>",
    "2606:4700::6810:8.8.8.8": "<IP>",
    "2606:4700:: is a net": "<IP> is a net",
    "call +49 30 1234567 now": "call <PHONE> now",
    "+1 (555) 123-4567": "<PHONE>",
    "tel:+15551234567": "tel:<PHONE>",
    "Tel. +44 20 7946 0958, or": "Tel. <PHONE>, or",
    "+1.5551234567": "<PHONE>",
    "+33 (0)1 23 45 67 89": "<PHONE>",
    "+49 30/1234567": "<PHONE>",
    "+354 555 1234x12": "<PHONE>",
    "+86 10\u20138888 8888": "<PHONE>",
    "+380\xa044\xa0123\xa045\xa067": "<PHONE>",
    "jose\u0301@example.com": "<EMAIL>",
    "محمد@example.com": "<EMAIL>",
    "دوست\u200cمن@example.com": "<EMAIL>",
    "דוד@example.co.il": "<EMAIL>",
    "გი@example.ge": "<EMAIL>",
    "huế@example.vn": "<EMAIL>",
    "nguyễn@example.vn": "<EMAIL>",
    "Աբ@example.am": "<EMAIL>",
    "महेश@उदाहरण.भारत, फिर": "<EMAIL>, फिर",
    "สมชาย@example.co.th": "<EMAIL>",
    "관리자@example.kr": "<EMAIL>",
    "ann@example.com으로": "<EMAIL>으로",
    "张伟@example.com": "<EMAIL>",
    "info@例子.cn": "<EMAIL>",
    "info@例子.中国的网站": "<EMAIL>的网站",
    "info@مثال.موقع": "<EMAIL>",
    "邮箱123456@qq.com": "邮箱<EMAIL>",
    "john&#64;example.com, ann&#x40;example.org": "<EMAIL>, <EMAIL>",
    "john\uff20example.com": "<EMAIL>",
    "john@example\uff0ecom": "<EMAIL>",
    "john@example\u3002com": "<EMAIL>",
    "ann@example.com\u3002谢谢": "<EMAIL>\u3002谢谢",
    "ａｎｎ@example.com": "<EMAIL>",
    "john\u200e@example.com": "<EMAIL>",
    "john@example\u200c.com\u200f": "<EMAIL>\u200f",
    "to\u2014ann@example.org\u2014then": "to\u2014<EMAIL>\u2014then",
    "+33\u202f6\u202f12\u202f34\u202f56\u202f78": "<PHONE>",
    "+49\u2009171\u2009123456": "<PHONE>",
    "+49\u2212171\u2014123456": "<PHONE>",
    "+49\u200e1711234567": "<PHONE>",
    "\uff0b81 3 1234 5678": "<PHONE>",
    "\uff0b８１－３－１２３４－５６７８": "<PHONE>",
    "Tel.+49 30 1234567": "Tel.<PHONE>",
    "Tél.+33 1 23 45 67 89": "Tél.<PHONE>",
    "Telefon+49 30 1234567": "Telefon<PHONE>",
    "Phone+15551234567": "Phone<PHONE>",
    "Телефон+7 495 123-45-67Факс": "Телефон<PHONE>Факс",
    "T+49 30 1234567": "T<PHONE>",
    "+49 30 1234567E-Mail": "<PHONE>E-Mail",
    "+49 30 1234567Fax": "<PHONE>Fax",
    "+ 49 30 1234567": "<PHONE>",
    "Tel.: + 49 30 1234567": "Tel.: <PHONE>",
    "+(49) 30 123456": "<PHONE>",
    "+(1) 555 123 4567": "<PHONE>",
    "_+49 171 1234567_": "_<PHONE>_",
    "+49_171_1234567": "<PHONE>",
    "185.220.101.34 was here": "<IP> was here",
    "185.220.101.34 Was here": "<IP> Was here",
    "8.8.8.8 is one": "<IP> is one",
    "Special:Contributions/8.8.8.8": "Special:Contributions/<IP>",
    "Spezial:Beiträge/8.8.8.8": "Spezial:Beiträge/<IP>",
    "User/8.8.8.8": "User/<IP>",
    "Update 8.8.8.8": "Update <IP>",
    "_8.8.8.8_": "_<IP>_",
    "IP8.8.8.8": "IP<IP>",
    "8.8.8.8_x": "<IP>_x",
    "9.9.9.9_access.log": "<IP>_access.log",
    "8.8.8.8 Google": "<IP> Google",
    "8.8.8.8 Google\n8.8.4.4 Google\n9.9.9.9 Quad": "<IP> Google\n<IP> Google\n<IP> Quad",
    "9.9.9.9 Quad\n9.9.9.9 Again": "<IP> Quad\n<IP> Again",
    "1.0.0.1 Cloudflare": "<IP> Cloudflare",
    "8.8.8.8%": "<IP>%",
    "８.８.８.８": "<IP>",
    "IPv8.8.8.8, IPV8.8.4.4, Host8.8.8.8": "IPv<IP>, IPV<IP>, Host<IP>",
    "x_8.8.4.4": "x_<IP>",
    "lib_8.8.8.8": "lib_<IP>",
    "__8.8.8.8__": "__<IP>__",
    "access_8.8.8.8_2024.log": "access_<IP>_2024.log",
    "008.008.008.008, 093.184.216.034": "<IP>, <IP>",
    "8[.]8[.]8[.]8, 8.8.8[.]8, 8[.]8.8.8": "<IP>, <IP>, <IP>",
    "8(.)8(.)4(.)4": "<IP>",
    "٨.٨.٨.٨, ۸.۸.۴.۴, ८.८.८.८": "<IP>, <IP>, <IP>",
    "::ffff:8.8.8.8, ::FFFF:8.8.4.4": "<IP>, <IP>",
    "[64:ff9b::8.8.8.8]:80": "[<IP>]:80",
    "0:0:0:0:0:ffff:8.8.8.8": "<IP>",
    "dns::8.8.8.8": "dns::<IP>",
    "?m=h%2540example.org&n=h%252540example.org": "?m=<EMAIL>&n=<EMAIL>",
    'to "quoted name"@example.org': "to <EMAIL>",
    "to “quoted name”@example.org": "to <EMAIL>",
    "ann[@]example[.]org, bob(@)example(.)org": "<EMAIL>, <EMAIL>",
    "ann@example[.]org.": "<EMAIL>.",
    "[+49] 30 1234567": "[<PHONE>",
    "1+49 30 1234567": "1<PHONE>",
    "+49 30 1234567+33 1 23 45 67 89": "<PHONE><PHONE>",
    "+٤٩ ٣٠ ١٢٣٤٥٦٧": "<PHONE>",
    "+۹۸ ۲۱ ۱۲۳۴ ۵۶۷۸": "<PHONE>",
    "+९१ ११ १२३४ ५६७८": "<PHONE>",
    "+৮৮০ ২ ১২৩৪ ৫৬৭৮, +๖๖ ๒ ๑๒๓ ๔๕๖๗": "<PHONE>, <PHONE>",
    "+49 30 *123*4567": "<PHONE>",
    "+49 30 1234567 ext. 89": "<PHONE>",
    "+1 (555) 123-4567, extension 89;": "<PHONE>;",
    "+1 555 123 4567;ext=89, +1 555 123 4567ext89": "<PHONE>, <PHONE>",
    "+7 495 123-45-67 доб. 12": "<PHONE>",
}

KEPT = (
    "@ann on the network, @example.org",
    "medium.com/@ann.writes",
    "two@three",
    "apples 5@3.50 each",
    "x@y.z",
    "a@b..org",
    "ann@.example.org",
    "10.0.0.1, 192.168.1.1, 172.16.0.1, 127.0.0.1",
    "169.254.1.1 and 100.64.0.1 and 192.0.2.1",
    "version 1.2.3.4",
    "v1.2.3.4",
    "ver. 2.0.0.1",
    "Release: 4.3.2.1",
    "Chrome/49.0.2.110",
    "1.2.3.4.5",
    "1.2.3",
    "256.1.1.1",
    "01.02.03.04",
    "3.1.2.4 The pump",
    "2.2.2 Pumps\nThey pump.\n2.2.2.2 The pump",
    "x\n1.1.1. Scope\n1.1.1.1 Of pumps",
    "2.2.1\n2.2.1.1 The pump",
    "pkg_1.2.3.4_amd64",
    "§ 7.8.2.1, §7.8.2.1, §§ 7.8.2.1 and more",
    "\xa7\xa07.8.2.1",
    "9.9.9.9-x",
    "at 12:30:45, 10:20",
    "2024:10:05 12:30:45",
    "std::vector and a::b",
    "00:1a:2b:3c:4d:5e",
    "fe80::1, ::1, fc00::1, 2001:db8::1",
    "ISBN 978-3-16-148410-0",
    "ISBN-10: 3-16-148410-X",
    "+1 234 567 €",
    "€ +1234567",
    "+1,234,567 views",
    "+12345678 %",
    "+3.1415926",
    "x+12345678 = 0",
    "2024-01-05T10:00:00+01:00",
    "GMT+0200 (CEST)",
    "+2024-01-05",
    "a + 1234567",
    "+123456",
    "+00 49 30 1234567",
    "+1234567890123456",
    "12+34567890",
    "v+1234567",
    "感谢@张三.李四",
    "フォロー@tokyo.cafe",
    "谢谢\u3002再见",
    "a + 12 345 678",
    "5 + 49 30 1234567",
    "x + 49 30 1234567",
    "+1 234 567KB",
    "+12 345 678EUR",
    "+1\u202f234\u202f567\u202f€",
    "q=word+1234567",
    "+1/2/3",
    "clip8.8.8.8",
    "§\u202f7.8.2.1",
    "Update 15.1.0.2",
    "nginx/1.18.2.1",
    "v\u200b1.2.3.4",
    "Section 2.3.1.4",
    "v_1.2.3.4, version_1.2.3.4",
    "setup_1.2.3.4.exe and pkg_1.2.3.4_all.deb",
    "1[.]2[.]3[.]4[.]5",
    "08.08.08.08 and 8.8.8.008",
    "010.000.000.001",
    "::ffff:192.168.1.1",
    '"@example.org and ""@example.org',
    '"over\na line"@example.org',
    "5+12345678 and 2020+2021 2022 2023",
    "5+1 234 567",
    "+12*345678",
    "٢٠٢٤ + ٢٠٢٥",
    "+49\n30 1234567",
    "8 dot 8 dot 8 dot 8",
)


@pytest.mark.parametrize(("text", "masked"), MASKED.items())
def test_personal_data_is_masked(text: str, masked: str) -> None:
    assert PageMask(ALL).masked(text) == masked


@pytest.mark.parametrize("text", KEPT)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert PageMask(ALL).masked(text) == text


@pytest.mark.parametrize(
    ("parts", "masked"),
    [
        (["to ann@exam", "ple.org, and"], ["to <EMAIL>", "<EMAIL>, and"]),
        (["ann", "@", "example.org"], ["<EMAIL>"] * 3),
        (["call +49 30", "1234567 and", "8.8.8.8"], ["call <PHONE>", "<PHONE> and", "<IP>"]),
        (["", "ann@example.org", "", "bob@example.org"], ["", "<EMAIL>", "", "<EMAIL>"]),
        ([], []),
    ],
)
def test_parts_of_a_page_are_masked_over_their_ends(parts: list[str], masked: list[str]) -> None:
    assert PageMask(ALL).masked_parts(parts) == masked


SIGNS = st.sampled_from(
    [
        "@",
        ".",
        "+",
        ":",
        "::",
        "%40",
        "-",
        " ",
        "\n",
        "/",
        "a",
        "Z",
        "é",
        "日",
        "1",
        "25",
        "2001",
        "8.8.8.8",
        "com",
    ]
)
FAR_SIGNS = st.sampled_from(
    [
        "\u0301",
        "\u200e",
        "\u202f",
        "\u3002",
        "\uff20",
        "\uff0b",
        "\uff11",
        "٣",
        "८",
        "(",
        "]",
        "_",
        '"',
        "م",
        "中国",
    ]
)
texts = st.lists(SIGNS | FAR_SIGNS | st.text(max_size=3).filter(lambda t: t.isprintable()), max_size=40).map(
    "".join
)


@settings(max_examples=300)
@given(texts)
def test_what_stands_between_spans_is_untouched(text: str) -> None:
    spans = find_personal(text, EMAIL | IP | PHONE)
    encoded = text.encode()
    after = 0
    for start, stop, kind in spans:
        assert after <= start < stop <= len(encoded)
        assert kind in (EMAIL, IP, PHONE)
        encoded[start:stop].decode()
        after = stop
    masked = PageMask(ALL).masked(text)
    pieces = [re.escape(encoded[a:b].decode()) for a, b in _gaps(spans, len(encoded))]
    assert re.fullmatch("<(?:EMAIL|IP|PHONE)>".join(pieces), masked)


def _gaps(spans: list[tuple[int, int, int]], size: int) -> list[tuple[int, int]]:
    stops = [0, *(stop for _, stop, _ in spans)]
    starts = [*(start for start, _, _ in spans), size]
    return list(zip(stops, starts, strict=True))


VARYING = ("192.0.0.0/24", "2001::/23", "2002::/16")
"""Of these Python's releases say different things."""


@given(st.ip_addresses())
def test_addresses_are_masked_if_they_are_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    assume(not any(address in ipaddress.ip_network(network) for network in VARYING))
    is_masked = PageMask(ALL).masked(f"({address})") == "(<IP>)"
    if address.version == 6 and address not in ipaddress.ip_network("2000::/3"):
        assert not is_masked  # it belongs to nobody today
    else:
        assert is_masked == address.is_global


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("0.0.0.0", "0.255.255.255"),
        ("10.0.0.0", "10.255.255.255"),
        ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"),
        ("169.254.0.0", "169.254.255.255"),
        ("172.16.0.0", "172.31.255.255"),
        ("192.0.2.0", "192.0.2.255"),
        ("192.168.0.0", "192.168.255.255"),
        ("198.18.0.0", "198.19.255.255"),
        ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"),
        ("240.0.0.0", "255.255.255.255"),
    ],
)
def test_networks_that_are_kept_apart_stay_from_end_to_end(first: str, last: str) -> None:
    assert PageMask(ALL).masked(f"{first} {last}") == f"{first} {last}"
    before = ipaddress.IPv4Address(int(ipaddress.IPv4Address(first)) - 1) if first != "0.0.0.0" else None
    if before is not None and before.is_global:
        assert PageMask(ALL).masked(f"({before})") == "(<IP>)"


@pytest.mark.parametrize(
    "unit",
    [
        "@",
        "a@",
        "a@b.",
        "a@b.cd ",
        "%40",
        "1.",
        "1.1.1.1",
        "8.8.8.8 ",
        "2001:",
        "2001::",
        "+1",
        "+1 2",
        "+12345678 ",
        " ",
        "张@",
        "a@例.",
        "m@م.\u200e",
        "例@例\u3002",
        "+ ",
        "Tel+(1) ",
        "User/8.8.8.8",
        "\uff0b1 ",
        "\u0301",
        "\n1.1.1.1 A",
        "\n1.1.1\n2.2.2.2 A",
        "a@例\u3002",
        "\u3002",
        "%25",
        '"@',
        '"a@b.cd',
        "8[.]",
        "8[.]8.8(.)8",
        "_8.8.8.8",
        "::ffff:8.8.8.8",
        "+49 30 1234567 ext. 8",
        "+49*",
        "٨.",
    ],
)
def test_hostile_texts_take_linear_time(unit: str) -> None:
    assert_linear(
        lambda page: find_personal(page.decode(), EMAIL | IP | PHONE),
        lambda n: (unit * (n // len(unit))).encode(),
        200_000,
    )


def test_the_nth_of_a_page_takes_the_nth_replacement_of_datatrove() -> None:
    mask = Mask(("email", "ip"), "datatrove")
    text = "a@b.org c@d.org e@f.org 8.8.8.8 +49 30 1234567"
    expected = (
        "email@example.com firstname.lastname@example.org email@example.com 22.214.171.124 +49 30 1234567"
    )
    assert PageMask(mask).masked(text) == expected
    assert PageMask(mask).masked(text) == expected  # begun anew on each page
    assert len(STYLES["datatrove"][IP]) == 6


def test_words_in_markdown_have_no_escapes_and_keep_the_marks_around_them() -> None:
    page = dataclasses.replace(
        extracted(shard(), 1, "a"), annotations=(Markdown("write to **ann@example.org**"),)
    )
    assert masked_page(page, ALL).annotations[0] == Markdown("write to **<EMAIL>**")


def test_a_page_is_masked_in_all_that_is_written_but_its_url() -> None:
    page = extracted(shard(), 1, "write to ann@example.org\nor 8.8.8.8")
    known = (
        Markdown("write to **ann**@example.org"),
        Metadata(
            author="ann@example.org",
            site_name="site of ann@example.org",
            licence="https://a.example/ann@example.org",
            description="+49 30 1234567",
            canonical_url="http://a.example/?m=ann%40example.org",
        ),
        Own({"words_of_mine": "ann@example.org", "number": 3}),
        Drop("author == bob: ann@example.org"),
        Signals(*range(len(Signals._fields))),  # type: ignore[arg-type]
    )
    page = dataclasses.replace(
        page,
        row=page.row._replace(title="ann@example.org", url="http://a.example/ann@example.org"),
        annotations=known,
        signature=SignatureRow(0, b"", b"", None),
    )
    masked = masked_page(page, ALL)
    assert masked.row.text == "write to <EMAIL>\nor <IP>"
    assert masked.row.text_chars == len(masked.row.text) == masked.text_bytes
    assert masked.row.title == "<EMAIL>"
    assert masked.row.url == "http://a.example/ann@example.org"
    assert masked.signature is not None
    assert masked.signature.text_digest.hex() == masked.row.text_digest
    markdown, metadata, own, drop, signals, count = masked.annotations
    assert markdown == Markdown("write to <EMAIL>")
    assert metadata == Metadata(
        author="<EMAIL>",
        site_name="site of <EMAIL>",
        licence="https://a.example/<EMAIL>",
        description="<PHONE>",
        canonical_url="http://a.example/?m=<EMAIL>",
    )
    assert own == Own({"words_of_mine": "<EMAIL>", "number": 3})
    assert drop == Drop("author == bob: <EMAIL>")
    assert signals == known[-1]
    assert count == Masked(10)
    assert masked.masked == (("email", 8), ("ip", 1), ("phone", 1))
    assert masked_page(page, Mask()) is page
    assert masked_page(masked, ALL).annotations[-1] == Masked(10)


NOT_OF_PEOPLE = {
    "url": "what a page is known by",
    "source": "the user's own path",
    "warc_name": "a name inside the user's own file",
    "record_id": "an identifier",
    "warcinfo_id": "an identifier",
    "payload_digest": "a digest",
    "media_type": "a term of a standard",
    "charset": "a term of a standard",
    "charset_source": "one of a few words",
    "text_digest": "a digest",
    "extractor": "the user's choice",
    "extractor_options": "the user's choice",
    "fallback": "the name of a method",
    "html": "refused together with masks",
    "date_published": "a date",
    "date_source": "one of a few words",
    "date_modified": "a date",
    "language": "a term of a standard",
    "language_script": "a term of a standard",
    "language_source": "one of a few words",
    "cluster": "an identifier",
}
"""Columns of text that are not masked, and why: a new one is masked, or is named here."""


def test_each_column_of_text_is_masked_unless_there_is_a_reason() -> None:
    columns = PageTable.of(ALL_GROUPS).columns
    plain = {column.name for column in columns if column.kind == "string" and not column.personal}
    assert plain == NOT_OF_PEOPLE.keys()
    (own,) = PageTable.of(["own:mine:string"]).columns[-1:]
    assert own.personal
