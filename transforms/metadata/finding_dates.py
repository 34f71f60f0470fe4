"""When a page was published, and when it was changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from transforms.metadata.facts import Facts

_PUBLISHED_WORDS = (
    "article:published_time og:article:published_time datepublished article:published og:published_time "
    "published_time article:publicationdate dc.date.issued dcterms.issued dcterms.created dc.date.created "
    "dc.date.published citation_publication_date citation_online_date citation_date prism.publicationdate "
    "parsely-pub-date sailthru.date bt:pubdate cxenseparse:recs:publishtime cxenseparse:publishtime "
    "article_date_original originalpublicationdate rnews:datepublished shareaholic:article_published_time "
    "analyticsattributes.articledate vr:published_time publication_date publication-date publicationdate "
    "publish_date publish-date publishdate publish_time publishtime publish_at published_at published "
    "date_published pubdate pub_date article.published article.created dc.date dcterms.date dc.created "
    "datecreated created creation_date date displaydate dat_publ og:pubdate og:release_date uploaddate "
    "release_date doc_date pubdate_time posted firstpublished"
)
PUBLISHED = tuple(_PUBLISHED_WORDS.split())
_MODIFIED_WORDS = (
    "article:modified_time og:updated_time datemodified article:modified dcterms.modified "
    "dc.date.modified last-modified lastmod lastmodified revision_date modified_time modified "
    "date_modified updated_time"
)
MODIFIED = tuple(_MODIFIED_WORDS.split())

_URL_DATE = re.compile(
    r"/((?:19|20)\d\d)[/-](0[1-9]|1[0-2]|[1-9])[/-](0[1-9]|[12]\d|3[01]|[1-9])(?=[/_.-]|$)"
    r"|[/_-]((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)"
    r"|[/_-]((?:19|20)\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)",
    re.ASCII,
)
_PUBLISHED_CLASS = re.compile(
    rb"publi|pubdate|entry-date|post-date|postdate|posted|datum-?veroff|fecha|date-?created"
)
_DATE_CLASS = re.compile(rb"date|datum|fecha|publi|posted|byline|time|created|meta|info|authored|data\b|fech")
_OTHER_CLASS = re.compile(rb"modif|updat|comment|related|sidebar|widget|footer|expire|event|copyright")
_STRONG_CLASS = re.compile(
    rb"(?:article|entry|post|news|page|story|publish|published|blog|asset)[-_ ]{0,2}"
    rb"(?:date|time|meta|info|byline)"
    rb"|pubdate|date-?publi|publi[a-z]{0,6}[-_]?(?:on|at|date)"
)
_SAYS_PUBLISHED = re.compile(
    r"publi(?:shed|sh date|cation|cado|cada|cação|cación|é|cat)|pubblicat|posted|veröffentlich"
    r"|erstellt|erschienen|verfasst|gepubliceerd|geplaatst|opublikowan|dodano|опубликован|опубліковано"
    r"|publicerad|publisert|udgivet|julkaistu|yayın|közzétéve|megjelent|zveřejněn|vydáno|diterbitkan|δημοσι|date:|datum:"
    r"|written on|added on|submitted|发布|發布|发表|發表|公開日|投稿日|掲載|入力|등록|작성",
    re.IGNORECASE,
)
_SAYS_OTHER = re.compile(
    r"updat|modif|aktualis|änder|bijgewerkt|обновл|оновл|mise? à jour|actualizad|atualizad"
    r"|aggiornat|uppdater|oppdater|opdater|päivitetty|güncel|frissít|更新|수정"
    r"|copyright|©|expire|until|bis zum|gültig",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"\W{0,9}(?:[^\W\d]{2,12}[,.]? )?[\d./-]{1,10}[.,]? ?(?:[^\W\d]{3,12}[.,]? ?)?[\d./-]{0,5}[, -]{0,3}"
    r"(?:\d\d:\d\d.{0,6})?\W{0,9}"
)
_YEAR = re.compile(r"(?:19|20)\d\d|[-/.] ?\d\d")
"""In every date, whatever its form."""

_DIGIT = re.compile(r"\d")
_SHORT = 120
_START = 30
_NEAR = 24
_REACH = 600
_FAR = 4000


def find_published(facts: Facts) -> tuple[str | None, str | None]:
    """The date of publication as ISO 8601, and its source; None, None where the page does not say."""
    named = next(_of_url(facts), None)
    texts = _Texts(facts)
    for source, dates in (
        ("meta", _of_metas(facts)),
        ("json-ld", _of_things(facts, "datePublished")),
        ("microdata", _of_items(facts, b"datepublished")),
        ("time", _of_times(facts)),
        ("time", _of_classes(facts)),
        ("url", iter((named,) * (named is not None))),
        ("text", _of_texts(facts, texts)),
        ("text", _of_bare_texts(facts, texts)),
    ):
        if found := next(dates, None):
            if named is not None and found != named and _are_neighbours(found, named):
                return named, "url"
            return found, source
    return None, None


def _are_neighbours(found: str, named: str) -> bool:
    """Whether a date is a day before or after the one in the address.

    The address names the day where the page is from; what is declared may be a time of UTC.
    """
    return abs(date.fromisoformat(found[:10]) - date.fromisoformat(named)) == timedelta(days=1)


def find_modified(facts: Facts, published: str | None) -> str | None:
    """The date of the last change; None where the page does not say, or says that it was before."""
    declared = (facts.dates.declared(text) for text in facts.contents(MODIFIED))
    for found in (*declared, *_of_things(facts, "dateModified"), *_of_items(facts, b"datemodified")):
        if found:
            return found if published is None or found[:10] >= published[:10] else None
    return None


def _of_metas(facts: Facts) -> Iterator[str]:
    for content in facts.contents(PUBLISHED):
        if found := facts.dates.declared(content):
            yield found


def _of_things(facts: Facts, name: str) -> Iterator[str]:
    for thing in facts.things:
        if (text := thing.text(name)) and (found := facts.dates.declared(text)):
            yield found


def _of_items(facts: Facts, name: bytes) -> Iterator[str]:
    for tag in facts.markup.with_word(b"itemprop"):
        is_named = name in facts.markup.attributes(tag).get(b"itemprop", b"").lower().split()
        if is_named and (found := _date_at(facts, tag)):
            yield found


def _of_times(facts: Facts) -> Iterator[str]:
    """Of `<time>`: those that are marked as the date of publication, then those around the headline."""
    around = []
    first, last = facts.around
    for tag in facts.markup.times():
        given = facts.markup.attributes(tag)
        marks = given.get(b"class", b"").lower()
        if _OTHER_CLASS.search(marks):
            continue
        if b"pubdate" in given or _PUBLISHED_CLASS.search(marks):
            if found := _date_at(facts, tag):
                yield found
        elif first <= tag < last:
            around.append(tag)
    for tag in around:
        if found := _date_at(facts, tag):
            yield found


def _of_classes(facts: Facts) -> Iterator[str]:
    """Of short elements around the headline, and then anywhere, whose class speaks of dates."""
    first, last = facts.around
    at = facts.headline or 0
    near = sorted(facts.markup.telling(first, last), key=lambda tag: (tag < at, tag))
    yield from _marked(facts, near, _DATE_CLASS)
    yield from _marked(facts, facts.markup.telling(last, last + _FAR), _STRONG_CLASS)


def _marked(facts: Facts, tags: list[int], marks: re.Pattern[bytes]) -> Iterator[str]:
    """Of elements whose class has one of these words."""
    for tag in tags:
        given = facts.markup.attributes(tag)
        marked = b" ".join(
            given.get(name, b"") for name in (b"class", b"id", b"itemprop", b"property")
        ).lower()
        if marks.search(marked) and not _OTHER_CLASS.search(marked) and (found := _date_at(facts, tag)):
            yield found


def _date_at(facts: Facts, tag: int) -> str | None:
    """The date that an element declares, or that is in its text."""
    given = facts.markup.attributes(tag)
    for name in (b"datetime", b"content", b"data-datetime", b"data-date"):
        if (value := given.get(name)) and (found := facts.dates.declared(value.decode("utf-8", "replace"))):
            return found
    text = facts.markup.text_of(tag)
    if len(text) > 4 * _SHORT or not _has_digit(text):
        return None
    return None if _is_of_change(text) else facts.dates.written(text)


def _is_of_change(text: str) -> bool:
    """Whether a text speaks of the last change, and not of publication."""
    other = _SAYS_OTHER.search(text)
    if other is None:
        return False
    published = _SAYS_PUBLISHED.search(text)
    return published is None and not _has_digit(text[: other.start()])


def _has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


def _of_url(facts: Facts) -> Iterator[str]:
    """Of its own address, then of the one that it names."""
    named = (href for rel, href in facts.links if "canonical" in rel.split())
    for address in (facts.url, facts.meta("og:url"), *named):
        if address and (found := _URL_DATE.search(address[:2000])):
            year, month, day = (group for group in found.groups() if group)
            if read := facts.dates.compact(year, month, day):
                yield read


class _Texts:
    """The first texts after the headline, read when they are asked for, and once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._read: list[str] | None = None

    def __iter__(self) -> Iterator[str]:
        if self._read is None:
            self._read = self._facts.markup.pieces_after(self._facts.headline or 0, _REACH)
        return iter(self._read)


def _of_texts(facts: Facts, texts: _Texts) -> Iterator[str]:
    """Of the first texts after the headline: short ones, beginnings of others, and what says `published`."""
    before = ""
    near = facts.headline is not None
    for number, text in enumerate(texts):
        said = f"{before[-_SHORT:]} {text[:_SHORT]}"
        before = text
        if not _YEAR.search(text[:_SHORT]) or _is_of_change(said):
            continue
        if near and number <= _NEAR:
            found = facts.dates.written(text, _SHORT if len(text) <= _SHORT else _START)
        else:
            found = facts.dates.written(text, _SHORT) if _SAYS_PUBLISHED.search(said) else None
        if found:
            yield found


def _of_bare_texts(facts: Facts, texts: _Texts) -> Iterator[str]:
    """Of texts after the headline that are a date and nothing else but a time."""
    before = ""
    for text in texts:
        said, before = f"{before[-_START:]} {text[:_START]}", text
        is_bare = len(text) <= _START and _YEAR.search(text) and _BARE.fullmatch(text)
        if is_bare and not _is_of_change(said) and (found := facts.dates.written(text)):
            yield found
