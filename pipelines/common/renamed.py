"""Options that have gone, and what to write instead: an old command line is told so in one line."""

_EXTRACTOR = "write --extractor NAME:K=V,K=V"
_LIMIT = "limits other than --max-body are fixed (docs/limits.md)"

_OF_ALL = {"--extractor-option": _EXTRACTOR}
_OF_COMMAND = {
    "crawls": {"--refresh": "write --update-listings"},
    "dedup": {"--refresh": "write --restart"},
    "extract": {
        "--price": "--plan counts pages; multiply them by what a page costs you",
        **dict.fromkeys(
            (
                "--max-header",
                "--max-http-header",
                "--max-codings",
                "--max-members",
                "--max-zstd-blocks",
                "--max-zstd-window",
                "--max-zstd-dictionary",
                "--max-tags",
                "--max-attributes",
                "--max-depth",
            ),
            _LIMIT,
        ),
    },
    "report": {"--settle": "write cedar check CORPUS --repair"},
}


def renamed_options(command: str) -> dict[str, str]:
    """Return what to write instead of each option that a command had."""
    return {**_OF_ALL, **_OF_COMMAND.get(command, {})}
