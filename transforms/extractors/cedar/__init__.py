"""The default method: blocks of a page, scored by a small learned table."""
