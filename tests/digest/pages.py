"""The pages whose extractions are on record: those of the gold set, and some that are odd."""

from __future__ import annotations

from pathlib import Path

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
_RUBY = "<p><ruby>漢<rp>(</rp><rt>kan</rt></ruby><wbr>字 H<sub>2</sub>O a<b>b</b>c <q>d</q></p>"

_ODD: dict[str, Page] = {
    "no tags, one line": " ".join((_PLAIN * 12).split()),
    "town": _TOWN,
    "town, one line": _TOWN.replace("\n", " "),
    "town, returns": _TOWN.replace("\n", "\r\n").encode("utf-16"),
    "empty comments": _VUE,
    "text after the end": f"{_TOWN}tail<p>b</p><html><head><title>t</title></head><body>two</body></html>",
    "links alone": "".join(f"<p><a href=/{i}>one of many links, number {i}</a></p>\n" for i in range(40)),
    "lone surrogates": "<title>\ud800</title><p>" + "a \udfff b " * 20,
    "controls": "<p>" + "".join(map(chr, range(160))) + "</p><p>" + "word \x85 " * 20,
    "entities": "<title>&lt;T&gt;</title>"
    + "<p>&nbsp;&#8364;&#x80;&notit;&amp;amp;&#0;&#1114112; text</p>\n" * 9,
    "ruby": _RUBY * 9,
    "right to left": "<html dir=rtl><p>\u200fהנמל נסגר בחורף ונפתח שוב במאי.</p>" * 3,
    "600 elements deep": "<div>" * 600 + "<p>text at the bottom</p>" * 9 + "</div>" * 600,
}


def pages() -> dict[str, Page]:
    """Read the pages by name: bytes if an encoding is to be found, else text."""
    gold: dict[str, Page] = {f"gold {path.stem}": path.read_bytes() for path in sorted(_GOLD.glob("*.html"))}
    return gold | _ODD
