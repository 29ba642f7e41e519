"""A decoding sweep: one protocol, sampled in several ways, as a set of protocols."""

from collections.abc import Iterable, Sequence
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


def alike(base: Protocol, others: Iterable[Protocol]) -> list[Protocol]:
    """Those that ask and judge as the base does on the same problems, and differ by what is swept alone, itself among
    them; in the order of the values."""
    names = [name for name, *_ in _AXES]

    def rest(protocol: Protocol) -> Protocol:
        swept: dict[str, Any] = {name: getattr(base.sampling, name) for name in names}
        return replace(protocol, slug="", title="", sampling=replace(protocol.sampling, **swept))

    found = [each for each in others if rest(each) == rest(base) and not (each.imported or each.recorded)]
    return sorted(found, key=lambda each: [value_of(each, name) or 0 for name in names])


def axes_of(protocols: Sequence[Protocol]) -> list[str]:
    """Which of temperature, top_p, top_k and max_tokens differ between protocols."""
    return [name for name, *_ in _AXES if len({value_of(each, name) for each in protocols}) > 1]


def value_of(protocol: Protocol, axis: str) -> float | None:
    """What a protocol has on an axis; None for top-k as for none."""
    value: float | None = getattr(protocol.sampling, axis)
    return value
