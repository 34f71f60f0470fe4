"""MathML as LaTeX; see `_mathml.pyx`."""

from transforms.extractors.html._tags import Tags

def latex(html: bytes, tags: Tags, first: int, last: int) -> str | None:
    """Writes the element between two tags as LaTeX; None if it is too large, or there is nothing in it."""
