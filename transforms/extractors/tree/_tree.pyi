from typing import final

from transforms.extractors.html.characters import Flags, Floats, Keys, Offsets

@final
class Tree:
    size: int
    tags: int
    body: int
    keys: Keys
    block_level: Flags
    parents: Offsets
    ends: Offsets
    opens: Offsets
    closes: Offsets
    inside: Offsets
    chars: Offsets
    blocks: Offsets
    text: bytes
    texts: Offsets
    markup: bytes
    in_body: Flags
    body_tags: tuple[int, int]
    body_text: Flags
    depths: Offsets
    def name(self, element: int) -> str: ...
    def attributes(self, element: int) -> dict[str, str]: ...
    def named(self, *names: str) -> Flags: ...
    def with_attribute(self, elements: Flags, name: str) -> Flags: ...
    def covered(self, elements: Flags) -> Flags: ...
    def element_sums(self, values: Offsets | Flags) -> Offsets: ...
    def text_sums(self, values: Offsets | Flags) -> Offsets: ...
    def child_sums(self, values: Offsets | Floats | Flags) -> Floats: ...
    def direct_sums(self, values: Offsets | Floats | Flags) -> Floats: ...
