"""`cedar report`: a corpus, drawn: its books, its pages, its time."""
