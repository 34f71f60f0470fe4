"""Errors that end a command."""

from __future__ import annotations


class UsageError(Exception):
    """The user's input is wrong; the message says what to do. Ends with exit code 2."""
