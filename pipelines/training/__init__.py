"""How the table of `cedar` is learned: from pages with their text to trees. Plain numpy, seeded."""
