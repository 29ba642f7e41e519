"""The arrays and texts of one input, once its sizes and numbers are chosen."""

import random
from typing import Any

from app.domain.testgen.grammars.domains import Domains, Interval, Unsatisfiable, interval
from app.domain.testgen.grammars.expressions import Expr, Key, Ref, Relation
from app.domain.testgen.grammars.facts import is_prime
from app.domain.testgen.grammars.grammar import Grammar, Variable
from app.domain.testgen.grammars.links import bounds, links
from app.domain.testgen.sampling.fill import NUMBER_STYLES, distinct_numbers, make_numbers, narrow_range, pick_number
from app.domain.testgen.sampling.fill import PickRule as HowMuch
from app.domain.testgen.sampling.graphs import TREE_SHAPES, GraphShape, make_connected_edges, make_graph, make_tree
from app.domain.testgen.sampling.texts import MAX_ATTEMPTS, TextFiller

_SHORT = ("runs", "one_odd", "ascending", "nearly_sorted")
_MAX_ELEMENTS = 1_500_000


class ArrayFiller(TextFiller):
    """Filling of one input; every array has a random style unless one is given."""

    def __init__(self, grammar: Grammar, domains: Domains, rng: random.Random, style: str | None) -> None:
        super().__init__(grammar, domains, rng, style)
        self._links = links(grammar.relations, domains)
        self._count = 1  # rows of the current array

    def values(self) -> dict[str, Any]:
        """Return all variables. Raises Unsatisfiable if the choices so far leave nothing."""
        self._fill_interleaved()
        for variable in sorted(self._grammar.variables, key=self._depends):
            if variable.name not in self._values:
                self._values[variable.name] = self._fill(variable)
        for relation in self._grammar.relations:
            self._fill_diagonal(relation)
        return self._values

    def _depends(self, variable: Variable) -> int:
        return sum(bool(self._grammar.facts_of(variable.name, fact)) for fact in ("same_letters", "subsequence"))

    def _fill(self, variable: Variable) -> Any:
        if variable.base == "str":
            return self._texts(variable, 0)
        if variable.depth == 0:
            value = self._domain(Key(variable.name))[0]
            return bool(value) if variable.base == "bool" else self._fill_number(variable, value)
        size = self._domain(Key(variable.name, (), length=True))[0]
        if variable.depth == 1:
            return self._numbers(variable, size)
        columns = self._grammar.columns(variable.name)
        if columns and variable.depth == 2:
            return self._rows(variable, size, columns)
        return self._nested(variable, 0, size)

    def _fill_number(self, variable: Variable, value: int) -> Any:
        oneof = self._fact(variable, "oneof")
        if oneof:
            return self._rng.choice(oneof.details)
        return _next_prime(value, self._grammar.domains[Key(variable.name)]) if self._fact(variable, "prime") else value

    # --- arrays of numbers ---

    def _numbers(self, variable: Variable, size: int) -> list[Any]:
        rng, key = self._rng, Key(variable.name, (None,))
        low, high = self._domain(key)
        style = self._style if self._style in NUMBER_STYLES else rng.choice(list(NUMBER_STYLES))
        if (oneof := self._fact(variable, "oneof")) is not None:
            values: list[Any] = [oneof.details[number]
                                for number in make_numbers(rng, size, 0, len(oneof.details) - 1, style)]  # fmt: skip
        elif (permutation := self._fact(variable, "permutation")) is not None:
            first = permutation.details[0] if permutation.details else 1
            values = list(range(first, first + size))
            rng.shuffle(values)
        elif self._fact(variable, "distinct", "increasing", "decreasing"):
            values = distinct_numbers(rng, size, low, high)
        elif self._links.get(key):
            values = self._linked(variable.name, size, (low, high), style)
        else:
            values = make_numbers(rng, size, low, high, style)
        for at in self._single_places(variable, size):
            start, end = self._domain(Key(variable.name, (at,)))
            values[at] = pick_number(rng, max(start, low), min(end, high), HowMuch.UNIFORM)
        if self._fact(variable, "prime"):
            values = [_next_prime(value, (low, high)) for value in values]
        if self._fact(variable, "sorted", "increasing"):
            values.sort()
        if self._fact(variable, "descending", "decreasing"):
            values.sort(reverse=True)
        return [bool(value) for value in values] if variable.base == "bool" else values

    def _linked(self, name: str, size: int, domain: Interval, style: str) -> list[int]:
        """Return numbers element by element, since others at the same place bound each."""
        return [self._row(name, at, {None: domain}, style)[None] for at in range(size)]

    def _linked_rows(self, name: str, size: int, domains: dict[int | None, Interval], style: str) -> list[list[int]]:
        """Return rows, column by column if nothing links them."""
        if any(self._links.get(Key(name, (None, place))) for place in domains):
            return [list(self._row(name, at, domains, style).values()) for at in range(size)]
        columns = [make_numbers(self._rng, size, low, high, style) for low, high in domains.values()]
        return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in range(size)]

    def _row(self, name: str, at: int, domains: dict[int | None, Interval], style: str) -> dict[int | None, int]:
        row: dict[int | None, int] = {}
        for column, (low, high) in domains.items():
            key = Key(name, (None,) if column is None else (None, column))
            least, most, not_these = bounds(self._links.get(key, ()), at, name, row, self._values)
            if style in _SHORT and least > low:  # close to the other element, for long chains of intervals
                high = min(high, max(least, least + 4 * (high - low) // self._count))
            low, high = max(low, least), min(high, most)
            row[column] = self._pick_allowed(low, high, not_these, style)
        return row

    def _pick_allowed(self, low: int, high: int, not_these: set[int], style: str) -> int:
        rng = self._rng
        for _ in range(MAX_ATTEMPTS):
            if style in ("few", "narrow") and low <= high:
                start, end = low, min(high, low + (2 if style == "few" else 12))
                value = rng.randint(start, end)
            elif style in ("highest", "descending"):
                value = pick_number(rng, low, high, HowMuch.HIGH)
            elif style in ("ends", "logarithmic"):
                value = pick_number(rng, low, high, HowMuch.EDGE if style == "ends" else HowMuch.LOG)
            else:
                value = pick_number(rng, low, high, HowMuch.UNIFORM)
            if value not in not_these:
                return value
            style = "uniform"
        raise Unsatisfiable

    # --- rows of a few columns: queries, edges, intervals ---

    def _rows(self, variable: Variable, size: int, columns: int) -> list[list[Any]]:
        every = self._domain(Key(variable.name, (None, None)))
        domains: dict[int | None, Interval] = {}
        for place in range(columns):
            low, high = self._domain(Key(variable.name, (None, place)))
            domains[place] = max(low, every[0]), min(high, every[1])
        style = self._style if self._style in NUMBER_STYLES else self._rng.choice(list(NUMBER_STYLES))
        self._count = max(1, size)
        ends = self._ends(variable, size)
        if ends is not None:
            rest = _after_ends(domains)
            more = self._linked_rows(variable.name, size, rest, style)
            return [[*pair, *row] for pair, row in zip(ends, more, strict=True)]
        if style in ("few", "same", "zigzag"):  # few distinct rows
            domains = {place: narrow_range(self._rng, *domain, 3) if domain[0] <= domain[1] else domain
                       for place, domain in domains.items()}  # fmt: skip
            if size > 16 and self._fact(variable, "distinct", "disjoint"):
                return self._plain_rows(variable, size, columns, every)
        return self._new_rows(variable, size, domains, style)

    def _plain_rows(self, variable: Variable, size: int, columns: int, every: Interval) -> list[list[Any]]:
        domains: dict[int | None, Interval] = {}
        for place in range(columns):
            low, high = self._domain(Key(variable.name, (None, place)))
            domains[place] = max(low, every[0]), min(high, every[1])
        return self._new_rows(variable, size, domains, "uniform")

    def _new_rows(
        self, variable: Variable, size: int, domains: dict[int | None, Interval], style: str
    ) -> list[list[Any]]:
        if self._fact(variable, "disjoint"):
            return self._disjoint(variable, size, domains, style)
        if not self._fact(variable, "distinct"):
            rows: list[list[Any]] = self._linked_rows(variable.name, size, domains, style)
            if style in ("ascending", "nearly_sorted"):
                rows.sort()
            return rows
        distinct_rows: dict[tuple[int, ...], None] = {}
        if not any(self._links.get(Key(variable.name, (None, place))) for place in domains):
            distinct_rows.update(dict.fromkeys(map(tuple, self._linked_rows(variable.name, size, domains, style))))
        for at in range(len(distinct_rows), size):
            for attempt in range(MAX_ATTEMPTS):
                row = tuple(self._row(variable.name, at, domains, style if attempt < 3 else "uniform").values())
                if row not in distinct_rows:
                    distinct_rows[row] = None
                    break
            else:
                raise Unsatisfiable
        return [list(row) for row in distinct_rows]

    def _disjoint(self, variable: Variable, size: int, domains: dict[int | None, Interval], style: str) -> list[Any]:
        low, high = max(domains[0][0], domains[1][0]), min(domains[0][1], domains[1][1])
        if self._rng.random() < 0.4:
            low, high = narrow_range(self._rng, low, high, max(1, 3 * size))
        points = sorted(distinct_numbers(self._rng, 2 * size, low, high))
        rest = _after_ends(domains)
        rows = []
        for at in range(size):
            left, right = points[2 * at], points[2 * at + 1]
            if self._rng.random() < 0.3:  # touching the next interval, or a single point
                right = self._rng.choice((left, points[2 * at + 2] - 1 if at + 1 < size else right))
            rows.append([left, right, *self._row(variable.name, at, rest, style).values()])
        self._rng.shuffle(rows)
        return rows

    def _ends(self, variable: Variable, size: int) -> list[tuple[int, int]] | None:
        """Return the first two columns if they are the edges of a tree or a graph."""
        rng = self._rng
        fact = self._fact(variable, "tree", "graph", "digraph")
        if fact is None:
            return self._loose_ends(variable, size)
        vertices = self._known_number(fact.details[0])
        first = fact.details[1] if len(fact.details) > 1 else 0
        if fact.name == "tree":
            if vertices != size + 1:
                raise Unsatisfiable
            edges = make_tree(rng, vertices, rng.choice(TREE_SHAPES), shuffled=rng.random() < 0.8)
        else:
            connected, acyclic = (self._fact(variable, name) is not None for name in ("connected", "acyclic"))
            edges = make_graph(rng, vertices, size, GraphShape(fact.name == "digraph", connected, acyclic))
        return [(one + first, other + first) for one, other in edges]

    def _loose_ends(self, variable: Variable, size: int) -> list[tuple[int, int]] | None:
        """Return edges for two columns under one bound, which most likely are edges; None half of the time."""
        one, other = (Key(variable.name, (None, place)) for place in (0, 1))
        tops = [{relation.right for relation in self._grammar.relations if isinstance(relation.right, Ref)
                 and isinstance(relation.left, Ref) and relation.left.key == key} for key in (one, other)]  # fmt: skip
        tied = any(link.sign != "!=" for key in (one, other) for link in self._links.get(key, ()))
        (first, last), domain = self._domain(one), self._domain(other)
        if tied or not tops[0] & tops[1] or domain != (first, last) or not 1 <= last - first < _MAX_ELEMENTS:
            return None
        if self._fact(variable, "distinct") or self._rng.random() < 0.4:
            return None
        edges = make_connected_edges(self._rng, last - first + 1, size)
        return [(a + first, b + first) for a, b in edges]

    def _known_number(self, detail: Expr) -> int:
        low, high = interval(detail, self._domains)
        if low != high:
            raise Unsatisfiable
        return low

    # --- grids ---

    def _nested(self, variable: Variable, level: int, size: int) -> list[Any]:
        """Return arrays of arrays: a grid if all are of one length."""
        key = Key(variable.name, (None,) * (level + 1), length=True)
        low, high = self._domain(key)
        if size * low > _MAX_ELEMENTS:
            raise Unsatisfiable
        style = self._style if self._style in NUMBER_STYLES else self._rng.choice(list(NUMBER_STYLES))
        leaf = self._domain(Key(variable.name, (None,) * variable.depth))
        oneof = self._fact(variable, "oneof")
        if oneof is not None:
            leaf = (0, len(oneof.details) - 1)
        if style in ("few", "narrow"):
            leaf = narrow_range(self._rng, *leaf, 3) if leaf[0] <= leaf[1] else leaf
        rows = []
        for _ in range(size):
            length = self._rng.randint(low, high)
            if level + 2 < variable.depth:
                rows.append(self._nested(variable, level + 1, length))
                continue
            row: list[Any] = make_numbers(self._rng, length, *leaf, style)
            if oneof is not None:
                row = [oneof.details[place] for place in row]
            rows.append([bool(value) for value in row] if variable.base == "bool" else row)
        return rows

    # --- relations across places ---

    def _fill_interleaved(self) -> None:
        """Fill arrays with `end[i] <= start[i + 1]` by increasing numbers in turn."""
        for relation in self._grammar.relations:
            one, other = relation.left, relation.right
            if not (isinstance(one, Ref) and isinstance(other, Ref) and one.name != other.name):
                continue
            if len(one.path) == len(other.path) == 1 and other.path[0].shift - one.path[0].shift == 1:
                self._interleave(other.name, one.name)

    def _interleave(self, first: str, second: str) -> None:
        size = self._domain(Key(first, (), length=True))[0]
        low = self._domain(Key(first, (None,)))[0]
        high = self._domain(Key(second, (None,)))[1]
        if self._rng.random() < 0.4:
            low, high = narrow_range(self._rng, low, high, 3 * size)
        points = sorted(distinct_numbers(self._rng, min(2 * size, high - low + 1), low, high))
        if len(points) < 2 * size:
            if len(points) < size + 1:
                raise Unsatisfiable
            self._values[first], self._values[second] = points[:size], points[1 : size + 1]
            return
        self._values[first], self._values[second] = points[::2], points[1::2]
        for at in range(1, size):
            if self._rng.random() < 0.3:
                self._values[first][at] = self._values[second][at - 1]

    def _fill_diagonal(self, relation: Relation) -> None:
        """Set the diagonal as in `x[i][i] == 0`."""
        ref = relation.left
        if relation.op != "==" or not isinstance(ref, Ref) or len(ref.path) != 2 or ref.path[0] != ref.path[1]:
            return
        low, high = interval(relation.right, self._domains)
        if low == high:
            for at, row in enumerate(self._values[ref.name]):
                if at < len(row):
                    row[at] = low


def _after_ends(domains: dict[int | None, Interval]) -> dict[int | None, Interval]:
    """Return the columns after the first two."""
    return {place: domain for place, domain in domains.items() if place is not None and place >= 2}


def _next_prime(value: int, domain: Interval) -> int:
    """Return the nearest prime to a value within the domain."""
    for step in range(4000):
        for candidate in (value + step, value - step):
            if domain[0] <= candidate <= domain[1] and is_prime(candidate):
                return candidate
    raise Unsatisfiable
