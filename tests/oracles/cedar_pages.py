"""How `cedar` reads a page, in plain loops: gaps, blocks, elements, and what is said of them."""

from __future__ import annotations

import html as html_standard
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from cedar.transforms.extractors.segments import _blocks
from cedar.transforms.extractors.segments.names import CLOSES, ELEMENTS, GROUPS, RULES, STOPS
from tests.oracles import markup
from tests.oracles.attributes import attributes
from tests.oracles.hidden import hides

UNSEEN = (
    "title textarea iframe noembed noframes template svg annotation select datalist object canvas video audio"
)
EMPTY = "area base col embed hr img input link meta param source track wbr"
CODES = {name[:8]: code for code, name in enumerate(ELEMENTS)}
INSIDE = 256
"""Tags inside of a hidden inline element, at most."""

SEARCH = 24
"""Open elements that an end tag looks at."""

HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
"""The end tag of each ends any other."""

BREAK, INLINE = "\x1c", "\x1d"
HARD = {"\n": "\x01", " ": "\x02", "\t": "\x03"}
LETTER, UPPER, DIGIT, STOP, COMMA, COLON, RULE, SIGN, UNSPACED, IDEOGRAPH = range(1, 11)


@dataclass
class Block:
    """A block: the text between two tags that part blocks."""

    text: str
    """As the page is packed: with placeholders."""
    first_gap: int
    last_gap: int
    linked: int
    """Code points inside of links, blanks not counted."""

    def count_of(self, kind: int) -> int:
        """Characters of a kind."""
        return self.kinds[kind]

    @cached_property
    def kinds(self) -> Counter[int]:
        return Counter(map(kind_of, self.text))

    @cached_property
    def solid(self) -> str:
        return "".join(c for c in self.text if c > " ")

    @cached_property
    def chars(self) -> int:
        return len(self.solid)

    @cached_property
    def words(self) -> int:
        """Tenths of words: runs of letters and digits, and characters of scripts that part no words."""
        runs = 0
        inside = False
        for character in self.text:
            now = kind_of(character) in (LETTER, UPPER, DIGIT)
            runs += now and not inside
            inside = now
        return 10 * runs + 6 * self.count_of(IDEOGRAPH) + 2 * self.count_of(UNSPACED)

    @cached_property
    def plain(self) -> int:
        """Tenths of words outside of links."""
        return self.words - self.words * self.linked // max(self.chars, 1)

    @cached_property
    def long(self) -> int:
        """Those in running text."""
        return self.plain if self.words >= 150 and 2 * self.plain > self.words else 0

    @property
    def shown(self) -> str:
        """As it reads in the output."""
        plain = self.text.replace(INLINE, "")
        if not any(hard in plain for hard in HARD.values()):
            return " ".join(filter(None, plain.split(" ")))
        for blank, hard in HARD.items():
            plain = plain.replace(hard, blank)
        return "\n".join(filter(None, (line.rstrip(" \t") for line in plain.split("\n"))))


_CODE_POINTS = _blocks.kinds_of_code_points()


def kind_of(character: str) -> int:
    """The kind of a character."""
    code = ord(character)
    if code < 0x10000:
        return int(_CODE_POINTS[code])
    return IDEOGRAPH if 0x20000 <= code < 0x40000 else 0


BREAK_HINTS = "\u00ad\u200b\u2060\ufeff"
"""Characters that say where a word may break; they stay in code alone."""


def decoded(reference: re.Match[str]) -> str:
    """What a reference stands for: one space for a blank, nothing for a control character."""
    character = html_standard.unescape(re.sub("&#0*([0-9]{9})[0-9]*", r"&#\1", reference[0]))
    spaced = "".join(" " if c.isspace() else c for c in character)
    return "".join(c for c in spaced if unicodedata.category(c) != "Cc")


def cleaned(text: str, *, preformatted: bool, in_code: bool) -> str:
    """The text of a gap: control characters go, blanks become spaces, references are decoded."""
    if preformatted:
        text = re.sub("\xa0|&nbsp;|&#160;", " ", text)
    kept = "".join(c for c in text if c.isspace() or unicodedata.category(c) != "Cc")
    blanks = HARD if preformatted else {}
    spaced = "".join(blanks.get(c, " ") if c.isspace() else c for c in kept)
    references = re.sub(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[0-9A-Za-z]{1,32});?", decoded, spaced)
    if not in_code:
        references = "".join(c for c in references if c not in BREAK_HINTS)
    return re.sub("  +", " ", references)


@dataclass
class Element:
    """A block-level element; the first of a page is the page itself."""

    name: str
    parent: Element | None
    opens: int
    closes: int
    groups: set[str] = field(default_factory=set)
    signature: tuple[str | bytes, ...] = ()
    """Equal for elements of one name and one class, short ones with what follows on the page."""
    hidden: bool = False
    first: int = 0
    last: int = 0


@dataclass
class Page:
    """A page, read plainly."""

    tags: list[markup.Tag]
    html: bytes
    title: str | None
    names: list[str]
    shown: list[bool]
    blocks: list[Block]
    elements: list[Element]
    nearest: list[Element]


def read(html: bytes) -> Page:
    """Read a page of valid UTF-8."""
    page = markup.read(html)
    names = [tag.name for tag in page.tags]
    ends = [tag.is_end for tag in page.tags]
    attributes_of = [read_tag(page.html[tag.start : tag.stop]) for tag in page.tags]
    hiding = [not end and hides(name, of) for name, end, of in zip(names, ends, attributes_of, strict=True)]
    for tag, is_hidden in signs(page, attributes_of):
        hiding[tag] = is_hidden
    hidden = hidden_gaps(page)
    gutters = [name_of(given, GUTTERS) for given in attributes_of]
    for first, last in hidden_inline(page, hiding, gutters):
        hidden[first + 1 : last + 1] = [True] * (last - first)
    shown = [not (hidden[tag] and hidden[tag + 1]) for tag in range(len(names))]
    blocks = find_blocks(page, hidden, shown, attributes_of)
    elements, inside = find_elements(names, ends, shown)
    for element in elements:
        element.first = sum(block.first_gap <= element.opens for block in blocks)
        element.last = sum(block.first_gap <= element.closes for block in blocks)
    nearest = [inside[block.first_gap] for block in blocks]
    for element in elements[1:]:
        take_attributes(element, attributes_of[element.opens])
        element.hidden = hiding[element.opens]
    from tests.oracles.heading_ids import forget_heading_ids  # which is made of what is here

    forget_heading_ids(elements, nearest, blocks, attributes_of)
    return Page(page.tags, page.html, page.title, names, shown, blocks, elements, nearest)


def hidden_gaps(page: markup.Markup) -> list[bool]:
    """Mark the gaps between a start tag and an end tag of a name that is not shown, one after the other."""
    tags = page.tags
    hidden = [False] * (len(tags) + 1)
    sources = [page.html[tag.start : tag.stop].lower() for tag in tags]
    shown = set()  # annotations in TeX, and those of no formula
    formula = None
    for number, tag in enumerate(tags):
        if tag.name == "math":
            formula = None if tag.is_end else number
        elif tag.name == "annotati" and not tag.is_end and formula is None:
            shown.add(number)
        elif tag.name == "annotati" and not tag.is_end and b"tex" in sources[number]:
            shown.add(number)
            hidden[formula + 1 : number + 1] = [True] * (number - formula)
    for name in {name[:8] for name in UNSEEN.split()}:
        own = [tag for tag, other in enumerate(tags) if other.name == name]
        for first, second in pairwise(own):
            if tags[first].is_end or not tags[second].is_end:
                continue
            if (name == "template" and b"shadowrootmode" in sources[first]) or first in shown:
                continue
            for gap in range(first + 1, second + 1):
                hidden[gap] = True
    return hidden


MARKS = ["¶", "&para;", "&#182;", "&#xb6;", "🔗"]
MARKS_OF_HEADINGS = [*MARKS, "", "#", "§", "&sect;", "&#167;"]


HIDDEN_SIGNS = ["mw-editsection", "MJX_Assistive_MathML"]
GUTTERS = [
    *("gutter", "lineno", "linenos", "line-numbers", "linenumber", "ln", "lnt"),
    *("rouge-gutter", "hljs-ln-numbers", "blob-num"),
]


def name_of(given: dict[str, str], signs: list[str]) -> bool:
    """Whether the first name of `class` is one of `signs`, by eight letters."""
    name = re.split("[\\x00- ]", given.get("class", ""))[0]
    return name[:8].lower() in {sign[:8].lower() for sign in signs}


def signs(page: markup.Markup, attributes_of: list[dict[str, str]]) -> Iterator[tuple[int, bool]]:
    """The start tags of inline signs, and of links that show a mark of their place; whether it is hidden."""
    in_heading = False
    for number, (tag, given) in enumerate(zip(page.tags, attributes_of, strict=True)):
        if re.fullmatch("h[1-6]", tag.name):
            in_heading = not tag.is_end
        if tag.is_end:
            continue
        if (
            tag.name == "a"
            and "href" in given
            and [t.name for t in page.tags[number + 1 : number + 2]] == ["a"]
        ):
            text = page.html[tag.stop : page.tags[number + 1].start]
            shown = text.decode().replace("\u200b", "").strip("\t\n\v\f\r ")
            is_mark = shown in (MARKS_OF_HEADINGS if in_heading else MARKS)
            if is_mark and len(text) <= 16 and b"#" in page.html[tag.start : tag.stop]:
                yield number, True
        elif tag.name not in CODES:
            is_drawn = name_of(given, ["katex-html"])
            before = page.tags[number - 2] if number > 1 else tag
            if name_of(given, ["mwe-math-mathml"]):
                yield number, False
            elif name_of(given, HIDDEN_SIGNS) or (is_drawn and before.name == "math" and before.is_end):
                yield number, True


def hidden_inline(page: markup.Markup, hiding: list[bool], gutters: list[bool]) -> Iterator[tuple[int, int]]:
    """The start and end tags of hidden elements outside of the tree, and of line numbers."""
    names, ends = [tag.name for tag in page.tags], [tag.is_end for tag in page.tags]
    seen = checked = 0
    in_pre = False
    for first, name in enumerate(names):
        if name in ("pre", "listing", "xmp"):
            in_pre = not ends[first]
        is_inline = (hiding[first] and name not in CODES) or (in_pre and is_control(page, first))
        is_gutter = gutters[first] and first >= checked
        if not (is_inline or is_gutter) or name in EMPTY.split() or first < seen or ends[first]:
            continue
        depth = 1
        for last in range(first + 1, min(first + 1 + INSIDE, len(names))):
            depth += (names[last] == name) * (-1 if ends[last] else 1)
            if not depth:
                checked = checked if is_inline else last
                gaps = [page.html[a.stop : b.start] for a, b in pairwise(page.tags[first : last + 1])]
                if is_inline or not re.search(rb"[A-Za-z\x80-\xff]", b" ".join(gaps)):
                    seen = last
                    yield first, last
                break


def is_control(page: markup.Markup, number: int) -> bool:
    """Whether a tag is a button, or a link that leads nowhere."""
    tag = page.tags[number]
    source = page.html[tag.start : tag.stop]
    leads_nowhere = re.search(rb"(?i)href\s*=\s*['\"]?(?:#['\"\s>]|javascript:)", source)
    return tag.name == "button" or (tag.name == "a" and leads_nowhere is not None)


def is_of_word(char: str) -> bool:
    """Whether a character is a digit or a letter of ASCII, or has two bytes from U+00C0 on."""
    return (char.isascii() and char.isalnum()) or "\xc0" <= char < "\u0800"


def find_blocks(
    page: markup.Markup, hidden: list[bool], shown: list[bool], attributes_of: list[dict[str, str]]
) -> list[Block]:
    """The text between tags that are shown and part blocks."""
    html, tags = page.html, page.tags
    blocks = []
    in_link = in_pre = False
    in_code = 0
    passed, by_time = "", False  # tags since the last text; whether a `time` is one
    current = Block("", 0, 0, 0)
    for gap in range(len(tags) + 1):
        if gap:
            tag = tags[gap - 1]
            if tag.name == "a" and shown[gap - 1]:
                in_link = not tag.is_end and "href" in attributes_of[gap - 1]
            elif tag.name in ("pre", "listing", "xmp"):
                in_pre = not tag.is_end
            elif tag.name == "time":
                by_time = True
            elif tag.name in ("code", "kbd", "samp", "tt", "var"):
                in_code = max(0, in_code + (-1 if tag.is_end else 1))
            passed += "/" if tag.is_end else "<"
            if shown[gap - 1] and tag.parts_blocks:
                blocks.append(current)
                current = Block("", gap, gap, 0)
            else:
                current.text += INLINE
        if not hidden[gap]:
            begin, end = tags[gap - 1].stop if gap else 0, tags[gap].start if gap < len(tags) else len(html)
            source = html[begin:end].decode()
            text = cleaned(source, preformatted=in_pre, in_code=in_pre or in_code > 0)
            if source:
                piece = re.split("[\\x00- ]", current.text.rstrip(INLINE))[-1]
                before = piece[-1:]
                ends = before.islower() and before < "\u0800" and len(piece[-3:].encode()) >= 3
                ends |= before in set("0123456789.!?")
                begins = source[0].isupper() and source[0] < "\u0800"
                begins &= len(source.encode()) > 1 and (source[0] >= "\x80" or source[1] > " ")
                is_at_time = by_time and before and is_of_word(before) and is_of_word(source[0])
                if "/<" in passed and not in_code and ((ends and begins) or is_at_time):
                    current.text += " "
                passed, by_time = "", False
            current.text += text
            current.linked += in_link * sum(c > " " for c in text)
        current.last_gap = gap
    return [block for block in [*blocks, current] if block.chars]


def find_elements(
    names: list[str], ends: list[bool], shown: list[bool]
) -> tuple[list[Element], list[Element]]:
    """The elements, and the innermost one around each gap."""
    page = Element("", None, -1, len(names))
    elements, stack, inside = [page], [page], [page]

    def rule(code: int, opened: Element) -> int:
        width = len(ELEMENTS) + 1
        return RULES[width * code + (CODES[opened.name[:8]] if opened is not page else len(ELEMENTS))]

    for tag, (name, end) in enumerate(zip(names, ends, strict=True)):
        code = CODES.get(name)
        if code is not None and shown[tag]:
            if end:
                looked_at = list(enumerate(stack))[1:][-SEARCH:][::-1]
                for depth, opened in looked_at:
                    if opened.name == ELEMENTS[code] or {opened.name, ELEMENTS[code]} <= HEADINGS:
                        for closed in stack[depth:]:
                            closed.closes = tag
                        del stack[depth:]
                        break
                    if rule(code, opened) & STOPS:
                        break
            else:
                while rule(code, stack[-1]) & CLOSES:
                    stack.pop().closes = tag
                element = Element(ELEMENTS[code], stack[-1], tag, len(names), signature=(ELEMENTS[code],))
                elements.append(element)
                stack.append(element)
        inside.append(stack[-1])
    return elements, inside


LETTERS = 8
"""By how many of their first letters words are told apart."""

_GROUP_WORDS = {name: {word[:LETTERS] for word in words.split()} for name, words in GROUPS.items()}


def read_tag(tag: bytes) -> dict[str, str]:
    """The attributes of a start tag that is not too short for any that is looked at."""
    found = attributes(tag) if len(tag) >= len("<p id=x>") else {}
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in found.items()}


def take_attributes(element: Element, attributes: dict[str, str]) -> None:
    """Take words of values, and the class."""
    for name in ("class", "id", "role", "itemprop"):
        element.groups |= groups_of_words(cut_words(attributes.get(name, "")))
    if attributes.get("class"):
        element.signature = (element.name, attributes["class"])


def groups_of_words(words: list[str]) -> set[str]:
    """The groups of words, as `cut_words` gives them."""
    return {name for name, of_group in _GROUP_WORDS.items() if not of_group.isdisjoint(words)}


def cut_words(text: str) -> list[str]:
    """Words of ASCII letters, before capitals after small letters cut; their first letters in lower case."""
    apart = re.sub("(?<=[a-z])(?=[A-Z])", " ", text)
    return [word[:LETTERS].lower() for word in re.findall("[A-Za-z]+", apart)]
