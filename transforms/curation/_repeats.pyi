"""Repetition within a text, for compiled modules alone: what can be called is in the `.pxd`."""
