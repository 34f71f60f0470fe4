"""What a page is worth to a corpus: its language, signals of its quality, rules over them, its signature."""
