"""The tree of a page: its elements, their names and attributes, and the text between their tags."""

from typing import final

from transforms.extractors.html.characters import Flags, Keys, Offsets

@final
class Tree:
    """A page's n elements in document order, and their t tags.

    An element that holds something has a start tag and an end tag; one that is empty has one tag. Text
    belongs to the tag it follows: after a start tag it is the element's text, after an end tag its tail. An
    element's subtree, itself included, is the range [i, ends[i]) of elements; the text in it follows the tags
    [opens[i], closes[i]).

    The text of a tag has two forms. In `text` it stands as the page has it, references decoded. Shrunk, as
    `_text` works on it, each run of blanks is one space, and control characters are gone.

    Attributes:
        size: number of elements, n.
        tags: number of tags, t.
        body: the first `body`, else the root.
        keys: uint64 (n,), the elements' names as `html._tags.key` has them.
        block_level: bool (n,), whether an element parts words and lines; `br` does.
        parents: int64 (n,), -1 for the root.
        ends: int64 (n,), the element after the last of its subtree.
        opens: int64 (n,), the tag that opens each element.
        closes: int64 (n,), the tag that closes it: `opens` again for an empty element.
        inside: int64 (t,), the element in which the text after each tag stands; -1 outside of the root.
        chars: int64 (t,), code points of the shrunk text after each tag, spaces at its ends not counted.
        blocks: int64 (t,), ascending: the block to which it belongs. A block is what stands between two tags
            of block-level elements.
        text: the text of all tags as the page has it, UTF-8.
        texts: int64 (t + 1,), where in `text` that of each tag begins; `text` ends with the last.
        markup: names and attributes of the elements, UTF-8: of each the name, then the name and the value of
            each attribute, every one of these followed by a NUL.
    """

    @property
    def size(self) -> int: ...
    @property
    def tags(self) -> int: ...
    @property
    def body(self) -> int: ...
    @property
    def keys(self) -> Keys: ...
    @property
    def block_level(self) -> Flags: ...
    @property
    def parents(self) -> Offsets: ...
    @property
    def ends(self) -> Offsets: ...
    @property
    def opens(self) -> Offsets: ...
    @property
    def closes(self) -> Offsets: ...
    @property
    def inside(self) -> Offsets: ...
    @property
    def chars(self) -> Offsets: ...
    @property
    def blocks(self) -> Offsets: ...
    @property
    def text(self) -> bytes: ...
    @property
    def texts(self) -> Offsets: ...
    @property
    def markup(self) -> bytes: ...
    @property
    def in_body(self) -> Flags:
        """Marks the body and its descendants. bool (n,)."""

    @property
    def body_tags(self) -> tuple[int, int]:
        """The tags that open and close the body; (0, 0) in an empty tree."""

    @property
    def body_text(self) -> Flags:
        """Marks the tags after which the text is the body's. bool (t,)."""

    @property
    def depths(self) -> Offsets:
        """How many ancestors each element has. int64 (n,)."""

    def name(self, element: int) -> str:
        """The name of an element."""

    def attributes(self, element: int) -> dict[str, str]:
        """The attributes of an element, in their order."""

    def named(self, *names: str) -> Flags:
        """Marks the elements with one of these names. bool (n,)."""

    def with_attribute(self, elements: Flags, name: str) -> Flags:
        """Marks those of the elements marked, bool (n,), that have an attribute. bool (n,)."""

    def covered(self, elements: Flags) -> Flags:
        """Marks the elements that are marked, bool (n,), and their descendants. bool (n,)."""

    def element_sums(self, values: Offsets | Flags) -> Offsets:
        """Sums over each subtree, its root included, of one value an element. int64 (n,)."""

    def text_sums(self, values: Offsets | Flags) -> Offsets:
        """Sums over the text in each subtree of one value a tag: that of the text after it. int64 (n,)."""
