"""Trees and graphs as pairs of vertices from 0: thin, bushy, deep, dense."""

import random
from typing import NamedTuple

from app.domain.testgen.grammars.domains import Unsatisfiable

Edge = tuple[int, int]
TREE_SHAPES = ("random", "path", "star", "caterpillar", "binary", "broom", "deep")


def make_tree(rng: random.Random, size: int, shape: str, *, shuffled: bool = True) -> list[Edge]:
    """Return a tree of `size` vertices; if shuffled, neither names nor order of its edges reveal its shape."""
    edges = [(_parent(rng, vertex, size, shape), vertex) for vertex in range(1, size)]
    if not shuffled:
        return edges[::-1] if rng.random() < 0.5 else edges
    names = list(range(size))
    rng.shuffle(names)
    edges = [(names[b], names[a]) if rng.random() < 0.5 else (names[a], names[b]) for a, b in edges]
    rng.shuffle(edges)
    return edges


def _parent(rng: random.Random, vertex: int, size: int, shape: str) -> int:
    match shape:
        case "path":
            return vertex - 1
        case "star":
            return 0
        case "caterpillar":
            return vertex - 1 if vertex <= size // 2 else rng.randrange(size // 2 + 1)
        case "binary":
            return (vertex - 1) // 2
        case "broom":
            return vertex - 1 if vertex <= size // 2 else size // 2
        case "deep":
            return max(0, vertex - rng.randint(1, 3))
        case _:
            return rng.randrange(vertex)


class GraphShape(NamedTuple):
    """Required properties of a graph."""

    directed: bool = False
    connected: bool = False
    acyclic: bool = False


class _Edges:
    """Distinct edges in the direction that the graph requires: acyclic ones follow a hidden order."""

    def __init__(self, rng: random.Random, size: int, form: GraphShape) -> None:
        self._shape = form
        order = list(range(size))
        rng.shuffle(order)
        self._place = {vertex: at for at, vertex in enumerate(order)}
        self.pairs: dict[Edge, None] = {}

    def add(self, one: int, other: int) -> None:
        back = self._place[one] > self._place[other] if self._shape.acyclic else one > other
        if back and (self._shape.acyclic or not self._shape.directed):
            one, other = other, one
        self.pairs.setdefault((one, other))


def make_graph(rng: random.Random, size: int, count: int, form: GraphShape) -> list[Edge]:
    """Return `count` distinct edges without loops. Raises Unsatisfiable if there are not enough."""
    both = form.directed and not form.acyclic
    most = size * (size - 1) // (1 if both else 2)
    if count > most or (form.connected and count < size - 1):
        raise Unsatisfiable
    edges = _Edges(rng, size, form)
    if form.connected:
        for one, other in make_tree(rng, size, rng.choice(TREE_SHAPES)):
            edges.add(one, other)
    if 3 * count > most:
        rest = [(a, b) for a in range(size) for b in range(size) if a < b or (both and a != b)]
        rng.shuffle(rest)
        for one, other in rest:
            if len(edges.pairs) >= count:
                break
            edges.add(one, other)
    while len(edges.pairs) < count:
        one, other = rng.randrange(size), rng.randrange(size)
        if one != other:
            edges.add(one, other)
    pairs = list(edges.pairs)
    if not form.directed:
        pairs = [(b, a) if rng.random() < 0.5 else (a, b) for a, b in pairs]
    rng.shuffle(pairs)
    return pairs


def make_connected_edges(rng: random.Random, size: int, count: int) -> list[Edge]:
    """Return `count` edges without loops, parallel ones allowed: most vertices on one tree, often a path by number."""
    core = min(size, count + 1, rng.choice((size, count // 2 + 2, 6)))
    shape = rng.choice(("path", "deep", *TREE_SHAPES))
    edges = make_tree(rng, core, shape, shuffled=rng.random() < 0.4)
    near = rng.random() < 0.5
    while len(edges) < count:
        one = rng.randrange(core)
        other = min(core - 1, one + rng.randint(1, 3)) if near else rng.randrange(core)
        if one != other:
            edges.append((one, other))
    return edges[:count]
