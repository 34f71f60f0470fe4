"""The README and the pages of docs/, as the tests read them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def page(name: str) -> str:
    """A page of docs/ by its name without suffix."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def python_examples(*texts: str) -> list[str]:
    """The Python of some pages, example by example."""
    return [example for text in texts for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL)]
