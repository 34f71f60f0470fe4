"""The options of personal data that is masked, and the identity of a corpus that they shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.option_types import invalid_value
from cedar.transforms.model.options import Group, option

if TYPE_CHECKING:
    from cedar.transforms.curation.masks import Mask

_KINDS = ("email", "ip", "phone")
_STYLES = ("words", "datatrove")
_MASKED = Group("masks", "see docs/curation.md")


def _kinds(text: str) -> tuple[str, ...]:
    """Read the kinds of personal data, in a fixed order."""
    kinds = text.split(",")
    if not set(kinds) <= set(_KINDS):
        raise invalid_value(
            "choice of personal data", text, f"choose from {', '.join(_KINDS)}, with commas between"
        )
    return tuple(kind for kind in _KINDS if kind in kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskOptions:
    """The options of personal data that is masked."""

    mask: tuple[str, ...] = option(
        "mask personal data in text, Markdown, title and metadata: email, ip (public), phone "
        "(international), separated by commas",
        (),
        parse=_kinds,
        metavar="KINDS",
        group=_MASKED,
    )
    mask_with: str | None = option(
        "what replaces it: words such as <EMAIL>, or the addresses that datatrove inserts",
        choices=_STYLES,
        metavar="STYLE",
        shown=_STYLES[0],
        group=_MASKED,
    )

    def check(self) -> None:
        """Raise UsageError for a style where nothing is masked."""
        if self.mask_with is not None and not self.mask:
            raise UsageError("--mask-with needs --mask: give --mask email,ip,phone, too")

    def refuse_html(self, corpus: str, groups: tuple[str, ...]) -> None:
        """Raise UsageError for a corpus that has the HTML of its pages, which would not be masked."""
        if self.mask and "html" in groups:
            raise UsageError(
                f"{corpus} has the HTML of its pages, which --mask does not mask: make it without --with-html"
            )

    def refuse_other_style(self, sources: Iterable[Mapping[str, Any]]) -> None:
        """Raise UsageError for corpora, by their `corpus.json`, that are masked in another style."""
        masks = [one for one in (self.masked, *map(mask_of_corpus, sources)) if one.kinds]
        styles = list(dict.fromkeys(str(one.choices["mask_with"]) for one in masks))
        if len(styles) > 1:
            raise UsageError(
                f"personal data would be masked in two styles, {' and '.join(styles)}: a corpus keeps "
                f"its style; give --mask-with {styles[-1]}, or corpora of one style"
            )

    @property
    def masked(self) -> Mask:
        """The mask that workers apply."""
        from cedar.transforms.curation.masks import Mask

        return Mask(self.mask, self.mask_with or _STYLES[0])


def mask_of_corpus(described: Mapping[str, Any]) -> Mask:
    """Return the mask of a corpus, by its `corpus.json`."""
    kinds = str(described.get("mask") or "").split(",")
    return MaskOptions(mask=tuple(filter(None, kinds)), mask_with=described.get("mask_with")).masked


def mask_identity(mask: Mask, sources: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Return the identity of a corpus by its mask, and by the `corpus.json` of its sources, if any."""
    masks = [one for one in (mask, *map(mask_of_corpus, sources)) if one.kinds]
    return replace(masks[0], kinds=sum((one.kinds for one in masks), ())).choices if masks else {}
