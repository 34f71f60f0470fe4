"""What is masked of pages, as options of what writes them: `cedar extract`, `cedar filter`, `cedar dedup`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipelines.common.errors import UsageError
from pipelines.common.option_values import refused
from transforms.model.options import Group, option

if TYPE_CHECKING:
    from transforms.curation.masks import Mask

_KINDS = ("email", "ip", "phone")
_STYLES = ("words", "datatrove")
_MASKED = Group("what is masked", "see docs/curation.md")


def mask_option() -> Any:
    """Make the field of what is masked."""
    return option(
        "mask personal data in text, Markdown, title, metadata: email, ip (public), phone (international), "
        "with commas between them",
        parse=_kinds,
        metavar="KINDS",
        group=_MASKED,
    )


def mask_with_option() -> Any:
    """Make the field of what stands for masked data."""
    return option(
        "what stands for it: words as <EMAIL>, or the addresses that datatrove puts in",
        choices=_STYLES,
        metavar="STYLE",
        shown=_STYLES[0],
        group=_MASKED,
    )


def check_mask(kinds: tuple[str, ...], style: str | None) -> None:
    """Refuse a style of nothing.

    Raises:
        UsageError: nothing is masked.
    """
    if style is not None and not kinds:
        raise UsageError("--mask-with says what stands for masked data: give --mask email,ip,phone, too")


def refuse_html(kinds: tuple[str, ...], corpus: str, groups: tuple[str, ...]) -> None:
    """Refuse a corpus that holds what would not be masked.

    Args:
        kinds: what is masked.
        corpus: where it is.
        groups: its groups of columns.

    Raises:
        UsageError: it has the HTML of its pages.
    """
    if kinds and "html" in groups:
        raise UsageError(
            f"{corpus} has the HTML of its pages, which --mask leaves as it is: make it without --with-html"
        )


def mask_of(kinds: tuple[str, ...], style: str | None) -> Mask:
    """Return what the workers need."""
    from transforms.curation.masks import Mask

    return Mask(kinds, style or _STYLES[0])


def mask_identity(mask: Mask) -> dict[str, Any]:
    """Return what a corpus is pinned to: nothing where nothing is masked."""
    return {"mask": ",".join(mask.kinds), "mask_with": mask.style} if mask.kinds else {}


def _kinds(text: str) -> tuple[str, ...]:
    """Read the kinds of personal data, in an order of ours.

    Raises:
        argparse.ArgumentTypeError: one is unknown.
    """
    kinds = text.split(",")
    if not set(kinds) <= set(_KINDS):
        raise refused("kinds of personal data", text, f"choose from {', '.join(_KINDS)}, with commas between")
    return tuple(kind for kind in _KINDS if kind in kinds)
