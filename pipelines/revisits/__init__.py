"""`cedar revisits`: the revisits of a corpus, each with the row of the capture that it refers to."""
