"""Learns the table of the `cedar` extractor from pages whose text is known."""
