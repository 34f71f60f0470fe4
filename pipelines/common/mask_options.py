"""What is masked of pages, as options of what writes them: `cedar extract`, `cedar filter`, `cedar dedup`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pipelines.common.errors import UsageError
from pipelines.common.option_values import refused
from transforms.model.options import Group, option

if TYPE_CHECKING:
    from transforms.curation.masks import Mask

_KINDS = ("email", "ip", "phone")
_STYLES = ("words", "datatrove")
_MASKED = Group("what is masked", "see docs/curation.md")


def _kinds(text: str) -> tuple[str, ...]:
    """Read the kinds of personal data, in an order of ours."""
    kinds = text.split(",")
    if not set(kinds) <= set(_KINDS):
        raise refused("kinds of personal data", text, f"choose from {', '.join(_KINDS)}, with commas between")
    return tuple(kind for kind in _KINDS if kind in kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskChoices:
    """What was asked for; the help of each field says what it means."""

    mask: tuple[str, ...] = option(
        "mask personal data in text, Markdown, title, metadata: email, ip (public), phone (international), "
        "with commas between them",
        (),
        parse=_kinds,
        metavar="KINDS",
        group=_MASKED,
    )
    mask_with: str | None = option(
        "what stands for it: words as <EMAIL>, or the addresses that datatrove puts in",
        choices=_STYLES,
        metavar="STYLE",
        shown=_STYLES[0],
        group=_MASKED,
    )

    def check(self) -> None:
        """Raise UsageError for a style where nothing is masked."""
        if self.mask_with is not None and not self.mask:
            raise UsageError("--mask-with says what stands for masked data: give --mask email,ip,phone, too")

    def refuse_html(self, corpus: str, groups: tuple[str, ...]) -> None:
        """Raise UsageError for a corpus that has the HTML of its pages, which would not be masked."""
        if self.mask and "html" in groups:
            raise UsageError(
                f"{corpus} has the HTML of its pages, "
                "which --mask leaves as it is: make it without --with-html"
            )

    @property
    def masked(self) -> Mask:
        """What the workers need."""
        from transforms.curation.masks import Mask

        return Mask(self.mask, self.mask_with or _STYLES[0])


def mask_of_corpus(described: Mapping[str, Any]) -> Mask:
    """Return what is masked in a corpus, as its `corpus.json` says."""
    kinds = str(described.get("mask") or "").split(",")
    return MaskChoices(mask=tuple(filter(None, kinds)), mask_with=described.get("mask_with")).masked


def mask_identity(mask: Mask, sources: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Return what a corpus is pinned to, of its mask and the `corpus.json` of what it is made of, if any."""
    masks = [one for one in (mask, *map(mask_of_corpus, sources)) if one.kinds]
    return replace(masks[0], kinds=sum((one.kinds for one in masks), ())).choices if masks else {}
