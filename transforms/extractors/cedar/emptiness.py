"""Pages without content: a login, an error, a redirect, a wall of consent, a page that only scripts fill.

No single sign proves a page empty: an article may be titled "Access denied", and each page of a shop has a
login. So each sign counts points: words of the title and the headings, a form that asks for a password, names
of the elements around the choice, a choice that is hidden. A page with `_needed_points` is empty.
The more prose was chosen, and the likelier it is content, the more points are needed; most of all if the
prose does not speak of the page, the site or an account. Three hundred words in sentences are content,
unless a class or the id of `body` says what the page is (`_kind_by_body`).
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

_MIN_PROSE = 150  # so many words in sentences about the world are rarely a message of the site
_POINTS_OF_PROSE = 4  # needed besides, if there is such prose

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

_NO_NAMES = re.compile(rb"\b(?:no|not|non|without)-[\w-]+|log(?:ged|ed)-?in[\w-]*|signed-?in[\w-]*")
"""Names which say that an element is no login, no notice or no wall."""

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

_OF_SITES = re.compile(
    r"\b(?:(?:this|that|the|your|web|home) ?page|site|website|url|e?-?mail address|account|browser|cart"
    r"|basket|checkout|log ?in|logged|sign ?(?:in|up)|regist(?:er|ration)|password|username|cookies?"
    r"|javascript|server|search terms?|domain"
    r"|your (?:data|order|visit|connection|device)|privacy|captcha|copyright|redirect\w*|partners store"
    r"|\w*seite|konto|benutzer\w*|warenkorb|passwort|anmeld\w+"
    r"|compte|panier|navigateur|mot de passe|página|sitio|cuenta|carrito|contraseña|navegador"
    r"|carrinho|senha|pagina|sito|carrello|winkelwagen|wachtwoord|sidan|siden|kontot"
    r"|strona|strony|koszyk|stránk\w+|košík|sayfa\w*|halaman|trang)\b"
    r"|страниц|сайт|аккаунт|корзин|парол|браузер|сторінк|ページ|パスワード|アカウント|页面|網頁|网页"
    r"|账户|账号|密码|페이지|계정|비밀번호|صفح[ةه]|الموقع|חשבון|הדף|หน้าเว็บ|บัญชี|पृष्ठ|पेज|खाता"
)
"""Words of messages that a site gives of itself."""

_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_DOMAIN = re.compile(r"domain|domín|dominio|домен|ドメイン|域名")
_ERROR_OF_INTERFACE = re.compile(r'\{.{0,200}"(?:error|message|status|code|detail)"')

_ARTICLE = model.KINDS.index("article")
_BESIDE = [CODE[name] for name in ("aside", "header", "footer", "dialog")]
_MODAL = 1 << list(GROUPS).index("modal")
_WHOLE_PAGE = 9  # tenths of a page's words
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
    is_unlikely = chosen.likeliest < _DOUBTFUL[0] and page.blocks.link_chars and of_page < _MAX_NAVIGATION
    if is_unlikely and not words_in_sentences(page, _without_messages(page, chosen.kept))[1]:
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
    is_titled = _is_titled_login(page, fields)
    evidence = [*_of_titles(page, chosen), *_of_hiding(page, chosen)]
    if is_titled:
        evidence.append((2, "a title of a login"))
    is_short = chosen.tenths < _MAX_SHORT
    if not evidence and not is_short and b"password" not in fields.values():
        # Most pages end here, before their texts are read.
        return None
    others = _without_messages(page, chosen.kept & ~_hidden(page, _WHOLE_PAGE))
    _, prose = words_in_sentences(page, others)
    if prose >= _MIN_PROSE:
        needed += _POINTS_OF_PROSE
    tenths_of_others = int(np.asarray(page.blocks.word_tenths)[others].sum())
    is_message = is_titled or (not prose and 2 * tenths_of_others <= chosen.tenths)
    evidence += _of_logins(page, chosen, fields, is_titled=is_titled, is_message=is_message)
    if is_short:
        evidence += _of_short_choice(page, chosen, fields, has_prose=prose > 0)
    if not evidence:
        return None
    points = sum(points for points, _ in evidence)
    doubt = sum(chosen.likeliest < limit for limit in _DOUBTFUL)
    # Doubt alone empties no page.
    return max(evidence)[1] if points + doubt >= needed else None


def _needed_points(chosen: Choice, tenths_in_sentences: int) -> int:
    """Return how many points empty a page, by the prose that was chosen and by how likely it is content."""
    surplus = sum(chosen.likeliest >= limit for limit in _SURE)
    for limit, points in _NEEDED:
        if tenths_in_sentences < limit:
            return points + surplus
    return _MAX_NEEDED


def _hidden(page: SegmentedPage, share: int) -> Flags:
    """Return the blocks, (n,) bool, of hidden elements that hold under `share` tenths of the page's words."""
    return page.elements.inside(np.asarray(page.elements.hidden).astype(bool), page.blocks, share)


def _without_messages(page: SegmentedPage, kept: Flags) -> Flags:
    """Return the chosen blocks, (n,) bool, without words of sites and accounts but those of the title."""
    found = kept.copy()
    title = _title_parts(page)
    for block in kept.nonzero()[0].tolist():
        text = page.blocks.read(block).lower()
        for part in title:
            text = text.replace(part, " ")
        found[block] = not (_OF_SITES.search(text) or names_login(text) or find_missing(text))
    return found


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


def _of_titles(page: SegmentedPage, chosen: Choice) -> Iterator[Evidence]:
    """Yield the evidence of the title and the headings."""
    title, headline = _title_parts(page), _headline(page)
    # The title also has the name of the site; the headline tells which of its parts are about the page.
    by_title = _of_title(title, about_page=[part for part in title if part in headline.lower()])
    by_heading, heading = _NO_EVIDENCE, list[str]()
    headings = [headline]
    if not headline or all(map(is_empty_phrase, parts_of(headline))):
        headings += _headings(page, chosen.kept)
    for text in headings:
        parts = parts_of(text)
        evidence = _of_title(parts, about_page=parts)
        if evidence > by_heading:
            by_heading, heading = evidence, parts
    points, reason = max(by_title, by_heading)
    if points:
        is_said_twice = by_title[0] and by_heading[0] and set(title).isdisjoint(heading)
        yield points + (_SAID_TWICE if is_said_twice else 0), reason


def _title_parts(page: SegmentedPage) -> list[str]:
    return parts_of((page.markup.title or "")[:_MAX_TITLE_CHARS])


def _headline(page: SegmentedPage) -> str:
    headline = " ".join(map(page.blocks.read, range(page.headline_start, page.headline_stop)))
    return headline[:_MAX_TITLE_CHARS]


def _is_titled_login(page: SegmentedPage, fields: dict[int, bytes]) -> bool:
    """Tell whether the title or the headline has a word for a login."""
    title = _title_parts(page)
    names = [part for part in (*title, _headline(page).lower()) if len(part.split()) <= _MAX_LOGIN_TITLE]
    if b"password" in fields.values():
        names += title
    return any(map(names_login, names))


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
    """Return the texts of the first visible headings that were chosen or stand right above a chosen block."""
    above = np.append(kept[1:], False)
    is_heading = (kept | above) & (np.asarray(page.elements.headings) > 0) & ~_hidden(page, _ANY_SHARE)
    headings = np.flatnonzero(is_heading)[:_MAX_HEADINGS]
    return [page.blocks.read(block)[:_MAX_TITLE_CHARS] for block in headings.tolist()]


def _of_logins(
    page: SegmentedPage, chosen: Choice, fields: dict[int, bytes], *, is_titled: bool, is_message: bool
) -> Iterator[Evidence]:
    """Yield evidence if a form asks for one password and little else; more if it stands near the choice.

    A form is evidence only if the choice is its labels and its help: if the whole choice stands in it, or
    speaks of sites and accounts (`is_message`), and the form is neither hidden nor beside the content.
    """
    elements = page.elements
    codes = np.asarray(elements.codes)
    passwords = [tag for tag, type_of_field in fields.items() if type_of_field == b"password"]
    if not passwords:
        return
    opens, closes = np.asarray(elements.opens), np.asarray(elements.closes)
    is_beside = np.asarray(elements.hidden).astype(bool) | np.isin(codes, _BESIDE)
    is_beside |= np.asarray(elements.groups) & _MODAL > 0
    points = 0
    for tag in passwords:
        inside, is_named, holds_choice = list(fields), False, False
        around = np.flatnonzero((opens < tag) & (tag < closes))
        forms = around[codes[around] == CODE["form"]]
        if forms.size:
            form = forms[-1]
            inside = [other for other in fields if opens[form] < other < closes[form]]
            is_named = _LOGIN_NAMES.search(names_of(page, int(form))) is not None
            first, last = chosen.kept.nonzero()[0][[0, -1]]
            holds_choice = elements.first[form] <= first and last < elements.last[form]
        if not holds_choice and (is_beside[around].any() or not is_message):
            continue
        if len(inside) <= _MAX_LOGIN_FIELDS + is_named and len(set(inside).intersection(passwords)) == 1:
            block = np.searchsorted(page.blocks.first_gaps, tag)
            is_near = np.abs(chosen.kept.nonzero()[0] - block).min() <= _MAX_LOGIN_DISTANCE
            if is_near and chosen.tenths < _MAX_BESIDE_LOGIN:
                points = max(points, 5 if is_titled else 3)
            points = max(points, 1)
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


def _of_short_choice(
    page: SegmentedPage, chosen: Choice, fields: dict[int, bytes], *, has_prose: bool
) -> Iterator[Evidence]:
    """Yield evidence against a choice of few words: names, a message, a script that is to load the page."""
    names = _names_around(page, chosen.kept)
    blocks = chosen.kept.nonzero()[0].tolist()
    texts = [page.blocks.read(block).lower() for block in blocks]
    if any(map(_NAMES.search, names)):
        yield 3, "names of an error, a login or a notice"
    if chosen.tenths < _MAX_MESSAGE:
        yield from _of_message(
            page, chosen, texts, is_form=len(fields) >= _MIN_FORM_FIELDS, has_prose=has_prose
        )
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
    page: SegmentedPage, chosen: Choice, texts: list[str], *, is_form: bool, has_prose: bool
) -> Iterator[Evidence]:
    """Yield evidence against a choice that is no longer than a message."""
    if _is_refreshed(page):
        yield 3, "a redirect"
    if any(map(find_missing, texts)):
        yield 2, "a message on a missing page"
    # A page without a link may be one sentence.
    if page.blocks.link_chars and not has_prose and chosen.likeliest < _DOUBTFUL[0 if is_form else 1]:
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
    """Return the names of each element that holds the whole choice, but not (nearly) the whole page."""
    elements, sums = page.elements, page.blocks.word_sums
    first, last = kept.nonzero()[0][[0, -1]].tolist()
    found, element = [], int(elements.nearest[first])
    while element:
        tenths = sums[elements.last[element]] - sums[elements.first[element]]
        if elements.last[element] > last and 10 * tenths < _WHOLE_PAGE * sums[page.blocks.count]:
            found.append(_NO_NAMES.sub(b" ", names_of(page, element)))
        element = int(elements.parents[element])
    return found
