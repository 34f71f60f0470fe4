"""Curation: language, signals of quality, rules over them, signatures and duplicates, masks of personal data.

- `plan`, `curator`: the choices of a run, and the stages that a page goes through.
- `language`, `languages`, `_scripts`: the language of a text; `fasttext_file`, `_fasttext`: models of
  fastText; `scores`: columns of classifiers; `own_signals`: columns of the user's functions.
- `_signals`, over `_tokens`, `_repeats`, `_characters` and `stop_words`: the measures of a text.
- `rules`: the first rule that a page fails, of `expressions` (`--keep`), `presets` and `fineweb2`.
- `signatures`, `_signatures`, `banding`: MinHash; `duplicates`, `_duplicates`: pages that share a key.
- `masks`, `masked_markdown`, over `_personal`: `_plain_text`, `_emails`, `_ip_addresses`, `_telephones`.
"""
