"""A decoding sweep: one protocol sampled with several settings, as a set of protocols."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from app.domain.asking.protocols import Protocol
from app.domain.errors import InvalidInput

MAX_COMBINATIONS: Final = 64
_AXES: Final = (
    ("temperature", "t", "temperature"),
    ("top_p", "p", "top-p"),
    ("top_k", "k", "top-k"),
    ("max_tokens", "m", "tokens"),
)
_MAX_SLUG_CHARS: Final = 64


@dataclass(frozen=True, slots=True)
class SweepGrid:
    """The values of each axis. An empty axis keeps the protocol's value; None as top-k turns it off."""

    temperature: Sequence[float] = ()
    top_p: Sequence[float] = ()
    top_k: Sequence[int | None] = ()
    max_tokens: Sequence[int] = ()


def sweep(base: Protocol, grid: SweepGrid) -> list[Protocol]:
    """Return a protocol for each combination, named after the base and the values.

    Everything else is the base's, so that rows differ by their sampling only. Raises InvalidInput for a grid without
    values, with more than 64 combinations, or with a value outside the usual ranges.
    """
    axes = [(name, letter, words, dict.fromkeys(getattr(grid, name))) for name, letter, words in _AXES]
    swept = [axis for axis in axes if axis[3]]
    if not swept:
        raise InvalidInput("a sweep needs values of at least one of temperature, top-p, top-k and max-tokens")
    combinations = list(product(*(values for *_, values in swept)))
    if len(combinations) > MAX_COMBINATIONS:
        raise InvalidInput(f"a sweep has at most {MAX_COMBINATIONS} combinations, not {len(combinations)}")
    return [_sweep_member(base, [(*axis[:3], value) for axis, value in zip(swept, values, strict=True)])
            for values in combinations]  # fmt: skip


def _sweep_member(base: Protocol, values: Sequence[tuple[str, str, str, Any]]) -> Protocol:
    sampling = replace(base.sampling, **{name: value for name, _, _, value in values})
    sampling.check()
    slug = "-".join((base.slug, *(f"{letter}{_slug_value(value)}" for _, letter, _, value in values)))
    if len(slug) > _MAX_SLUG_CHARS:
        raise InvalidInput(f"{slug} is longer than a name may be ({_MAX_SLUG_CHARS} characters)")
    title = ", ".join(f"{words} {'off' if value is None else value}" for _, _, words, value in values)
    return replace(base, slug=slug, title=f"{base.title} ({title})", sampling=sampling)


def _slug_value(value: float | None) -> str:
    """Return a value as part of a slug: 0.95 is 0-95, 1.0 is 1, and None is 0."""
    return "0" if value is None else repr(value).removesuffix(".0").replace(".", "-")


def sweep_members(base: Protocol, others: Iterable[Protocol]) -> list[Protocol]:
    """Return the protocols that differ from the base only by swept values, with the base, in order of the values."""
    names = [name for name, *_ in _AXES]

    def rest(protocol: Protocol) -> Protocol:
        swept: dict[str, Any] = {name: getattr(base.sampling, name) for name in names}
        return replace(protocol, slug="", title="", sampling=replace(protocol.sampling, **swept))

    members = [member for member in others if rest(member) == rest(base) and not (member.imported or member.recorded)]
    return sorted(members, key=lambda member: [axis_value(member, name) or 0 for name in names])


def swept_axes(protocols: Sequence[Protocol]) -> list[str]:
    """Return those of temperature, top_p, top_k and max_tokens that differ between protocols."""
    return [name for name, *_ in _AXES if len({axis_value(protocol, name) for protocol in protocols}) > 1]


def axis_value(protocol: Protocol, axis: str) -> float | None:
    """Return a protocol's value on an axis; None for top-k if it is off."""
    value: float | None = getattr(protocol.sampling, axis)
    return value
