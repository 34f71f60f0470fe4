"""`cedar filter`: rules over a corpus that is there, tried out or applied."""
