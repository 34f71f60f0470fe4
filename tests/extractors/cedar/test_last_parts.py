"""What is last in an article stays, and the footer below the article does not; insets amid an article go."""

from __future__ import annotations

from itertools import product

import pytest

from cedar import extract

NAVIGATION = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "News", "Sport", "Weather"))
FOOTER = "Harbour Post, 12 Quay Street. All rights reserved. Terms of use. Privacy. Imprint."
PARAGRAPHS = (
    "The harbour of the town was dredged for the first time in eleven years, and the boats that had lain in"
    " the mud of the eastern basin since the storm could at last be lifted out and taken to the yard.",
    "A crew of nine worked from before dawn until the tide turned, moving the silt by barge to a pit beyond"
    " the breakwater, where it settles on the sea bed without clouding the water over the oyster beds.",
    "The harbour master said that the work had cost less than was planned, because the firm that was hired"
    " had a second vessel in the bay that week and could share the fuel, the pilots and the insurance.",
    "Fishermen who keep their nets on the northern quay had asked for the dredging again and again, since at"
    " low water three of their boats could not leave, and the catch of a whole morning was lost each time.",
)
TABLE = (
    "<table><tr><th>Year<th>Depth<th>Cost<tr><td>2003<td>4.1 m<td>80,000<tr><td>2014<td>4.6 m<td>95,000"
    "<tr><td>2025<td>5.2 m<td>91,000</table>"
)
CODE = (
    "<pre>for berth in berths:\n    depth = sound(berth)\n    if depth &lt; 4:\n        mark(berth)\n"
    "    log(depth)\nclose()</pre>"
)
TERMS = "<dl><dt>Depth<dd>5.2 m<dt>Berths<dd>64<dt>Opened<dd>1871</dl>"
LAST = {TABLE: ("2003", "91,000", "4.6 m"), CODE: ("sound(berth)", "close()"), TERMS: ("Depth", "1871")}
HOLDERS = ("<article>{}</article>", "<main>{}</main>", "<div class=post>{}</div>")


def page(paragraphs: int, holder: str, part: str) -> str:
    text = "".join(f"<p>{PARAGRAPHS[number % 4]} ({number + 1})</p>" for number in range(paragraphs))
    return (
        f"<html><head><title>Harbour dredged at last</title></head><body><nav><ul>{NAVIGATION}</ul></nav>"
        + holder.format(f"<h1>Harbour dredged at last</h1>{text}{part}")
        + f"<footer><p>{FOOTER}</p></footer></body></html>"
    )


def test_what_is_last_in_an_article_stays_and_no_footer_does() -> None:
    kept = 0
    variants = list(product((2, 3, 6, 11), HOLDERS, (TABLE, CODE, TERMS)))
    for paragraphs, holder, part in variants:
        text = extract(page(paragraphs, holder, part)).text
        kept += all(word in text for word in LAST[part])
        assert "(1)" in text
        assert f"({paragraphs})" in text
        assert "rights reserved" not in text
        assert "Weather" not in text
    assert kept >= len(variants) - 2


INSETS = (
    "<ul class=share><li><a href=/f>Facebook</a><li><a href=/t>Twitter</a></ul>",
    "<p class=tags>Tags: <a href=/silt>silt</a>, <a href=/oysters>oysters</a></p>",
    "<p class=byline>By <a href=/j>Jane Miller</a></p>",
    "<div class=newsletter><h3>Our newsletter</h3><p>Get the best of the week in your inbox, on Fridays.</p>"
    "<form><input type=email><button>Sign up</button></form></div>",
    "<div class=author-bio><h4>About the author</h4><p>Jane Miller writes about the coast.</p></div>",
    "<div class=related><h3>Related articles</h3><ul><li><a href=/x>A wheel turns in the north</a>"
    "<li><a href=/y>Ten bridges to see before they fall</a></ul></div>",
    "<aside><h3>More on this</h3><a href=/x>A wheel turns in the north</a><p>It was in a barn.</p></aside>",
    "<div class=ad-slot>Advertisement</div>",
    "<div class=cookie-banner><p>We use cookies to serve you best. <a href=/p>Privacy policy</a></p>"
    "<button>Accept</button></div>",
)


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("inset", INSETS)
def test_insets_amid_an_article_go(inset: str, holder: str) -> None:
    below = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    plain, with_inset = (extract(page(4, holder, part + below)).text for part in ("", inset))
    assert with_inset == plain
