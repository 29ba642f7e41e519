"""A model server's metrics, read from Prometheus' text format."""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gauges:
    """Running and waiting requests, the share of the cache in use, and the tokens made since the start."""

    running: float | None = None
    waiting: float | None = None
    cache: float | None = None
    tokens: float | None = None


def read_gauges(text: str, names: Mapping[str, str]) -> Gauges:
    """Return the gauges under the engine's `names`; values of several workers are added, shares are averaged."""
    values_by_metric: dict[str, list[float]] = {}
    for line in text.splitlines():
        words = line.replace("{", " {", 1).split(" ")
        value = _number(words[-1])
        if not line.startswith("#") and len(words) > 1 and value is not None:
            values_by_metric.setdefault(words[0], []).append(value)
    values = {ours: values_by_metric[theirs] for ours, theirs in names.items() if theirs in values_by_metric}
    return Gauges(**{name: sum(each) / (len(each) if name == "cache" else 1) for name, each in values.items()})


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
