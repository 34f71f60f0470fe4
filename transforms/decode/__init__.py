"""From the block of a response record to valid UTF-8 HTML; pure.

`http` takes a response apart and undoes its codings (`chunks`, `codings`), `media` says whether it is HTML,
`charset` decodes it (`encodings` holds the WHATWG encodings, `prescan` reads what the page's head declares).
"""
