"""Of the lines of a PDF that a program made into HTML all stay, if most of them do."""

from __future__ import annotations

import pytest

from cedar import extract

LINES = [
    "The salt road from Varn to the lakes is first mentioned in a charter",
    "of 1162, which grants the monks of Saint Osric the toll of its two",
    "bridges. It must be far older, however, since coins and shards from",
    "the third century have come to light wherever the road was dug up.",
    "For three hundred years salt was carried on it by trains of up to",
    "forty mules. Each animal bore two sacks of about fifty kilograms, and",
    "nine days it took.",
]
PDF2HTMLEX = "<div class='t m0 x1 h2 y{} ff1'>{}</div>"
POPPLER = '<p style="position:absolute;top:{}px;left:85px;white-space:nowrap" class="ft0{}">{}</p>'


@pytest.mark.parametrize("pages", [1, 3])
def test_the_last_short_line_stays(pages: int) -> None:
    ex = "".join(PDF2HTMLEX.format(number, line) for number, line in enumerate(LINES))
    poppler = "".join(POPPLER.format(20 * n, n % 3, line) for n, line in enumerate(LINES))
    for lines in (ex, poppler):
        found = extract(f"<body><div id=page-container>{f'<div class=pc>{lines}</div>' * pages}</div></body>")
        assert found.text.split("\n") == LINES * pages
