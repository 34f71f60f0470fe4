"""Pages without content: a login, an error, a redirect, a wall of consent, a page that only scripts fill.

No single sign tells them: an article may be titled "Access denied", and a shop has a login on every page. So
the evidence adds up: what the title and the headings say, a form that asks for a password, names around the
choice, a choice that is hidden or unlikely to be content. The more prose was chosen, and the likelier it is
content, the more evidence is needed; three hundred words in sentences are content, unless the page's program
names the page.
"""

import re
from collections.abc import Iterator

import numpy as np

from cedar.transforms.extractors.cedar import model
from cedar.transforms.extractors.cedar._choice import Choice
from cedar.transforms.extractors.cedar._drops import names_of
from cedar.transforms.extractors.cedar._features import sentence_words
from cedar.transforms.extractors.cedar.empty_titles import (
    CART,
    CHOICE,
    DOOR,
    ERROR,
    LOGIN,
    MISSING,
    NUMBER,
    SCRIPTS,
    SENT,
    has_number,
    is_empty_phrase,
    parts_of,
    says_login,
    says_missing,
    stated,
)
from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import CODE, GROUPS

Evidence = tuple[int, str]
"""How many points speak against content, and what they are for."""

_NEEDED = ((700, 3), (1_500, 5), (3_000, 7))
"""Points against content that empty a page, by how many tenths of words in sentences were chosen at most."""

_MAX_NEEDED = 9
"""Points that no page has."""

_MAX_TENTHS = 4_000
"""Tenths of words from which a choice is content, whatever the page's title says."""

_SURE = (900, 950)
"""Probabilities of the likeliest block, in thousandths, from which each a point more is needed."""

_DOUBTFUL = (200, 350, 600)
"""Probabilities of the likeliest block, in thousandths, below which each is a point."""

_MAX_NAVIGATION = 3_000
"""Tenths of words in a page's sentences from which it is more than navigation, however unlikely they are."""

_STATED_POINTS = {
    MISSING: 5,
    ERROR: 5,
    DOOR: 5,
    CART: 5,
    SCRIPTS: 5,
    NUMBER: 3,
    SENT: 3,
    LOGIN: 2,
    CHOICE: 2,
}
"""Points of what a title says as a whole."""

_SAYS_MORE = 2
"""Points of what a title says if it says something else, too."""

_SAID_TWICE = 2
"""Points more if the title and a heading say it in different words."""

_SURE_ARTICLE = 3 * model.UNIT // 4
"""The score of the kind "article" from which three points more are needed."""

_MAX_LOGIN_TITLE = 4
"""Words of a title that names a login."""

_MAX_LOGIN_FIELDS = 2
"""Fields of a login, one more if it is named: a form with more of them makes an account."""

_NEAR_LOGIN = 3
"""Blocks between a login and what was chosen, at most."""

_MAX_BESIDE_LOGIN = 1_000
"""Tenths of words from which a choice is more than the labels and the help of the login next to it."""

_LOGIN_NAMES = re.compile(rb"log-?in|log-?on|sign-?in|session|\bauth")
"""Names of a login's form."""

_MAX_SHORT = 600
"""Tenths of words from which a choice is content, whatever the names around it say."""

_MAX_MESSAGE = 200
"""Tenths of words from which a choice is more than a message."""

_FORM = 3
"""Fields of a page that is a form, of few words and all of them doubtful."""

_MAX_BESIDE_REQUEST = 30
"""Tenths of words of other texts beside one that asks for JavaScript."""

_MAX_PARKED = 50
"""Blocks of a page that stands in for one without an owner."""

_MAX_STAND_IN = 80
"""Tenths of words of what stands for a page until a script brings it."""

_NAMES = re.compile(
    rb"consent|cookie|gdpr|captcha|challenge|log-?in|sign-?in|\bcmp-?(?:wall|banner|box|modal|ui)\b|age-?(?:gate|verif)|\b404\b|not-?found"
    rb"|\berr(?:or)?-?(?:\d|page|detail)|page-?error|redirect|leaving-?site|interstitial|maintenance"
    rb"|unsupported|paywall|regwall|coming-?soon|under-?construction|no-?results?\b|parked|unsubscribe"
    rb"|(?:cart|basket)-?empty|empty-?(?:cart|basket)"
)
"""Names of elements that hold no content."""

_WAITING = re.compile(rb"loading|loader|spinner|skeleton|splash|progressbar")
"""Names of what is shown until a script brings the page."""

_NAMES_OF_PAGES = {
    MISSING: """
        error404 search-no-results cms-noroute-index pagenotfound pagenotfoundbody template-404
        error-not_found error_page error-template mode_notfound page-404 page404 page-not-found
        """,
    LOGIN: """
        login-action-login login-action-lostpassword customer-account-login customer-account-logoutsuccess
        authentication loginbody template-customers-login account-login page-login-index pagelayout-login
        mw-special-userlogin path-user-login page-user-login mode_login mode_denied view-login
        """,
    CART: """
        checkout-cart-index checkout-index-index template-cart woocommerce-cart woocommerce-checkout
        shoppingcartbody checkout-cart checkout-checkout
        """,
}
_PAGE_OF_NAME = {name.encode(): kind for kind, names in _NAMES_OF_PAGES.items() for name in names.split()}
"""The kind of page by a name of `body`, as programs of blogs, shops, wikis and schools give it."""

_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_DOMAIN = re.compile(r"domain|domín|dominio|домен|ドメイン|域名")
_ERROR_OF_INTERFACE = re.compile(r'\{.{0,200}"(?:error|message|status|code|detail)"')

_ARTICLE = model.KINDS.index("article")
_MODAL = 1 << list(GROUPS).index("modal")
_ANY_SHARE = 11
"""More tenths of a page's words than any element holds."""

_MAX_TITLE = 200
_MAX_FIELDS = 500
_MAX_HEADINGS = 8
_MAX_TAG_BYTES = 2_000
_NOT_FILLED_IN = frozenset((b"hidden", b"submit", b"button", b"image", b"reset", b"checkbox", b"radio"))
_META, _INPUT, _TEXTAREA = map(key, ("meta", "input", "textarea"))


def empty_reason(page: SegmentedPage, chosen: Choice, kind_scores: Offsets) -> str | None:
    """Return why the choice, of one block or more, is not content; None if it is.

    `kind_scores` are those of the kinds of pages, int64, in the order of `model.KINDS`.
    """
    sentences = sentence_words(page)
    if chosen.likeliest < _DOUBTFUL[0] and page.blocks.link_chars and sentences.sum() < _MAX_NAVIGATION:
        return "navigation"
    kind = _kind_by_name(page)
    if kind:
        return f"a name of the page: {kind}"
    in_sentences = int(sentences[chosen.kept].sum())
    needed = next((points for limit, points in _NEEDED if in_sentences < limit), _MAX_NEEDED)
    needed += sum(chosen.likeliest >= least for least in _SURE)
    needed += 3 if kind_scores[_ARTICLE] > _SURE_ARTICLE else 0
    if needed >= _MAX_NEEDED or chosen.tenths >= _MAX_TENTHS:
        return None
    fields = _fields(page)
    evidence = [*_titles(page, chosen, fields), *_login(page, chosen, fields), *_hidden(page, chosen)]
    if chosen.tenths < _MAX_SHORT:
        evidence += _short(page, chosen, fields)
    doubt = sum(chosen.likeliest < most for most in _DOUBTFUL)
    found = sum(points for points, _ in evidence)
    return max(evidence)[1] if found and found + doubt >= needed else None


def _kind_by_name(page: SegmentedPage) -> str | None:
    """The kind of page without content that a class or the id of `body` names."""
    tags = page.markup.tags
    body = tags.first("body")
    if body < 0:
        return None
    stop = min(tags.stops[body], tags.starts[body] + _MAX_TAG_BYTES)
    given = attributes(page.markup.html, tags.starts[body], stop)
    names = (given.get(b"class", b"") + b" " + given.get(b"id", b"")).lower().split()
    return next((_PAGE_OF_NAME[name] for name in names if name in _PAGE_OF_NAME), None)


def _titles(page: SegmentedPage, chosen: Choice, fields: dict[int, bytes]) -> Iterator[Evidence]:
    """What the title and the headings say of the page."""
    title = parts_of((page.markup.title or "")[:_MAX_TITLE])
    headline = " ".join(map(page.blocks.read, range(page.headline_start, page.headline_stop)))[:_MAX_TITLE]
    by_title = _of_title(title, more=[part for part in title if part in headline.lower()])
    headings = [parts_of(heading) for heading in (headline, *_headings(page, chosen.kept))]
    by_headings = [(_of_title(parts, more=parts), parts) for parts in headings]
    by_heading, parts = max(by_headings, key=lambda heading: heading[0])
    points, reason = max(by_title, by_heading)
    if points:
        is_said_twice = by_title[0] and by_heading[0] and set(title).isdisjoint(parts)
        yield points + (_SAID_TWICE if is_said_twice else 0), reason
    elif chosen.tenths < _MAX_SHORT and any(map(has_number, title)):
        yield _STATED_POINTS[NUMBER], f"a title of a {NUMBER}"
    short = [part for part in (*title, headline.lower()) if len(part.split()) <= _MAX_LOGIN_TITLE]
    if any(map(says_login, title + short if b"password" in fields.values() else short)):
        yield 2, "a title of a login"


def _of_title(parts: list[str], *, more: list[str]) -> Evidence:
    """What the parts of a title say; less if one of `more` says something else."""
    found = [(0, "")]
    for part in parts:
        kind, missing = stated(part), says_missing(part)
        if kind or missing:
            points = _STATED_POINTS[kind] if kind else 5 if missing == "page" else 3
            says_more = any(other != part and not is_empty_phrase(other) for other in more)
            found.append(
                (min(points, _SAYS_MORE) if says_more else points, f"a title of a {kind or MISSING}")
            )
    return max(found)


def _headings(page: SegmentedPage, kept: Flags) -> list[str]:
    """The texts of the first headings that were chosen, or that stand right above what was."""
    above = np.append(kept[1:], False)
    headings = np.flatnonzero((kept | above) & (np.asarray(page.elements.headings) > 0))[:_MAX_HEADINGS]
    return [page.blocks.read(block)[:_MAX_TITLE] for block in headings.tolist()]


def _login(page: SegmentedPage, chosen: Choice, fields: dict[int, bytes]) -> Iterator[Evidence]:
    """Whether a form asks for a password and little else: more points if it stands near what was chosen."""
    elements = page.elements
    passwords = [tag for tag, type_of_field in fields.items() if type_of_field == b"password"]
    if not passwords:
        return
    forms = np.flatnonzero(np.asarray(elements.codes) == CODE["form"])
    opens, closes = np.asarray(elements.opens)[forms], np.asarray(elements.closes)[forms]
    points = 0
    for tag in passwords:
        form = np.flatnonzero((opens < tag) & (tag < closes))[-1:].tolist()
        inside = [other for other in fields if not form or opens[form[0]] < other < closes[form[0]]]
        is_named = bool(form) and _LOGIN_NAMES.search(names_of(page, int(forms[form[0]]))) is not None
        if len(inside) <= _MAX_LOGIN_FIELDS + is_named and len(set(inside).intersection(passwords)) == 1:
            block = np.searchsorted(page.blocks.first_gaps, tag)
            is_near = np.abs(chosen.kept.nonzero()[0] - block).min() <= _NEAR_LOGIN
            points = max(points, 3 if is_near and chosen.tenths < _MAX_BESIDE_LOGIN else 1)
    if points:
        yield points, "a login"


def _fields(page: SegmentedPage) -> dict[int, bytes]:
    """The fields to write in: the type of each, by its tag."""
    tags = page.markup.tags
    found = {}
    keys = tags.keys
    is_field = (keys == _INPUT) | (keys == _TEXTAREA)
    for tag in np.flatnonzero(is_field & ~tags.ends)[:_MAX_FIELDS].tolist():
        given = attributes(page.markup.html, tags.starts[tag], tags.stops[tag])
        kind = given.get(b"type", b"").lower() if keys[tag] == _INPUT else b""
        if kind not in _NOT_FILLED_IN:
            found[tag] = kind
    return found


def _hidden(page: SegmentedPage, chosen: Choice) -> Iterator[Evidence]:
    """Whether all that was chosen is hidden, and stands in dialogs."""
    elements = page.elements
    if _holds_all(page, np.asarray(elements.hidden).astype(bool), chosen.kept):
        # A script may show them: they need doubt besides.
        yield 1, "nothing but hidden parts"
        is_dialog = np.asarray(elements.codes) == CODE["dialog"]
        if _holds_all(page, is_dialog | (np.asarray(elements.groups) & _MODAL > 0), chosen.kept):
            yield 2, "nothing but dialogs"


def _holds_all(page: SegmentedPage, marks: Flags, kept: Flags) -> bool:
    """Whether all that was chosen stands in elements that are marked: `marks` is bool (e,)."""
    element = int(page.elements.nearest[int(kept.argmax())])
    while element and not marks[element]:
        element = int(page.elements.parents[element])
    # Most pages end here: their first block is in none.
    return element > 0 and bool(page.elements.inside(marks, page.blocks, _ANY_SHARE)[kept].all())


def _short(page: SegmentedPage, chosen: Choice, fields: dict[int, bytes]) -> Iterator[Evidence]:
    """What says that a short choice is no content: names, a script, another page to come, an error."""
    around = _names_around(page, chosen.kept)
    if any(map(_NAMES.search, around)):
        yield 4, "names of an error, a login or a notice"
    blocks = chosen.kept.nonzero()[0].tolist()
    texts = [page.blocks.read(block).lower() for block in blocks]
    if chosen.tenths < _MAX_MESSAGE:
        if _is_refreshed(page):
            yield 3, "a redirect"
        if any(map(says_missing, texts)):
            yield 2, "a message on a missing page"
        # A page without a link may be one sentence.
        if page.blocks.link_chars and (
            chosen.likeliest < _DOUBTFUL[0] or (chosen.likeliest < _DOUBTFUL[1] and len(fields) < _FORM)
        ):
            yield 1, "hardly a word"
    if chosen.tenths <= _MAX_STAND_IN and (
        any(map(_WAITING.search, around)) or _waits(page, blocks, texts[0])
    ):
        yield 3, "what stands for a page until it is loaded"
    is_noscript = np.asarray(page.elements.codes) == CODE["noscript"]
    of_others = sum(
        int(page.blocks.word_tenths[block])
        for block, text in zip(blocks, texts, strict=True)
        if "javascript" not in text
    )
    asks_for_scripts = of_others <= _MAX_BESIDE_REQUEST and b"<script" in page.source.original
    if asks_for_scripts or _holds_all(page, is_noscript, chosen.kept):
        yield 3, "what asks for scripts"
    if _ERROR_OF_INTERFACE.match(texts[0]):
        yield 3, "an error of an interface"
    if _HOST.fullmatch(page.markup.title or "") and page.blocks.count <= _MAX_PARKED and _offers_domain(page):
        yield 3, "an offer of the domain"


def _offers_domain(page: SegmentedPage) -> bool:
    return any(_DOMAIN.search(page.blocks.read(block).lower()) for block in range(page.blocks.count))


def _is_refreshed(page: SegmentedPage) -> bool:
    """Whether a `meta` loads the page again, or another."""
    tags = page.markup.tags
    for tag in np.flatnonzero(tags.keys == _META).tolist():
        given = attributes(page.markup.html, tags.starts[tag], tags.stops[tag])
        if given.get(b"http-equiv", b"").lower() == b"refresh":
            return True
    return False


def _waits(page: SegmentedPage, blocks: list[int], text: str) -> bool:
    """Whether one text that ends with an ellipsis is hardly all that the page has besides links."""
    if len(blocks) > 1 or b"<script" not in page.source.original or not text.endswith(("...", "…")):
        return False
    return int(np.asarray(page.blocks.plain).sum()) - int(page.blocks.plain[blocks[0]]) <= _MAX_STAND_IN


def _names_around(page: SegmentedPage, kept: Flags) -> list[bytes]:
    """What the names of the elements say that hold all that was chosen."""
    elements = page.elements
    first, last = kept.nonzero()[0][[0, -1]].tolist()
    found, element = [], int(elements.nearest[first])
    while element:
        if elements.last[element] > last:
            found.append(names_of(page, element))
        element = int(elements.parents[element])
    return found
