"""What the layout and the rules know of an element by its name; for compiled code alone."""
