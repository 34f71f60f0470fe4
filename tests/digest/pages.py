"""The pages whose extractions are frozen: those of the gold set, pages of sites, hostile pages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from . import sites, soups
from .numbers import Numbers

_GOLD = Path(__file__).parent.parent / "gold" / "handmade"

Page = bytes | str

_TOWN = """<html><head><title>Town News</title>
<style>p{margin:0}</style>
</head>
<body>
<ul><li><a href="/">Home</a></li><li><a href="/s">Sport</a></li></ul>
<!-- ad -->
<div id="main"><h1>Bridge reopens</h1>
<p>The old bridge over the river was opened again on Monday after two years of repair work.</p>
<p>Drivers had to use a detour of nine miles.</p>
Traffic is expected to return to normal by the end of the week, the council said in a note.<br><br></div>

<div id="foot"><a href="/c">Contact</a> | <a href="/i">Imprint</a></div>
</body></html>"""

# Vue leaves an empty comment where it shows nothing, React one between two texts, Angular one with a name.
_VUE = """<!doctype html><html><head><title>Harbour | News</title></head><body><div id="app"><!----><nav>
<a href="/">Home</a><!----><a href="/sport">Sport</a><!----></nav><!--[--><main>
<article><h1>Ferry sails again</h1>
<!----><p>The ferry to the islands sails again<!-- --> from <!-- -->Monday, after<!---->
a winter in the dock.</p><!---->
<p>Tickets are sold on board, and in the office at the harbour; those of last year are valid until June.</p>
<!--]-->
<!--bindings={ "ng-if": "1>0" }--><p>Bicycles travel free of charge, dogs for half the price of a child.</p>
<!----></article><!----></main>
<footer><!----><a href="/imprint">Imprint</a><!----></footer></div>
<!-- done --></body></html>"""

_PLAIN = "The harbour was closed.\n\nIt opened again in May, as everybody had hoped.\n\tNo tag stands here. "

_SMALL: dict[str, Page] = {
    "empty": "",
    "blank": " \n\t\n",
    "one word": "word",
    "one comment": "<!-- nothing to see -->",
    "no tags": _PLAIN * 12,
    "no tags, one line": " ".join((_PLAIN * 12).split()),
    "town": _TOWN,
    "town, one line": _TOWN.replace("\n", " "),
    "town, returns": _TOWN.replace("\n", "\r\n"),
    "empty comments": _VUE,
    "empty comments, one line": _VUE.replace("\n", ""),
    "example of densities": (
        f"<body><main><article><h1>{'h' * 46}</h1><div>{'t' * 24}<a href='/x'>{'l' * 15}</a></div>"
        "</article></main></body>"
    ),
    "text after the end": f"{_TOWN}tail<p>b</p><html><head><title>t</title></head><body>two</body></html>",
    "body without html": "<head></head><body><p>yes</p><div>no <a href=/>link</a></div></body>",
    "frames": "<frameset><frame></frameset><noframes>no</noframes>",
    "text in head": "<html><head><x-app>all there is</x-app></head></html>",
    "links alone": "".join(f"<p><a href=/{i}>one of many links, number {i}</a></p>\n" for i in range(40)),
    "lone surrogates": "<title>\ud800</title><p>" + "a \udfff b " * 20,
    "controls": "<p>" + "".join(map(chr, range(160))) + "</p><p>" + "word \x85 " * 20,
    "entities": "<title>&lt;T&gt;</title>"
    + "<p>&nbsp;&#8364;&#x80;&notit;&amp;amp;&#0;&#1114112; text</p>\n" * 9,
    "breaks in a paragraph": "<p>" + "<br><br/>\n<BR />".join(["A sentence of some length."] * 20) + "</p>",
    "ruby and marks": "<p><ruby>漢<rp>(</rp><rt>kan</rt></ruby><wbr>字 H<sub>2</sub>O a<b>b</b>c <q>d</q></p>"
    * 9,
    "right to left": "<html dir=rtl><p>\u200f"
    + sites.SENTENCES["he"] * 9
    + "</p><p dir=ltr>\u202aabc\u202c</p>",
}

_DEEP: dict[str, Page] = {
    "600 elements deep": "<div>" * 600 + "<p>text at the bottom</p>" * 9 + "</div>" * 600,
    "3,000 elements deep": "<div><p>a</p>" * 3_000 + "text at the bottom",
    "inline, deep": "<b><i>x " * 700 + "text",
    "wide": "<div>" + "<span>x</span> <i>y</i>" * 800 + "</div>",
    "attributes by the hundred": "<p "
    + " ".join(f"data-a{i}='{i} > <'" for i in range(900))
    + ">text</p>" * 3,
}

_LEGACY = {
    "ru": "windows-1251",
    "ja": "shift_jis",
    "zh": "gb18030",
    "ko": "euc-kr",
    "de": "windows-1252",
    "he": "windows-1255",
}


def _gold() -> dict[str, Page]:
    return {f"gold {path.stem}": path.read_bytes() for path in sorted(_GOLD.glob("*.html"))}


def _sites() -> dict[str, Page]:
    found: dict[str, Page] = {}
    for kind in sites.KINDS:
        for number in range(4):
            page = sites.site(kind, Numbers(f"{kind} {number}"))
            found[f"{kind} {number}"] = page
        found[f"{kind}, one line"] = re.sub(r"\s+", " ", sites.site(kind, Numbers(f"{kind} in one line")))
    return found


def _articles() -> dict[str, Page]:
    found: dict[str, Page] = {}
    for language in sites.SENTENCES:
        found[f"article {language}"] = sites.article(language, styled=True)
        found[f"plain article {language}"] = sites.article(language, styled=False)
    for language, charset in _LEGACY.items():
        page = sites.article(language, styled=True).replace("<head>", f"<head><meta charset={charset}>")
        found[f"article {language} in {charset}"] = page.encode(charset, "replace")
    found["article ru, bytes order mark"] = sites.article("ru", styled=False).encode("utf-16")
    return found


def _soups() -> dict[str, Page]:
    makers = {
        "pieces": soups.pieces,
        "single line": soups.single_line,
        "markup": soups.markup,
        "nested": soups.nested,
    }
    return {f"{name} {i}": make(Numbers(f"{name} {i}")) for name, make in makers.items() for i in range(14)}


@cache
def pages() -> dict[str, Page]:
    """Name -> page: bytes where an encoding is to be found, else text."""
    return {
        **_gold(),
        **_sites(),
        **_articles(),
        **_SMALL,
        **_DEEP,
        **{f"storm: {name}": make(300) for name, make in soups.STORMS.items()},
        **_soups(),
    }


FEW = (
    *("gold en-article-oneline", "gold en-forum-bicycle", "gold zh-article-tea", "article 1", "old 0"),
    *("listing, one line", "hidden 2", "manual 1", "town", "entities", "nested 3", "pieces 5", "markup 7"),
)
"""Pages that each option is tried on."""
