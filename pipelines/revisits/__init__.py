"""`cedar revisits`: the revisits of a corpus, with the rows of what they refer to."""
