"""`cedar text`: the text of one page on standard output."""
