"""Modules of others as the tests want them."""

from tests.scoring.conftest import install

__all__ = ["install"]
