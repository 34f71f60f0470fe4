"""How packages are named that not everybody needs: the extras of `pyproject.toml`."""

from __future__ import annotations


def install_command(extra: str) -> str:
    """Return what installs an extra, for messages: from a registry, or from a checkout."""
    return f"pip install 'cedar-corpus[{extra}]' (in a checkout: pip install '.[{extra}]')"
