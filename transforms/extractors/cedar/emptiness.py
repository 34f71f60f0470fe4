"""Pages without content: a login, an error, a redirect, a wall of consent, a page that only scripts fill.

Their few words are likely or not like those of any page. What tells them is what the page is made of: a
form that asks for a password, a refresh, the names that authors give such pages, and what the title says of
the page. A choice of seventy words in sentences or more is content, whatever else is said.
"""

import re

import numpy as np

from cedar.transforms.extractors.cedar._choice import Choice
from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import CODE

_UNLIKELY = 200
"""Probability, in thousandths, of the likeliest block, below which the page may be navigation."""

_MANY_ON_PAGE = 3_000
"""Tenths of words in a page's sentences from which it is more than navigation, however unlikely they are."""

_MANY_IN_SENTENCES = 700
"""Tenths of words in its sentences from which a choice is content, whatever the page's title says."""

_MANY_IN_ALL = 4_000
"""Tenths of words from which a choice is content, whatever the page's title says."""

_MANY_BESIDE_LOGIN = 1_000
"""Tenths of words from which a choice next to the fields of a login is content."""

_SENTENCE = 80
"""Tenths of words that a block of sentences has, at least."""

_FEW_WITH_NAMES = 600
"""Tenths of words from which a choice is content, whatever names, a status in the title or `noscript` say."""

_FEW_WITH_LOGIN = 200
"""Tenths of words from which a choice is content although the page has a refresh, or a login in a corner."""

_STAND_IN = 80
"""Tenths of words, at most, of what stands for a page until a script brings it."""

_LOGIN_FIELDS = 2
"""Fields to fill in of a login's form, at most: a form with more of them makes an account."""

_NEAR_LOGIN = 3
"""Blocks between a login and what was chosen, at most."""

_NAMES = re.compile(
    rb"(?:class|id|role|name)\s*=[^>]*?(?:consent|cookie|gdpr|captcha|challenge|log-?in|sign-?in"
    rb"|error-?\d|\b404\b|error-page|page-error|not-?found|redirect|leaving-?site|interstitial|maintenance)",
    re.IGNORECASE,
)
_WAITING = re.compile(
    rb"(?:class|id|role)\s*=[^>]*?(?:loading|loader|spinner|skeleton|splash|progressbar)", re.IGNORECASE
)
"""Names of what is shown until a script brings the page."""

_STATUS = re.compile(r"(?<![\w.,:/$€£-])(?:30[1-378]|4(?:0[0-9]|10|29|51)|50[0-4])(?![\w.,:/%$€£-])")
"""The number of a redirect or an error."""

_WORD = re.compile(r"\w+")
_PAGE_WORDS = (
    "page pages url seite página pàgina pagina strana stránka stránku strona strony siden sidan sivu sivua"
    " sayfa oldal halaman trang"
)
_PAGES = frozenset(_PAGE_WORDS.split())
_PAGE = re.compile(
    r"σελίδα|страниц|сторінк|страница|页|頁|ページ|페이지|صفح[ةه]|הדף|หน้า|पृष्ठ|पेज", re.IGNORECASE
)
_IS_MISSING = re.compile(
    r"\bnot found\b|\b(?:can ?not|can['’]t|could not|couldn['’]t) (?:be )?f(?:ou|i)nd\b|n['’]t exist\b"
    r"|\b(?:does not|no longer) exist|\bno longer available\b|\bnicht (?:gefunden|verfügbar)|existiert nicht"
    r"|\bintrouvable|\bnon trouvée|n['’]existe p(?:as|lus)\b|\bno (?:se )?(?:ha sido )?(?:encontrad|existe)"
    r"|\bnão (?:foi )?(?:encontrad|existe)|\bnon (?:è stata )?(?:trovat|esist)|\bniet gevonden|\bbestaat niet"
    r"|\bnie (?:została )?(?:znalezion|istniej)|\bne(?:byla )?nalezena|\bneexistuje|\bikke fun[dn]et"
    r"|\bfin[dn]es ikke|\bhittades inte|\bfinns inte|\bei löy|\bbulunamadı|\bnem található|\bnu a fost găsit"
    r"|\btidak ditemukan|\bkhông tìm thấy|δεν βρέθηκε|не найден|не существует|не знайдено|не існує|不存在"
    r"|找不到|未找到|見つかりません|찾을 수 없|غير موجود|لم يتم العثور|یافت نشد|לא נמצא|ไม่พบ|नहीं मिला",
    re.IGNORECASE,
)
"""What a title says of a page that is not there, in the languages of most of the web."""

_IN_BETWEEN = re.compile(
    r"\W*(?:you(?: are|['’]re) (?:now |about to )?leav(?:e|ing)\b.*|you are (?:now )?being redirected\b.*"
    r"|redirecting\b.*|weiterleitung"
    r"|sie verlassen\b.*|vous quittez\b.*|redirection(?: en cours)?|redireccionando|reindirizzamento"
    r"|перенаправление|正在跳转|页面跳转|just a moment|attention required|robot check|security check"
    r"|are you (?:a )?(?:human|robot)|human verification|access denied|pardon our interruption)\W*",
    re.IGNORECASE,
)
"""What a title, or one of its parts, says as a whole: a notice on leaving, a redirect, a check for robots."""

_IS_LOGIN = re.compile(
    r"\b(?:log ?-?in|sign ?-?in|(?:my|your) account|anmelden|anmeldung|einloggen|kundenlogin|mein konto"
    r"|connexion|mon compte|se connecter|identifiez-vous|inici(?:ar|a) ses(?:ión|ió)|mi cuenta"
    r"|iniciar sessão|minha conta|accedi|il mio account|inloggen|aanmelden|mijn account|logga in|log ind"
    r"|logg inn|kirjaudu|zaloguj|logowanie|moje konto|přihlá\w+|prihlás\w+|bejelentkezés|autentificare"
    r"|giriş yap|oturum aç|đăng nhập|masuk)\b|σύνδεση|вход|войти|авторизация|увійти|личный кабинет"
    r"|ログイン|登录|登入|로그인|تسجيل الدخول|התחבר",
    re.IGNORECASE,
)
"""What a title says of a login."""

_ANY_SHARE = 11
"""More tenths of a page's words than any element holds."""

_BETWEEN_PARTS = re.compile(r"\s[|–—·»-]\s|[|:]")
_MAX_TITLE = 200
_MAX_FIELDS = 500
_MAX_HEADINGS = 50
_MAX_TAG_BYTES = 2_000
_NOT_FILLED_IN = frozenset((b"hidden", b"submit", b"button", b"image", b"reset", b"checkbox", b"radio"))
_META, _INPUT, _SELECT, _TEXTAREA = map(key, ("meta", "input", "select", "textarea"))
_STOP, _UNSPACED = 4, 9  # kinds of characters, as in `segments._blocks`


def empty_reason(page: SegmentedPage, chosen: Choice) -> str | None:
    """Return why the choice, of one block or more, is not content; None if it is."""
    if chosen.likeliest < _UNLIKELY and page.blocks.link_chars and _sentences(page).sum() < _MANY_ON_PAGE:
        return "navigation"
    if chosen.tenths >= _MANY_IN_ALL:
        return None
    title_parts = _BETWEEN_PARTS.split((page.markup.title or "")[:_MAX_TITLE])
    titles, sentences = [*title_parts, *_headings(page, chosen.kept)], _sentences(page)[chosen.kept].sum()
    may_be_missing = sentences < _MANY_IN_SENTENCES and _says_of_page("\n".join(titles))
    if may_be_missing and any(map(_says_missing, titles)):
        return "a title that says that the page is missing"
    if sentences < _MANY_IN_SENTENCES and any(map(_IN_BETWEEN.fullmatch, titles)):
        return "a title of what stands before a page"
    is_short = chosen.tenths < _MANY_BESIDE_LOGIN and sentences < _MANY_IN_SENTENCES
    if is_short and _has_login(page, chosen.kept, near=_NEAR_LOGIN):
        return "a login"
    # Of the title alone: a heading above a field for remarks may say "log in", too.
    if (
        sentences < _MANY_IN_SENTENCES
        and any(map(_IS_LOGIN.search, title_parts))
        and _has_login(page, chosen.kept, near=None)
    ):
        return "a title of a login"
    if chosen.tenths < _FEW_WITH_LOGIN and (b"password" in _fields(page).values() or _is_refreshed(page)):
        return "a login or a redirect, and few words"
    if chosen.tenths >= _FEW_WITH_NAMES:
        return None
    if any(map(_STATUS.search, titles)):
        return "a status in the title"
    if any(map(_NAMES.search, _tags_around(page, chosen.kept))):
        return "names of an error, a login or a notice"
    if chosen.tenths <= _STAND_IN and _is_waiting(page, chosen.kept):
        return "what stands for a page until it is loaded"
    is_noscript = np.asarray(page.elements.codes) == CODE["noscript"]
    for_no_script = page.elements.inside(is_noscript, page.blocks, _ANY_SHARE)
    return "what asks for scripts" if for_no_script[chosen.kept].all() else None


def _sentences(page: SegmentedPage) -> Offsets:
    """The unlinked words of blocks that read as sentences, 0 for others: int64 (n,), tenths."""
    blocks = page.blocks
    words, plain, kinds = np.asarray(blocks.word_tenths), np.asarray(blocks.plain), np.asarray(blocks.kinds)
    # Some scripts need no stops.
    ends = (kinds[:, _STOP] > 0) | (2 * kinds[:, _UNSPACED] > np.asarray(blocks.chars))
    return np.where(ends & (words >= _SENTENCE) & (2 * plain > words), plain, 0)


def _headings(page: SegmentedPage, kept: Flags) -> list[str]:
    """The texts of the first headings that were chosen."""
    headings = np.flatnonzero(kept & (np.asarray(page.elements.headings) > 0))[:_MAX_HEADINGS]
    return [page.blocks.read(block)[:_MAX_TITLE] for block in headings.tolist()]


def _says_of_page(text: str) -> bool:
    """Whether a text has a word for a page."""
    if not _PAGES.isdisjoint(_WORD.findall(text.lower())):
        return True
    return not text.isascii() and _PAGE.search(text) is not None


def _says_missing(title: str) -> bool:
    return _says_of_page(title) and _IS_MISSING.search(title) is not None


def _has_login(page: SegmentedPage, kept: Flags, *, near: int | None) -> bool:
    """Whether a form asks for a password and little else, up to `near` blocks from what was chosen."""
    elements, fields = page.elements, _fields(page)
    forms = np.flatnonzero(np.asarray(elements.codes) == CODE["form"])
    opens, closes = np.asarray(elements.opens)[forms], np.asarray(elements.closes)[forms]
    for tag, type_of_field in fields.items():
        if type_of_field != b"password":
            continue
        around = np.flatnonzero((opens < tag) & (tag < closes))
        if around.size:
            form = around[-1]
            inside = [other for other in fields if opens[form] < other < closes[form]]
            block = np.searchsorted(page.blocks.first_gaps, tag)
            is_near = near is None or np.abs(kept.nonzero()[0] - block).min() <= near
            if len(inside) <= _LOGIN_FIELDS and is_near:
                return True
    return False


def _fields(page: SegmentedPage) -> dict[int, bytes]:
    """The fields to fill in: the type of each, by its tag."""
    tags = page.markup.tags
    found = {}
    keys = tags.keys
    is_field = (keys == _INPUT) | (keys == _SELECT) | (keys == _TEXTAREA)
    for tag in np.flatnonzero(is_field & ~tags.ends)[:_MAX_FIELDS].tolist():
        given = attributes(page.markup.html, tags.starts[tag], tags.stops[tag])
        kind = given.get(b"type", b"").lower() if keys[tag] == _INPUT else b""
        if kind not in _NOT_FILLED_IN:
            found[tag] = kind
    return found


def _is_refreshed(page: SegmentedPage) -> bool:
    """Whether a `meta` loads the page again, or another."""
    tags = page.markup.tags
    for tag in np.flatnonzero(tags.keys == _META).tolist():
        given = attributes(page.markup.html, tags.starts[tag], tags.stops[tag])
        if given.get(b"http-equiv", b"").lower() == b"refresh":
            return True
    return False


def _is_waiting(page: SegmentedPage, kept: Flags) -> bool:
    """Whether all that was chosen stands in for a page that a script brings: "Loading...", in any language.

    Names around it say so, or it is one text that ends with an ellipsis, with hardly any other besides links.
    """
    blocks = kept.nonzero()[0]
    if any(_WAITING.search(tag) for tag in _tags_around(page, kept)):
        return True
    if blocks.size > 1 or b"<script" not in page.source.original:
        return False
    others = int(np.asarray(page.blocks.plain).sum()) - int(page.blocks.plain[blocks[0]])
    return others <= _STAND_IN and page.blocks.read(int(blocks[0])).endswith(("...", "…"))


def _tags_around(page: SegmentedPage, kept: Flags) -> list[bytes]:
    """The start tags of the elements that hold all that was chosen, with names as authors write them."""
    elements, tags = page.elements, page.markup.tags
    first, last = kept.nonzero()[0][[0, -1]].tolist()
    found, element = [], int(elements.nearest[first])
    while element:
        if elements.last[element] > last:
            start, stop = tags.starts[elements.opens[element]], tags.stops[elements.opens[element]]
            found.append(page.markup.html[start : min(stop, start + _MAX_TAG_BYTES)])
        element = int(elements.parents[element])
    return found
