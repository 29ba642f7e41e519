"""What a model server counts, read from Prometheus' text."""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gauges:
    """Requests that run and wait, the share of the cache in use, and the tokens made since the start."""

    running: float | None = None
    waiting: float | None = None
    cache: float | None = None
    tokens: float | None = None


def read_gauges(text: str, names: Mapping[str, str]) -> Gauges:
    """The gauges under the engine's `names`; those of several workers of one server are added, shares are averaged."""
    found: dict[str, list[float]] = {}
    for line in text.splitlines():
        words = line.replace("{", " {", 1).split(" ")
        value = _number(words[-1])
        if not line.startswith("#") and len(words) > 1 and value is not None:
            found.setdefault(words[0], []).append(value)
    values = {ours: found[theirs] for ours, theirs in names.items() if theirs in found}
    return Gauges(**{name: sum(each) / (len(each) if name == "cache" else 1) for name, each in values.items()})


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
