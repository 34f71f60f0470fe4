"""Pages as sites make them: an article, a forum, a listing, a portal, tables, code, in several scripts."""

from __future__ import annotations

from .numbers import Numbers

SENTENCES = {
    "en": "The old bridge was opened again on Monday, after two years of repair work. ",
    "de": "Die alte Brücke wurde am Montag wieder eröffnet, nach zwei Jahren der Arbeit. ",
    "ru": "Старый мост снова открыли в понедельник, после двух лет ремонта и споров. ",
    "ar": "أعيد فتح الجسر القديم يوم الاثنين، بعد عامين من أعمال الإصلاح الطويلة. ",
    "he": "הגשר הישן נפתח מחדש ביום שני, אחרי שנתיים של עבודות תיקון ארוכות. ",
    "hi": "पुराना पुल सोमवार को फिर से खोला गया, दो साल की मरम्मत के बाद। ",
    "zh": "这座老桥在经过两年的维修之后，于星期一重新开放，市民们都很高兴。",
    "ja": "古い橋は二年間の修理を経て、月曜日に再び開通しました。市民は喜んでいます。",
    "th": "สะพานเก่าเปิดใช้อีกครั้งในวันจันทร์หลังจากการซ่อมแซมเป็นเวลาสองปีเต็ม ",
    "ko": "오래된 다리가 이 년 동안의 수리를 마치고 월요일에 다시 열렸다, 시민들은 기뻐했다. ",
}
"""A sentence in each of some languages."""

_VOCABULARY = """
the of and a to in is that for it was on are as with they be at one have this from or had by but what some
harbour ferry lantern quarry meadow orchard glacier copper timber ledger parish council estuary lighthouse
railway workshop café façade Zürich naïve señor Łódź — “quoted” &amp; &nbsp; &copy; &#8217; &eacute; &mdash;
"""
_WORDS = _VOCABULARY.split()


def words(n: Numbers, first: int, last: int) -> str:
    """Make some words."""
    return " ".join(n.one_of(_WORDS) for _ in range(n.between(first, last)))


def sentence(n: Numbers) -> str:
    """Make a sentence."""
    return words(n, 6, 24).capitalize() + "."


def prose(n: Numbers) -> str:
    """Make a paragraph's text."""
    return " ".join(sentence(n) for _ in range(n.between(2, 6)))


def link(n: Numbers, first: int = 1, last: int = 4) -> str:
    """Make a link."""
    return f'<a href="/{n.between(1, 9999)}" class="link link--{n.between(0, 9)}">{words(n, first, last)}</a>'


def _menu(n: Numbers) -> str:
    items = "\n".join(f'    <li class="menu__item">{link(n)}</li>' for _ in range(n.between(5, 14)))
    return f'<nav class="menu" role="navigation">\n  <ul>\n{items}\n  </ul>\n</nav>'


def _script(n: Numbers) -> str:
    return f'<script>\nif (a < {n.between(0, 99)} && b > 0) document.write("<div>\\"x</div>");\n</script>'


def _aside(n: Numbers) -> str:
    items = "\n".join(f'<div class="teaser"><h4>{link(n, 4, 9)}</h4></div>' for _ in range(n.between(3, 8)))
    return f'<!-- teasers -->\n<aside class="side">\n{items}\n</aside>'


def _article(n: Numbers) -> str:
    parts = []
    for i in range(n.between(4, 12)):
        if i % 4 == 3:
            parts.append(f'<h2 id="s{i}">{words(n, 3, 8).capitalize()}</h2>')
        if n.share() < 0.15:
            parts.append(
                f'<figure><img src="/{i}.jpg" alt="x"><figcaption>{sentence(n)}</figcaption></figure>'
            )
        parts.append(f"<p>{sentence(n)} {link(n)} {prose(n)} <em>{words(n, 1, 3)}</em></p>")
        if n.share() < 0.2:
            parts.append(_script(n) if n.share() < 0.5 else f"<blockquote><p>{prose(n)}</p></blockquote>")
    comments = "".join(
        f'<li class="comment"><cite class="author">{words(n, 1, 2)}</cite> <time>{i} May 2021</time>'
        f'<p>{prose(n)}</p><a href="#reply" class="reply">Reply</a></li>\n'
        for i in range(n.between(0, 5))
    )
    return "\n".join(parts) + f'\n<section id="comments"><h3>Comments</h3><ol>{comments}</ol></section>'


def _forum(n: Numbers) -> str:
    posts = []
    for i in range(n.between(3, 9)):
        body = "<br>\n".join(sentence(n) for _ in range(n.between(1, 6)))
        quote = f"<blockquote><cite>{words(n, 1, 2)} wrote:</cite><br>\n{sentence(n)}</blockquote>\n"
        posts.append(
            f'<table class="post" id="p{i}"><tr><td class="user" valign="top">\n{link(n, 1, 2)}<br>\n'
            f"<small>Posts: {n.between(1, 999)}<br>Joined: 2011</small></td>\n<td class=text>"
            f'{quote * (n.share() < 0.3)}{body}\n<div class="tools">{link(n)} | {link(n)}</div></td></tr></table>'
        )
    return "\n".join(posts)


def _listing(n: Numbers) -> str:
    cards = "\n".join(
        f'<li class="card" data-sku="{i}">\n <div><img src="/{i}.webp" alt="" loading="lazy"></div>\n'
        f' <h3>{link(n, 2, 7)}</h3><span class="price">{n.between(1, 900)}.99</span>\n <p>{words(n, 0, 14)}</p>\n'
        f' <button type="button" onclick="add({i})">Add</button>\n</li>'
        for i in range(n.between(8, 20))
    )
    return (
        f"<ul class=grid>\n{cards}\n</ul>\n<form><select><option>10<option>20</select><input value=v></form>"
    )


def _portal(n: Numbers) -> str:
    boxes = []
    for _ in range(n.between(4, 10)):
        links = "\n".join(f"  <li>{link(n, 3, 10)}</li>" for _ in range(n.between(3, 8)))
        lead = f'<p class="lead">{words(n, 5, 18)}</p>'
        boxes.append(f'<div class="box"><h3>{link(n)}</h3>\n{lead}\n<ul>\n{links}\n</ul></div>')
    return "\n".join(boxes)


def _manual(n: Numbers) -> str:
    code = "\n".join(f"    x{i} = f({n.between(1, 99)})  # &lt;{words(n, 1, 3)}&gt;" for i in range(8))
    rows = "\n".join(f"<tr><th>{words(n, 1, 2)}</th><td>{sentence(n)}</td></tr>" for _ in range(6))
    terms = "\n".join(f"<dt>{words(n, 1, 2)}<dd>{prose(n)}" for _ in range(4))
    steps = "".join(f"<li>{sentence(n)}<ul><li>{sentence(n)}<li>{words(n, 2, 4)}</ul></li>" for _ in range(4))
    return (
        f"<p>{prose(n)}</p><pre><code>def g():\n{code}\n\n\treturn x</code></pre>\n<table class=specs><caption>"
        f"{words(n, 2, 5)}</caption>{rows}</table>\n<dl>{terms}</dl><ol>{steps}</ol><p>{prose(n)}</p>"
    )


def _old(n: Numbers) -> str:
    """A page of 1999: tables for layout, fonts, unclosed paragraphs, line breaks for paragraphs."""
    left = "<br>\n".join(link(n) for _ in range(12))
    text = "\n<br><br>\n".join(f"<font face=Arial>{prose(n)}</font>" for _ in range(5))
    tail = "\n<p>".join(prose(n) for _ in range(3))
    return (
        f"<TABLE border=0><TR><TD width=120 bgcolor=#eee>{left}</TD>\n<TD><CENTER><B>{words(n, 3, 6)}</B></CENTER>"
        f"\n{text}\n<p>{tail}</TD></TR></TABLE><hr>"
    )


def _hidden(n: Numbers) -> str:
    ways = ("hidden", "style='display:none'", "class=hide", "aria-hidden=true", "style='color:red'")
    parts = [f"<div {way}><p>{prose(n)}</p><p>{link(n)}</p></div>\n<p>{prose(n)}</p>" for way in ways]
    forms = (
        f"<noscript>{sentence(n)}</noscript><template><p>no</p></template><textarea>{sentence(n)}</textarea>"
    )
    return "\n".join(parts) + forms + f"<svg><title>drawn</title><text>{words(n, 2, 3)}</text></svg>"


KINDS = {
    "article": _article,
    "forum": _forum,
    "listing": _listing,
    "portal": _portal,
    "manual": _manual,
    "old": _old,
    "hidden": _hidden,
}
"""Contents of pages, by kind."""


def site(kind: str, n: Numbers) -> str:
    """Make a page of a site.

    Args:
        kind: key of `KINDS`.
        n: its choices.
    """
    title = words(n, 3, 7).capitalize()
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title} | Site</title>\n'
        f'<meta property="og:title" content="{title}">\n<style>\n.a > b {{ margin: 0 }}\n</style>\n{_script(n)}\n'
        f"</head>\n<body class={kind}>\n<header>{_menu(n)}</header>\n<main>\n<h1>{title}</h1>\n"
        f"{KINDS[kind](n)}\n</main>\n{_aside(n)}\n<footer>{_menu(n)}<p>&copy; {words(n, 2, 5)}</p></footer>\n"
        f"{_script(n)}</body>\n</html>\n"
    )


def article(language: str, *, styled: bool) -> str:
    """Make an article of six paragraphs between navigation, links and a footer.

    Args:
        language: key of `SENTENCES`.
        styled: whether elements have classes and telling names.
    """
    text = SENTENCES[language]
    parts = text.split() if " " in text.strip() else [text[i : i + 3] for i in range(0, 24, 3)]
    links = "".join(f"<li><a href='/{i}'>{parts[i % len(parts)]}</a></li>" for i in range(12))
    paragraphs = "".join(f"<p>{number} {text * 4}</p>" for number in range(1, 7))
    nav, side, foot = ("nav", "aside", "footer") if styled else ("div", "div", "div")
    named = ' class="article-body"' if styled else ""
    title = " ".join(parts[:4])
    return (
        f"<html lang={language}><head><title>{title}</title>"
        "<script>var leak = 'scriptleak';</script><style>.styleleak{}</style></head><body>"
        f"<{nav}><ul>{links}</ul></{nav}><div><div{named}><h1>{title}</h1>"
        f"{paragraphs}</div><{side}><ul>{links}</ul></{side}></div>"
        f"<{foot}><ul>{links}</ul><p>&copy; 2020 Xyzzy</p></{foot}></body></html>"
    )
