"""A shop and a newspaper that are made up, around a main part, and the form of a login."""

from __future__ import annotations

from pathlib import Path

_SHOP_LINKS = "".join(
    f"<li><a href=/c/{name.lower()}>{name}</a></li>"
    for name in ("Ropes", "Tents", "Boots", "Lamps", "Sale", "Brands")
)
_SHOP_FOOT = (
    "<footer class=site-footer><div class=col><h4>Newsletter</h4><p>Sign up and get 10% off your first "
    "order.</p>"
    "<form action=/news><input type=email name=mail><button>Subscribe</button></form></div><ul><li><a "
    "href=/help>Help"
    "</a><li><a href=/terms>Terms</a><li><a href=/privacy>Privacy</a></ul><p>© 2024 Ropes & Knots Ltd. "
    "All rights "
    "reserved. Prices include VAT, shipping is free over 50 €.</p></footer>"
)
_NEWS_LINKS = "".join(
    f"<li><a href=/{name.lower()}>{name}</a></li>"
    for name in ("Politics", "Economy", "Sport", "Culture", "Weather")
)
_TEASERS = "".join(
    f"<div class=teaser><a href=/story/{i}><img src=/i/{i}.jpg><h3>{title}</h3></a></div>"
    for i, title in enumerate(
        ("Harbour to get a second crane", "Mayor opens the new library", "Storm closes three schools")
    )
)
_NEWS_FOOT = (
    f"<aside class=most-read><h4>Most read</h4>{_TEASERS}</aside><footer><p>The Harbour Post is published "
    f"by Harbour "
    "Media. <a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a> <a href=/ads>Advertise</a></p></footer>"
    "<div class='cookie-banner' role=dialog><p>We use cookies to make our site better for "
    "you.</p><button>OK</button>"
    "</div>"
)


def bare(title: str, body: str, attributes: str = "", head: str = "") -> str:
    """A page of nothing else."""
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body "
        f"{attributes}>{body}</body></html>"
    )


def shop(title: str, main: str, attributes: str = "", head: str = "") -> str:
    """A page of a shop."""
    return bare(
        title,
        "<header class=site-header><a class=logo href=/>Ropes & Knots</a><form class=search "
        "action=/s><input name=q>"
        f"<button>Search</button></form><a href=/cart>Cart (0)</a><nav><ul>{_SHOP_LINKS}</ul></nav></header>"
        f"<main id=content>{main}</main>{_SHOP_FOOT}",
        attributes,
        head,
    )


def news(title: str, main: str, attributes: str = "", head: str = "") -> str:
    """A page of a newspaper."""
    return bare(
        title,
        f"<div id=header><a href=/>The Harbour Post</a><ul class=menu>{_NEWS_LINKS}</ul><a "
        f"href=/login>Log in</a></div>"
        f"<div id=main>{main}</div>{_NEWS_FOOT}",
        attributes,
        head,
    )


def login(user: str, password: str, button: str, attributes: str = "") -> str:
    """The form of a login."""
    return (
        f"<form method=post {attributes}><p><label for=u>{user}</label><input id=u name=user "
        f"type=text></p><p><label for=p>"
        f"{password}</label><input id=p name=pass type=password></p><p><input type=checkbox name=stay></p>"
        f"<button type=submit>{button}</button></form>"
    )


def read_pages(name: str) -> dict[str, str]:
    """Read pages by name: each is a comment (name, frame, title, attributes of `body`, head) and a body."""
    frames = {"bare": bare, "shop": shop, "news": news}
    found = {}
    for part in Path(__file__).with_name(name).read_text("utf-8").split("<!-- ")[1:]:
        head, body = part.split("-->", 1)
        page, frame, title, *others = (each.strip() for each in head.split("|"))
        found[page] = frames[frame](title, body.strip(), *others)
    return found
