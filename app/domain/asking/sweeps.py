"""A decoding sweep: one protocol, sampled in several ways, as a set of protocols."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from app.domain.asking.protocols import Protocol
from app.domain.errors import InvalidInput

MOST: Final = 64
_AXES: Final = (
    ("temperature", "t", "temperature"),
    ("top_p", "p", "top-p"),
    ("top_k", "k", "top-k"),
    ("max_tokens", "m", "tokens"),
)
_LONGEST_SLUG: Final = 64


@dataclass(frozen=True, slots=True)
class Grid:
    """The values of each axis; an empty axis stays as the protocol has it. None as top-k is without one."""

    temperature: Sequence[float] = ()
    top_p: Sequence[float] = ()
    top_k: Sequence[int | None] = ()
    max_tokens: Sequence[int] = ()


def sweep(base: Protocol, grid: Grid) -> list[Protocol]:
    """A protocol for each combination, named after the base and the values that were asked for.

    All else is the base's, so that rows differ by their sampling alone. Raises InvalidInput for a grid without values,
    with more than 64 combinations, or with a value that nobody samples with.
    """
    axes = [(name, letter, words, dict.fromkeys(getattr(grid, name))) for name, letter, words in _AXES]
    asked = [axis for axis in axes if axis[3]]
    if not asked:
        raise InvalidInput("a sweep needs values of at least one of temperature, top-p, top-k and max-tokens")
    combinations = list(product(*(values for *_, values in asked)))
    if len(combinations) > MOST:
        raise InvalidInput(f"a sweep has at most {MOST} combinations, not {len(combinations)}")
    return [_member(base, [(*axis[:3], value) for axis, value in zip(asked, values, strict=True)])
            for values in combinations]  # fmt: skip


def _member(base: Protocol, values: Sequence[tuple[str, str, str, Any]]) -> Protocol:
    sampling = replace(base.sampling, **{name: value for name, _, _, value in values})
    sampling.check()
    slug = "-".join((base.slug, *(f"{letter}{_plain(value)}" for _, letter, _, value in values)))
    if len(slug) > _LONGEST_SLUG:
        raise InvalidInput(f"{slug} is longer than a name may be ({_LONGEST_SLUG} characters)")
    title = ", ".join(f"{words} {'off' if value is None else value}" for _, _, words, value in values)
    return replace(base, slug=slug, title=f"{base.title} ({title})", sampling=sampling)


def _plain(value: float | None) -> str:
    """A value in a slug: 0.95 is 0-95, 1.0 is 1, and none is 0."""
    return "0" if value is None else repr(value).removesuffix(".0").replace(".", "-")
