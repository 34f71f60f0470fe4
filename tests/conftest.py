"""Shared by all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run: a test that fails, fails for everybody.
settings.register_profile("cedar", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("cedar")
