"""Which addresses are wanted: expressions, and lists of domains, addresses, words and parts of words."""
