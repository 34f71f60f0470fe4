"""Find the dates of a page: when it was published, and when it was changed."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import chain

from cedar.transforms.extractors.segments._headline import squashed
from cedar.transforms.metadata._texts import SHORT, START, WordFinder, may_hold_date, titles_with_dates
from cedar.transforms.metadata.bylines import OF_WORK
from cedar.transforms.metadata.dates import MAX_CHARS
from cedar.transforms.metadata.facts import Facts
from cedar.transforms.metadata.meta_names import MODIFIED, PUBLISHED

_URL_DATE = re.compile(
    r"[/_-](?:(?<=/)((?:19|20)\d\d)[/-](0[1-9]|1[0-2]|[1-9])[/-](0[1-9]|[12]\d|3[01]|[1-9])"
    r"|((?:19|20)\d\d)(-?)(0[1-9]|1[0-2])\5(0[1-9]|[12]\d|3[01]))(?=[/_.-]|$)",
    re.ASCII,
)
_CENTURIES = WordFinder(("19", "20"))
_PUBLISHED_CLASS = re.compile(
    rb"publi|pubdate|entry-date|post-date|postdate|posted|datum-?veroff|fecha|date-?created"
)
_OTHER_DATE = re.compile(
    rb"(?:start|end|due|current)[-_]?date|(?:^|[\s_-])(?:today|clock|weather)(?=$|[\s_-])"
)
_OTHER_CLASS = re.compile(rb"modif|updat|comment|related|sidebar|widget|footer|expire|event|copyright")
_STRONG_CLASS = re.compile(
    rb"(?:article|entry|post|news|page|story|publish|published|blog|asset)[-_ ]{0,2}"
    rb"(?:date|time|meta|info|byline)"
    rb"|pubdate|date-?publi|publi[a-z]{0,6}[-_]?(?:on|at|date)"
)
# Of texts in lower case.
_PUBLISHED_WORDS = (
    "published;publish date;publicat;publicado;publicada;publicação;publicación;publié;pubblicat;posted"
    ";story is from;artikel wurde am"
    ";veröffentlich;erstellt;erschienen;verfasst;gepubliceerd;geplaatst;opublikowan;dodano;опубликован"
    ";опубліковано;publicerad;publisert;udgivet;julkaistu;yayın;yayin;közzétéve;megjelent;zveřejněn;vydáno"
    ";diterbitkan;δημοσι;date:;datum:;written on;added on;submitted;发布;發布;发表;發表;公開日;投稿日;掲載"
    ";入力;등록;작성"
)
_CHANGED_WORDS = (
    "updat;modif;edited;aktualis;änder;bijgewerkt;обновл;оновл;mis à jour;mise à jour;actualizad;atualizad"
    ";aggiornat;uppdater;oppdater;opdater;päivitetty;güncel;frissít;更新;수정"
)
_OF_PUBLICATION, _OF_CHANGES = tuple(_PUBLISHED_WORDS.split(";")), tuple(_CHANGED_WORDS.split(";"))
_OTHER_WORDS = (
    "copyright;©;expire;until;bis zum;gültig;due on;due:;due date;fällig;rückgabe;deadline;event:;termin:"
    ";born ;geboren;joined;member since;mitglied seit;registered;registriert;inscrit le"
    ";starts ;begins ;beginnt ;ends ;delivery;delivered;lieferung;liefer;shipping;ships;livraison;last buil"
    ";last visit;you visited;checked;next issue;next edition;next meeting;next update;nächste ausgabe"
    ";letzter besuch;dernière visite;última visita;prochain numéro;próxima edición"
    ";opening hours;apply by;öffnungszeit;horaires"
    ";built on;generated ;retrieved;accessed;abgerufen;consulté;valid ;available from;photo:;foto:"
)
_DATE_OF_OTHER = re.compile(
    r"(?:event|start|end|due|closing|opening|birth|expiry|expiration|exam|meeting)[ -]?date ?:?"
    r"|(?:veranstaltungs|geburts|start|end|ablauf)datum ?:"
    r"|date of (?:the )?(?:event|birth|meeting|exam)"
    r"|today is:?|today:|heute ist:?|heute:"
)
"""Words before a date that name another date, though some have a word of publication in them."""
_SAYS_DATE = WordFinder(("date", "datum", "today", "heute"))
_LABELS = "due start starts begin begins beginn end ends ende when wann event termin from to von bis born"
_LABELS_OF_OTHERS = frozenset(_LABELS.split())
_LABELS_OF_EVENTS = _LABELS_OF_OTHERS - {"from", "to", "von", "bis"}
"""Labels before a date of another thing: the whole text before it."""
_UNTIL = re.compile(
    r"\b(?:until|till|bis|jusqu['’]au|hasta el|até|fino al|t/m|tot en met|до|next \w{1,12}:?)\s*\Z",
    re.IGNORECASE,
)
"""Ends the words before the last day of an offer or an event."""
_QUOTES = tuple('“”„«»"‚‘「『')
_BEGINS_SENTENCE = re.compile(r"(?:on|am|le|el|em|il|den|op|i|w|in|since|from)\s*\Z", re.IGNORECASE)
"""The only word before a date that begins a sentence."""
_OF_OTHERS = (*_OF_CHANGES, *_OTHER_WORDS.split(";"))
_SAYS_PUBLISHED = WordFinder(_OF_PUBLICATION)
_SAYS_CHANGED = WordFinder(_OF_CHANGES)
_SAYS_OTHER = WordFinder(_OF_OTHERS)
_CHANGED, _OTHER = re.compile("|".join(_OF_CHANGES)), re.compile("|".join(_OF_OTHERS))
_PUBLISHED_LATER = re.compile(
    rf"(?:last )?(?:{'|'.join(_OF_CHANGES)})[^;|]{{0,60}}[;|,(] ?(?:first |originally )?"
    rf"(?:{'|'.join(_OF_PUBLICATION)})"
)
"""The date of a change, and after it the word for the date of publication."""
_TITLE = re.compile(
    r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d[ -~]{0,30}"
    r"|(?:[^\W\d]{2,14}[,.]? ){0,2}\d\d?(?:st|nd|rd|th|[.,])? (?:de )?"
    r"(?:[^\W\d]{3,14}[.,]? (?:de )?)?20\d\d"
    r"(?:,?(?: at| um| à)? \d\d?:\d\d.{0,12})?"
)
"""A time, or a day with the name of its month, and nothing else: lists have days in numbers."""
_OF_TERMS = re.compile(
    r"terms of (?:use|service)|terms and conditions|privacy|cookie policy|impressum|datenschutz"
    r"|nutzungsbedingungen|mentions légales|confidentialité|aviso legal|privacidad|legale",
    re.IGNORECASE,
)
"""A link to a site's rules, whose date stands after it."""
_CONTINUES = re.compile(r"(?:of|from|since|until|after|before) ")
"""Begins the rest of a sentence about another date."""
_OF_REVISION = re.compile(r"\$Date: ")
"""The keyword that CVS and Subversion fill in."""
_MAX_DATES = 20
_BARE = re.compile(
    r"\W{0,9}(?:[^\W\d]{2,12}[,.]? )?[\d./-]{1,10}[.,]? ?(?:[^\W\d]{3,12}[.,]? ?)?[\d./-]{0,5}[, -]{0,3}"
    r"(?:\d\d:\d\d.{0,6})?\W{0,9}"
)
_HOLDING_DATES = tuple(b"datetime content data-datetime data-date data-time data-timestamp".split())
"""Attributes of an element that may hold its date."""
_DIGIT, _DIGITS = re.compile(r"\d"), re.compile(r"\d\d")
_CREATED = ("dateCreated", "uploadDate", "datePosted")
"""The dates of a thing that has no date of publication: uploaded videos, open positions."""
_JSON_NAME = b"ublish"
_IN_SCRIPT = re.compile(
    rb"(?:date_?[pP]ublished|(?:first_?)?[pP]ublish(?:ed)?_?(?:[aA]t|[dD]ate|[oO]n|[tT]ime)?)"
    rb'\\?["\']?\s?:\s?\\?["\']'
    rb"(20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.Z+-]{0,24})?)"
)
_TITLE_IN_SCRIPT = re.compile(rb'\b(?:title|headline)["\']?\s?:\s?["\']([^"\'\\<>]{4,200})["\']')
_BEFORE_DATE = 400
"""Bytes before a date in a script in which its object may have a title."""
_BEFORE_NAME, _AFTER_NAME = 16, 60
"""Bytes around the start of `_JSON_NAME` that hold a name and its date."""
_MAX_NAMES_IN_SCRIPTS = 40

_TAGS_OF_DATE = 20
"""Tags of an element with a date that may hold another one."""
_SHORT_LINE = 60
_MIN_SENTENCE_WORDS = 3
"""Words in small letters of a sentence before its date; a line such as "Written by Ana Lima on" has two."""
_NEAR = 24
_FAR = 4000


def find_published(facts: Facts) -> tuple[str | None, str | None]:
    """Return the date of publication as ISO 8601, and its source; None, None where the page says none."""
    named = _of_url(facts)
    # A product shows when it arrives, an event when it begins.
    sources = _DECLARED if facts.is_of_offer else (*_DECLARED, *_SHOWN)
    for source, find in (*sources, ("script", _of_scripts)):
        found = named if find is _of_url else find(facts)
        if found:
            # The address names the day at the page's home; a declared date may be a time of UTC.
            if named and abs(date.fromisoformat(found[:10]) - date.fromisoformat(named)) == timedelta(days=1):
                return named, "url"
            return found, source
    return None, None


def find_modified(facts: Facts, published: str | None) -> str | None:
    """Return the date of the last change; None where the page does not say, or says that it was before."""
    for find in _CHANGES:
        if found := find(facts):
            return found if published is None or found[:10] >= published[:10] else None
    return None


def _declared(facts: Facts, texts: Iterable[str | None]) -> str | None:
    for text in texts:
        if text and (found := facts.dates.declared(text)):
            return found
    return None


def _of_metas(facts: Facts) -> str | None:
    return _declared(facts, facts.contents(PUBLISHED))


def _of_changed_metas(facts: Facts) -> str | None:
    return _declared(facts, facts.contents(MODIFIED))


def _of_things(facts: Facts) -> str | None:
    return _declared(facts, [thing.text("datePublished") for thing in facts.things])


def _of_created_things(facts: Facts) -> str | None:
    articles = [thing for thing in facts.things if thing.is_article]
    return _declared(facts, [thing.text(name) for thing in articles for name in _CREATED])


def _of_changed_things(facts: Facts) -> str | None:
    return _declared(facts, [thing.text("dateModified") for thing in facts.things])


def _of_scripts(facts: Facts) -> str | None:
    """Return the day that names like `publishedAt` have in the page's scripts, if all of them have the same.

    A page with JSON-LD is left out: its other dates in scripts are dates of other things.
    """
    if facts.things:
        return None
    html = facts.page.source.original
    days: set[str] = set()
    for at in facts.page.source.find_removed(_JSON_NAME, _MAX_NAMES_IN_SCRIPTS):
        found = _IN_SCRIPT.search(html, max(at - _BEFORE_NAME, 0), at + _AFTER_NAME)
        if (
            not found
            or not _is_in_script(html, at)
            or _is_titled_otherwise(facts, html[max(at - _BEFORE_DATE, 0) : at])
        ):
            continue
        read = facts.dates.declared(found[1].decode())
        days |= {read[:10]} if read else set()
    if len(days) == 1:
        return days.pop()
    return None


def _is_titled_otherwise(facts: Facts, before: bytes) -> bool:
    """Tell whether the object in which a date stands has a title before it, which is not the page's."""
    titles = _TITLE_IN_SCRIPT.findall(before, max(before.rfind(b"{"), 0))
    if not titles or not facts.found.text:
        return False
    title = squashed(titles[-1].decode("utf-8", "replace"))
    headline = squashed(facts.found.text)
    return title not in headline and headline not in title


def _is_in_script(html: bytes, at: int) -> bool:
    """Tell whether a place is in a script that is in no comment; JSON-LD is read elsewhere."""
    script = html.rfind(b"<script", 0, at)
    if script >= 0 and b"ld+json" in html[script : html.find(b">", script, at)].lower():
        return False
    is_hidden = html.rfind(b"<!--", 0, max(script, 0)) > html.rfind(b"-->", 0, max(script, 0))
    return script > html.rfind(b"</script", 0, at) and not is_hidden


def _of_microdata(facts: Facts) -> str | None:
    return _of_items(facts, facts.places.published, b"datepublished")


def _of_changed_microdata(facts: Facts) -> str | None:
    return _of_items(facts, facts.places.modified, b"datemodified")


def _of_items(facts: Facts, tags: list[int], name: bytes) -> str | None:
    for tag in tags:
        is_named = name in facts.places.attributes(tag)[b"itemprop"].lower().split()
        found = _date_at(facts, tag, is_of_change=False) if is_named else None
        if found and not facts.is_aside(tag):
            return found
    return None


def _of_elements(facts: Facts) -> str | None:
    """Return the first date of `<time>` and of short elements whose class speaks of dates.

    First comes a `<time>` that is marked as the date of publication, then elements near the headline, last
    elements anywhere whose class speaks of an article's date.
    """
    (first, last), at = facts.around, facts.headline or 0
    near: list[int] = []
    for tag in facts.places.times:
        given = facts.places.attributes(tag)
        marks = given.get(b"class", b"").lower()
        if _OTHER_CLASS.search(marks):
            continue
        if b"pubdate" in given or _PUBLISHED_CLASS.search(marks):
            if found := _own_date(facts, tag):
                return found
        elif first <= tag < last:
            near.append(tag)
    near.sort(key=lambda tag: tag < at)
    marked = facts.places.marked
    for tag in chain(near, marked("dates", at, last), marked("dates", first, at)):
        if found := _own_date(facts, tag):
            return found
    others: set[bytes] = set()  # pages repeat their classes
    for tag in marked("things", last, last + _FAR):
        marks = facts.places.marks(tag)
        if marks in others:
            continue
        if not _STRONG_CLASS.search(marks):
            others.add(marks)
        elif found := _own_date(facts, tag):
            return found
    return None


def _of_titles(facts: Facts) -> str | None:
    """Return the first date in `title` of elements near the headline, as forums have beside "3 hours ago"."""
    for start, stop in titles_with_dates(facts.page, facts.headline or 0, facts.around[1]):
        text = facts.page.html[start:stop].decode("utf-8", "replace")
        if _TITLE.fullmatch(text) and (read := facts.dates.declared(text)):
            return read
    return None


def _of_far_times(facts: Facts) -> str | None:
    """Return the date of `<time>` far from the headline, if all of the page have the same day."""
    first: str | None = None
    for tag in facts.places.times[:_MAX_DATES]:
        found = _own_date(facts, tag)
        if found and first and found[:10] != first[:10]:
            return None
        first = first or found
    return first


def _of_changed_classes(facts: Facts) -> str | None:
    """Return the first date of short elements around the headline whose class speaks of a change."""
    for tag in facts.places.marked("changes", *facts.around):
        if found := _own_date(facts, tag, is_of_change=True):
            return found
    return None


def _own_date(facts: Facts, tag: int, *, is_of_change: bool = False) -> str | None:
    """Return the page's own date that an element declares, or has in its text, perhaps of a change."""
    found = _date_at(facts, tag, is_of_change=is_of_change)
    if found is None or facts.is_aside(tag):
        return None
    return found if is_of_change or not _is_of_another(facts, tag, found) else None


def _is_of_another(facts: Facts, tag: int, found: str) -> bool:
    """Tell whether a date is another thing's: in a teaser, after a word like `edited`, or one of a list.

    A list has elements of one name and class with several days. Beside the headline a date is the page's own.
    """
    if _is_marked_other(facts, tag) or _says_other(facts.text_after(tag - 1)[-START:].lower()):
        return True
    if facts.stands_by_headline(tag):
        return False
    if facts.is_in_teaser(tag):
        return True
    kind = facts.places.kind_of(tag)
    if kind not in facts.days_of_kinds:
        days = {_date_at(facts, each, is_of_change=False) for each in facts.places.alike(tag)} - {None}
        facts.days_of_kinds[kind] = frozenset(day[:10] for day in days if day)
    return len(facts.days_of_kinds[kind] | {found[:10]}) > 1


def _date_at(facts: Facts, tag: int, *, is_of_change: bool) -> str | None:
    given = facts.places.attributes(tag)
    for name in _HOLDING_DATES:
        if (value := given.get(name)) and (found := facts.dates.declared(value.decode("utf-8", "replace"))):
            return found
    text = _without_changes(facts, tag) if not is_of_change else facts.text_of(tag)
    if (
        not _DIGIT.search(text)
        or len(text) > 4 * SHORT
        or (len(text) > START and not may_hold_date(text, MAX_CHARS))
    ):
        return None
    return None if not is_of_change and _is_of_change(text.lower()) else facts.dates.marked(text)


def _without_changes(facts: Facts, tag: int) -> str:
    """Read the text of an element without the elements in it whose class speaks of a change."""
    text = facts.text_of(tag)
    if _DIGIT.search(text) and len(text) <= 4 * SHORT:
        for changed in facts.places.marked("changes", tag + 1, tag + _TAGS_OF_DATE):
            if not _PUBLISHED_CLASS.search(facts.places.marks(changed)):
                text = text.replace(facts.text_of(changed) or text, "", 1)
    return text


def _is_of_change(text: str) -> bool:
    """Tell whether a text, in lower case, speaks of the last change, and not of publication."""
    if not _SAYS_OTHER.stand_in(text) or _SAYS_PUBLISHED.stand_in(text):
        return False
    other = _OTHER.search(text)
    return other is not None and _DIGITS.search(text, 0, other.start()) is None


def _is_named_otherwise(text: str) -> bool:
    """Tell whether a text, in lower case, has a name of another date, such as `event date`."""
    return _SAYS_DATE.stand_in(text) and _DATE_OF_OTHER.search(text) is not None


def _says_other(before: str) -> bool:
    """Tell whether the text before a date, in lower case, names another date than the date of publication."""
    if _is_named_otherwise(before):
        return True
    return _SAYS_OTHER.stand_in(before) and not _SAYS_PUBLISHED.stand_in(before)


def _of_url(facts: Facts) -> str | None:
    """Return the first date in the page's address, then in the addresses that the page gives itself."""
    named = (href for rel, href in facts.places.links if "canonical" in rel.split())
    for address in dict.fromkeys((facts.url, facts.meta("og:url"), *named)):
        if address and _CENTURIES.stand_in(address) and (found := _URL_DATE.search(address[:2000])):
            year, month, day = found.group(1, 2, 3) if found[1] else found.group(4, 6, 7)
            if read := facts.dates.day(year, month, day):
                return read
    return None


def _of_texts(facts: Facts) -> str | None:
    """Return the first date of texts near the headline that are short, or say `published` or the like."""
    for _, tag, before, text in reversed(facts.texts_before()):
        beginning = f"{before[-SHORT:]} {text[:SHORT]}".lower()
        is_line = len(text) <= _SHORT_LINE and facts.stands_right_above(tag)
        if (
            not (is_line or _SAYS_PUBLISHED.stand_in(beginning))
            or _is_of_change(beginning)
            or _is_of_change(text.lower())
        ):
            continue
        found = facts.dates.written(text, SHORT)
        if not found or (is_line and (facts.is_in_teaser(tag) or _says_other(before[-START:].lower()))):
            continue
        if not (_is_named_otherwise(beginning) or _is_marked_other(facts, tag) or facts.is_aside(tag)):
            return found
    for number, tag, before, text in facts.dated_texts:
        near = number <= _NEAR and facts.headline is not None
        beginning = f"{before[-SHORT:]} {text[:SHORT]}".lower()
        if not (near or _SAYS_PUBLISHED.stand_in(beginning)):
            continue
        if _SAYS_OTHER.stand_in(beginning):
            own = text[:SHORT].lower()
            if _is_of_change(beginning) or _is_of_change(own):
                continue
            if later := _PUBLISHED_LATER.match(own):
                text = text[later.end() :]
        found = facts.dates.written(text, START if near and len(text) > SHORT else SHORT)
        is_others = found and (_is_text_of_another(facts, tag, before) or facts.is_aside(tag))
        is_others = is_others or (found and near and _is_sentence(text))
        if found and (not is_others or _OF_REVISION.search(text)):
            return found
    return None


def _is_sentence(text: str) -> bool:
    """Tell whether the first number of a text is in a sentence, without a word of publication before it.

    So is one in a quotation, after a label of another date, and in a line on another work.
    """
    before = _DIGIT.split(text[:SHORT], 1)[0]
    if (
        text.startswith(_QUOTES)
        or OF_WORK.match(text)
        or _UNTIL.search(before)
        or before.strip(" :").lower() in _LABELS_OF_EVENTS
    ):
        return True
    if _BEGINS_SENTENCE.fullmatch(before):
        before = text[:SHORT]
    words = [word for word in before.split() if word[0].islower() and word.isascii()]
    return len(words) >= _MIN_SENTENCE_WORDS and not _SAYS_PUBLISHED.stand_in(before.lower())


def _is_marked_other(facts: Facts, tag: int) -> bool:
    """Tell whether the class of an element names another date, as today's."""
    return _OTHER_DATE.search(facts.places.marks(tag)) is not None


def _is_text_of_another(facts: Facts, tag: int, before: str) -> bool:
    """Tell whether the date of a text is another thing's.

    The words before it, or its class, say so; or it is one of a list away from the headline, and other dates
    of the list are other days.
    """
    text = facts.text_after(tag)[:SHORT].lower()
    if _CONTINUES.match(text) or _is_named_otherwise(text):
        return True
    is_label = before.strip(" :").lower() in _LABELS_OF_OTHERS
    if is_label or _says_other(before[-START:].lower()) or _is_marked_other(facts, tag):
        return True
    if facts.stands_by_headline(tag) and not facts.is_cell(tag):
        return False
    return _OF_TERMS.search(before) is not None or len(facts.days_after(tag)) > 1


def _of_changed_texts(facts: Facts) -> str | None:
    """Return the first date after a word like `updated`, in texts after the headline."""
    for _, tag, before, text in facts.dated_texts:
        beginning = f"{before[-START:]} {text[:SHORT]}"
        lowered = beginning.lower()
        changed = _CHANGED.search(lowered) if _SAYS_CHANGED.stand_in(lowered) else None
        if changed and lowered[: changed.start()].endswith("next "):
            continue
        found = facts.dates.written(beginning[changed.end() :]) if changed else None
        if found and not facts.is_aside(tag):
            return found
    return None


def _of_bare_texts(facts: Facts) -> str | None:
    """Return the first date of texts after the headline that are only a date, perhaps with a time."""
    for _, tag, before, text in facts.dated_texts:
        is_bare = len(text) <= START and _BARE.fullmatch(text)
        found = facts.dates.written(text) if is_bare else None
        if not found or _is_of_change(text.lower()):
            continue
        if _is_of_change(f"{before[-START:]} {text}".lower()):
            continue
        if not _is_text_of_another(facts, tag, before) and not facts.is_aside(tag):
            return found
    return None


_DECLARED = (
    ("meta", _of_metas),
    ("json-ld", _of_things),
    ("json-ld", _of_created_things),
    ("microdata", _of_microdata),
)
"""The sources of a date of publication that are written for programs, the most certain first."""
_SHOWN = (
    ("time", _of_elements),
    ("time", _of_titles),
    ("url", _of_url),
    ("text", _of_texts),
    ("text", _of_bare_texts),
    ("time", _of_far_times),
)
"""The sources that readers see, after these."""
_CHANGES = (
    _of_changed_metas,
    _of_changed_things,
    _of_changed_microdata,
    _of_changed_classes,
    _of_changed_texts,
)
"""The sources of the date of the last change."""
