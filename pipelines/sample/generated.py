"""Pages made by a program, to have more to try Cedar on than a person would write.

An imaginary town's paper, its forum, its guide and its lists of articles: what stands around the text (menus,
teasers, links, footers) is as much as on real sites. A page is the same each time it is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

_PLACES, _PEOPLE, _ACTIONS, _WHEN, _TOPICS = (
    words.split(", ")
    for words in (
        "harbour, old mill, market hall, river lock, lighthouse, sail loft, tide pond, rope walk",
        "the harbour master, a group of pupils, the baker, two surveyors, the lock keeper, a visitor",
        "repaired, measured, painted, opened, described, closed for a week, bought, photographed",
        "on Saturday, after the storm, for the first time in years, early in the morning, last winter",
        "News, Weather, Tides, Culture, Sport, Letters, Archive, Contact",
    )
)
_WHY = (
    "because the water had risen higher than anybody remembered",
    "so that the ferries can land again before the season begins",
    "although the council had voted against it twice",
    "and found that the timbers under the floor were sound",
    "while the band played what it knew, which was not much",
    "in spite of the rain, which stopped only when everything was over",
)


def pages(number: int, *, first: int = 0) -> Iterator[tuple[str, str]]:
    """Make the pages from `first` on: yields the path on the site and the page's HTML."""
    kinds = (_article, _article, _article, _listing, _thread, _guide)
    for index in range(first, first + number):
        random = Random(index)  # noqa: S311 - the same page each time, no secret
        yield kinds[index % len(kinds)](index, random)


def _sentence(random: Random) -> str:
    parts = (random.choice(_PEOPLE), random.choice(_ACTIONS), f"the {random.choice(_PLACES)}")
    text = f"{' '.join(parts)} {random.choice(_WHEN)}, {random.choice(_WHY)}."
    return text[0].upper() + text[1:]


def _paragraph(random: Random) -> str:
    return " ".join(_sentence(random) for _ in range(random.randint(2, 5)))


def _headline(random: Random) -> str:
    return f"{random.choice(_PEOPLE)} and the {random.choice(_PLACES)}".capitalize()


def _article(index: int, random: Random) -> tuple[str, str]:
    headline = _headline(random)
    paragraphs = "\n".join(f"<p>{_paragraph(random)}</p>" for _ in range(random.randint(3, 9)))
    content = (
        f"<article><h1>{headline}</h1>\n<p class='byline'>By our correspondent</p>\n{paragraphs}\n"
        f"<figure><img src='/i/{index}.jpg'><figcaption>The {random.choice(_PLACES)}</figcaption></figure>"
        "</article>\n"
    )
    return f"/news/{index}", _framed(headline, content, random)


def _listing(index: int, random: Random) -> tuple[str, str]:
    items = "\n".join(
        f"<li><a href='/news/{random.randrange(1000)}'>{_headline(random)}</a> "
        f"<p>{_sentence(random)}</p></li>"
        for _ in range(random.randint(6, 14))
    )
    return f"/list/{index}", _framed("All articles", f"<h1>All articles</h1>\n<ul>{items}</ul>\n", random)


def _thread(index: int, random: Random) -> tuple[str, str]:
    posts = "\n".join(
        f"<div class='post'><b>{random.choice(_PEOPLE)}</b> <small>{random.randint(1, 28)} May</small>"
        f"<p>{_paragraph(random)}</p><a href='#'>Reply</a></div>"
        for _ in range(random.randint(3, 8))
    )
    question = f"Who knows the {random.choice(_PLACES)}?"
    return f"/forum/{index}", _framed(question, f"<h1>{question}</h1>\n{posts}\n", random)


def _guide(index: int, random: Random) -> tuple[str, str]:
    rows = "\n".join(
        f"<tr><td>{place}</td><td>{random.randint(1, 40)} m</td><td>{random.choice(_WHEN)}</td></tr>"
        for place in _PLACES
    )
    content = (
        f"<h1>Guide to the harbour, part {index}</h1>\n<p>{_paragraph(random)}</p>\n"
        f"<table><tr><th>Place</th><th>Depth</th><th>Seen</th></tr>\n{rows}</table>\n<p>{_paragraph(random)}</p>\n"
    )
    return f"/guide/{index}", _framed(f"Guide, part {index}", content, random)


def _framed(title: str, content: str, random: Random) -> str:
    menu = "\n".join(f"<li><a href='/{topic.lower()}'>{topic}</a></li>" for topic in _TOPICS)
    teasers = "\n".join(
        f"<div class='teaser'><a href='/news/{random.randrange(1000)}'>{_headline(random)}</a>"
        f"<span>{random.randint(2, 59)} minutes ago</span></div>"
        for _ in range(random.randint(4, 10))
    )
    footer = "".join(f"<a href='/{word.lower()}'>{word}</a> | " for word in ("Imprint", "Terms", "Jobs"))
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
        f"<title>{title} - The Harbour Post</title>\n"
        "<style>.teaser { border: 1px solid } nav li { display: inline }</style>\n"
        "<script>window.tracker = function (page) { return page + 1 };</script></head>\n"
        f"<body><nav><ul>{menu}</ul></nav>\n<main>{content}</main>\n"
        f"<aside><h2>Most read</h2>\n{teasers}</aside>\n"
        f"<footer>{footer}The Harbour Post, all rights reserved</footer>\n</body></html>\n"
    )
