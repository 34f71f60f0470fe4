"""Read the names in a byline: after a word like `by`, before a role, a place or a date."""

import re

from cedar.transforms.metadata._texts import FirstWords
from cedar.transforms.metadata.dates import MONTHS

_MAX_CHARS = 80
_MAX_LINE = 160
"""Characters of a line that are searched for names."""
_NAME_WORDS = 5
MAX_NAMES = 12
_MAX_PIECES = 8
EDGES = " ,.-–—:：•·*\"'()/／=|"

_BY_WORDS = (
    "by von par por di door av af da от автор autor przez від oleh yazan yazar penulis โดย بقلم מאת"
    " author authors auteur auteurs autore autori autoren autora autorin szerző írta kirjoittaja tekst"
    " συντάκτης نویسنده 作者 文 著者 記者 记者"
)
_LABELS_OF_NAMES = (
    "autorin/autor text texte texto testo teksti words interview haber muhabir"
    " 著 筆者 執筆 撰文 取材・文 كتب كتبت"
)
"""Words that stand for `by` only before a colon, or alone."""

_KINDS_OF_TEXTS = (
    "post article story essay opinion analysis column commentary comment perspective review interview"
    " feature words text report blog beitrag gastbeitrag artikel kolumne kommentar analyse reportage"
    " bericht rezension kritik glosse chronique tribune billet columna opinión análisis reportaje entrevista"
    " artículo articolo recipe rezept recette receta ricetta"
)
_WRITTEN = (
    "written authored posted published reported submitted eingestellt geschrieben verfasst veröffentlicht"
    " escrito publicado écrit rédigé publié scritto pubblicato geschreven geplaatst skrevet skriven"
    " opublikowane ditulis started asked created uploaded erstellt"
)
_ARTICLES = "a an ein eine un une guest"


def _any_of(words: str) -> str:
    return f"(?:{words.replace(' ', '|')})"


_BY = re.compile(
    r"(?:(?:(?:view|see) )?all posts |(?:zeige )?alle beiträge |voir tous les articles "
    rf"|ver todas las entradas |a cura |(?:co-?)?authored "
    rf"|(?:{_any_of(_ARTICLES)} ){{0,2}}(?:{_any_of(_KINDS_OF_TEXTS)} )?"
    rf"(?:{_any_of(_WRITTEN)} )?)?"
    rf"(?:(?:autor článku|tác giả|{_any_of(_BY_WORDS)})"
    r"(?: ?[:：／/]\s*|\s+|$)"
    rf"|(?:{_any_of(_LABELS_OF_NAMES)}|文)(?: ?[:：／/・]\s*|$)"
    r"|(?:記者|记者)(?=[\u4e00-\u9fff]{2,4}(?:\W|$)))",
    re.IGNORECASE,
)
_FIRST_WORDS = (
    f"{_BY_WORDS} {_LABELS_OF_NAMES} {_ARTICLES} {_KINDS_OF_TEXTS} {_WRITTEN} 文・ tác co-written co-authored"
).split()
BEGINS_BYLINE = FirstWords(
    frozenset(form.encode() for word in _FIRST_WORDS for form in (word, word.capitalize(), word.upper()))
)

WORDS_BEFORE_NAMES = frozenset(" ".join(_FIRST_WORDS).lower().split()) | {
    "all",
    "alle",
    "posts",
    "todas",
    "las",
    "voir",
}
"""The first words, in lower case, of anything that `without_by` removes from a name."""

_BETWEEN_NAMES = re.compile(r"[,;|&·•/]|,? ?(?:and|und|et|y|e|og|och|en|ve|и|i)", re.IGNORECASE)
_ENDS_LABEL = (":", "：")
_ENDS_BETWEEN = (",", "&", " and", " und", " et", " y")
_REST = re.compile(
    r"\s*(?:[/／|•·=]|\s[-–—]\s|(?:\s(?:on|am|le|el|il|op|den|em))?,?\s*\d"
    r"|,?\s(?:in|for|updated|published|posted|für|pour|per|para|publié|publicado|veröffentlicht"
    r"|photos?|pictures|illustrations?|fotos?|bilder|edited)[\s:]|\s(?:报道|報導|報道|摄影|攝影|撰)"
    r"|\s?(?:기자|특파원)(?:\s|$)"
    r"|(?:[,;]?\s\(?|[,;(])(?:(?:translated|translation|adapted|illustrated|photographed|narrated|reviewed|produced"
    r"|compiled|übersetzt|übersetzung|traduit|traduction|traducido|traducción|tradotto|traduzione|vertaald)(?:\s|:)"
    r"|(?:with|mit|avec|con)\s(?:[a-z]+\s){0,2}?(?:reporting|contributions?|files|help|research|assistance|photos)\b"
    r"|additional reporting\b)).*",
    re.DOTALL | re.IGNORECASE,
)
"""The rest of a byline after a name: a desk, a date, a place, other people who took part."""

_PARTICLES = (
    "de del della der den des di da do dos das du la le van von zu zur zum ten ter bin bint al el ibn y e of"
)
_SMALL_WORDS = frozenset(_PARTICLES.split())
_WORDS_OF_LABELS = (
    "posted on by in at published updated share tweet twitter facebook email e-mail print follow comment"
    " comments view profile more about read save subscribe date time author authors contributors the all"
    " posts from photo photos image images source mins min ago website url contact us news home menu skip"
    " content inhalt"
)
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag"
    " samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves"
)
LABELS = frozenset(f"{_WORDS_OF_LABELS} {_WEEKDAYS} {_WRITTEN}".split())
_EASTERN = re.compile(r"[\u3040-\u9fff가-힣]{2,8}")
_EASTERN_LABEL = re.compile(
    "相关|文章|推荐|热门|新闻|发布|发表|来源|时间|日期|编辑|阅读|评论|作者|首页|位置|分享|浏览|点击|公開|更新|記事|写真|댓글"
)

_USER = re.compile(r"[a-z][a-z_.-]{1,20}[0-9][a-z0-9_.-]{0,20}")
"""Names of users with digits, which are no dates."""

OF_WORK = re.compile(
    r"[^:]{0,40}\b(?:reviews?|rezension|kritik|critique|reseña|recensione|book|film|buch|livre|libro)\b"
    r"[^:]{0,20}:",
    re.IGNORECASE,
)
"""Begins the line of a review, with the author and the year of another work."""

_APART = re.compile(r" ?(?:;|\||、|•|·) ?")
_AND = re.compile(r",? (?:and|und|et|y|e|og|och|en|ve|и|i|&) |, ?")


def without_by(text: str) -> str:
    """Remove a word like `by` from the start of a name."""
    found = _BY.match(text)
    return text[found.end() if found else 0 :].strip()


def without_rest(text: str) -> str:
    """Remove the desk, the place and other people that took part from the end of a byline."""
    return _REST.sub("", text).strip(EDGES)


def begins_without_by(text: str) -> bool:
    """Tell whether a text has no word like `by` at its start."""
    return _BY.match(text) is None


def whole(text: str, min_words: int = 1) -> list[str]:
    """Return a short text as the only name if it has `min_words` or more, and no label or date."""
    words = without_by(text).split()
    is_name = len(text) <= _MAX_CHARS and min_words <= len(words) <= _NAME_WORDS
    is_name = is_name and ":" not in text and not _has_label(words)
    return [text] if is_name else []


def names_in(pieces: list[str], *, is_said: bool = True, has_one: bool = False) -> list[str]:
    """Find the names at the start of a byline; a tag may stand between two names.

    `is_said`: whether a class or the like says that it is a byline, so that it needs no word like `by`.
    `has_one`: whether a name may be one word.
    """
    names: list[str] = []
    is_by, is_between = is_said, True
    for piece in pieces[:_MAX_PIECES]:
        named = without_by(piece)
        if not named:
            is_by, has_one = True, has_one or is_said
        elif _BETWEEN_NAMES.fullmatch(piece.strip()):
            is_between = True
        elif not is_between or piece.endswith(_ENDS_LABEL):
            break
        else:
            text = ""
            if is_by or named != piece.strip():
                text = named if _USER.fullmatch(named) else without_rest(named[:_MAX_LINE])
            if text and may_name(text, has_one=has_one or _is_of_east(text)):
                names.append(text)
                is_between = piece.rstrip().endswith(_ENDS_BETWEEN)
                is_by = True
            elif names or len(piece) > _MAX_CHARS or ": " in text:
                break
    return names


def _is_of_east(text: str) -> bool:
    """Tell whether a text is two to eight signs of China, Japan or Korea, where names have no blanks."""
    return _EASTERN.fullmatch(text) is not None and not _EASTERN_LABEL.search(text)


def _has_label(words: list[str]) -> bool:
    """Tell whether one of some words stands in labels, dates and menus, and in no name.

    Jane, Marco and Julio are also months, or begin the names of months: a month has a number beside it.
    """
    bare = [word.strip(EDGES).casefold() for word in words]
    if not LABELS.isdisjoint(bare):
        return True
    may_be_date = len(words) == 1 or any(word[:1].isdigit() for word in words)
    return may_be_date and any(word in MONTHS for word in bare)


def may_name(text: str, *, has_one: bool = False) -> bool:
    """Tell whether a text may be names of people: two words or more with capitals each; `has_one`: or one."""
    parts = parts_of(text)
    if not text or len(parts) > MAX_NAMES:
        return False
    for part in parts:
        words = part.split()
        if not (1 < len(words) <= _NAME_WORDS or (words and has_one)):
            return False
        if ":" in part or _has_label(words):
            return False
        if len(words) > 1 and not all(word in _SMALL_WORDS or not word[0].islower() for word in words):
            return False
    return True


def parts_of(text: str) -> list[str]:
    """Split a text into names, at words like `and` and at commas if each name has a first and a last name."""
    parts = []
    for part in _APART.split(text[:600]):
        first = part.partition(",")[0]
        for names in (part, first):
            pieces = [piece.strip() for piece in _AND.split(names)]
            if all(1 < len(piece.split()) < 5 for piece in pieces):
                parts += pieces
                break
        else:
            parts.append(part)
    return parts
