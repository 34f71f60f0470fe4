"""Signs of TeX in pages; see `_signs.pyx`."""

def names_tex(page: bytes) -> bool:
    """Whether a page names MathJax or KaTeX."""
