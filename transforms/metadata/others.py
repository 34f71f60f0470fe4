"""Tell what of a page others wrote, or leads to other pages: its dates and authors are not the page's own."""

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.html._text import rendered
from cedar.transforms.extractors.html.reading import PageReading
from cedar.transforms.extractors.segments._headline import Headline
from cedar.transforms.extractors.segments._markup import Markup
from cedar.transforms.metadata._places import MAX_FINDS, Places
from cedar.transforms.metadata._texts import element_stop, element_text

BEFORE = 60
"""Tags before and after a headline that are near it."""
ANCHOR = key("a")
_WHOLE = frozenset(map(key, ("html", "body", "main")))
_QUOTE, _CAPTION, _ASIDE_ELEMENT, _FOOTER = key("blockquote"), key("figcaption"), key("aside"), key("footer")
_ARTICLE, _PARAGRAPH, _NAV, _HEADER, _ITEM = map(key, ("article", "p", "nav", "header", "li"))
_ASIDE = re.compile(
    rb"(?:^|[\s_-])(?:comments?|commentlist)(?=$|[\s_-](?!open|closed|enabled|disabled|off\b))"
    rb"|(?:^|[\s_-])(?:related|recommend(?:ed|ations?)?|(?:pull|block)?quotes?)(?=$|[\s_-])"
    rb"|(?:^|\s)(?:replies|(?:customer-|product-|user-)?reviews)(?=$|\s)"
    rb"|(?:^|\s)(?:sidebar|weather)(?=$|[\s_-])|[^_-][_-]sidebar(?=$|\s)"
    rb"|(?:^|\s)(?:(?:wp|image|img|photo|picture|figure)-?)?caption(?:-text)?(?=$|\s)"
)
_NO_ASIDE = re.compile(
    rb"(?:^|[\s_-])(?:has|with|no|without)[_-](?:comments?|related|sidebar|quotes?)(?=$|[\s_-])"
)


_CARD = re.compile(
    rb"(?:^|\s)(?:(?:[a-z]{1,12}[_-])?(?:card|teaser|widget|discussions?|responses)"
    rb"|(?:(?:site|page|global)[_-]?)?footer)(?=$|\s)"
)
"""A box that may hold another story, or what others say of this one."""
_OWN_CARD = re.compile(rb"author|byline|meta|entry|(?:^|\s)blog(?=$|\s)")
_OWN_TITLE = re.compile(rb"headline|entry-title", re.IGNORECASE)
"""In a class or an `itemprop`: the title of an article."""
_OF_ARTICLE = re.compile(rb"(?:Article|Posting)\s*$")
"""The types of items that are articles."""
_COMMENTS = (
    "comments?;discussion;responses?;replies;reply;thoughts?;kommentare?;commentaires?;réponses?;comentarios?"
    ";comentários?;respuestas;pensamientos;gedanken;comment[oi];pensieri;reacties?;комментари[ийяев]{1,3};kommentarer"
    ";komentarze;yorumlar;yorum;komentáře;kommentit;hozzászólások;댓글;コメント;评论;評論"
)
_TO_COMMENT = (
    "leave a;post a;add a;deja un;escribe un;deixe um;laisser un;lascia un;schreibe? einen;hinterlasse einen"
)
_RELATED = (
    "related;recommended;popular;trending;most read;read next;read more;see also;up next"
    ";you (?:may|might) also like;elsewhere on;editor[’']?s[’']? picks?"
    ";das könnte (?:sie|dich|euch) (?:auch )?interessieren;(?:lesen sie|lies) auch;mehr zum thema"
    ";siehe auch;auch interessant;ähnliche (?:artikel|beiträge)"
    ";weitere (?:artikel|beiträge|nachrichten|meldungen);meistgelesen;(?:à lire|lire|voir) aussi"
    ";sur le même (?:sujet|thème);articles? (?:similaires|liés|récents);les plus lus;vous aimerez aussi"
    ";leia (?:também|mais);veja também;mais lidas"
    ";(?:artigos|notícias|matérias|artículos|noticias|entradas) relacionad[ao]s"
    ";(?:lea|lee|leer|ver) también;te puede interesar;lo más (?:leído|visto);leggi anche"
    ";potrebbe interessarti;articoli (?:correlati|recenti);lees ook;gerelateerd;meer nieuws"
    ";czytaj (?:też|także);zobacz (?:też|także);läs (?:också|mer);les også;læs også;lue myös"
    ";читайте также;похожие (?:статьи|записи);по теме;читайте також;ilgili haberler"
    ";相关(?:文章|新闻|阅读);関連記事"
    ";あわせて読みたい;관련 ?기사"
)


def _one_of(words: str) -> str:
    return f"(?:{words.replace(';', '|')})"


_OTHERS_BELOW = re.compile(
    rf"(?:(?:\d{{1,5}}|one) )?{_one_of(_COMMENTS)}"
    r"(?:\W{1,3}\d{1,5}\W{0,2}|:| (?:on|to|zu|sur|à|en|su|op|к) .{0,200})?"
    rf"|{_one_of(_TO_COMMENT)} {_one_of(_COMMENTS)}\b.{{0,30}}"
    rf"|{_one_of(_RELATED)}\b.{{0,30}}"
    r"|latest|(?:latest|more) (?:stories|news|articles|posts|from)\b.{0,30}",
    re.IGNORECASE,
)
"""A heading above what others wrote."""
_TAGS_TO_HEADING = 8
"""Tags from a box, or from an author or a date, to the heading or the link that it belongs to."""
_RIGHT_ABOVE = 10
"""Tags before the headline in which an `aside` is a line of the article's own."""
_MAX_OF_CARD = 40
"""Tags after a heading that is a link in which the author or the date of its page may stand."""
_MIN_PROSE = 200
"""Bytes at the start of paragraphs of an `<article>` that has the text, and not only the headline."""
_BAR = re.compile(
    rb"(?:^|\s)(?:(?:site|page|global|main|top)[_-]?)?(?:header|masthead|bar|nav(?:bar|igation)?|menu|side)(?=$|\s)"
    rb"|(?:^|[\s_-])(?:weather|wetter|meteo|clock)(?=$|[\s_-])"
)
"""The class or the id of a bar of the site, or of its weather."""
_TAGS_OF_BAR = 30
"""Tags before an author or a date in which a bar that holds it may begin."""
_MIN_TITLE_WORDS = 4
"""Words of a link that may be the title of another story."""
_MAX_OUTER = 20
"""Elements before a tag that are asked whether they hold it."""
_REVIEW = re.compile(rb"/(?:\w*Review|\w*Comments?|Answer)\s*$")
"""The types of items that others wrote on the page."""
_TAGS_OF_REVIEW = 40
"""Tags between the start of a review and its author or date."""


def has_one(ascending: list[int], first: int, last: int) -> bool:
    """Tell whether one of some ascending numbers is in [first, last)."""
    return bisect_left(ascending, first) < bisect_left(ascending, last)


class Asides:
    """Comments, quotes, sidebars and related things of a page, found only up to the last tag asked for."""

    def __init__(self, page: PageReading, places: Places, headline: int) -> None:
        self._page, self._places, self._headline = page, places, headline
        self._starts: list[int] = []  # ascending, and apart
        self._stops: list[int] = []
        self._known: dict[bytes, tuple[bool, bool]] = {}  # pages repeat their classes
        self._seen, self._left = 0, MAX_FINDS

    def hold(self, tag: int) -> bool:
        """Tell whether a tag is in an aside."""
        if tag >= self._seen:
            self._look_up_to(tag + 1)
        at = bisect_right(self._starts, tag) - 1
        return at >= 0 and tag < self._stops[at]

    def _look_up_to(self, last: int) -> None:
        found = self._places.asides(self._seen, last, self._left)
        self._seen = last
        stop = self._stops[-1] if self._stops else 0
        for tag in found:
            if tag >= stop and self._is_aside(tag):
                end = element_stop(self._page, tag)
                if not tag < self._headline < end:
                    self._starts.append(tag)
                    self._stops.append(stop := end)
        self._left -= len(found)
        if found and not self._left:  # more of them may follow
            self._starts.append(max(found[-1], stop, self._headline))
            self._stops.append(self._page.tags.count)

    def _is_aside(self, tag: int) -> bool:
        name = self._places.kind_of(tag)[0]
        if name in _WHOLE or name in (_QUOTE, _CAPTION):
            return name not in _WHOLE
        words = self._places.marks(tag, 3)
        if words not in self._known:
            is_aside = _ASIDE.search(_NO_ASIDE.sub(b" ", words)) is not None
            self._known[words] = is_aside, _CARD.search(words) is not None and not _OWN_CARD.search(words)
        if b"hentry" in words.split():
            return self._is_titled(tag)
        is_aside, is_card = self._known[words]
        if is_aside and name != _ASIDE_ELEMENT:
            return True
        if name == _ARTICLE and not is_card:
            return not self._is_right_after_headline(tag) and self._is_headed_by_link(tag)
        if name == _FOOTER and self._is_of_article(tag):
            return False
        if name not in (_ASIDE_ELEMENT, _FOOTER, _NAV) and not is_card:
            return False
        # One right after the headline may hold its date and its author.
        is_above = name == _ASIDE_ELEMENT and -_RIGHT_ABOVE <= tag - self._headline < 0
        if not (is_above or self._is_right_after_headline(tag)):
            return True
        return has_one(self._places.any_headings, tag, element_stop(self._page, tag))

    def _is_right_after_headline(self, tag: int) -> bool:
        """Tell whether a tag is near the headline, and no paragraph is between them."""
        is_near = 0 <= tag - self._headline < BEFORE
        return is_near and not self._has_tag(_PARAGRAPH, self._headline, tag)

    def _has_tag(self, name: int, first: int, last: int) -> bool:
        """Tell whether a tag of a name is in [first, last)."""
        return bool((self._page.tags.keys[max(first, 0) : last] == name).any())

    def _is_titled(self, tag: int) -> bool:
        """Tell whether an element begins with a title of its own."""
        return any(
            _OWN_TITLE.search(self._places.marks(at, 3))
            for at in range(tag + 1, min(tag + _TAGS_TO_HEADING, element_stop(self._page, tag)))
        )

    def _is_headed_by_link(self, tag: int) -> bool:
        """Tell whether an article begins with a heading that is a link, as other pages' articles do."""
        headings = self._places.any_headings
        at = bisect_left(headings, tag)
        if at == len(headings) or headings[at] - tag > _TAGS_TO_HEADING:
            return False
        return self._has_tag(ANCHOR, tag, headings[at] + 2)

    def _is_of_article(self, tag: int) -> bool:
        """Tell whether a footer is in the article that holds the headline."""
        keys, ends = self._page.tags.keys, self._page.tags.ends
        opened = ((keys[: self._headline + 1] == _ARTICLE) & ~ends[: self._headline + 1]).nonzero()[0]
        return opened.size > 0 and self._headline < tag < element_stop(self._page, int(opened[-1]))


class Others:
    """What of a page others wrote, or leads to other pages.

    It stands in an aside, outside of the article that holds the headline, below a heading of others, in a bar
    of the site, on a card, or in an item of microdata that is a review or another article.
    """

    def __init__(self, markup: Markup, places: Places, found: Headline, *, headline: int, base: str) -> None:
        self._markup, self._page, self._places, self._found = markup, markup.reading, places, found
        self._headline, self._base = headline, base
        self._asides = Asides(markup.reading, places, headline)

    def hold(self, tag: int) -> bool:
        """Tell whether a tag is in such a part."""
        return (
            self._asides.hold(tag)
            or self._is_outside_article(tag)
            or self._is_below_others(tag)
            or self._is_in_bar(tag)
            or self._is_beside_link(tag)
            or self._is_in_review(tag)
        )

    def _is_link(self, tag: int) -> bool:
        return self._page.tags.keys[tag] == ANCHOR and not self._page.tags.ends[tag]

    def _source_of(self, tag: int) -> bytes:
        """Return a tag, in lower case."""
        tags = self._page.tags
        return self._page.html[int(tags.starts[tag]) : int(tags.stops[tag])].lower()

    def _is_in_review(self, tag: int) -> bool:
        """Tell whether the nearest item of microdata around a tag is others'."""
        has_items = self._places.authored or self._places.published
        for at in range(tag, max(tag - _TAGS_OF_REVIEW, 0) if has_items else tag, -1):
            if b"itemscope" in self._source_of(at):
                stop = element_stop(self._page, at)
                kind = self._places.attributes(at).get(b"itemtype", b"")
                if stop > tag and b"Person" not in kind and not at < self._headline < stop:
                    return _REVIEW.search(kind) is not None or self._is_another_article(at, stop, kind)
        return False

    def _is_another_article(self, first: int, last: int, kind: bytes) -> bool:
        """Tell whether an item of microdata is an article with a headline of its own."""
        within = range(first + 1, min(first + _TAGS_OF_REVIEW, last))
        return _OF_ARTICLE.search(kind) is not None and any(
            b"headline" in self._places.marks(at) for at in within
        )

    def _is_below_others(self, tag: int) -> bool:
        headings = self._places.any_headings
        at = bisect_left(headings, tag) - 1
        if at < 0 or self._found.first <= headings[at] <= self._found.last:
            return False
        heading = headings[at]
        is_near = tag - heading <= _MAX_OF_CARD
        if heading < self._found.first and not (is_near and tag < self._found.first):
            return False
        text = element_text(self._page, heading)
        return _OTHERS_BELOW.fullmatch(text) is not None or (is_near and self._is_link_away(heading, text))

    def _is_link_away(self, heading: int, text: str) -> bool:
        """Tell whether a heading is wholly a link to another page; a home page has those of its own posts."""
        if not text or text in (self._found.text or "") or not self._path_of(""):
            return False
        for link in (heading + 1, heading - 1):
            if 0 <= link < self._page.tags.count and self._is_link(link):
                return element_text(self._page, link).startswith(text) and self._leads_away(link)
        return False

    def _leads_away(self, link: int) -> bool:
        """Tell whether a link leads to another page than this one and the site's home page."""
        target = rendered(self._places.target(link)).strip()
        return self._path_of(target) not in ("", self._path_of(""))

    def _path_of(self, address: str) -> str:
        """Return the path of an address on the page, without the last slash; "" for a home page and none."""
        try:
            return urlsplit(urljoin(self._base, address)).path.rstrip("/")
        except ValueError:
            return ""

    @cached_property
    def _own_article(self) -> tuple[int, int] | None:
        """The tags [first, last) of the innermost `<article>` that holds the headline and prose."""
        at, tags = self._found.first, self._page.tags
        if at < 0:
            return None
        opened = ((tags.keys[: at + 1] == _ARTICLE) & ~tags.ends[: at + 1]).nonzero()[0]
        for article in opened[::-1][:_MAX_OUTER].tolist():
            if (stop := element_stop(self._page, article)) > at:
                is_paragraph = (tags.keys[at : stop - 1] == _PARAGRAPH) & ~tags.ends[at : stop - 1]
                sizes = tags.starts[at + 1 : stop] - tags.stops[at : stop - 1]
                return (article, stop) if int(sizes[is_paragraph].sum()) >= _MIN_PROSE else None
        return None

    def _is_outside_article(self, tag: int) -> bool:
        """Tell whether a tag is after or before the article that holds the headline and prose."""
        if self._own_article is None:
            return False
        first, last = self._own_article
        return not first <= tag < last

    def _is_in_bar(self, tag: int) -> bool:
        """Tell whether a tag is in a bar of the site, or a hidden element, that ends before the headline."""
        at, tags = self._found.first, self._page.tags
        if tag >= at:
            return False
        for bar in range(tag, max(tag - _TAGS_OF_BAR, 0) - 1, -1):
            if tags.ends[bar]:
                continue
            is_bar = (
                tags.keys[bar] == _HEADER
                or self._markup.hiding[bar]
                or _BAR.search(self._places.marks(bar, 2))
            )
            stop = element_stop(self._page, bar) if is_bar else 0
            if stop > tag:
                return stop <= at
        return False

    def _is_beside_link(self, tag: int) -> bool:
        """Tell whether a link to another page begins the element that a tag is in, with its title: a card.

        Right after the headline, before any paragraph, it leads to the author or a part of the site.
        """
        at, tags = self._found.first, self._page.tags
        if at < 0 or (at <= tag and not (tags.keys[at:tag] == _PARAGRAPH).any()):
            return False
        for link in range(tag, max(tag - _TAGS_TO_HEADING, 0), -1):
            if self._is_link(link):
                holder, text = link - 1, element_text(self._page, link)
                if tags.ends[holder] or not tag < element_stop(self._page, holder):
                    return False
                is_title = tags.keys[holder] == _ITEM or len(text.split()) >= _MIN_TITLE_WORDS
                return is_title and text not in (self._found.text or "") and self._leads_away(link)
        return False
