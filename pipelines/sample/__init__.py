"""A small WARC to try Cedar on."""
