"""`cedar check`: whether a corpus is whole, by its commits and files."""
