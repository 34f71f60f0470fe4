from typing import Literal

from cedar.transforms.extractors.segments._markup import Markup

MAX_METAS: int
MAX_FINDS: int

class Places:
    metas: dict[str, list[str]]
    links: list[tuple[str, str]]
    base: str | None
    language: bytes
    times: list[int]
    headings: list[int]
    any_headings: list[int]
    published: list[int]
    modified: list[int]
    authored: list[int]
    by_authors: list[int]
    to_licences: list[int]
    to_commons: list[int]
    def __init__(self, markup: Markup) -> None: ...
    def attributes(self, tag: int) -> dict[bytes, bytes]: ...
    def target(self, tag: int) -> bytes: ...
    def marks(self, tag: int, count: int = 4) -> bytes: ...
    def marked(
        self, what: Literal["dates", "things", "authors", "changes"], first: int, last: int
    ) -> list[int]: ...
    def kind_of(self, tag: int) -> tuple[int, int, bool]: ...
    def alike(self, tag: int) -> list[int]: ...
    def asides(self, first: int, last: int, max_tags: int) -> list[int]: ...
