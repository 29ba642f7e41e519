"""The Pareto frontier of scores against what they cost, and the ticks of a logarithmic axis."""

from collections.abc import Sequence
from math import ceil, floor, log10

_MANTISSAS = ((1,), (1, 3), (1, 2, 5))


def pareto_frontier(costs: Sequence[float], scores: Sequence[float]) -> tuple[int, ...]:
    """Return the places on the frontier, cheapest first.

    A place is on it if no other one has a higher score for the same cost or less, nor the same score for less. Equal
    pairs are on it together, in their order.
    """
    best: tuple[float, float] | None = None
    frontier = []
    for place in sorted(range(len(costs)), key=lambda place: (costs[place], -scores[place])):
        if best is None or scores[place] > best[0] or (scores[place], costs[place]) == best:
            best = scores[place], costs[place]
            frontier.append(place)
    return tuple(frontier)


def log_ticks(least: float, most: float, limit: int) -> tuple[float, ...]:
    """Return round numbers from `least` to `most` (both above 0) for a logarithmic axis, ascending.

    These are the powers of ten, or these with their 3- or their 2- and 5-fold, whichever are the most of at most
    `limit`; of more than `limit` powers, every second, third or later one.
    """
    powers = range(floor(log10(least)), ceil(log10(most)) + 1)
    chosen: tuple[float, ...] = ()
    for mantissas in _MANTISSAS:
        ticks = tuple(
            value for power in powers for mantissa in mantissas if least <= (value := mantissa * 10.0**power) <= most
        )
        if len(ticks) <= limit and len(ticks) > len(chosen):
            chosen = ticks
    if chosen:
        return chosen
    inside = [value for power in powers if least <= (value := 10.0**power) <= most]
    return tuple(inside[:: -(-len(inside) // limit)]) if inside else ()
