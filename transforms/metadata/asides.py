"""What of a page is not its own: comments, quotes, sidebars and related things."""

import re
from bisect import bisect_right

from transforms.extractors.html._tags import key
from transforms.extractors.html.reading import PageReading
from transforms.metadata._places import MOST_FINDS, Places
from transforms.metadata._texts import element_stop

_WHOLE = frozenset(map(key, ("html", "body", "main")))
_QUOTE = key("blockquote")
_ASIDE = re.compile(
    rb"(?:^|[\s_-])(?:comments?|commentlist)(?=$|[\s_-](?!open|closed|enabled|disabled|off\b))"
    rb"|(?:^|[\s_-])(?:related|recommend(?:ed|ations?)?|(?:pull|block)?quotes?)(?=$|[\s_-])"
    rb"|(?:^|\s)sidebar(?=$|[\s_-])|[^_-][_-]sidebar(?=$|\s)"
)
_NO_ASIDE = re.compile(
    rb"(?:^|[\s_-])(?:has|with|no|without)[_-](?:comments?|related|sidebar|quotes?)(?=$|[\s_-])"
)


class Asides:
    """The tags of a page's asides around its headline, found as far as they are asked for."""

    def __init__(self, page: PageReading, places: Places, headline: int) -> None:
        self._page, self._places, self._headline = page, places, headline
        self._starts: list[int] = []  # ascending, and apart
        self._stops: list[int] = []
        self._known: dict[bytes, bool] = {}  # pages repeat their classes
        self._seen, self._left = 0, MOST_FINDS

    def hold(self, tag: int) -> bool:
        """Whether a tag is in one of them."""
        if tag >= self._seen:
            self._look_up_to(tag + 1)
        at = bisect_right(self._starts, tag) - 1
        return at >= 0 and tag < self._stops[at]

    def _look_up_to(self, last: int) -> None:
        found = self._places.asides(self._seen, last, self._left)
        self._seen = last
        stop = self._stops[-1] if self._stops else 0
        for tag in found:
            if tag >= stop and self._is_aside(tag):
                end = element_stop(self._page, tag)
                if not tag < self._headline < end:
                    self._starts.append(tag)
                    self._stops.append(stop := end)
        self._left -= len(found)
        if found and not self._left:  # more of them may follow
            self._starts.append(max(found[-1], stop, self._headline))
            self._stops.append(self._page.tags.count)

    def _is_aside(self, tag: int) -> bool:
        name = int(self._page.tags.keys[tag])
        if name in _WHOLE or name == _QUOTE:
            return name == _QUOTE
        words = self._places.marks(tag, 3)
        if words not in self._known:
            self._known[words] = _ASIDE.search(_NO_ASIDE.sub(b" ", words)) is not None
        return self._known[words]
