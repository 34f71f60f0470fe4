"""Separators between the blocks of a round; for compiled code alone."""
