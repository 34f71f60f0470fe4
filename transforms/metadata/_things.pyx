"""The articles and pages in a value of JSON-LD, level by level."""

cdef enum:
    NODES = 2000
    DEPTH = 32

MAX_NODES = NODES

cdef tuple ARTICLES = ("article", "posting", "report", "recipe", "review", "podcastepisode", "videoobject", "scholarly",
    "howto", "question", "dataset")
cdef tuple PAGES = ("webpage", "itempage", "creativework", "book", "product", "event", "faqpage", "aboutpage", "course")
"""Words in the types of articles, and of pages around an article, in lower case."""

cdef frozenset APART = frozenset(
    {"comment", "review", "reviews", "isrelatedto", "relatedlink", "haspart", "mentions"}
    | {"itemlistelement", "citation", "ispartof", "video", "subjectof", "about", "author", "publisher"}
)
"""Properties whose values are other things than the page's own, in lower case."""


def things_in(parsed, dict named not None):
    """List the things in a value, outer ones first: whether each is an article, and its properties.

    `named` gets the properties of each `@id`: of the first thing that has a name, too.
    """
    cdef list level = [parsed], inner, found = []
    cdef dict values, known = {}  # pages repeat their types
    cdef Py_ssize_t seen = 0, depth
    for depth in range(DEPTH):
        inner = []
        for value in level:
            seen += 1
            if seen > NODES:
                return found
            if isinstance(value, list):
                inner += (<list>value)[:NODES]
            elif isinstance(value, dict):
                values = <dict>value
                if values.get("name") and isinstance(identity := values.get("@id"), str):
                    named.setdefault(identity, values)
                kind = str(values.get("@type", ""))
                if kind not in known:
                    known[kind] = _is_article(kind.lower())
                is_article = known[kind]
                if is_article is not None:
                    found.append((is_article, values))
                for name, each in values.items():
                    if isinstance(each, (list, dict)) and name.lower() not in APART:
                        inner.append(each)
        level = inner
    return found


cdef object _is_article(str kind):
    """Whether a type is a type of articles; None if it is no type of pages, either."""
    if any([word in kind for word in ARTICLES]):
        return True
    return False if any([word in kind for word in PAGES]) else None
