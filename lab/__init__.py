"""Measures and teaches Cedar; no part of what is installed."""
