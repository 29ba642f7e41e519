"""Grammar of an input: variables, relations between them, facts about them, and their layout as text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from app.domain.errors import InvalidInput
from app.domain.testgen.grammars.domains import ANY_VALUE, Domains, Unsatisfiable, narrow
from app.domain.testgen.grammars.expressions import UNBOUNDED, Key, Ref, Relation

Base = Literal["int", "str", "bool"]
Values = Mapping[str, Any]
MAX_ELEMENTS = 2_000_000  # elements of one array, or characters of one text


class Variable(NamedTuple):
    """A named value: `depth` nested arrays of its base type."""

    name: str
    base: Base
    depth: int = 0

    @property
    def lengths(self) -> int:
        """The number of its lengths: one per array, and one of a text."""
        return self.depth + (self.base == "str")


class VariableFact(NamedTuple):
    """A property of a variable that no relation expresses; the meaning of `details` depends on the fact."""

    name: str
    variable: str
    details: tuple[Any, ...] = ()


class QuantityTotal(NamedTuple):
    """A bound of a quantity summed over all cases of a file."""

    quantity: Ref
    limit: int


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of a file, whose number stands first."""

    least: int
    most: int
    totals: tuple[QuantityTotal, ...] = ()


@dataclass(frozen=True)
class Grammar:
    """All inputs of a problem. Without a layout the variables are a function's arguments, in order."""

    variables: tuple[Variable, ...]
    relations: tuple[Relation, ...] = ()
    facts: tuple[VariableFact, ...] = ()
    layout: tuple[tuple[str, ...], ...] = ()
    cases: Cases | None = None
    zipped: frozenset[int] = field(default_factory=frozenset)

    @cached_property
    def by_name(self) -> Mapping[str, Variable]:
        """The variables by name."""
        return {variable.name: variable for variable in self.variables}

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """Numbers in relations that are not variables, as the `n` of `n == nums.length`."""
        names = {ref.name for relation in self.relations for ref in relation.refs()}
        names |= {ref.name for fact in self.facts for ref in fact.details if isinstance(ref, Ref)}
        return tuple(sorted(names - set(self.by_name)))

    @cached_property
    def domains(self) -> Domains:
        """The domain of each quantity. Raises InvalidInput if the constraints contradict each other."""
        domains: Domains = {Key(name): ANY_VALUE for name in self.hidden}
        for variable in self.variables:
            for level in range(variable.lengths):
                domains[Key(variable.name, (None,) * level, length=True)] = (0, MAX_ELEMENTS)
            if variable.base != "str":
                leaf = Key(variable.name, (None,) * variable.depth)
                domains[leaf] = (0, 1) if variable.base == "bool" else ANY_VALUE
        try:
            narrow(self.relations, domains)
        except Unsatisfiable:
            raise InvalidInput("the constraints contradict each other") from None
        return domains

    def facts_of(self, name: str, fact: str) -> list[VariableFact]:
        """Return the facts of one kind about a variable."""
        return [entry for entry in self.facts if entry.name == fact and entry.variable == name]

    def check(self) -> None:
        """Raise InvalidInput naming a quantity without bounds or a wrong reference."""
        for ref in [ref for relation in self.relations for ref in relation.refs()]:
            self._check_ref(ref)
        for fact in self.facts:
            if fact.variable not in self.by_name:
                raise InvalidInput(f"{fact.name} names {fact.variable!r}, which is not a variable")
            for ref in fact.details:
                if isinstance(ref, Ref):
                    self._check_ref(ref)
        for key, (low, high) in self.domains.items():
            if not (len(key.path) == 1 and key.path[0] is not None):  # a single place has the bounds of all
                self._check_bounds(key, low, high)
        for variable in self.variables:
            if (
                variable.base == "str"
                and not any(
                    self.facts_of(variable.name, fact) for fact in ("letters", "oneof", "same_letters", "subsequence")
                )
                and not self._has_bounded_places(variable)
            ):
                raise InvalidInput(f"no constraint says which characters {variable.name} has")

    def _has_bounded_places(self, variable: Variable) -> bool:
        """Return whether each place of a text has bounds of its own, as `'a' <= s[0] <= 'h'`."""
        most = self.domains[Key(variable.name, (), length=True)][1]
        return (
            variable.depth == 0
            and most <= 8
            and all(_finite(self.domains.get(Key(variable.name, (at,)), ANY_VALUE)) for at in range(most))
        )

    def _check_ref(self, ref: Ref) -> None:
        variable = self.by_name.get(ref.name)
        most = 0 if variable is None else variable.lengths
        if len(ref.path) + ref.length > most:
            raise InvalidInput(f"{ref.name} has no elements of that depth")
        if variable is not None and variable.depth > len(ref.path) and not ref.length:
            raise InvalidInput(f"{ref.name} is compared as a whole; name its elements or its length")

    def _check_bounds(self, key: Key, low: int, high: int) -> None:
        name = f"{'the length of ' if key.length else ''}{key.name}{'[...]' * len(key.path)}"
        if key.length:
            if high >= MAX_ELEMENTS and not self._is_described(key):
                raise InvalidInput(f"{name} has no bounds")
        elif (low <= -UNBOUNDED or high >= UNBOUNDED) and not self._is_described(key):
            raise InvalidInput(f"{name} has no bounds")

    def _is_described(self, key: Key) -> bool:
        """Return whether a fact or its columns describe the elements of a key."""
        variable = self.by_name.get(key.name)
        if variable is None:
            return False
        facts = {fact.name for fact in self.facts if fact.variable == key.name}
        if key.length:
            return bool(key.path) and "oneof" in facts
        if facts & {"oneof", "permutation"}:
            return True
        columns = self.columns(key.name)
        ends = {"tree", "graph", "digraph"} & facts
        return columns > 0 and all(
            (bool(ends) and place < 2) or _finite(self.domains.get(Key(key.name, (None, place)), ANY_VALUE))
            for place in range(columns)
        )

    def columns(self, name: str) -> int:
        """Return the number of columns of an array of equally long, short rows; else 0."""
        variable = self.by_name[name]
        if variable.depth != 2 or variable.base == "str":
            return 0
        low, high = self.domains[Key(name, (None,), length=True)]
        return low if low == high <= 8 else 0


def _finite(domain: tuple[int, int]) -> bool:
    return domain[0] > -UNBOUNDED and domain[1] < UNBOUNDED
