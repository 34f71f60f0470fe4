"""Methods that judge the lines of a page: CETR, TTR, and keeping all."""
