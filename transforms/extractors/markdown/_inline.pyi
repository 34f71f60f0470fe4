"""See `_inline.pyx`; what it has is called by compiled code alone."""

def fenced(code: str, language: str) -> list[str]:
    """Code between fences longer than any run of backticks in it."""
