"""Decodes character references, for compiled modules: see `_references.pyx`."""
