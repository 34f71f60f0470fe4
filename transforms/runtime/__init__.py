"""What keeps a run alive: the page guard, and the board on which workers say how far they are."""
