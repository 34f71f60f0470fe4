"""`cedar explain`: one page, drawn: the numbers of a method, what was kept, and why."""
