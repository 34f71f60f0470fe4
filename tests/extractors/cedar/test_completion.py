"""What is chosen for its most part stays whole; what only stands beside it does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.cedar._completion import complete
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.extractors.cedar.fragments import PAGES
from tests.helpers.shapes import assert_time_is_linear, cpu_seconds, repeated
from tests.oracles import cedar_completion, cedar_pages

LINE = "Ten words of text stand in a line like this."
LIKELY, UNLIKELY = 0, -20_000

DATA = [
    "<tr><td>a<td>b",
    "<tr><td>a<td>b",
    "<tr><th>a<td><p>b<p>c",
    "<tr><td>a",
    f"<tr><td>{LINE}<td>b<p>c<p>d",
]
ITEMS = ["<li>x", "<li>y", "<li><a href=/x>w</a>", f"<li>{LINE}", "<li>x<p>y", "<li>", "<ol><li>x<li>y</ol>"]
LINES = ["x<br>", "<div>y</div>", LINE]
PLAIN = ["x<p>y z", "<a href=/x>w</a>", f"<p>{LINE}", f"<p>{LINE}", f"<h1>x</h1>{LINE}", "<div>x</div>"]
PARTS = {
    "<table>{}</table>": DATA,
    "<ul>{}</ul>": ITEMS,
    "<div><pre>{}</pre></div>": LINES,
    f"<div><p>{LINE}<p>{LINE}<dl>{{}}</dl></div>": ["<dt>x<dd>y", f"<dt>x<dd>{LINE}", "<dd><a href=/x>w</a>"],
    f"<div><p>{LINE}{{}}</div>": ["<pre>x</pre>", "<p><code>x</code>", "<div><p><code>x</code> y", LINE],
    "<dl>{}</dl>": ["<dt>x", "<dt>y<dd>z", f"<dt>x<dd>{LINE}", "<dt><a href=/x>w</a><dd>y"],
    "<section>{}</section>": [
        f"<div class=card><h3><a href=/x>x</a></h3><p>{LINE}</div>",
        f"<div class=card><h3>y</h3><p>{LINE}<p>z</div>",
        f"<div><p class=alert-title>x<p>{LINE}</div>",
        f"<h2>x</h2><div><h3><a href=/x>y</a></h3><p>z</div><p>{LINE}",
    ],
    "<h2>x</h2>{}": PLAIN,
    "<div><div><h3>x</h3></div>{}</div>": PLAIN,
    "<div><div>{}</div></div>": [
        "<div>x y</div>",
        "<div><a href=/x>x</a><p>y z</div>",
        "<div class=a>x</div>",
        "<p>x",
        LINE,
    ],
    "{}": PLAIN,
    "<p>{}": [
        "<div>",
        "</div>",
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "<ul>",
        "</ul>",
        "<li>",
        "<pre>",
        "</pre>",
    ],
}


def structured(chance: np.random.Generator) -> str:
    """A page of some parts."""
    forms = chance.choice(list(PARTS), int(chance.integers(2, 9)))
    return "".join(
        form.format("".join(chance.choice(PARTS[form], int(chance.integers(1, 6))))) for form in forms
    )


def check(page: str, chance: np.random.Generator) -> bool:
    """Holds what completes a choice of a page against plain loops; returns whether anything did."""
    html = page.encode()
    found, plain = SegmentedPage(html), cedar_pages.read(html)
    chosen = chance.random(len(plain.blocks)) < chance.choice([0.5, 0.7, 0.9])
    scores = chance.choice([-20_001, -20_000, -19_999, -17_500, -10_000, 0], chosen.size)
    one_text = bool(chance.random() < 0.7)
    completed = complete(found, scores, chosen, one_text=one_text)
    assert completed.tolist() == cedar_completion.complete(
        plain, scores.tolist(), chosen.tolist(), one_text=one_text
    )
    return bool((completed != chosen).any())


def kept(page: str, *chosen: str, score: int = LIKELY, one_text: bool = True) -> list[str]:
    """The blocks that stay where those that hold some text are chosen, `*` for all of them."""
    read = SegmentedPage(f"<html><body><main>{page}</main></body></html>".encode())
    texts = [read.blocks.read(block) for block in range(read.blocks.count)]
    marks = np.array([any(mark in text or mark == "*" for mark in chosen) for text in texts])
    found = complete(read, np.full(marks.size, score), marks, one_text=one_text)
    assert not (marks & ~found).any()
    return [text for text, stays in zip(texts, found.tolist(), strict=True) if stays]


@given(page=PAGES, seed=st.integers(0, 1 << 30))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_choices_of_any_page_are_completed_as_plain_loops_complete_them(page: str, seed: int) -> None:
    check(page, np.random.default_rng(seed))


def test_choices_of_structured_pages_are_completed_as_plain_loops_complete_them() -> None:
    chance = np.random.default_rng(0)
    completed = sum(check(structured(chance), chance) for _ in range(300))
    assert completed > 100


def test_a_table_of_data_half_of_which_was_chosen_stays_whole() -> None:
    table = "<table><tr><th>Country of birth<th>Year of birth<tr><td>Peru<td>1</table>"
    assert kept(table, "birth") == ["Country of birth", "Year of birth", "Peru", "1"]
    assert kept(table, "Peru") == ["Peru"]


def test_a_table_of_layout_does_not_stay_whole() -> None:
    row = f"<tr><td>{LINE}<p>{LINE}<p>{LINE}<td>aside"
    assert kept(f"<table>{row * 2}</table>", "Ten") == [LINE] * 6
    nested = f"<table><tr><td>{LINE}<td>aside<tr><td>{LINE}<td><table><tr><td>x</table></table>"
    assert kept(nested, "Ten") == [LINE] * 2
    column = f"<table><tr><td>{LINE}<tr><td>aside</table>"
    assert kept(column, "Ten") == [LINE]


@pytest.mark.parametrize(
    "part", ["<table><tr><td>1<td>2<tr><td>3<td>4</table>", "<pre>1<br>2<br>3<br>4</pre>"]
)
def test_tables_and_code_amid_the_text_stay(part: str) -> None:
    figure = f"<div><figure><div>{part}</div></figure></div>"
    assert kept(f"<p>{LINE}{figure}<p>{LINE}", "Ten") == [LINE, *"1234", LINE]
    assert kept(f"<p>{LINE}<h2>Table</h2>{figure}<h2>Below</h2><p>{LINE}", "Ten")[1:5] == [*"1234"]
    # Code stays wherever it stands in the text, a table does not.
    assert kept(f"{figure}<p>{LINE}", "Ten") == ([LINE] if "table" in part else [*"1234", LINE])
    # What stands far from it is not the text that it belongs to.
    assert kept(f"<p>{LINE}<div><div><div>{figure}</div></div></div><p>{LINE}", "Ten") == [LINE, LINE]


@pytest.mark.parametrize(
    "part", ["<table><tr><td>1<td>2<tr><td>3<td>4</table>", "<pre>1<br>2<br>3<br>4</pre>"]
)
def test_tables_and_code_after_the_text_of_their_section_stay(part: str) -> None:
    assert kept(f"<p>{LINE}<p>{part}</p>", "Ten") == [LINE, *"1234"]
    assert kept(f"<p>{LINE}<div>{part}</div><p>aside", "Ten") == [LINE, *"1234"]
    few, many = f"<p>aside aside<p>{LINE}", f"<p>aside {LINE * 2}<p>{LINE}"
    assert kept(f"{few}<p>{part}</p>", "Ten words of text stand in a line like this.")[1:] == [*"1234"]
    assert kept(f"{many}<p>{part}</p>", "Ten") != [LINE]
    # What is next to the text of a page without sections, or full of links, may be anything.
    page = SegmentedPage(f"<body><p>{LINE}<p>{part}</body>".encode())
    marks = np.arange(page.blocks.count) == 0
    assert complete(page, np.zeros(marks.size, np.int64), marks, one_text=True).tolist() == marks.tolist()
    links = part.replace("1", "<a href=/x>1</a>").replace("4", "<a href=/y>4</a>")
    # Of tables, as they list documents, three quarters may be linked.
    assert kept(f"<p>{LINE}<p>{links}</p>", "Ten") == ([LINE, *"1234"] if "table" in part else [LINE])
    links = links.replace("2", "<a href=/z>2</a>").replace("3", "<a href=/z>3</a>")
    assert kept(f"<p>{LINE}<p>{links}</p>", "Ten") == [LINE]


def test_lists_of_items_amid_or_after_the_text_stay() -> None:
    items = "<ul><li>1 egg<li>flour</ul>"
    assert kept(f"<p>{LINE}{items}<p>{LINE}", "Ten") == [LINE, "1 egg", "flour", LINE]
    assert kept(f"<p>{LINE}<h2>What</h2>{items}<h2>How</h2><p>{LINE}", "Ten")[1:3] == ["1 egg", "flour"]
    assert kept(f"<p>{LINE}<div>{items}</div>", "Ten") == [LINE, "1 egg", "flour"]
    assert kept(f"<p>{LINE}{items}<p>aside", "Ten") == [LINE]
    linked = "<ul><li><a href=/x>one more</a><li>flour</ul>"
    assert kept(f"<p>{LINE}{linked}<p>{LINE}", "Ten") == [LINE, LINE]


def test_lists_stay_whole_but_for_their_links() -> None:
    items = f"<ul><li>{LINE}<li>{LINE}<li>one more<li><a href=/x>read on</a></ul>"
    assert kept(items, "Ten") == [LINE, LINE, "one more"]
    assert kept(items, "one more") == ["one more"]
    posts = f"<ul><li><b>Ann</b><p>{LINE}<li><b>Bob</b><p>{LINE}</ul>"
    assert kept(posts, "Ten") == [LINE, LINE]


ITEMS_OF_TWO = "".join(
    f"<div><span>{count} g</span><p>{what}</div>" for count, what in enumerate(["rye", "oil", "egg"])
)


def test_series_of_a_few_words_stay_between_parts_of_the_text() -> None:
    series = f"<div>{ITEMS_OF_TWO}</div>"
    found = ["0 g", "rye", "1 g", "oil", "2 g", "egg"]
    labels = "<p>serves four<div>print</div>"
    assert kept(f"<p>{LINE * 2}{labels}{series}<p>aside<p>{LINE}", "Ten") == [LINE * 2, *found, LINE]
    assert kept(f"<p>{LINE * 2}{labels}{series}<p>aside<p>{LINE}", "Ten", one_text=False) == [LINE * 2, LINE]
    assert kept(f"<p>{LINE * 2}{labels * 11}{series}<p>{LINE}", "Ten") == [LINE * 2, LINE]
    assert kept(f"<p>{LINE * 2}{labels}{series}<p>aside", "Ten") == [LINE * 2]
    assert kept(f"<h1>Bread</h1>{labels}{series}<p>aside<p>{LINE * 2}", "Ten") == [*found, LINE * 2]
    assert kept(f"<p>{LINE * 2}{labels}{series}<p>aside<p>{LINE}", "Ten", score=UNLIKELY - 1) == [
        LINE * 2,
        LINE,
    ]
    linked = series.replace("oil", "<a href=/oil>a page of oils</a>").replace("1 g", "")
    assert kept(f"<p>{LINE * 2}{labels}{linked}<p>aside<p>{LINE}", "Ten") == [LINE * 2, LINE]


def test_a_series_half_of_which_was_chosen_stays_whole_but_for_its_links() -> None:
    series = f"<div>{ITEMS_OF_TWO}</div>".replace("0 g", "<a href=/>0 g</a>")
    assert kept(series, "rye", "1 g", "2 g") == ["rye", "1 g", "oil", "2 g", "egg"]


def test_a_heading_stays_above_its_section() -> None:
    assert kept(f"<h2>Below</h2><p>{LINE}", "Ten") == ["Below", LINE]
    assert kept(f"<div><div><h2>Below</h2></div><p>{LINE}</div>", "Ten") == ["Below", LINE]
    assert kept(f"<h2>Below</h2><p>{LINE}", "Ten", score=UNLIKELY) == [LINE]
    assert kept(f"<h2><a href=/x>Below</a></h2><p>{LINE}", "Ten") == [LINE]
    assert kept(f"<div><h2>Beside</h2><p>aside</div><p>{LINE}", "Ten") == [LINE]
    assert kept(f"<div><h2>Beside</h2></div><nav><div><p>{LINE}</div></nav>", "Ten") == [LINE]
    assert kept("<h2>Below</h2><p>Six words are not enough here.", "Six") == [
        "Six words are not enough here."
    ]


def test_choices_of_other_pages_are_refused() -> None:
    page = SegmentedPage(b"<p>a<p>b")
    with pytest.raises(ValueError, match="of another page"):
        complete(page, np.zeros(2, np.int64), np.zeros(3, bool), one_text=True)
    with pytest.raises(ValueError, match="of another page"):
        complete(page, np.zeros(1, np.int64), np.zeros(2, bool), one_text=True)


def test_time_is_linear_in_what_is_nested() -> None:
    def seconds(html: bytes) -> float:
        page = SegmentedPage(html)
        chosen, scores = np.arange(page.blocks.count) % 2 == 0, np.zeros(page.blocks.count, np.int64)
        return cpu_seconds(lambda: complete(page, scores, chosen, one_text=True))

    assert_time_is_linear(seconds, repeated("<ul><li>a<table><tr><td>b<h2>c</h2>d", before=""))


LABELS = "<div><span>Shell</span><p>Your page</div>"
CODE = "<pre>rope --coil 9</pre>"


@pytest.mark.parametrize(
    "frame",
    [
        "{labels}{code}<p>{line}",
        "{code}<button>Copy</button><p>{line}",
        "{labels}<div class=tab><div><div>{code}<button>Copy</button></div></div></div>{labels}",
        "<ol><li><p>{line}</p>{labels}<div>{code}</div></ol>",
        "<figure><table><tr><td>{code}</table></figure>{labels}",
    ],
)
@pytest.mark.parametrize("code", [CODE, "<p><code>rope --coil 9</code></p>"])
def test_code_in_its_box_amid_labels_stays_with_the_text(frame: str, code: str) -> None:
    page = f"<p>{LINE}" * 3 + frame.format(labels=LABELS, code=code, line=LINE)
    assert "rope --coil 9" in kept(page, "Ten")
    assert "rope --coil 9" not in kept(f"<div>{page.replace(LINE, 'aside ' * 9)}</div><p>{LINE}", "Ten")


def test_terms_stay_above_what_describes_them() -> None:
    entries = "".join(f"<dt><code>coil_{i}</code>(rope, turns={i})<dd><p>{LINE}" for i in range(3))
    assert [text for text in kept(f"<dl>{entries}</dl>", "Ten") if text != LINE] == [
        f"coil_{i}(rope, turns={i})" for i in range(3)
    ]
    assert kept(f"<dl><dt>coil()<dt>coil(rope)<dd>{LINE}</dl>", "Ten") == ["coil()", "coil(rope)", LINE]
    two = f"<dl><dt><a href=/x>menu</a><dd>{LINE}</dl><dl><dt>tar()<dd>{'aside ' * 9}</dl>"
    assert kept(two, "Ten", one_text=False) == [LINE]


def test_facts_between_the_headline_and_the_text_stay() -> None:
    facts = "<dl><dt>Kind:<dd>Loan<dt>For:<dd>Houses<dt>Who:<dd>Anyone</dl>"
    page = f"<h1>Loans for houses</h1><div>{facts}</div><p>{LINE}<p>{LINE}<p>{LINE}"
    assert kept(page, "Ten", "Loans", score=-10_000)[1:7] == [
        "Kind:",
        "Loan",
        "For:",
        "Houses",
        "Who:",
        "Anyone",
    ]


def test_titles_of_boxes_that_stay_stay() -> None:
    alert = "<div class='alert alert-danger'><p class=alert-title>Danger<p>Nobody stands here.</div>"
    assert kept(f"<p>{LINE}{alert}<p>{LINE}", "Ten", "Nobody")[1] == "Danger"
    assert kept(f"<p>{LINE}{alert}", "Ten") == [LINE]
    cards = "".join(f"<div class=card><h3><a href=/{i}>Card {i}</a></h3><p>{LINE}</div>" for i in range(3))
    assert kept(f"<div>{cards}</div>", "Ten")[::2] == ["Card 0", "Card 1", "Card 2"]


NOTE = "<div class='alert alert-danger'><p>Danger<p>Nobody stands behind a taut rope.</div>"


@pytest.mark.parametrize(
    ("notes", "stay"),
    [
        (NOTE, True),
        ("<div class='admonition tip'><p>Tip<p>Use two.</div>", True),
        (NOTE + "<div class='markdown-alert markdown-alert-note'><p>Note<p>It is wet.</div>", True),
        ("<section class=note><p>Danger</section>", False),
        (NOTE + "<p>aside", False),
        ("<div class='alert alert-info'><p>Danger<form><input name=mail></form></div>", False),
        ("<div class='callout card'><img src=r.png><p>Danger</div>", False),
        ("<div class=admonition><p><a href=/x>Danger of a taut rope</a></div>", False),
    ],
)
def test_notes_between_two_parts_of_the_text_stay(notes: str, *, stay: bool) -> None:
    assert (len(kept(f"<p>{LINE}</p>{notes}<p>{LINE}", "Ten")) > 2) is stay
    assert kept(f"<p>{LINE}</p>{notes}", "Ten") == [LINE]


def test_a_heading_stays_above_its_section_if_a_card_follows_it() -> None:
    card = "<div><h3><a href=/x>Another story</a></h3><p>aside</div>"
    assert kept(f"<h2>Ropes</h2>{card}<p>{LINE}", "Ten") == ["Ropes", LINE]
    assert kept(f"<h2>Ropes</h2><h2>Tar</h2><p>{LINE}", "Ten") == ["Tar", LINE]
    far = "".join(f"<p class=c{i}>aside" for i in range(7))
    assert kept(f"<h2>Ropes</h2>{far}<p>{LINE}", "Ten") == [LINE]


def between(middle: str, *, score: int = -10_000, beside: int = 20_000, one_text: bool = True) -> list[bool]:
    """What stays of three blocks, the first and the last of which were chosen."""
    html = f"<html><body><main><p>{LINE * 2}</p>{middle}<p>{LINE * 2}</p></main></body></html>"
    read = SegmentedPage(html.encode())
    scores, chosen = np.array([beside, score, beside]), np.array([True, False, True])
    found: list[bool] = complete(read, scores, chosen, one_text=one_text).tolist()
    return found


CITATIONS = (
    f"<p><a href=/1>One study</a> found no more. <a href=/2>Another of the two</a> disagrees. {LINE * 2}</p>"
)


def test_a_doubtful_paragraph_right_between_two_sure_ones_stays() -> None:
    assert all(between(CITATIONS))
    assert all(between(f"<p><a href=/1>{LINE * 2}</a></p>", score=9_999))
    left_out = [True, False, True]
    assert between(CITATIONS, score=-10_001) == left_out
    assert between(CITATIONS, beside=19_999) == left_out
    assert between(CITATIONS, one_text=False) == left_out
    assert between(f"<div>{CITATIONS}</div>") == left_out
    assert between("<p><a href=/1>Read more on this here</a></p>") == left_out
    assert between(f"<p>{LINE * 2} {LINE[:-1]}</p>") == left_out
    assert between(f"<div>{LINE * 2}</div>") == left_out
