"""Kinds of inputs besides archives: tables with a column of HTML, pages in files, archives within zips.

Each reader gives the same as WARC's: records of a byte range in order, damaged stretches, and an end.
"""
