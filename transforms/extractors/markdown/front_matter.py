"""Front matter: facts of a page as YAML before its Markdown."""

import json
import re
from collections.abc import Mapping

_NO_YAML = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
"""Characters that JSON allows in a string, and that YAML forbids, or shows as another line or order."""


def front_matter(facts: Mapping[str, str | None]) -> str:
    """Write facts as YAML between lines of `---`, without those that are None or empty; "" without any.

    Each value is one double-quoted string on one line, which YAML reads as JSON does.
    """
    lines = [f"{name}: {_quoted(value)}\n" for name, value in facts.items() if value]
    return f"---\n{''.join(lines)}---\n" if lines else ""


def _quoted(value: str) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return _NO_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
