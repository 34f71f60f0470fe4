"""Content as Markdown: CommonMark with the tables and the struck text of GFM."""
