"""Pages without content: a login, an error, a redirect, a wall of consent, a page that only scripts fill.

No single sign proves a page empty: an article may be titled "Access denied", and each page of a shop has a
login. So each sign counts points: words of the title and the headings, a form that asks for a password, names
of the elements around the choice, a choice that is hidden. A page with `_needed_points` is empty.
The more prose was chosen, and the likelier it is content, the more points are needed; three hundred words in
sentences are content, unless a class or the id of `body` says what the page is (`_kind_by_body`).
"""

import re
from collections.abc import Iterator

import numpy as np

from cedar.transforms.extractors.cedar import model
from cedar.transforms.extractors.cedar._choice import Choice
from cedar.transforms.extractors.cedar._drops import names_of
from cedar.transforms.extractors.cedar._features import words_in_sentences
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
    find_missing,
    has_status,
    is_empty_phrase,
    names_login,
    parts_of,
    phrase_kind,
)
from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import CODE, GROUPS

Evidence = tuple[int, str]
"""The points of one sign, and the reason that the page's metrics state if no sign has more."""

_NO_EVIDENCE: Evidence = (0, "")

# Sizes are in tenths of words, as the blocks have them; probabilities are thousandths of the likeliest block.
_NEEDED = ((700, 3), (1_500, 5), (3_000, 7))  # points that empty a page with less than so much in sentences
_MAX_NEEDED = 9  # no page has as many points
_MAX_CHOICE = 4_000  # a larger choice is content, whatever the title says
_MAX_NAVIGATION = 3_000  # a page with more in sentences is not mere navigation
_MAX_BESIDE_LOGIN = 1_000  # a larger choice is more than the labels and the help of a login
_MAX_SHORT = 600  # a larger choice is content, whatever the names around it say
_MAX_MESSAGE = 200  # a larger choice is more than a message
_MAX_STAND_IN = 80  # a larger choice is more than a placeholder for what a script loads
_MAX_BESIDE_REQUEST = 30  # what a page that asks for JavaScript may say besides

_SURE = (900, 950)  # from each of these probabilities, one point more is needed
_DOUBTFUL = (200, 350, 600)  # below each of these probabilities, a page has one point
_SURE_ARTICLE = 3 * model.UNIT // 4  # from this score of the kind "article", three points more are needed

_TITLE_POINTS = {
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
"""The points of a title that is nothing but a phrase of one kind."""

_MAX_POINTS_BESIDES = 2  # of a title that says something else, too
_SAID_TWICE = 2  # points more if the title and a heading say it in different words

_MAX_LOGIN_TITLE = 4  # words
_MAX_LOGIN_FIELDS = 2  # a form with more fields makes an account; a form with a login's name may have three
_MAX_LOGIN_DISTANCE = 3  # blocks between a login and the choice
_MIN_FORM_FIELDS = 3  # a page with as many fields is a form, and its few words may be content
_MAX_PARKED_BLOCKS = 50  # of a page that offers its domain for sale

_LOGIN_NAMES = re.compile(rb"log-?in|log-?on|sign-?in|session|\bauth")
"""Names of the form of a login."""

_NAMES = re.compile(
    rb"consent|cookie|gdpr|captcha|challenge|log-?in|sign-?in|\bcmp-?(?:wall|banner|box|modal|ui)\b"
    rb"|age-?(?:gate|verif)|\b404\b|not-?found|\berr(?:or)?-?(?:\d|page|detail)|page-?error|redirect|leaving-?site|interstitial|maintenance"
    rb"|unsupported|paywall|regwall|coming-?soon|under-?construction|no-?results?\b|parked|unsubscribe"
    rb"|(?:cart|basket)-?empty|empty-?(?:cart|basket)"
)
"""Names of elements that hold no content."""

_WAITING = re.compile(rb"loading|loader|spinner|skeleton|splash|progressbar")
"""Names of placeholders that are shown until a script loads the page."""

_BODY_NAMES = {
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
_KIND_OF_NAME = {name.encode(): kind for kind, names in _BODY_NAMES.items() for name in names.split()}
"""The kind of page by a name of `body`, as programs of blogs, shops, wikis and schools give it."""

_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_DOMAIN = re.compile(r"domain|domín|dominio|домен|ドメイン|域名")
_ERROR_OF_INTERFACE = re.compile(r'\{.{0,200}"(?:error|message|status|code|detail)"')

_ARTICLE = model.KINDS.index("article")
_MODAL = 1 << list(GROUPS).index("modal")
_ANY_SHARE = 11  # more tenths of a page's words than any element holds

_MAX_TITLE_CHARS = 200
_MAX_FIELDS = 500
_MAX_HEADINGS = 8
_MAX_TAG_BYTES = 2_000
_NOT_FILLED_IN = frozenset((b"hidden", b"submit", b"button", b"image", b"reset", b"checkbox", b"radio"))
_META, _INPUT, _TEXTAREA = map(key, ("meta", "input", "textarea"))


def empty_reason(page: SegmentedPage, chosen: Choice, kind_scores: Offsets) -> str | None:
    """Return why the choice, of one block or more, is not content; None if it is content.

    `kind_scores` are the scores of the kinds of pages, int64, in the order of `model.KINDS`.
    """
    of_page, of_choice = words_in_sentences(page, chosen.kept)
    if chosen.likeliest < _DOUBTFUL[0] and page.blocks.link_chars and of_page < _MAX_NAVIGATION:
        return "navigation"
    kind = _kind_by_body(page)
    if kind:
        return f"a name of the page: {kind}"
    needed = _needed_points(chosen, of_choice)
    if kind_scores[_ARTICLE] > _SURE_ARTICLE:
        needed += 3
    if needed >= _MAX_NEEDED or chosen.tenths >= _MAX_CHOICE:
        return None
    fields = _fields(page)
    evidence = [
        *_of_titles(page, chosen, fields),
        *_of_logins(page, chosen, fields),
        *_of_hiding(page, chosen),
    ]
    if chosen.tenths < _MAX_SHORT:
        evidence += _of_short_choice(page, chosen, fields)
    points = sum(points for points, _ in evidence)
    doubt = sum(chosen.likeliest < limit for limit in _DOUBTFUL)
    # Doubt alone empties no page.
    return max(evidence)[1] if points and points + doubt >= needed else None


def _needed_points(chosen: Choice, tenths_in_sentences: int) -> int:
    """Return how many points empty a page, by the prose that was chosen and by how likely it is content."""
    surplus = sum(chosen.likeliest >= limit for limit in _SURE)
    for limit, points in _NEEDED:
        if tenths_in_sentences < limit:
            return points + surplus
    return _MAX_NEEDED


def _kind_by_body(page: SegmentedPage) -> str | None:
    """Return the kind of page without content that a class or the id of `body` names."""
    tags = page.markup.tags
    body = tags.first("body")
    if body < 0:
        return None
    stop = min(tags.stops[body], tags.starts[body] + _MAX_TAG_BYTES)
    given = attributes(page.markup.html, tags.starts[body], stop)
    for name in (given.get(b"class", b"") + b" " + given.get(b"id", b"")).lower().split():
        if name in _KIND_OF_NAME:
            return _KIND_OF_NAME[name]
    return None


def _of_titles(page: SegmentedPage, chosen: Choice, fields: dict[int, bytes]) -> Iterator[Evidence]:
    """Yield the evidence of the title and the headings."""
    title = parts_of((page.markup.title or "")[:_MAX_TITLE_CHARS])
    headline = " ".join(map(page.blocks.read, range(page.headline_start, page.headline_stop)))
    headline = headline[:_MAX_TITLE_CHARS]
    # The title also has the name of the site; the headline tells which of its parts are about the page.
    by_title = _of_title(title, about_page=[part for part in title if part in headline.lower()])
    by_heading, heading = _NO_EVIDENCE, list[str]()
    for text in (headline, *_headings(page, chosen.kept)):
        parts = parts_of(text)
        evidence = _of_title(parts, about_page=parts)
        if evidence > by_heading:
            by_heading, heading = evidence, parts
    points, reason = max(by_title, by_heading)
    if points:
        is_said_twice = by_title[0] and by_heading[0] and set(title).isdisjoint(heading)
        yield points + (_SAID_TWICE if is_said_twice else 0), reason
    elif chosen.tenths < _MAX_SHORT and any(map(has_status, title)):
        yield _TITLE_POINTS[NUMBER], f"a title of a {NUMBER}"
    names = [part for part in (*title, headline.lower()) if len(part.split()) <= _MAX_LOGIN_TITLE]
    if b"password" in fields.values():
        names += title
    if any(map(names_login, names)):
        yield 2, "a title of a login"


def _of_title(parts: list[str], *, about_page: list[str]) -> Evidence:
    """Return the evidence of a title's parts; less if another part, of those about the page, says more."""
    found = [_NO_EVIDENCE]
    for part in parts:
        kind, missing = phrase_kind(part), find_missing(part)
        if kind:
            points = _TITLE_POINTS[kind]
        elif missing:
            points = 5 if missing == "page" else 3
        else:
            continue
        if any(other != part and not is_empty_phrase(other) for other in about_page):
            points = min(points, _MAX_POINTS_BESIDES)
        found.append((points, f"a title of {'an' if kind == ERROR else 'a'} {kind or MISSING}"))
    return max(found)


def _headings(page: SegmentedPage, kept: Flags) -> list[str]:
    """Return the texts of the first headings that were chosen or stand right above a chosen block."""
    above = np.append(kept[1:], False)
    headings = np.flatnonzero((kept | above) & (np.asarray(page.elements.headings) > 0))[:_MAX_HEADINGS]
    return [page.blocks.read(block)[:_MAX_TITLE_CHARS] for block in headings.tolist()]


def _of_logins(page: SegmentedPage, chosen: Choice, fields: dict[int, bytes]) -> Iterator[Evidence]:
    """Yield evidence if a form asks for one password and little else; more if it stands near the choice."""
    elements = page.elements
    passwords = [tag for tag, type_of_field in fields.items() if type_of_field == b"password"]
    if not passwords:
        return
    forms = np.flatnonzero(np.asarray(elements.codes) == CODE["form"])
    opens, closes = np.asarray(elements.opens)[forms], np.asarray(elements.closes)[forms]
    points = 0
    for tag in passwords:
        inside, is_named = list(fields), False
        around = np.flatnonzero((opens < tag) & (tag < closes))
        if around.size:
            form = around[-1]
            inside = [other for other in fields if opens[form] < other < closes[form]]
            is_named = _LOGIN_NAMES.search(names_of(page, int(forms[form]))) is not None
        if len(inside) <= _MAX_LOGIN_FIELDS + is_named and len(set(inside).intersection(passwords)) == 1:
            block = np.searchsorted(page.blocks.first_gaps, tag)
            is_near = np.abs(chosen.kept.nonzero()[0] - block).min() <= _MAX_LOGIN_DISTANCE
            points = max(points, 3 if is_near and chosen.tenths < _MAX_BESIDE_LOGIN else 1)
    if points:
        yield points, "a login"


def _fields(page: SegmentedPage) -> dict[int, bytes]:
    """Return the type of each field that a reader fills in, by its tag's index."""
    tags = page.markup.tags
    keys = tags.keys
    found = {}
    is_field = (keys == _INPUT) | (keys == _TEXTAREA)
    for tag in np.flatnonzero(is_field & ~tags.ends)[:_MAX_FIELDS].tolist():
        given = attributes(page.markup.html, tags.starts[tag], tags.stops[tag])
        kind = given.get(b"type", b"").lower() if keys[tag] == _INPUT else b""
        if kind not in _NOT_FILLED_IN:
            found[tag] = kind
    return found


def _of_hiding(page: SegmentedPage, chosen: Choice) -> Iterator[Evidence]:
    """Yield evidence if the whole choice is hidden, and more if it also stands in dialogs."""
    elements = page.elements
    if _holds_all(page, np.asarray(elements.hidden).astype(bool), chosen.kept):
        # A script may show hidden parts, so this alone does not empty a page.
        yield 1, "nothing but hidden parts"
        is_dialog = np.asarray(elements.codes) == CODE["dialog"]
        if _holds_all(page, is_dialog | (np.asarray(elements.groups) & _MODAL > 0), chosen.kept):
            yield 2, "nothing but dialogs"


def _holds_all(page: SegmentedPage, marks: Flags, kept: Flags) -> bool:
    """Tell whether each chosen block stands in a marked element: `marks` is bool (e,), `kept` bool (n,)."""
    # A cheap look first: the first chosen block of most pages stands in no such element.
    element = int(page.elements.nearest[int(kept.argmax())])
    while element and not marks[element]:
        element = int(page.elements.parents[element])
    return element > 0 and bool(page.elements.inside(marks, page.blocks, _ANY_SHARE)[kept].all())


def _of_short_choice(page: SegmentedPage, chosen: Choice, fields: dict[int, bytes]) -> Iterator[Evidence]:
    """Yield evidence against a choice of few words: names, a message, a script that is to load the page."""
    names = _names_around(page, chosen.kept)
    blocks = chosen.kept.nonzero()[0].tolist()
    texts = [page.blocks.read(block).lower() for block in blocks]
    if any(map(_NAMES.search, names)):
        yield 4, "names of an error, a login or a notice"
    if chosen.tenths < _MAX_MESSAGE:
        yield from _of_message(page, chosen, texts, is_form=len(fields) >= _MIN_FORM_FIELDS)
    if chosen.tenths <= _MAX_STAND_IN and (
        any(map(_WAITING.search, names)) or _waits(page, blocks, texts[0])
    ):
        yield 3, "what stands for a page until it is loaded"
    is_noscript = np.asarray(page.elements.codes) == CODE["noscript"]
    if _asks_for_scripts(page, blocks, texts) or _holds_all(page, is_noscript, chosen.kept):
        yield 3, "what asks for scripts"
    if _ERROR_OF_INTERFACE.match(texts[0]):
        yield 3, "an error of an interface"
    if _offers_domain(page):
        yield 3, "an offer of the domain"


def _of_message(
    page: SegmentedPage, chosen: Choice, texts: list[str], *, is_form: bool
) -> Iterator[Evidence]:
    """Yield evidence against a choice that is no longer than a message."""
    if _is_refreshed(page):
        yield 3, "a redirect"
    if any(map(find_missing, texts)):
        yield 2, "a message on a missing page"
    # A page without a link may be one sentence.
    if page.blocks.link_chars and chosen.likeliest < _DOUBTFUL[0 if is_form else 1]:
        yield 1, "hardly a word"


def _asks_for_scripts(page: SegmentedPage, blocks: list[int], texts: list[str]) -> bool:
    """Tell whether chosen blocks ask for JavaScript, hardly say anything else, and the page has a script."""
    tenths = 0
    for block, text in zip(blocks, texts, strict=True):
        if "javascript" not in text:
            tenths += int(page.blocks.word_tenths[block])
    return tenths <= _MAX_BESIDE_REQUEST and b"<script" in page.source.original


def _offers_domain(page: SegmentedPage) -> bool:
    """Tell whether a small page, titled by a host's name, speaks of a domain."""
    if page.blocks.count > _MAX_PARKED_BLOCKS or not _HOST.fullmatch(page.markup.title or ""):
        return False
    return any(_DOMAIN.search(page.blocks.read(block).lower()) for block in range(page.blocks.count))


def _is_refreshed(page: SegmentedPage) -> bool:
    """Tell whether a `meta` loads this page again, or another page."""
    tags = page.markup.tags
    for tag in np.flatnonzero(tags.keys == _META).tolist():
        given = attributes(page.markup.html, tags.starts[tag], tags.stops[tag])
        if given.get(b"http-equiv", b"").lower() == b"refresh":
            return True
    return False


def _waits(page: SegmentedPage, blocks: list[int], text: str) -> bool:
    """Tell whether the choice is one text with an ellipsis, and the page has hardly a word besides links."""
    if len(blocks) > 1 or b"<script" not in page.source.original or not text.endswith(("...", "…")):
        return False
    return int(np.asarray(page.blocks.plain).sum()) - int(page.blocks.plain[blocks[0]]) <= _MAX_STAND_IN


def _names_around(page: SegmentedPage, kept: Flags) -> list[bytes]:
    """Return the names of each element that holds the whole choice."""
    elements = page.elements
    first, last = kept.nonzero()[0][[0, -1]].tolist()
    found, element = [], int(elements.nearest[first])
    while element:
        if elements.last[element] > last:
            found.append(names_of(page, element))
        element = int(elements.parents[element])
    return found
