"""Facts about a variable that no relation of numbers expresses, each as a test of a value."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Holds = Callable[..., bool]
_MAX_VERTICES = 5_000_000


def _distinct(value: Any, _context: Mapping[str, Any]) -> bool:
    items = [tuple(item) if isinstance(item, list) else item for item in value]
    return len(set(items)) == len(items)


def _sorted(value: Any, _context: Mapping[str, Any]) -> bool:
    return all(one <= other for one, other in itertools.pairwise(value))


def _increasing(value: Any, _context: Mapping[str, Any]) -> bool:
    return all(one < other for one, other in itertools.pairwise(value))


def _descending(value: Any, _context: Mapping[str, Any]) -> bool:
    return all(one >= other for one, other in itertools.pairwise(value))


def _decreasing(value: Any, _context: Mapping[str, Any]) -> bool:
    return all(one > other for one, other in itertools.pairwise(value))


def _permutation(value: Any, _context: Mapping[str, Any], first: int = 1) -> bool:
    return sorted(value) == list(range(first, first + len(value)))


def flatten(value: Any) -> list[Any]:
    """Return all leaves of nested arrays, in order."""
    if not isinstance(value, list):
        return [value]
    return [leaf for item in value for leaf in flatten(item)]


def _letters(value: Any, _context: Mapping[str, Any], characters: str) -> bool:
    return all(set(text) <= set(characters) for text in flatten(value))


def _oneof(value: Any, _context: Mapping[str, Any], *allowed: Any) -> bool:
    return all(leaf in allowed for leaf in flatten(value))


def _count(value: Any, _context: Mapping[str, Any], character: str, times: int) -> bool:
    return all(text.count(character) == times for text in flatten(value))


def _no_leading_zeros(value: Any, _context: Mapping[str, Any]) -> bool:
    return all(not text.startswith("0") for text in flatten(value))


def is_prime(number: int) -> bool:
    """Return whether a number below 3.3 * 10^24 is prime, by Miller and Rabin with sufficient bases."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if number < 2 or any(number % base == 0 for base in bases):
        return number in bases
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        power = pow(base, odd, number)
        if power not in (1, number - 1) and all(
            (power := power * power % number) != number - 1 for _ in range(twos - 1)
        ):
            return False
    return True


def _prime(value: Any, _context: Mapping[str, Any]) -> bool:
    return all(map(is_prime, flatten(value)))


def _same_letters(value: Any, context: Mapping[str, Any], other: str) -> bool:
    return sorted(value) == sorted(context[other])


def _subsequence(value: Any, context: Mapping[str, Any], other: str) -> bool:
    rest = iter(context[other])
    return all(letter in rest for letter in value)


def _disjoint(value: Any, _context: Mapping[str, Any]) -> bool:
    rows = sorted(value)
    return all(one[1] < other[0] for one, other in itertools.pairwise(rows))


class _DisjointSets:
    """Connected components of vertices."""

    def __init__(self, size: int) -> None:
        self.parent = list(range(size))
        self.count = size

    def find(self, vertex: int) -> int:
        while self.parent[vertex] != vertex:
            self.parent[vertex] = self.parent[self.parent[vertex]]
            vertex = self.parent[vertex]
        return vertex

    def join(self, one: int, other: int) -> None:
        one, other = self.find(one), self.find(other)
        if one != other:
            self.parent[one] = other
            self.count -= 1


def _zero_based_edges(value: Sequence[Sequence[int]], size: int, first: int) -> list[tuple[int, int]] | None:
    if size > _MAX_VERTICES:
        return None
    ends = [(row[0] - first, row[1] - first) for row in value]
    return ends if all(0 <= a < size and 0 <= b < size for a, b in ends) else None


def _connected(value: Any, _context: Mapping[str, Any], size: int, first: int = 0) -> bool:
    ends = _zero_based_edges(value, size, first)
    if ends is None:
        return False
    sets = _DisjointSets(size)
    for one, other in ends:
        sets.join(one, other)
    return sets.count == 1


def _tree(value: Any, context: Mapping[str, Any], size: int, first: int = 0) -> bool:
    return len(value) == size - 1 and _connected(value, context, size, first)


def _graph(value: Any, _context: Mapping[str, Any], size: int, first: int = 0) -> bool:
    ends = _zero_based_edges(value, size, first)
    return ends is not None and all(a != b for a, b in ends) and len({(min(e), max(e)) for e in ends}) == len(ends)


def _digraph(value: Any, _context: Mapping[str, Any], size: int, first: int = 0) -> bool:
    ends = _zero_based_edges(value, size, first)
    return ends is not None and all(a != b for a, b in ends) and len(set(ends)) == len(ends)


def _acyclic(value: Any, _context: Mapping[str, Any], size: int, first: int = 0) -> bool:
    ends = _zero_based_edges(value, size, first)
    if ends is None:
        return False
    after: list[list[int]] = [[] for _ in range(size)]
    before = [0] * size
    for one, other in ends:
        after[one].append(other)
        before[other] += 1
    free = [vertex for vertex in range(size) if not before[vertex]]
    count = 0
    while free:
        count += 1
        for other in after[free.pop()]:
            before[other] -= 1
            if not before[other]:
                free.append(other)
    return count == size


FACTS: Mapping[str, Holds] = {
    "acyclic": _acyclic,
    "connected": _connected,
    "count": _count,
    "decreasing": _decreasing,
    "descending": _descending,
    "digraph": _digraph,
    "disjoint": _disjoint,
    "distinct": _distinct,
    "graph": _graph,
    "increasing": _increasing,
    "letters": _letters,
    "no_leading_zeros": _no_leading_zeros,
    "oneof": _oneof,
    "permutation": _permutation,
    "prime": _prime,
    "same_letters": _same_letters,
    "sorted": _sorted,
    "subsequence": _subsequence,
    "tree": _tree,
}
