"""Pages without content: a login, an error, a redirect, a wall of consent, a page that only scripts fill.

No single sign proves a page empty: an article may be titled "Access denied", and each page of a shop has a
login. In the order of `empty_reason`:

1. A page with links whose likeliest block is unlikely is navigation, unless a sentence was chosen that
   speaks of something else than a site or an account.
2. A class or the id of `body` says what the page is (`_kind_by_body`).
3. Three hundred chosen words in sentences are content.
4. Else signs decide: titles, a login near the choice, names, messages, dialogs. Each outweighs so many words
   (`_OUTWEIGHED`), and a page is empty if its signs outweigh the words that were chosen:

   (words in sentences on sites
   + 10 * words in sentences on something else + 2 * other words on something else)
   * likelihood of the likeliest block * (2 on a page that is surely an article)

   Words outside of sentences that speak of sites, such as the labels of a login, count nothing. In a
   paragraph that speaks of a site, each long sentence on something else counts for itself.
"""

import re
from collections.abc import Iterator

import numpy as np

from cedar.transforms.extractors.cedar import model
from cedar.transforms.extractors.cedar._choice import Choice
from cedar.transforms.extractors.cedar._drops import names_of
from cedar.transforms.extractors.cedar._features import words_in_sentences
from cedar.transforms.extractors.cedar.empty_words import (
    CART,
    CHOICE,
    DOMAIN,
    DOOR,
    ERROR,
    KIND_OF_BODY_NAME,
    LANGUAGES,
    LOGIN,
    MISSING,
    NAMES,
    NAMES_OF_LOGINS,
    NAMES_OF_STAND_INS,
    NO_NAMES,
    NUMBER,
    OF_ITSELF,
    SCRIPTS,
    SENT,
    find_missing,
    is_empty_phrase,
    is_message,
    is_on_something_else,
    names_login,
    parts_of,
    phrase_kind,
    sentences_of,
    speaks_of_sites,
    speaks_to_reader,
)
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import CODE, GROUPS

Sign = tuple[int, str]
"""How many words a sign outweighs, and the reason that the page's metrics state if no sign outweighs more."""

_NO_SIGN: Sign = (0, "")

_TITLE_OF_ERROR = f"a title of an {ERROR}"
_LOGIN_FORM, _NAMED, _MESSAGE, _STAND_IN, _DIALOGS = (
    "a login",
    "names of an error, a login or a notice",
    "a message",
    "what stands for a page until it is loaded",
    "nothing but hidden dialogs",
)

_OUTWEIGHED = {
    # The title, the headline or a heading is nothing but a phrase of this kind.
    MISSING: 160,
    ERROR: 100,
    DOOR: 100,
    CART: 100,
    SCRIPTS: 100,
    NUMBER: 60,
    SENT: 60,
    CHOICE: 40,
    LOGIN: 35,
    # The choice is the labels and the help of a form that asks for a password.
    _LOGIN_FORM: 100,
    # The choice, of under sixty words, stands in an element with such a name; is a message of the site or of
    # a program, and hardly more; is a few words that stand for a page until a script loads it.
    _NAMED: 60,
    _MESSAGE: 50,
    _STAND_IN: 8,
    # The choice is hidden, and stands in dialogs. (Other hidden parts may be what a script shows.)
    _DIALOGS: 90,
}
"""How many words each sign outweighs; for a phrase of a title, by the kind of page that it says."""

_MAX_OUTWEIGHED_WITH_MORE = 30  # words, by a phrase of a title that says something else, too
_MAX_OUTWEIGHED_BY_WORD = 60  # by a phrase of one word, which may be a name
_MAX_OUTWEIGHED_UNASKED = 8  # by the title of a login that asks its reader for nothing
_MAX_OUTWEIGHED_UNSPOKEN = 15  # by the title of an error alone, if the text names neither page nor reader

_WEIGHT_OF_PROSE = 10  # how often words of something else count in sentences,
_WEIGHT_OF_LABELS = 2  # and outside of sentences
_WEIGHT_OF_ARTICLE = 2  # how often all words count on a page that is surely an article
_SURE_ARTICLE = 3 * model.UNIT // 4  # its least score of that kind

# Sizes are in tenths of words, as the blocks have them.
_TENTHS = 10
_MIN_CONTENT = 3_000  # in sentences: such a choice is content, whatever the page says
_MAX_CHOICE = 4_000
_MAX_SHORT = 600  # around a larger choice, names say nothing; nor is it a message
_MAX_REDIRECT = 200  # a larger choice is more than a message on the next page
_MAX_STAND_IN = 80
_MIN_SENTENCE = 60  # a shorter one in a paragraph that speaks of a site says nothing else,
_MIN_SHORT_SENTENCE = 30  # but with such ones a choice is no help for a login

_THOUSANDTHS = 1_000
_UNLIKELY = 200  # thousandths: a page whose likeliest block is less likely may be navigation

_MAX_LOGIN_TITLE = 3  # words
_MAX_LOGIN_FIELDS = 2  # a form with more fields makes an account; a form with a login's name may have three
_MAX_LOGIN_DISTANCE = 6  # blocks between a login and the choice
_MAX_PARKED_BLOCKS = 50  # of a page that offers its domain for sale

_ARTICLE = model.KINDS.index("article")
_BESIDE = [CODE[name] for name in ("aside", "header", "footer", "dialog")]
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_MODAL, _NAV, _HEADER, _FOOTER = (
    1 << list(GROUPS).index(group) for group in ("modal", "nav", "header", "footer")
)
_ITEMS = [CODE[name] for name in ("li", "dt", "dd", "td", "th")]
_MIN_ITEMS = 3
_MOST_OF_PAGE = 9  # tenths of a page's words
_ANY_SHARE = 11  # more tenths of a page's words than any element holds

_MAX_TITLE_CHARS = 200
_MAX_FIELDS = 500
_MAX_HEADINGS = 8
_NOT_FILLED_IN = frozenset((b"hidden", b"submit", b"button", b"image", b"reset", b"checkbox", b"radio"))
_META, _INPUT, _TEXTAREA = map(key, ("meta", "input", "textarea"))


def empty_reason(page: SegmentedPage, chosen: Choice, kind_scores: Offsets) -> str | None:
    """Return why the choice, of one block or more, is not content; None if it is content.

    `kind_scores` are the scores of the kinds of pages, int64, in the order of `model.KINDS`.
    """
    page_prose, chosen_prose = words_in_sentences(page, chosen.kept)
    is_unlikely = chosen.likeliest < _UNLIKELY and page.blocks.link_chars and page_prose < _MIN_CONTENT
    if is_unlikely and not words_in_sentences(page, _on_something_else(page, chosen.kept))[1]:
        return "navigation"
    kind = _kind_by_body(page)
    if kind:
        return f"a name of the page: {kind}"
    if chosen_prose >= _MIN_CONTENT or chosen.tenths >= _MAX_CHOICE:
        return None
    signs = list(_signs_of_titles(page, chosen))
    if _is_hidden_dialog(page, chosen.kept):
        signs.append(_sign(_DIALOGS))
    fields = _fields(page)
    is_short = chosen.tenths < _MAX_SHORT
    if not signs and not is_short and b"password" not in fields.values():
        # Most pages end here, before their texts are read.
        return None
    others = _on_something_else(page, chosen.kept & ~_in_hidden_parts(page, _MOST_OF_PAGE))
    _, other_prose = words_in_sentences(page, others)
    other_labels = int(np.asarray(page.blocks.word_tenths)[others].sum()) - other_prose
    of_sites = chosen.kept & ~others
    all_others = other_labels + _other_sentences(page, of_sites, min_tenths=_MIN_SHORT_SENTENCE)
    is_help = not other_prose and 2 * all_others <= chosen.tenths
    other_labels += _other_sentences(page, of_sites, min_tenths=_MIN_SENTENCE)
    signs += _signs_of_logins(page, chosen, fields, is_help=is_help)
    if is_short:
        signs += _signs_of_short_choice(page, chosen, others=other_prose + other_labels)
    if not signs:
        return None
    own_prose = chosen_prose - other_prose
    tenths = own_prose + _WEIGHT_OF_PROSE * other_prose + _WEIGHT_OF_LABELS * other_labels
    if kind_scores[_ARTICLE] > _SURE_ARTICLE:
        tenths *= _WEIGHT_OF_ARTICLE
    outweighed = sum(words for words, _ in signs)
    if signs == [(outweighed, _TITLE_OF_ERROR)] and not _speaks_of_itself(page, chosen.kept):
        outweighed = min(outweighed, _MAX_OUTWEIGHED_UNSPOKEN)
    is_empty = tenths * chosen.likeliest < outweighed * _TENTHS * _THOUSANDTHS
    return max(signs)[1] if is_empty else None


def _sign(reason: str) -> Sign:
    return _OUTWEIGHED[reason], reason


def _in_hidden_parts(page: SegmentedPage, share: int) -> Flags:
    """Return the blocks, (n,) bool, of hidden elements that hold under `share` tenths of the page's words."""
    return page.elements.inside(np.asarray(page.elements.hidden).astype(bool), page.blocks, share)


def _on_something_else(page: SegmentedPage, kept: Flags) -> Flags:
    """Return the chosen blocks, (n,) bool, that speak of something else than a site or an account.

    Phrases that stand in the title, too, may have such words: a site may be named "The Page".
    """
    found = kept.copy()
    title = [part for part in _title_parts(page) if not is_empty_phrase(part) and not names_login(part)]
    for block in kept.nonzero()[0].tolist():
        text = page.blocks.read(block).lower()
        of_site = is_message(text)
        for part in title:
            text = text.replace(part, " ")
        found[block] = not (of_site or speaks_of_sites(text.strip() or page.blocks.read(block).lower()))
    return found


def _other_sentences(page: SegmentedPage, blocks: Flags, *, min_tenths: int) -> int:
    """Return the tenths of words in sentences on something else, of `min_tenths` each or more.

    `blocks`, (n,) bool, are those that speak of a site.
    """
    found = 0
    for block in blocks.nonzero()[0].tolist():
        text = page.blocks.read(block)
        for sentence in sentences_of(text):
            tenths = page.blocks.word_tenths[block] * len(sentence) // len(text)
            if tenths >= min_tenths and is_on_something_else(sentence):
                found += tenths
    return found


def _speaks_of_itself(page: SegmentedPage, kept: Flags) -> bool:
    """Tell whether chosen blocks speak of this page, of us or to the reader; a text on errors does not."""
    texts = map(page.blocks.read, kept.nonzero()[0].tolist())
    return any(speaks_to_reader(text) or OF_ITSELF.search(text.lower()) for text in texts)


def _kind_by_body(page: SegmentedPage) -> str | None:
    """Return the kind of page without content that a class or the id of `body` names."""
    tags = page.markup.tags
    body = tags.first("body")
    if body < 0:
        return None
    given = page.markup.attributes_of(body)
    for name in (given.get(b"class", b"") + b" " + given.get(b"id", b"")).lower().split():
        if name in KIND_OF_BODY_NAME:
            return KIND_OF_BODY_NAME[name]
    return None


def _signs_of_titles(page: SegmentedPage, chosen: Choice) -> Iterator[Sign]:
    """Yield what the title and a heading say: a sign each, if they say it in different words."""
    title, headline = _title_parts(page), _headline(page)
    # The title also has the name of the site; the headline tells which of its parts are about the page.
    by_title = _sign_of_title(title, about_page=[part for part in title if part in headline.lower()])
    by_heading, heading = _NO_SIGN, list[str]()
    headings = [headline]
    if not headline or all(map(is_empty_phrase, parts_of(headline))):
        headings += _headings(page, chosen.kept)
    for text in headings:
        parts = parts_of(text)
        sign = _sign_of_title(parts, about_page=parts)
        if sign > by_heading:
            by_heading, heading = sign, parts
    if by_title[0] and (not by_heading[0] or set(title).isdisjoint(heading)):
        yield by_title
    if by_heading[0]:
        yield by_heading


def _title_parts(page: SegmentedPage) -> list[str]:
    return parts_of((page.markup.title or "")[:_MAX_TITLE_CHARS])


def _headline(page: SegmentedPage) -> str:
    headline = " ".join(map(page.blocks.read, range(page.headline_start, page.headline_stop)))
    return headline[:_MAX_TITLE_CHARS]


def _is_titled_login(page: SegmentedPage, *, has_password: bool) -> bool:
    """Tell whether a short part of the title, or the headline, has a word for a login.

    If the page has a password, also a long part of the title. If not, a headline in parts, as "Login (film)",
    is on something else.
    """
    title, headline = _title_parts(page), _headline(page).lower()
    names = [part for part in (*title, headline) if len(part.split()) <= _MAX_LOGIN_TITLE]
    if has_password:
        names += title
    elif len(parts_of(headline)) > 1:
        return False
    return any(map(names_login, names))


def _sign_of_title(parts: list[str], *, about_page: list[str]) -> Sign:
    """Return the sign of a title's parts; of few words if another part about the page says something else.

    A missing thing, such as results of a search, outweighs as little as the number of an error.
    """
    found = [_NO_SIGN]
    for part in parts:
        kind, missing = phrase_kind(part), find_missing(part)
        if not kind and not missing:
            continue
        kind = kind or MISSING
        words = _OUTWEIGHED[kind] if missing != "thing" else _OUTWEIGHED[NUMBER]
        if len(part.split()) == 1:
            words = min(words, _MAX_OUTWEIGHED_BY_WORD)
        if any(other != part and not is_empty_phrase(other) for other in about_page):
            words = min(words, _MAX_OUTWEIGHED_WITH_MORE)
        found.append((words, f"a title of {'an' if kind == ERROR else 'a'} {kind}"))
    return max(found)


def _headings(page: SegmentedPage, kept: Flags) -> list[str]:
    """Return the texts of the first visible headings that were chosen or stand right above a chosen block."""
    above = np.append(kept[1:], False)
    is_heading = (
        (kept | above) & (np.asarray(page.elements.headings) > 0) & ~_in_hidden_parts(page, _ANY_SHARE)
    )
    headings = np.flatnonzero(is_heading)[:_MAX_HEADINGS]
    return [page.blocks.read(block)[:_MAX_TITLE_CHARS] for block in headings.tolist()]


def _signs_of_logins(
    page: SegmentedPage, chosen: Choice, fields: dict[int, bytes], *, is_help: bool
) -> Iterator[Sign]:
    """Yield a sign if a title has a word for a login, and one if the choice is labels and help of a login.

    A title outweighs more if the page has a field, or speaks to its reader and of nothing else.
    The choice is a login's if it stands whole in the form; or if it is within six blocks of the field, the
    form is neither hidden nor beside the content, and a title names a login; or, below the headline, if the
    choice speaks of little else than sites and accounts (`is_help`). A form with two passwords makes an
    account.
    """
    elements = page.elements
    passwords = [tag for tag, type_of_field in fields.items() if type_of_field == b"password"]
    codes, opens, closes = (np.asarray(each) for each in (elements.codes, elements.opens, elements.closes))
    is_beside = np.asarray(elements.hidden).astype(bool) | np.isin(codes, _BESIDE)
    is_beside |= np.asarray(elements.groups) & (_NAV | _HEADER | _FOOTER) > 0
    kept = chosen.kept.nonzero()[0]
    inner = [tag for tag in fields if not is_beside[(opens < tag) & (tag < closes)].any()]
    is_titled = _is_titled_login(page, has_password=not set(inner).isdisjoint(passwords))
    if is_titled:
        asks = bool(inner)
        asks |= is_help and any(speaks_to_reader(page.blocks.read(block)) for block in kept.tolist())
        yield _OUTWEIGHED[LOGIN] if asks else _MAX_OUTWEIGHED_UNASKED, "a title of a login"
    is_beside |= np.asarray(elements.groups) & _MODAL > 0
    for tag in passwords:
        around = np.flatnonzero((opens < tag) & (tag < closes))
        forms = around[codes[around] == CODE["form"]]
        inside, is_named, holds_choice = list(fields), False, False
        if forms.size:
            form = int(forms[-1])
            inside = [field for field in fields if opens[form] < field < closes[form]]
            is_named = NAMES_OF_LOGINS.search(names_of(page, form)) is not None
            holds_choice = elements.first[form] <= kept[0] and kept[-1] < elements.last[form]
        if len(inside) > _MAX_LOGIN_FIELDS + is_named or len(set(inside).intersection(passwords)) != 1:
            continue
        block = np.searchsorted(page.blocks.first_gaps, tag)
        is_near = np.abs(kept - block).min() <= _MAX_LOGIN_DISTANCE and not is_beside[around].any()
        is_near &= is_titled or not block <= page.headline_start < page.headline_stop
        if holds_choice or (is_near and (is_help or is_titled)):
            yield _sign(_LOGIN_FORM)
            return


def _fields(page: SegmentedPage) -> dict[int, bytes]:
    """Return the type of each field that a reader fills in, by its tag's index."""
    tags = page.markup.tags
    keys = tags.keys
    found = {}
    is_field = (keys == _INPUT) | (keys == _TEXTAREA)
    for tag in np.flatnonzero(is_field & ~tags.ends)[:_MAX_FIELDS].tolist():
        given = page.markup.attributes_of(tag)
        kind = given.get(b"type", b"").lower() if keys[tag] == _INPUT else b""
        if kind not in _NOT_FILLED_IN:
            found[tag] = kind
    return found


def _is_hidden_dialog(page: SegmentedPage, kept: Flags) -> bool:
    """Tell whether the whole choice is hidden, and stands in dialogs."""
    elements = page.elements
    is_dialog = (np.asarray(elements.codes) == CODE["dialog"]) | (np.asarray(elements.groups) & _MODAL > 0)
    is_hidden = np.asarray(elements.hidden).astype(bool)
    return _holds_all(page, is_hidden, kept) and _holds_all(page, is_dialog, kept)


def _holds_all(page: SegmentedPage, marks: Flags, kept: Flags) -> bool:
    """Tell whether each chosen block stands in a marked element: `marks` is bool (e,), `kept` bool (n,)."""
    # A cheap look first: the first chosen block of most pages stands in no such element.
    element = int(page.elements.nearest[int(kept.argmax())])
    while element and not marks[element]:
        element = int(page.elements.parents[element])
    return element > 0 and bool(page.elements.inside(marks, page.blocks)[kept].all())


def _signs_of_short_choice(page: SegmentedPage, chosen: Choice, *, others: int) -> Iterator[Sign]:
    """Yield signs of a choice of few words, `others` tenths of which speak of something else."""
    if any(map(NAMES.search, _names_around(page, chosen.kept, _MOST_OF_PAGE))):
        yield _sign(_NAMED)
    texts = [page.blocks.read(block).lower() for block in chosen.kept.nonzero()[0].tolist()]
    if chosen.tenths <= _MAX_STAND_IN and _is_stand_in(page, chosen.kept, texts[-1]):
        yield _sign(_STAND_IN)
    if LANGUAGES.issuperset(" ".join(texts).split()):
        yield _sign(CHOICE)
    items = _items(page, chosen.kept)
    says_message = any(is_message(text) for text, is_item in zip(texts, items, strict=True) if not is_item)
    says_little_else = says_message and 3 * others < chosen.tenths and not _is_about_message(_headline(page))
    is_redirect = chosen.tenths < _MAX_REDIRECT and _is_refreshed(page)
    is_noscript = np.asarray(page.elements.codes) == CODE["noscript"]
    if says_little_else or is_redirect or _offers_domain(page) or _holds_all(page, is_noscript, chosen.kept):
        yield _sign(_MESSAGE)


def _is_about_message(headline: str) -> bool:
    """Tell whether a headline asks about a message, or is on scripts, as "JavaScript in Firefox"."""
    if not is_message(headline.lower()) or all(map(is_empty_phrase, parts_of(headline))):
        return False
    return headline.endswith("?") or ("javascript" in headline.lower() and not speaks_to_reader(headline))


def _items(page: SegmentedPage, kept: Flags) -> list[bool]:
    """Tell of each chosen block if it is one of several items or cells: lists of messages are content."""
    codes = np.asarray(page.elements.codes)[np.asarray(page.elements.nearest)[kept]]
    is_item = np.isin(codes, _ITEMS)
    return [bool(each) and is_item.sum() >= _MIN_ITEMS for each in is_item]


def _is_stand_in(page: SegmentedPage, kept: Flags, last_text: str) -> bool:
    """Tell whether a choice of a few words, which ends in `last_text`, stands for a page to be loaded."""
    is_all = page.blocks.word_sums[page.blocks.count] <= _MAX_STAND_IN
    if is_all and last_text.endswith(("...", "…")) and b"<script" in page.source.original:
        return True
    return any(
        map(NAMES_OF_STAND_INS.search, _names_around(page, kept, _ANY_SHARE if is_all else _MOST_OF_PAGE))
    )


def _offers_domain(page: SegmentedPage) -> bool:
    """Tell whether a small page, titled by a host's name, speaks of a domain."""
    if page.blocks.count > _MAX_PARKED_BLOCKS or not _HOST.fullmatch(page.markup.title or ""):
        return False
    return any(DOMAIN.search(page.blocks.read(block).lower()) for block in range(page.blocks.count))


def _is_refreshed(page: SegmentedPage) -> bool:
    """Tell whether a `meta` loads this page again, or another page."""
    tags = page.markup.tags
    for tag in np.flatnonzero(tags.keys == _META).tolist():
        given = page.markup.attributes_of(tag)
        if given.get(b"http-equiv", b"").lower() == b"refresh":
            return True
    return False


def _names_around(page: SegmentedPage, kept: Flags, share: int) -> list[bytes]:
    """Return the names of the elements that hold the choice, and under `share` tenths of the page's words."""
    elements, sums = page.elements, page.blocks.word_sums
    first, last = kept.nonzero()[0][[0, -1]].tolist()
    found, element = [], int(elements.nearest[first])
    while element:
        tenths = sums[elements.last[element]] - sums[elements.first[element]]
        if elements.last[element] > last and 10 * tenths < share * sums[page.blocks.count]:
            found.append(NO_NAMES.sub(b" ", names_of(page, element)))
        element = int(elements.parents[element])
    return found
