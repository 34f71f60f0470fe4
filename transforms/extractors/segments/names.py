"""The names that Cedar knows: of elements, in classes and roles, of types in schema.org and Open Graph."""

from cedar.transforms.extractors.html._elements import IN_TREE, VOIDS, key

ELEMENTS = tuple(sorted(IN_TREE.split(), key=key))
"""The names of the elements of the tree; an element's code is the index of its name."""

CODE = {name: code for code, name in enumerate(ELEMENTS)}

NO_CODE = 255
"""The code of tags that open and close no element of the tree."""

_UNSEEN = (
    "title textarea iframe noembed noframes template svg annotation select datalist object canvas video audio"
)

OTHER, ANCHOR, PREFORMATTED, LINE_BREAK, EMPTY, UNSEEN = range(6)
"""Roles of tags: links, `pre`, `br`, others without content, and from the last number on those not shown."""

_ROLES = {
    **dict.fromkeys(map(key, VOIDS.split()), EMPTY),
    key("a"): ANCHOR,
    key("br"): LINE_BREAK,
    **dict.fromkeys(map(key, ("pre", "listing", "xmp")), PREFORMATTED),
    **{key(name): UNSEEN + number for number, name in enumerate(_UNSEEN.split())},
}
ROLES = UNSEEN + len(_UNSEEN.split())
"""How many roles there are."""

_CODES = {key(name): code for name, code in CODE.items()}

TAGS = {name: _CODES.get(name, NO_CODE) | _ROLES.get(name, OTHER) << 8 for name in sorted({*_CODES, *_ROLES})}
"""What a tag's name says, by its key: the element's code, and from bit 8 on the role."""


def _codes(names: str) -> frozenset[int]:
    return frozenset(CODE[name] for name in names.split())


_HEADINGS = "h1 h2 h3 h4 h5 h6"
_HEADING = _codes(_HEADINGS)
_PARAGRAPH = _codes("p")
_CLOSED_BY_ITEMS = {
    "li": _codes("p li"),
    "dt": _codes("p dt dd"),
    "dd": _codes("p dt dd"),
    "td": _codes("p td th"),
    "th": _codes("p td th"),
    "tr": _codes("p td th tr"),
    "tbody": _codes("p td th tr thead tbody"),
    "tfoot": _codes("p td th tr thead tbody"),
    "option": _codes("option"),
    "optgroup": _codes("option optgroup"),
    "body": _codes("p head"),
    "button": _codes("button"),
    **dict.fromkeys(_HEADINGS.split(), _PARAGRAPH | _HEADING),
}
_CELLS = _codes("td th")
_OF_TABLES = _codes("td th tr tbody thead tfoot table caption")
_TABLE = CODE["table"]
CLOSES, STOPS, ENDS = 1, 2, 4


def _rule(code: int, opened: int) -> int:
    """What a tag of code `code` does to the open element `opened`, which may be the page.

    `CLOSES`: its start tag closes it where it is innermost; `STOPS`: its end tag looks no further out;
    `ENDS`: its end tag ends it; the end tag of a heading ends any heading (HTML, 13.2.6.4.7).
    """
    closes = opened in _CLOSED_BY_ITEMS.get(ELEMENTS[code], _PARAGRAPH)
    stops = opened == _TABLE or (opened in _CELLS and code not in _OF_TABLES)
    ends = opened == code or (opened in _HEADING and code in _HEADING)
    return CLOSES * closes + STOPS * stops + ENDS * ends


RULES = bytes(_rule(code, opened) for code in range(len(ELEMENTS)) for opened in range(len(ELEMENTS) + 1))
"""The rules of each code for each open element; the last of each row is for the page."""

GROUPS = {
    "content": (
        "content contents article articles entry story body text main page copy prose richtext "
        "markdown md wysiwyg rte postbody maincontent"
    ),
    "title": "title headline heading subtitle",
    "nav": (
        "nav navbar navigation navi menu menus submenu mainmenu sitenav gnav breadcrumb breadcrumbs "
        "crumb crumbs topbar toolbar dropdown pager pagination pagenav paging toc"
    ),
    "header": "header head masthead banner top topnav logo branding brand hero",
    "footer": "footer foot bottom colophon copyright legal contentinfo",
    "side": "sidebar side aside rail widget widgets secondary right left panel complementary column col",
    "comment": "comment comments disqus reply replies respond response responses discussion feedback",
    "thread": (
        "thread threads message messages topic topics forum answer answers question questions qa "
        "bbs post posts"
    ),
    "share": (
        "share sharing sharer social facebook twitter addthis follow linkedin pinterest whatsapp icons"
    ),
    "related": (
        "related recommended recommendations recommend similar more also popular trending latest "
        "readmore suggested suggestions most next prev previous teaser teasers recent"
    ),
    "advert": (
        "ad ads advert adverts advertisement advertising sponsor sponsored sponsors promo promos "
        "promotion outbrain taboola dfp gpt adsense upsell cta"
    ),
    "about": (
        "meta byline author authors date dates time timestamp tag tags category categories info "
        "posted published kicker credit credits source bio"
    ),
    "caption": (
        "caption captions figure image images photo photos gallery slide slider slideshow carousel "
        "thumb thumbnail media video"
    ),
    "form": (
        "form search login signin signup register subscribe newsletter input checkout filter "
        "filters facet facets sort select"
    ),
    "product": (
        "product products price prices sku description desc spec specs specification specifications "
        "detail details feature features shop cart buy"
    ),
    "review": "review reviews rating ratings testimonial testimonials",
    "list": "list listing listings grid card cards item items result results row tile tiles feed",
    "modal": (
        "modal popup overlay cookie cookies consent gdpr alert notice dialog tooltip print noprint "
        "cookiebanner cookiebot cookieconsent cookielaw cookienotice onetrust qc cmplz didomi usercentrics "
        "truste trustarc osano iubenda termly klaro evidon tarteaucitron axeptio "
        "offscreen screen sr visually skip hidden hide"
    ),
    "code": "code highlight snippet syntax",
    "user": "user users profile avatar signature member username",
    "faq": "faq accordion tab tabs tabpanel collapse toggle step steps",
    "commerce": (
        "cart basket bag shopping checkout shipping delivery payment stock availability quantity qty order "
        "orders offer offers wishlist currency variant variants"
    ),
    "legal": "privacy policy policies terms disclaimer tos agreement license cookie cookies copyright legal",
    "summary": "summary excerpt intro lead standfirst abstract deck tagline",
}
"""Words in `class`, `id`, `role` and `itemprop`, by group; a word may be in several groups."""

WORDS: dict[int, int] = {}
"""The groups of each word, by its key: bit g is set for group g."""

for _group, _words in enumerate(GROUPS.values()):
    for _word in _words.split():
        WORDS[key(_word)] = WORDS.get(key(_word), 0) | 1 << _group

SCHEMAS = {
    "article": (b"article", b"blogposting"),
    "product": (b"product",),
    "thread": (b"forumposting", b"qapage", b"question"),
    "list": (b"itemlist", b"collectionpage"),
}
"""Types of schema.org and Open Graph, in lower case, by kind."""

_NOTES = frozenset(
    b"callout admonition theme-admonition markdown-alert custom-block starlight-aside hint admonitionblock"
    b" bs-callout usa-alert notecard notion-callout confluence-information-macro govuk-inset-text note-box"
    b" warning-box".split()
)
_KINDS_OF_NOTES = frozenset(
    b"note warning caution important danger info hint tip attention success error primary".split()
)
PLAIN_NOTES = frozenset(b"note warning caution".split())


def is_note(classes: list[bytes]) -> bool:
    """Tell whether the classes of an element, in small letters, name a note in a text, such as a warning."""
    if b"alert" in classes or b"message" in classes:
        return any(name.startswith((b"alert-", b"is-")) for name in classes)
    if not _NOTES.isdisjoint(classes):
        return True
    return len(classes) > 1 and not PLAIN_NOTES.isdisjoint(classes) and _KINDS_OF_NOTES.issuperset(classes)
