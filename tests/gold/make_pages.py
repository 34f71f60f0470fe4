"""Makes the pages of the gold set from their texts: python -m tests.gold.make_pages

`handmade/NAME.txt` is the gold and what stands in the page; `handmade/pages.json` says which layout, language and
encoding; `chrome.json` has what surrounds a text in each language. All of it was written for this set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGES = HERE / "handmade"
Block = tuple[str, str]
"""Mark (h, p or l) and text."""
Groups = list[list[Block]]
Chrome = dict[str, Any]

SCRIPT = """<script>
(function(w,d){var q=w.dataLayer=w.dataLayer||[];q.push({page:"%s",ts:0});
function load(u){var s=d.createElement("script");s.async=true;s.src=u;d.head.appendChild(s)}
if(w.innerWidth>600&&d.cookie.indexOf("consent=1")<0){q.push({event:"banner"})}
w.addEventListener("scroll",function(){var t=d.querySelector(".top");if(t){t.hidden=w.scrollY<400}});
var labels=["<p>not text</p>","a > b"];for(var i=0;i<labels.length;i++){q.push({label:labels[i]})}
})(window,document);
</script>"""
STYLE = """<style>
body{margin:0;font:16px/1.5 Georgia,serif;color:#222}a{color:#046}
.grid{display:grid;grid-template-columns:14rem 1fr 18rem;gap:2rem}.nav li{display:inline-block;margin:0 .5em}
.card{border:1px solid #ddd;padding:1rem}.ad{background:#ffd;min-height:90px}.top[hidden]{display:none}
@media (max-width:700px){.grid{display:block}.nav li{display:block}}
.teaser{padding:.4rem 0;border-bottom:1px dotted #bbb}.teaser strong{display:block}.share li{float:left;list-style:none}
#comments ol{list-style:none;padding:0}#comments .author{color:#555}#comments time{font-size:.8em;color:#888}
.thread td{vertical-align:top;padding:.6rem;border-top:1px solid #ccc}.thread .author{width:9rem;background:#f4f4f4}
.specs th{text-align:left;padding-right:1rem}.band{padding:3rem 1rem}.band.b1{background:#f7f7f2}.inner{max-width:50rem}
.toc ul{display:none}.toc li:hover ul{display:block}.code{background:#f2f2f2;padding:.8rem;overflow:auto}
</style>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite","name":"site","url":"/",
"potentialAction":{"@type":"SearchAction","target":"/s?q={q}","query-input":"required name=q"}}</script>"""


def state(c: Chrome) -> str:
    """What a page of a web application carries along: the data of its parts, as a script."""
    items = [
        {
            "id": 1000 + i,
            "type": "teaser",
            "title": title,
            "text": teaser,
            "href": slug(title, i),
            "seen": False,
        }
        for i in range(6)
        for title, teaser in c["related"]
    ]
    data = {"nav": c["nav"], "footer": c["footer"], "items": items, "consent": c["cookie"]}
    return f"<script>window.__STATE__={json.dumps(data, ensure_ascii=False)}</script>\n"


def read(name: str) -> Groups:
    """The marked blocks of a text, in the groups that empty lines make."""
    groups: Groups = [[]]
    for line in (PAGES / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        match = re.fullmatch("<([hpl])>(.*)", line)
        if match:
            groups[-1].append((match[1], match[2]))
        elif not line and groups[-1]:
            groups.append([])
    return [group for group in groups if group]


def slug(text: str, number: int) -> str:
    plain = re.sub("[^a-z]+", "-", text.lower()).strip("-")
    return f"/{plain or 'item'}-{number}.html"


def links(labels: list[str], before: str = "<li>", after: str = "</li>\n") -> str:
    return "".join(
        f'{before}<a href="{slug(label, i)}">{escape(label)}</a>{after}' for i, label in enumerate(labels)
    )


def flow(blocks: list[Block], top: str = "h1") -> str:
    """Blocks as a modern editor writes them: headings, paragraphs, lists, commands in `pre`."""
    parts: list[str] = []
    first = True
    for i, (mark, text) in enumerate(blocks):
        if mark == "h":
            tag = top if first else "h2"
            first = False
            parts.append(f"<{tag}>{escape(text)}</{tag}>")
        elif mark == "l":
            opening = "<ul>\n" if i == 0 or blocks[i - 1][0] != "l" else ""
            closing = "\n</ul>" if i + 1 == len(blocks) or blocks[i + 1][0] != "l" else ""
            parts.append(f"{opening}<li>{escape(text)}</li>{closing}")
        elif text.startswith("$ "):
            parts.append(f'<pre class="code"><code>{escape(text)}</code></pre>')
        else:
            parts.append(f"<p>{escape(text)}</p>")
    return "\n".join(parts)


def head(title: str, c: Chrome, lang: str, charset: str) -> str:
    direction = ' dir="rtl"' if lang == "ar" else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}"{direction}>\n<head>\n<meta charset="{charset}">\n'
        f"<title>{escape(title)} | {escape(c['site'])}</title>\n"
        f'<meta name="description" content="{escape(c["newsletter"])}">\n'
        f'<meta property="og:site_name" content="{escape(c["site"])}">\n'
        f'<link rel="stylesheet" href="/static/site.css?v=71">\n{STYLE}\n{SCRIPT % slug(title, 1)}\n</head>\n'
    )


def related(c: Chrome, item: str, anchor: str = "a") -> str:
    return "".join(
        f'<{item} class="teaser"><{anchor} href="{slug(title, i)}"><strong>{escape(title)}</strong></{anchor}>'
        f" <span>{escape(teaser)}</span></{item}>\n"
        for i, (title, teaser) in enumerate(c["related"])
    )


def comments(c: Chrome, times: int = 1) -> str:
    rows = "".join(
        f'<li id="c{i}"><b class="author">{escape(who)}</b> <time>{8 + i}:1{i % 6}</time>'
        f'<div class="body">{escape(text)}</div><a href="#reply">{escape(c["share"][0])}</a></li>\n'
        for i, (who, text) in enumerate(c["comments"] * times)
    )
    return f'<section id="comments"><h3>{escape(c["comments_title"])}</h3>\n<ol>\n{rows}</ol></section>\n'


def advert(c: Chrome) -> str:
    label, offer, call = map(escape, c["ad"])
    return f'<div class="ad" data-slot="7"><small>{label}</small> <a href="//ads.example/x"><b>{offer}</b> {call}</a></div>\n'


def modern(groups: Groups, c: Chrome, lang: str, charset: str, repeat: int = 1) -> str:
    blocks = [block for group in groups for block in group]
    half = 3
    return (
        head(blocks[0][1], c, lang, charset)
        + f'<body class="single">\n<div id="consent" role="dialog"><p>{escape(c["cookie"])}</p><button>OK</button></div>\n'
        f'<header role="banner"><a class="logo" href="/">{escape(c["site"])}</a>\n<nav class="nav"><ul>\n{links(c["nav"])}</ul></nav>\n'
        f'<form action="/s"><input name="q" placeholder="{escape(c["search"])}"></form> <a href="/in">{escape(c["login"])}</a></header>\n'
        f'<div class="grid">\n<main>\n<article itemscope>\n{flow(blocks[:half])}\n{advert(c)}{flow(blocks[half:], "h2")}\n</article>\n'
        f'<div class="share"><ul>{links(c["share"])}</ul></div>\n{comments(c, repeat)}</main>\n'
        f"<aside>\n<h3>{escape(c['related_title'])}</h3>\n<ul>\n{related(c, 'li')}</ul>\n{advert(c)}"
        f'<p class="letter">{escape(c["newsletter"])}</p></aside>\n</div>\n'
        f"<footer>\n<ul>\n{links(c['nav'])}</ul>\n<ul>\n{links(c['footer'])}</ul>\n</footer>\n</body>\n</html>\n"
    )


def with_many_comments(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    return modern(groups, c, lang, charset, repeat=4)


def on_one_line(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    return re.sub(r"\s*\n\s*", " ", modern(groups, c, lang, charset)).replace("> <", "><").strip()


def table(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    """As pages were written when tables made the layout: upper case, font, paragraphs by two breaks."""
    blocks = [block for group in groups for block in group]
    title = blocks[0][1]
    menu = "".join(
        f'<TR><TD BGCOLOR="#EEEEEE"><FONT SIZE="2" FACE="Arial"><A HREF="{slug(n, i)}">{escape(n)}</A></FONT></TD></TR>\n'
        for i, n in enumerate(c["nav"])
    )
    text = "\n<BR><BR>\n".join(f'<FONT SIZE="3">{escape(t)}</FONT>' for _, t in blocks[1:])
    return (
        f'<HTML>\n<HEAD>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={charset}">\n'
        f"<TITLE>{escape(c['site'])} - {escape(title)}</TITLE>\n{SCRIPT % 'x'}\n</HEAD>\n<BODY BGCOLOR=white>\n"
        f'<TABLE WIDTH=760 CELLPADDING=4 BORDER=0>\n<TR><TD COLSPAN=3 BGCOLOR="#336699"><FONT COLOR=white SIZE="6">{escape(c["site"])}</FONT>\n'
        f"<BR><FONT SIZE=1>{' | '.join(links([n], '', '') for n in c['nav'][:6])}</FONT></TD></TR>\n"
        f"<TR VALIGN=top><TD WIDTH=130>\n<TABLE CELLSPACING=2>\n{menu}</TABLE>\n</TD>\n"
        f'<TD WIDTH=450>\n<FONT SIZE="5"><B>{escape(title)}</B></FONT>\n<HR NOSHADE SIZE=1>\n{text}\n<BR><BR>\n'
        f"<FONT SIZE=1>{' - '.join(links([n], '', '') for n in c['share'])}</FONT>\n</TD>\n"
        f'<TD WIDTH=180><FONT SIZE="2"><B>{escape(c["related_title"])}</B><BR>\n'
        + "<BR>\n".join(
            f'<A HREF="{slug(t, i)}">{escape(t)}</A><BR>{escape(teaser)}<BR>'
            for i, (t, teaser) in enumerate(c["related"])
        )
        + f"</FONT>\n<HR>\n{advert(c)}</TD></TR>\n"
        f"<TR><TD COLSPAN=3 ALIGN=center><FONT SIZE=1>{' | '.join(links([n], '', '') for n in c['footer'])}</FONT></TD></TR>\n"
        "</TABLE>\n</BODY>\n</HTML>\n"
    )


def soup(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    """Divisions in divisions with generated class names, and a few end tags too few."""
    blocks = [block for group in groups for block in group]
    body = "\n".join(
        f'<div class="x{3 + i % 4}f"><div class="css-1k{i}"><span class="{"t4" if mark == "h" else "b2"}">{escape(text)}</span></div></div>'
        for i, (mark, text) in enumerate(blocks)
    )
    menu = "".join(
        f'<div class="m"><div class="m-i"><a class="m-a" href="{slug(n, i)}"><span><span>{escape(n)}</span></span></a></div></div>\n'
        for i, n in enumerate(c["nav"])
    )
    return (
        head(blocks[0][1], c, lang, charset) + f'<body>\n<div id="root"><div class="w1"><div class="w2">\n'
        f'<div class="bar"><div class="b-l"><a href="/"><span>{escape(c["site"])}</span></a></div>\n{menu}</div>\n'
        f'<div class="hint"><div><span>{escape(c["cookie"])}</span><div class="btn">OK</div></div></div>\n'
        f'<div class="c0"><div class="c1">\n{body}\n</div>\n{advert(c)}'
        f'<div class="r0"><div class="r1"><span>{escape(c["related_title"])}</span></div>\n{related(c, "div")}</div>\n'
        f'<div class="k">{comments(c)}</div>\n</div></div>\n'
        f'<div class="nl"><span>{escape(c["newsletter"])}</span><input type="email"></div>\n'
        f'<div class="f0">{links(c["footer"], "<div class=f1>", "</div>")}</div>\n'
        f"{state(c)}{SCRIPT % 'late'}\n</body>\n</html>\n"
    )


def forum(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    title = groups[0][0][1]
    posts = [groups[0][1:], *groups[1:]]
    rows = "".join(
        f'<tr class="post" id="p{100 + i}"><td class="author"><a href="/u/{i % 3}"><b>{escape(c["people"][i % len(c["people"])])}</b></a>'
        f"<br><small>#{i + 1} 2{i}.0{1 + i % 9}.2024</small><br><img src=/av/{i % 3}.png alt=''></td>\n"
        f'<td class="text"><div class="post_body">{"<br><br>".join(escape(text) for _, text in post)}</div>'
        f'<div class="tools">{links(c["share"], "", " ")}</div></td></tr>\n'
        for i, post in enumerate(posts)
    )
    return (
        head(title, c, lang, charset)
        + f'<body id="forum">\n<div class="userbar"><a href="/in">{escape(c["login"])}</a> <input placeholder="{escape(c["search"])}"></div>\n'
        f'<ul class="nav">\n{links(c["nav"])}</ul>\n<div class="crumbs">{links(c["nav"][:3], "", " &raquo; ")}</div>\n'
        f'<h1>{escape(title)}</h1>\n<div class="pages"><a href="?p=1">1</a> <a href="?p=2">2</a></div>\n'
        f'<table class="thread">\n{rows}</table>\n{advert(c)}'
        f"<h4>{escape(c['related_title'])}</h4>\n<ul>\n{related(c, 'li')}</ul>\n"
        f'<form><textarea name="t">{escape(c["search"])}</textarea></form>\n'
        f'<div id="foot">{links(c["footer"], "", " | ")}</div>\n</body>\n</html>\n'
    )


def cards(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    title = groups[0][0][1]
    body = "".join(
        f'<li class="card"><a class="img" href="{slug(group[0][1], i)}"><img src="/i/{i}.jpg" alt=""></a>\n'
        f'<h3><a href="{slug(group[0][1], i)}">{escape(group[0][1])}</a></h3>\n<p>{escape(group[1][1])}</p></li>\n'
        for i, group in enumerate(groups[1:])
    )
    return (
        head(title, c, lang, charset)
        + f'<body>\n<header><a href="/">{escape(c["site"])}</a><nav><ul class="nav">\n{links(c["nav"])}</ul></nav></header>\n'
        f'<div class="grid">\n<div class="filters"><form>{links(c["nav"], "<label><input type=checkbox>", "</label>")}</form></div>\n'
        f'<main><h1>{escape(title)}</h1>\n<ul class="cards">\n{body}</ul>\n<p class="pager"><a href="?2">2</a> <a href="?3">3</a></p></main>\n'
        f"<aside>{advert(c)}<h4>{escape(c['related_title'])}</h4><ul>\n{related(c, 'li')}</ul></aside>\n</div>\n"
        f"<footer><p>{escape(c['newsletter'])}</p><ul>\n{links(c['footer'])}</ul></footer>\n</body>\n</html>\n"
    )


def product(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    blocks = [block for group in groups for block in group]
    rows = "".join(
        "<tr><th>{}:</th><td>{}</td></tr>\n".format(*(escape(part.strip()) for part in text.split(":", 1)))
        for mark, text in blocks
        if mark == "l"
    )
    text = "\n".join(f"<p>{escape(t)}</p>" for mark, t in blocks[1:] if mark == "p")
    first, _, last = text.rpartition("\n")
    return (
        head(blocks[0][1], c, lang, charset)
        + f'<body class="shop">\n<div class="topbar">{links(c["share"], "", " ")}<a href="/cart">0</a></div>\n<ul class="nav">\n{links(c["nav"])}</ul>\n'
        f'<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">{escape(blocks[0][1])}</h1>\n'
        f'<div class="gallery"><img src="1.jpg" alt=""><img src="2.jpg" alt=""></div>\n'
        f'<form class="buy"><select><option>1</option><option>2</option><option>3</option></select><button>{escape(c["ad"][2])}</button></form>\n'
        f'<div itemprop="description">{first}\n<table class="specs">\n{rows}</table>\n{last}</div></div>\n'
        f'<section class="also"><h3>{escape(c["related_title"])}</h3><ul>\n{related(c, "li")}</ul></section>\n{comments(c)}'
        f"<footer><p>{escape(c['newsletter'])}</p><ul>\n{links(c['footer'])}</ul><p>{escape(c['cookie'])}</p></footer>\n</body>\n</html>\n"
    )


def docs(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    blocks = [block for group in groups for block in group]
    tree = "".join(
        f'<li><a href="{slug(n, i)}">{escape(n)}</a>\n<ul>\n{links([t for t, _ in c["related"][:3]])}</ul></li>\n'
        for i, n in enumerate(c["nav"])
    )
    return (
        head(blocks[0][1], c, lang, charset)
        + f'<body>\n<div class="wy-grid"><nav class="side"><div><a href="/">{escape(c["site"])}</a></div><ul class="toc">\n{tree}</ul></nav>\n'
        f'<section class="content"><div role="navigation" class="crumbs">{links(c["nav"][:3], "", " / ")}</div>\n'
        f'<div role="main">\n{flow(blocks)}\n</div>\n'
        f'<div class="rst-footer">{links(c["nav"][3:5], "", " ")}<hr><p>{" ".join(map(escape, c["footer"]))}</p></div></section></div>\n</body>\n</html>\n'
    )


def service(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    blocks = [block for group in groups for block in group]
    sections: Groups = []
    for block in blocks:
        if block[0] == "h" or not sections:
            sections.append([])
        sections[-1].append(block)
    body = "\n".join(
        f'<section class="band b{i % 3}"><div class="inner">{flow(section, "h1" if i == 0 else "h2")}</div></section>'
        for i, section in enumerate(sections)
    )
    return (
        head(blocks[0][1], c, lang, charset)
        + f'<body>\n<div class="skip"><a href="#m">{escape(c["nav"][0])}</a></div>\n<header><b>{escape(c["site"])}</b><nav><ul>\n{links(c["nav"])}</ul></nav></header>\n'
        f'<div id="m">\n{body}\n</div>\n<section class="news"><h3>{escape(c["related_title"])}</h3><ul>\n{related(c, "li")}</ul></section>\n'
        f'<section class="quote"><blockquote>{escape(c["comments"][0][1])}</blockquote><cite>{escape(c["comments"][0][0])}</cite></section>\n'
        f"<footer><p>{escape(c['newsletter'])}</p><ul>\n{links(c['footer'])}</ul></footer>\n"
        f'<div class="cookie">{escape(c["cookie"])} <button>OK</button></div>\n</body>\n</html>\n'
    )


def link_list(groups: Groups, c: Chrome, lang: str, charset: str) -> str:
    blocks = [block for group in groups for block in group]
    rows = "".join(
        "<li><a href='https://example.org/{}'>{}</a>: {}\n".format(
            i, *(escape(part.strip()) for part in text.split(":", 1))
        )
        for i, (_, text) in enumerate(blocks[2:])
    )
    return (
        head(blocks[0][1], c, lang, charset)
        + f'<body>\n<p class="top">{links(c["nav"], "[", "] ")}</p>\n<h1>{escape(blocks[0][1])}</h1>\n<p>{escape(blocks[1][1])}</p>\n'
        f"<ul>\n{rows}</ul>\n<hr>\n{advert(c)}<h4>{escape(c['related_title'])}</h4>\n{related(c, 'p')}"
        f"<address>{links(c['footer'], '', ' - ')}</address>\n<p>{escape(c['cookie'])}</p>\n</body>\n</html>\n"
    )


LAYOUTS: dict[str, Callable[[Groups, Chrome, str, str], str]] = {
    "modern": modern,
    "comments": with_many_comments,
    "oneline": on_one_line,
    "table": table,
    "soup": soup,
    "forum": forum,
    "cards": cards,
    "product": product,
    "docs": docs,
    "service": service,
    "links": link_list,
}


def main() -> None:
    """Write all pages, and the snippets into `pages.json`."""
    chrome = json.loads((HERE / "chrome.json").read_text(encoding="utf-8"))
    about = json.loads((PAGES / "pages.json").read_text(encoding="utf-8"))
    for name, page in about.items():
        c = chrome[page["lang"]]
        groups = read(name)
        charset = page.get("charset", "utf-8")
        html = LAYOUTS[page["layout"]](groups, c, page["lang"], charset)
        (PAGES / f"{name}.html").write_bytes(html.encode(charset))
        texts = [text for group in groups for mark, text in group if mark == "p"]
        page["with"] = [texts[0][:40], texts[-1][-40:]]
        page["without"] = [c["footer"][-1], c["related"][0][1]]
    (PAGES / "pages.json").write_text(
        json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
