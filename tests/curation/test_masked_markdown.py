"""What is masked in a text is masked in its Markdown, whatever marks stand in an address."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import numpy as np
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from cedar import MarkdownOptions
from cedar.transforms.curation._personal import EMAIL, IP, PHONE, find_personal
from cedar.transforms.curation.masks import Mask, PageMask
from cedar.transforms.extractors.cedar._writer import write as write_text
from cedar.transforms.extractors.markdown._document import write
from cedar.transforms.extractors.markdown._unmarked import Unmarked
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.helpers.shapes import assert_linear

MASK = Mask(("email", "ip", "phone"))
ALL = EMAIL | IP | PHONE
PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

CASES = {
    "write to john.doe@**example**.org now": r"write to <EMAIL> now",
    "**jane.roe@example.org now** and **j**im.poe@x.org please": r"**<EMAIL> now** and <EMAIL> please",
    "**call j**im.poe@x.org": r"call <EMAIL>",
    "`john`@example.org and `x.y` b": r"<EMAIL> and `x.y` b",
    "call `a_b* jo`hn@x.org": r"call a_b\* <EMAIL>",
    "`mail john@x.org now`": "`mail <EMAIL> now`",
    "[write jo](http://e.org)hn@x.org": r"write <EMAIL>",
    "[write john@x.org](http://e.org)": r"[write <EMAIL>](http://e.org)",
    "[jo see](http://e.org/?m=a@b.org)": "[jo see](http://e.org/?m=<EMAIL>)",
    "jo[hn@x.org see](http://e.org/?m=a@b.org)": r"<EMAIL> see",
    "![mail a@b.org](http://x.org/?m=c%40d.org) q": r"![mail <EMAIL>](http://x.org/?m=<EMAIL>) q",
    "x john.q%**40**example.com y": r"x <EMAIL> y",
    "john.q%4**0**example.com": r"<EMAIL>",
    "[x](http://x.org/?m=john.q&#64;example.com)": r"[x](http://x.org/?m=<EMAIL>)",
    "محمد@**example**.com": r"<EMAIL>",
    "john\uff20example.com": r"<EMAIL>",
    "+49\u200e1711234567": r"<PHONE>",
    r"\+ 49 30 1234567": r"<PHONE>",
    "**Tel.**+49 30 1234567": r"**Tel.**<PHONE>",
    "x `8.8.8.8 jo`hn@x.org": r"x <IP> <EMAIL>",
    "jo![a@b.org](http://e.org/i.png)hn@x.org": r"<EMAIL>",
    "jo![x](http://e.org/i.png)hn@x.org": r"<EMAIL>",
    "8.8.**4**.4 2001:4860:**4860**::8888 +49 **30** 1234567": r"<IP> <IP> <PHONE>",
    "是**john@x.org**是": r"是<EMAIL>是",
    "(**john@x.org**)": r"(**<EMAIL>**)",
    "***a@b.org***, ~~c@d~~.org": r"***<EMAIL>***, <EMAIL>",
    "**a *j*im@x.org b**": r"**a <EMAIL> b**",
    "# a **b j**im@x.org #**z@y.org**": r"# a b <EMAIL> #**<EMAIL>**",
    "- **# jo**hn@x.org": r"- \# <EMAIL>",
    r"# **x #j**im@x.org **#**": r"# x #<EMAIL> **#**",
    "| a | b |\n| --- | --- |\n| jo@**x.org** | `c\\|d@x.org` |":
        "| a | b |\n| --- | --- |\n| <EMAIL> | `c\\|<EMAIL>` |",
    "> ```py\n> john@x.org `*`\n> ```\n> a": "> ```py\n> <EMAIL> `*`\n> ```\n> a",
    "C:\\john@x.org_b\\_c": r"C:\\<EMAIL>\_b\_c",
    "john\\_doe@ex-ample.org": r"<EMAIL>",
    "| a | b |\n| --- | --- |\n| +49 30 *123*4567 | c |": "| a | b |\n| --- | --- |\n| <PHONE> | c |",
    r"+49 30 \*123\*4567": r"<PHONE>",
    r"8\[.\]8\[.\]8\[.\]8 8[.]8[.]8[.]8": r"<IP> <IP>",
    "+٤٩ ٣٠ **١٢٣**٤٥٦٧, ٨.٨.٨.٨": r"<PHONE>, <IP>",
    "a **::ffff:8**.8.8.8, +49 30 1234567 **ext. 8**": r"a <IP>, <PHONE>",
    '"quoted *name*"@example.org h%2540example.org': r"<EMAIL> <EMAIL>",
    "+49 30\\\n1234567": "+49 30\\\n1234567",
    "nobody is here **at all**": "nobody is here **at all**",
    "write to <EMAIL> or a@b.org": r"write to <EMAIL> or <EMAIL>",
}  # fmt: skip


@pytest.mark.parametrize(("markdown", "masked"), CASES.items())
def test_an_address_is_masked_with_the_marks_that_cut_it(markdown: str, masked: str) -> None:
    assert PageMask(MASK).masked_markdown(markdown) == masked


def test_words_are_taken_in_turn_and_counted() -> None:
    mask = PageMask(Mask(("email",), "datatrove"))
    assert mask.masked_markdown("a@**b**.org `c@d.org`") == (
        "email@example.com `firstname.lastname@example.org`"
    )
    assert mask.counts == {"email": 2}


# Pages in which markup cuts addresses.

ADDRESSES = (
    "john.doe@example.org", "o'neil_b@mail.example.co.uk", "jürgen@münchen.de", "root@93.184.216.34",
    "8.8.4.4", "93.184.216.34", "2001:4860:4860::8888", "2606:4700:4700:0:0:0:0:1111",
    "+49 30 1234567", "+1 (555) 123-4567", "+44 20 7946 0958",
)  # fmt: skip
AROUND = (
    "call", "是", "(", ")", "*", "_", "a_b", "|", "`", "#", "# x", "1.", "-", "[", "](b)", "!", "\\", ".",
    ",", "~", "~~", "$", "<i", "&amp", "version", "$x$", "§", "。", ">", "x#", "~x~", "**", "^",
)  # fmt: skip
INLINE = ("b", "em", "del", "code", "span", "sup", "a href=http://e.example/p", "i", "strong", "s", "kbd")
EMPTY = ("<wbr>", "<img src=http://e.example/i.png alt='jo@b.org'>", "<!-- x -->", "<span></span>", "<b></b>")
BLOCKS = (
    "<p>{}</p>", "<h2>{}</h2>", "<ul><li>{}</li><li>{}</li></ul>", "<blockquote><p>{}</p></blockquote>",
    "<table><tr><th>k</th><th>v</th></tr><tr><td>{}</td><td>{}</td></tr></table>", "<pre>{}</pre>",
    "<p>{}<br>{}</p>", "<ol><li>{}</li></ol>", "<pre><code>{}</code></pre>",
)  # fmt: skip


def escaped(text: str, chance: random.Random) -> str:
    """A text as HTML, some of its characters as references."""
    out = []
    for character in text:
        is_reference = character in "<&" or chance.random() < 0.03
        out.append(f"&#{ord(character)};" if is_reference else character)
    return "".join(out)


def cut(text: str, chance: random.Random) -> str:
    """A text in HTML that elements cut, most of which begin or end within it."""
    cuts = sorted(chance.choices(range(len(text) + 1), k=chance.choice((0, 1, 2, 2, 3, 4))))
    pieces = [text[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    out, opened = [], []
    for piece in pieces:
        out.append(escaped(piece, chance))
        if opened and chance.random() < 0.6:
            out.append(f"</{opened.pop().split()[0]}>")
        elif chance.random() < 0.2 and not {"code", "kbd"} & {*opened}:
            out.append(chance.choice(EMPTY))
        else:
            opened.append(chance.choice(INLINE))
            out.append(f"<{opened[-1]}>")
    return "".join(out) + "".join(f"</{name.split()[0]}>" for name in reversed(opened))


def line(chance: random.Random) -> str:
    """Words and addresses, with blanks between them or without."""
    words = [
        chance.choice(ADDRESSES) if chance.random() < 0.4 else chance.choice(AROUND)
        for _ in range(chance.randint(1, 7))
    ]
    return cut("".join(word + chance.choice((" ", " ", " ", "")) for word in words), chance)


def page(seed: int) -> str:
    chance = random.Random(seed)
    blocks = (chance.choice(BLOCKS) for _ in range(chance.randint(1, 4)))
    body = "".join(re.sub(r"\{\}", lambda _: line(chance), block) for block in blocks)
    return f"<html><body><article>{body}</article></body></html>"


def visible(tokens: list[Token]) -> Iterator[str]:
    """The text that a parser shows, blocks apart; the descriptions of images are not shown."""
    for token in tokens:
        if token.type in ("text", "code_inline"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif token.type in ("fence", "code_block"):
            yield token.content
        elif token.children is not None and token.type != "image":
            yield from visible(token.children)
        if token.block:
            yield "\n"


OPTIONS = (
    MarkdownOptions(links="keep", images="keep", formulas="drop"),
    MarkdownOptions(formulas="drop"),
    MarkdownOptions(emphasis="drop", formulas="drop"),
)


def assert_is_masked(seed: int) -> None:
    html = page(seed)
    segmented = SegmentedPage(html.encode())
    kept = np.ones(segmented.blocks.count, bool)
    text = PageMask(MASK).masked(write_text(segmented, kept)[0].decode())
    written = write(segmented, kept, OPTIONS[seed % len(OPTIONS)], None)
    markdown = PageMask(MASK).masked_markdown(written)
    rendered = "".join(visible(PARSER.parse(markdown)))
    # Of addresses that run on into each other, the first one is masked, in the text as well.
    assert find_personal(rendered, ALL) == [] or find_personal(text, ALL), (seed, html, markdown)
    assert "jo@b.org" not in markdown, (seed, html, markdown)
    assert rendered.split() == text.split(), (seed, html, written, markdown)


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_no_markup_keeps_an_address_from_being_masked(start: int) -> None:
    for seed in range(start, start + 100):
        assert_is_masked(seed)


@pytest.mark.slow
def test_no_markup_of_two_thousand_pages_keeps_an_address_from_being_masked() -> None:
    for seed in range(2_000):
        assert_is_masked(seed)


UNITS = (
    "a@b.org ", "**a@b**.org ", "`a`@b.org ", "**a@b.org** ", "[a](b@c.org) ", "*", "`", "[", "](x)", "![a",
    "~~", "*a", "a*", "``a`", "> ", "- ", "| a ", "1. ", "\\",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_hostile_markdown_takes_linear_time(unit: str) -> None:
    assert_linear(
        lambda source: PageMask(MASK).masked_markdown(source.decode()),
        lambda n: (unit * (n // len(unit))).encode(),
        50_000,
    )


def test_the_parts_of_markdown_without_marks_say_where_they_stand() -> None:
    source = b"> 1. **a\\_b** [c](http://d.example) ![e](http://f.example)"
    seen = Unmarked(source)
    assert seen.text == b"a_b c \n\ne\nhttp://d.example\nhttp://f.example"
    assert [source[a:b].decode() for a, b in zip(seen.starts[:3], seen.stops[:3], strict=True)] == [
        "a",
        "\\_",
        "b",
    ]
