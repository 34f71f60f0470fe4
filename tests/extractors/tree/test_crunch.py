"""Crunch: a page whose output is known under each preset, and single filters."""

from __future__ import annotations

import pytest

from cedar import extract
from cedar.transforms.extractors.tree.crunch import (
    CrunchOptions,
    marked,
)
from tests.extractors.tree_samples import read
from tests.helpers.shapes import assert_linear

PAGE = (
    "<body><table><tr><td width=150><a href=1>World</a> <a href=2>Local</a> <a href=3>Weather</a></td>"
    "<td>A long story about <a href=4>the storm</a> that hit the coast on Monday and went on all night, said "
    "the mayor of the town.<table><tr><td><a href=5>Print</a><a href=6>Mail</a></td></tr></table>"
    '<a href=7><img src=x.gif></a><img src=y.gif alt="Map of the coast"></td></tr></table>'
    "<table><tr><td>ok</td></tr></table><form>Search</form><script>x</script></body>"
)
STORY = "that hit the coast on Monday and went on all night, said the mayor of the town."


def text(html: str, **options: object) -> str:
    return " ".join(extract(html, "crunch", **options).text.split())


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("shipped", f"A long story about the storm {STORY} Map of the coast Search"),
        ("code", f"A long story about {STORY} ok"),
        ("news", f"A long story about {STORY}"),
    ],
)
def test_each_preset_leaves_of_a_page_what_is_known(preset: str, expected: str) -> None:
    assert text(PAGE, preset=preset) == expected


def test_cells_have_links_a_word() -> None:
    tree = read(PAGE)
    found = marked(tree, CrunchOptions())[1][tree.named("td")]
    # 3 links and two blanks; 3 text links and 99 characters; 2 links and no words; no links.
    assert found == pytest.approx([3 / 0.4, 3 / 19.8, 2 / 0.2, 0])


def test_more_than_a_link_to_four_words_is_a_list_of_links() -> None:
    cell = "<table><tr><td>{}<a href=x>link</a></td></tr></table> after"
    assert text(cell.format("x" * 20)) == "x" * 20 + "link after"
    assert text(cell.format("x" * 19)) == "after"


def test_images_leave_their_alternative_texts() -> None:
    images = [f"<img {more}>" for more in ("src=a alt='the &lt;map&gt;'", "alt=' '", "src=b", "alt=one")]
    page = "<body><p>See {} and {}{} here {}<i>x</i>".format(*images)
    assert text(page) == "See the <map> and here onex"
    assert text(page, preset="code") == "See and here x"
    found = extract(page, "crunch")
    assert "<img" not in (found.html or "")
    assert [block.text for block in found.blocks] == ["See the <map> and here onex"]


def test_ads_go_by_the_host_of_their_address() -> None:
    addresses = {"ad": "http://ads.example/x", "two": "https://ADS.example:80/", "ours": "/x"}
    page = "<body>" + " ".join(f"<a href='{address}'>{name}</a>" for name, address in addresses.items())
    assert text(page) == "ad two ours"
    assert text(page, ad_hosts="other.example ads.example") == "ours"
    assert text(page, ad_hosts="ads.example+other.example") == "ours"
    assert text(page, ad_hosts="example") == "ad two ours"


def test_block_level_elements_are_lists_of_links_by_choice() -> None:
    page = "<body><ul><li><a href=1>Home</a><li><a href=2>News</a></ul><div>a text of some length</div>"
    assert text(page) == "Home News a text of some length"
    assert text(page, cells="blocks") == "a text of some length"


def test_the_score_of_a_block_is_the_links_a_word_of_its_cell() -> None:
    found = extract("<table><tr><td>four words of it <a href=x>a link</a><p>more</table>", "crunch")
    assert [block.score for block in found.blocks] == pytest.approx([1 / (21 / 5)] * 2)
    assert found.metrics.threshold == 0.25


@pytest.mark.parametrize("piece", [b"<table><tr><td><a href=x>y</a>", b"<img alt=x>", b"<table></table>"])
def test_time_is_linear_in_the_page(piece: bytes) -> None:
    assert_linear(lambda html: extract(html, "crunch"), lambda n: b"<body>" + piece * n, 400)
