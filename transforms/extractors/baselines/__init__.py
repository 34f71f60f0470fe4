"""Methods that the papers compare with. Some survive only in outline: each file says what is our choice."""
