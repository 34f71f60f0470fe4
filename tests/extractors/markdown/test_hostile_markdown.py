"""Markdown of hostile pages: CPU grows with their size and no faster."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from cedar import MarkdownOptions
from cedar.transforms.extractors.markdown._document import write
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.helpers.shapes import (
    LARGE,
    SMALL,
    Make,
    assert_time_is_linear,
    cpu_seconds,
    nested,
    numbered,
    repeated,
)

MATHJAX = "<script src=MathJax.js></script><p>"
NOTE = "a<sup><a href=#fn{0}>1</a></sup> "
LINK = "<a href=http://a.example/>"


def halves(unit: str, before: str) -> Make:
    """A page of which one half is a long address in its head, and the other one units."""
    return lambda size: before.format("a/" * (size // 4)) + unit * (size // 2 // len(unit))


SHAPES = {
    # Formulas in text.
    r"\[x\]": repeated(r"\[x\] "),
    r"\(x\)": repeated(r"\(x\) "),
    "$$x$$": repeated("$$x$$ "),
    "$$x$$ glued": repeated("$$x$$"),
    r"\[ opened only": repeated(r"\[x "),
    r"\] closed only": repeated(r"x\] "),
    r"\[ in \[": nested(r"\[", r"\]"),
    r"\({": repeated(r"\({ "),
    "$x$": repeated("$x$ ", MATHJAX),
    "dollars": repeated("$ ", MATHJAX),
    r"\begin{align}": repeated(r"\begin{align}x\end{align} ", MATHJAX),
    r"\[x\] at line breaks": repeated(r"\[x\]<br>"),
    r"\[x\] in b": repeated(r"<b>\[x\]</b> "),
    r"\[x\] in code": repeated(r"<code>\[x\]</code> "),
    r"\[x\] around code": repeated(r"\[<code>x</code>\] "),
    r"\[x\] in links": repeated(rf"{LINK}\[x\]</a> "),
    r"\(]\) in links": repeated(rf"{LINK}\(]\)</a> "),
    r"\[x\] in a cell": repeated(r"\[x\] ", "<table><tr><td>a<td>b<tr><td>c<td>"),
    r"\[x\] in a heading": repeated(r"\[x\] ", "<h1>"),
    "macros": repeated(r"\(\newcommand{a}{b}\) "),
    # Formulas of markup.
    "math": repeated("<math><mi>x</mi></math> "),
    "math that is not closed": repeated("<math><mi>x"),
    "katex that is not closed": repeated("<span class=katex>", after="x"),
    "katex in katex": nested("<span class=katex>", "</span>"),
    "mrow in mrow": nested("<mrow>", "</mrow>", "<p><math>"),
    "scripts of TeX": repeated("a <script type='math/tex'>x</script> b"),
    "scripts beside what is rendered": repeated(
        "<span class=MathJax>x</span><script type='math/tex'>x</script>"
    ),
    # Brackets, marks and backslashes.
    "[": repeated("["),
    "[x](": repeated("[x]("),
    "][": repeated("]["),
    "[^": repeated("[^"),
    "[ in [": nested("[", "]"),
    "[ at line breaks": repeated("[a<br>", after="]:"),
    "backticks": repeated("`"),
    "backticks in code": repeated("<code>`</code> "),
    "a run of backticks in code": repeated("`", "<p><code>"),
    "backslashes": repeated("\\"),
    "tildes": repeated("~"),
    "asterisks": repeated("a*"),
    "entities": repeated("&amp;a"),
    "number signs": repeated("#", "<h1>a "),
    # Tags.
    "b": repeated("<b>x</b>"),
    "b in b": nested("<b>", "</b>"),
    "b that is not closed": repeated("<b>x "),
    "i and b that cross": repeated("<i>a<b>b</i>c</b>"),
    "code of lines": repeated("<code>x<br>y</code>", ""),
    "blocks in code": repeated("<code><div>x</div>", ""),
    "links": repeated(f"{LINK}x</a> "),
    "links in links": nested(LINK, "</a>"),
    "brackets in links": repeated(f"{LINK}[</a> "),
    "brackets in one link": repeated("[", f"<p>{LINK}"),
    "images in links": repeated(f"{LINK}<img src=http://a.example/i.png></a> "),
    "images": repeated("<img src=http://a.example/i.png alt=x>", ""),
    "links to a heading": repeated("x<a href=#x>#</a> ", "<h2>"),
    "line breaks": repeated("x<br>"),
    # Attributes.
    "attributes of a link": repeated("a=b ", "<p><a ", "href=http://a.example/>x</a>"),
    "quotes in a tag": repeated("\"'", "<p><a ", ">x</a>"),
    "brackets in a description": repeated("](", "<img src=http://a.example/i.png alt='", "'>x"),
    "a set of images": repeated("http://a.example/i.png 1x, ", "<img srcset='", "'>x"),
    "links beside a long base": halves("<p><a href=../y>x</a> words", "<base href=http://a.example/{}>"),
    "images beside a long base": halves("<img src=../y>", "<base href=http://a.example/{}>"),
    "classes of code": repeated("brush: ", "<pre class='", "'>x</pre>"),
    # References.
    "footnotes": numbered(NOTE, "<p>", "<li id=fn{0}>n <a href=#r>↩</a>", "<ol>"),
    "references to one note": repeated(NOTE.format(1), after="<ol><li id=fn1>n"),
    "notes in notes": numbered(NOTE, "<p>", "<div id=fn{0}>n", "<p>"),
    "notes that begin one block": numbered(NOTE, "<p>", "<a id=fn{0}>", "<p>"),
    "places": numbered("<p id=x{0}>b", NOTE.format(1)),
    # Blocks.
    "lists in lists": repeated("<ul><li>x", ""),
    "lists beside lists": repeated("<ol><li>x</ol>", ""),
    "items": repeated("<li><p>x<p>y", "<ul>"),
    "terms": repeated("<dt>x<dd>y", "<dl>"),
    "quotes": repeated("<blockquote>x", ""),
    "headings that another tag closes": repeated("<h2>T</h3><p>x", ""),
    "blank lines of code": repeated("\n", "<pre>x", "y</pre>"),
    "numbers beside code": repeated("<span class=lineno>1</span> x\n", "<pre>"),
    "numbers that are not closed": repeated("<span class=lineno>", "<pre>", "x"),
    "heads of code": repeated("<pre><div><b>x</b><button>y</button></div>z", ""),
    "pre in pre": nested("<pre>", "</pre>"),
    "blocks of code": repeated("<p><code>x\ny</code>", ""),
    "blocks of code that are not closed": repeated("<p><code>x", ""),
    "lines of code that are not closed": repeated("<div class=crayon-pre>x", ""),
    "lines of code in one another": nested("<div class=crayon-pre><p>", "</div>"),
    "columns of numbers in one another": nested("<div class=gutter>", "</div>"),
    "classes of a block of code": repeated("class=block-x ", "<p><code ", ">x</code>"),
    "images for browsers without scripts": repeated("<noscript><img></noscript> x"),
    "tables in tables": repeated("<table><tr><td>x", ""),
    "tables": repeated("<table><tr><th>a<th>b<tr><td>c<td>d</table>", ""),
    "rows": repeated("<tr><td>a<td>b", "<table>"),
    "cells that span": repeated("<tr><td colspan=50 rowspan=200>a<td>b", "<table>"),
    "tables in items": repeated("<li><table><tr><th>a<th>b<tr><td>c<td>d</table>", "<ul>"),
    "check boxes": repeated("<input type=checkbox> ", "<ul><li>", "x"),
    "notes that are set apart": repeated("<div class=admonition>x", ""),
    "notes in boxes": repeated("<div><div class='alert alert-info'>x</div></div>", "<div>" * 200 + "<p>y"),
    "rows of code": repeated("<tr><td class=blob-code>x<tr><td class=blob-code>", "<table class=highlight>"),
    # What is told from the title.
    "headings of the first level": repeated("<h1>x</h1>y", "<title>x</title>"),
    "headings like the title": repeated("<h2>x z</h2>y", "<title>x | z</title>"),
    "lines like the title": repeated("<p>x z", "<title>x z | y</title>"),
    "links to the start page": repeated("<a href=/>x</a> ", "<title>x | z</title><p>"),
    "separators of a title": repeated("x | ", "<title>", "</title><h1>x</h1>y"),
    # Who wrote it, and when.
    "bylines": repeated("<p>By x ", "<title>x</title><h1>x</h1>"),
    "words before a name": repeated("a guest post written ", "<h1>x</h1><p>", "by Ana Lima"),
    "links to authors": repeated("<a href=/author/xyz>Ana Lima</a>", "<h1>x</h1>"),
    "marked authors": repeated("<i itemprop=author></i>", "<h1>x</h1>"),
    "dates in scripts": repeated("publish: '2024', ", "<script>", "</script>x"),
    "scripts with dates": repeated("<script>publishedAt:'2024-05-03'</script>", "", "x"),
    "lines with dates": repeated("<p>Updated 5 May 2024, 3. Mai ", "<h1>x</h1>"),
    "captions with dates": repeated("<figcaption>5 May 2024", "<h1>x</h1>"),
    "reviews with dates": repeated(
        "<b itemscope itemtype=/Review><i itemprop=datePublished>2024-05-03</i>", "<h1>x</h1>"
    ),
    "reporters": repeated("<p>김하나 기자", "<html lang=ko><h1>x</h1>"),
    "dates in Persian": repeated("<p>۱۴ اردیبهشت ۱۳۹۹ ۱۴", "<html lang=fa><h1>x</h1>"),
    "AsciiMath": repeated("`a/b` ", "<script src=ASCIIMathML.js></script><p>"),
    "AsciiMath that is deep": repeated("(a/", "<script src=ASCIIMathML.js></script><p>`", "`"),
    "scripts of AsciiMath": repeated("<script type=math/asciimath>a/(b</script>", "<p>"),
    "code of spans": repeated("<span class=line>x</span>", "<pre>"),
    "lines of code in lines": nested("<pre><span class=line>x</span><span class=line>", "</span>"),
    "bulleted paragraphs": repeated("<p>• x", ""),
    "names of users": repeated("<div class=user><h4 class=message-name>x</h4><dl><dd>y</dl>", ""),
    "buttons in rows": repeated("<tr><td>x<td><a href=/>Buy</a>", "<table><tr><th>a<th>b"),
}  # fmt: skip
KEPT = MarkdownOptions(links="keep", images="keep")


def seconds(html: bytes) -> float:
    """CPU of writing all blocks of a page, without reading it."""
    page = SegmentedPage(html)
    kept = np.ones(page.blocks.count, bool)
    return cpu_seconds(lambda: write(page, kept, KEPT, "https://a.example/"))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_markdown_of_hostile_pages_takes_linear_time(shape: str) -> None:
    assert_time_is_linear(seconds, SHAPES[shape])


def peak_bytes(html: bytes) -> int:
    """Most memory that writing all blocks of a page takes at once, without the page."""
    page = SegmentedPage(html)
    kept = np.ones(page.blocks.count, bool)
    tracemalloc.start()
    try:
        write(page, kept, KEPT, "https://a.example/")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_markdown_of_hostile_pages_takes_linear_memory(shape: str) -> None:
    # Pages of an eighth: while memory is traced, each allocation takes many times as long. A page's store of
    # numbers may grow to twice its size meanwhile.
    small, large = (peak_bytes(SHAPES[shape](size // 8).encode()) for size in (SMALL, LARGE))
    assert large <= MAX_GROWTH * max(small, 1 << 19)


MAX_GROWTH = 6
"""How many times the memory of a small page one of four times its size may take: 16 is quadratic."""
