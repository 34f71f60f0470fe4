"""What makes a tree of elements and texts that come in document order."""

from typing import final

from transforms.extractors.tree._tree import Tree

@final
class TreeBuilder:
    """Takes the elements and texts of a page in document order, and leaves out what is not seen.

    That is what no browser shows as text (`script`, `style`, `title`, and what stands inside of `iframe`,
    `noframes`, `noembed`, `xmp` and `template`), and what markup hides: by a `hidden` attribute, or by
    `display: none` in a `style` attribute; but for `html` and `body`, which pages show again by script.
    """

    def __new__(cls, elements: int, max_depth: int, keep_hidden: bool) -> TreeBuilder:
        """Begin a tree.

        Args:
            elements: how many elements the page has, at most.
            max_depth: elements with content that may be open at once.
            keep_hidden: whether elements stay that markup hides.
        """

    def open(self, name: bytes, attributes: list[tuple[bytes, bytes]], is_empty: bool) -> None:
        """Take an element; unless it is empty, it is open until `close`. Bytes are UTF-8 without NUL."""

    def add(self, text: bytes) -> None:
        """Take text of the innermost open element."""

    def close(self) -> None:
        """Close the innermost open element."""

    def finish(self) -> Tree:
        """Make the tree.

        Raises:
            TooDeepError: more elements than `max_depth` were open somewhere, whether seen or not.
        """
