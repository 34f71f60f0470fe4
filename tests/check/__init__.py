"""Tests of `cedar check`."""
