"""Synthetic pages: what crawls hold, made from numbers alone, the same on every machine.

Five kinds, each as wordy, tag-ridden and script-laden as its like on the web: an article, a thread of a
forum, a listing of products, a portal of links, and an article that a minifier put on one line.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape

SMALLEST, LARGEST = 5_000, 300_000
"""Sizes of pages in bytes, log-uniform between the two: some 73 kB in the mean."""

_VOCABULARY = """
the of and a to in is that for it was on are as with they be at one have this from or had by but what some
we can out other were all there when up use your how said an each she which do their time if will way about
many then them write would like so these her long make thing see him two has look more day could go come did
number sound no most people my over know water than call first who may down side been now find any new work
part take get place made live where after back little only round man year came show every good me give our
under name very through just form sentence great think say help low line differ turn cause much mean before
move right boy old too same tell does set three want air well also play small end put home read hand port
large spell add even land here must big high such follow act why ask men change went light kind off need
house picture try us again animal point mother world near build self earth father harbour ferry lantern
quarry meadow orchard glacier copper timber ledger parish council estuary lighthouse railway workshop
"""
_WORDS = tuple(_VOCABULARY.split())
_FOREIGN = ("café", "façade", "Zürich", "naïve", "señor", "smörgås", "Łódź", "’tis", "—", "“quoted”")
_ENTITIES = ("&amp;", "&nbsp;", "&copy;", "&#8217;", "&eacute;", "&mdash;")


class _Numbers:
    """Pseudo-random choices; made of `random()` alone, which is the same in every version of Python."""

    def __init__(self, seed: str) -> None:
        self._next = random.Random(seed).random

    def below(self, stop: int) -> int:
        return int(self._next() * stop)

    def between(self, first: int, last: int) -> int:
        return first + self.below(last - first + 1)

    def share(self) -> float:
        return self._next()

    def word(self) -> str:
        if self.share() < 0.02:
            return _FOREIGN[self.below(len(_FOREIGN))]
        if self.share() < 0.01:
            return _ENTITIES[self.below(len(_ENTITIES))]
        return _WORDS[self.below(len(_WORDS))]

    def words(self, first: int, last: int) -> str:
        return " ".join(self.word() for _ in range(self.between(first, last)))

    def sentence(self) -> str:
        return self.words(6, 24).capitalize() + "."

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.between(2, 7)))

    def slug(self) -> str:
        return f"{_WORDS[self.below(len(_WORDS))]}-{_WORDS[self.below(len(_WORDS))]}-{self.below(100_000)}"


_Part = Callable[[_Numbers], str]


def _link(n: _Numbers, words: tuple[int, int] = (1, 4)) -> str:
    attributes = f'href="/{n.slug()}" class="link link--{n.below(9)}" data-id="{n.below(10**6)}"'
    return f"<a {attributes}>{n.words(*words)}</a>"


def _script(n: _Numbers) -> str:
    lines = "\n".join(
        f"  var {n.slug().replace('-', '_')} = function(e) {{ if (e < {n.below(99)} && e > 0) "
        f'return "<div class=\\"x{n.below(99)}\\">" + e; }};'
        for _ in range(n.between(3, 25))
    )
    return f'<script type="text/javascript">\n{lines}\n</script>'


def _style(n: _Numbers) -> str:
    rules = "\n".join(
        f".{n.slug()} > a:hover {{ margin: {n.below(40)}px; color: #{n.below(4096):03x} }}"
        for _ in range(n.between(5, 30))
    )
    return f"<style>\n{rules}\n</style>"


def _menu(n: _Numbers) -> str:
    items = "\n".join(f'    <li class="menu__item">{_link(n)}</li>' for _ in range(n.between(8, 30)))
    return f'<nav class="menu" role="navigation">\n  <ul>\n{items}\n  </ul>\n</nav>'


def _aside(n: _Numbers) -> str:
    items = "\n".join(
        f'<div class="teaser"><h4>{_link(n, (4, 9))}</h4></div>' for _ in range(n.between(4, 12))
    )
    return f'<!-- teasers {n.slug()} -->\n<aside class="side">\n{items}\n</aside>'


def _prose(n: _Numbers) -> str:
    if n.share() < 0.12:
        return f'<h2 id="{n.slug()}">{n.words(3, 8).capitalize()}</h2>'
    if n.share() < 0.05:
        image = f'<img src="/i/{n.slug()}.jpg" alt="{n.words(2, 6)}" width="640">'
        return f"<figure>{image}<figcaption>{n.words(4, 12)}</figcaption></figure>"
    return f"<p>{n.sentence()} {_link(n)} {n.paragraph()} <em>{n.words(1, 3)}</em> {n.sentence()}</p>"


def _article(n: _Numbers) -> str:
    return (_script, _aside)[n.below(2)](n) if n.share() < 0.15 else _prose(n)


def _post(n: _Numbers) -> str:
    quote = f"<blockquote><cite>{n.words(1, 2)} wrote:</cite><br>\n{n.sentence()}</blockquote>\n" * (
        n.share() < 0.3
    )
    body = "<br>\n".join(n.sentence() for _ in range(n.between(1, 8)))
    return (
        f'<table class="post" id="p{n.below(10**6)}"><tr><td class="user" valign="top">\n'
        f"{_link(n, (1, 2))}<br>\n"
        f"<small>Posts: {n.below(9999)}<br>Joined: {1999 + n.below(25)}</small></td>\n"
        f'<td class="text">{quote}{body}\n<hr><small>{n.words(3, 9)}</small>\n'
        f'<div class="tools">{_link(n)} | {_link(n)} | {_link(n)}</div></td></tr></table>'
    )


def _product(n: _Numbers) -> str:
    stars = '<i class="star"></i>' * n.between(1, 5)
    return (
        f'<li class="card card--{n.below(4)}" data-sku="{n.slug()}">\n  <div class="card__image"><img '
        f'src="/p/{n.slug()}.webp" srcset="/p/{n.slug()}.webp 2x" alt="" loading="lazy"></div>\n'
        f'  <div class="card__body"><h3>{_link(n, (2, 7))}</h3><span class="price">'
        f"{n.below(900)}.{n.between(10, 99)}</span>\n"
        f'  <div class="rating">{stars}</div><p>{n.words(0, 14)}</p>\n'
        f'  <button type="button" onclick="add({n.below(10**6)})">Add</button></div>\n</li>'
    )


def _box(n: _Numbers) -> str:
    if n.share() < 0.1:
        return _script(n)
    links = "\n".join(f"  <li>{_link(n, (3, 10))}</li>" for _ in range(n.between(3, 10)))
    lead = f'<p class="lead">{n.words(5, 18)}</p>'
    return f'<div class="box"><h3>{_link(n)}</h3>\n{lead}\n<ul>\n{links}\n</ul></div>'


def _classes(n: _Numbers) -> str:
    """Classes as frameworks name them: widths of screens, states, blocks and their elements."""
    names = ("md:flex", "lg:hidden", "col-sm-6", "is-active", "u-mt-16", "c-card__title", "js-toggle", "wide")
    return " ".join(names[n.below(len(names))] for _ in range(n.between(1, 5))) + f" sc-{n.below(10**6):x}"


def _icon(n: _Numbers) -> str:
    path = " ".join(f"{'MLCZ'[n.below(4)]}{n.below(24)} {n.below(24)}" for _ in range(n.between(3, 12)))
    return f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"></path></svg>'


def _menu_of_menus(n: _Numbers) -> str:
    def level(depth: int) -> str:
        items = (
            f'<li class="nav-item nav-item--{depth} {_classes(n)}" role="none">{_link(n)}'
            f"{level(depth + 1) if depth < 3 and n.share() < 0.3 else ''}</li>"
            for _ in range(n.between(2, 6))
        )
        return f'<ul class="nav-list nav-list--{depth}" role="menu">{"".join(items)}</ul>'

    return f'<nav class="{_classes(n)}" id="nav-{n.below(99)}" aria-label="{n.word()}">{level(1)}</nav>'


def _form(n: _Numbers) -> str:
    fields = "".join(
        f'<div class="form__row {_classes(n)}"><label for="f{i}" class="form__label">{n.words(1, 3)}</label>'
        f'<input id="f{i}" type="text" name="{n.slug()}" placeholder="{n.words(1, 4)}" data-valid="no"></div>'
        for i in range(n.between(1, 4))
    )
    options = "".join(f"<option value={i}>{n.words(1, 2)}</option>" for i in range(n.between(2, 9)))
    return (
        f'<section class="newsletter {_classes(n)}"><form action="/{n.slug()}" class="form">{fields}'
        f"<select name=s>{options}</select><button class='btn btn--{n.below(9)}' type=submit>{_icon(n)}"
        f"<span>{n.words(1, 2)}</span></button></form></section>"
    )


def _notice(n: _Numbers) -> str:
    kinds = (
        "modal hidden",
        "cookie-consent is-hidden",
        "dialog",
        "overlay hide",
        "share-row",
        "article-meta",
    )
    return (
        f'<!-- {n.slug()} --><div class="{kinds[n.below(len(kinds))]}" data-state="closed">'
        f"<p>{n.sentence()}</p><button class=close>{n.word()}</button>"
        f"{_icon(n)}{_link(n)}</div>\n<!-- end -->"
    )


def _news(n: _Numbers) -> str:
    """A story that its JSON-LD states, among what sites put around and into one."""
    lines = [n.paragraph() for _ in range(n.between(4, 9))]
    stated = {"@type": "NewsArticle", "headline": n.words(3, 9), "articleBody": unescape(" ".join(lines))}
    said = "".join(
        f'<div class="block {_classes(n)}"><p class="text" data-n="{n.below(99)}">{line}</p></div>'
        f"{(_notice, _form, _figure)[n.below(3)](n) if n.share() < 0.35 else ''}"
        for line in lines
    )
    related = f'<aside class="related {_classes(n)}"><h3>{n.words(1, 3)}</h3>{_box(n)}</aside>'
    return (
        f'<script type="application/ld+json">{json.dumps(stated)}</script>\n{_menu_of_menus(n)}\n'
        f'<article class="story {_classes(n)}" id="s{n.below(10**6)}">{said}</article>\n{related}\n'
    )


def _figure(n: _Numbers) -> str:
    sources = ", ".join(f"/i/{n.slug()}.webp {width}w" for width in (320, 640, 960))
    return (
        f'<figure class="{_classes(n)}" style="margin: {n.below(99)}%">'
        f'<picture><img srcset="{sources}" alt="">'
        f'</picture><p class="wp-caption-text">{n.words(4, 12)}</p></figure>'
    )


def _shop(n: _Numbers) -> str:
    """Rows of cards, with filters, prices, and data in scripts."""
    cards = "".join(
        f'<div class="card {_classes(n)}" data-product=\'{{"name": "{n.words(1, 3)}"}}\'>'
        f"{_figure(n)}{_link(n, (2, 6))}<span class='price {_classes(n)}'><b>{n.below(900)}</b>.99</span>"
        f"<p>{n.words(3, 12)}</p>{_icon(n)}<button class=add>{n.word()}</button></div>"
        for _ in range(n.between(3, 8))
    )
    rows = "".join(
        f"<tr><th>{n.words(1, 2)}<td>{n.below(99)} cm<td>{n.words(1, 5)}" for _ in range(n.between(2, 6))
    )
    state = json.dumps({n.slug(): [n.below(999) for _ in range(20)] for _ in range(n.between(2, 9))})
    return (
        f'<div class="row {_classes(n)}"><div class="filters">{_form(n)}</div>{cards}</div>\n'
        f"<table class=specs>{rows}</table>{_notice(n)}<script>window.__STATE__ = {state}</script>\n"
    )


SHAPES: dict[str, _Part] = {"news": _news, "shop": _shop}
"""Kinds that are as crawls hold them today: classes of frameworks, JSON-LD, forms, menus, icons, comments."""

_KINDS: dict[str, _Part] = {
    "article": _article,
    "forum": _post,
    "listing": _product,
    "portal": _box,
    "minified": _article,
}
KINDS = tuple(_KINDS)


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its number, URL, kind, charset as its header declares it, and bytes."""

    number: int
    url: str
    kind: str
    charset: str | None
    html: bytes


def page(number: int, *, kind: str | None = None, size: int | None = None) -> Page:
    """Page `number`, from which kind and size follow if they are not given.

    Args:
        number: which page.
        kind: one of `KINDS`, or of `SHAPES`.
        size: bytes, to be met by the last paragraph or so.
    """
    n = _Numbers(f"page {number}")
    kind = kind or KINDS[number % len(KINDS)]
    span = math.log(LARGEST / SMALLEST)
    target = size or int(SMALLEST * math.exp(n.share() * span))
    title = n.words(3, 9).capitalize()
    parts = [
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<link rel="canonical" href="https://crawl.example/{number}">\n{_style(n)}\n{_script(n)}\n</head>\n'
        f'<body class="{kind}">\n{_menu(n)}\n<main>\n<h1>{title}</h1>'
    ]
    tail = (
        f"</main>\n<footer>{_menu(n)}<p>&copy; {n.words(2, 5)}</p></footer>\n{_script(n)}\n</body>\n</html>\n"
    )
    made = len(parts[0]) + len(tail)
    part = {**_KINDS, **SHAPES}[kind]
    while made < target:
        parts.append(part(n))
        made += len(parts[-1]) + 1
    text = "\n".join((*parts, tail))
    if kind == "minified":
        text = " ".join(text.split("\n"))
    charset = None
    if number % 10 == 7:
        charset = "windows-1252"
        text = text.replace('<meta charset="utf-8">\n', "").replace('<meta charset="utf-8"> ', "")
    html = text.encode("cp1252", "xmlcharrefreplace") if charset else text.encode()
    return Page(number, f"https://crawl.example/{kind}/{number}", kind, charset, html)


def pages(count: int, size: int | None = None) -> Iterator[Page]:
    """The first `count` pages, all of `size` bytes if that is given."""
    return (page(number, size=size) for number in range(count))
