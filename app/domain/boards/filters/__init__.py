"""A board's filters: one file each, found by the registry. All interfaces of a board are built from this list.

A filter tests a *fact*: a field of `ProblemFact` or of `RunFact`. See docs/adding-a-filter.md.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Prospective
from app.domain.errors import InvalidInput, UnknownName
from app.domain.registry import discover
from app.domain.windows import FIRST_DAY, LAST_DAY, read_day


class FilterScope(StrEnum):
    """The things that a filter selects; a filter over the board selects nothing and sets how the board is made."""

    PROBLEMS = "problems"
    ROWS = "rows"
    BOARD = "board"


class FilterKind(StrEnum):
    """The way a filter tests its fact. `recompute.py` of a bundle has a predicate of its own for each except MODE.

    one_of: the fact is one of the given values. before: the fact is a day before the given one, or unknown. mode: one
    word out of a few; nothing is tested.
    """

    ONE_OF = "one_of"
    BEFORE = "before"
    MODE = "mode"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFilter:
    """One filter, declared once.

    `name` is its name in addresses, options, parameters and JSON. `place` orders filters in all of these. `meaning` is
    its help on the command line and in OpenAPI. `label` heads its control on the page if the catalogue has no
    `board.NAME`; catalogue keys of its values are `words` plus the value. `values` are the only words it takes; a
    filter without them takes any value that its fact has on the board. `field` is its field of `BoardQuery`; filters
    without one share `BoardQuery.more`. `reason` is the name under which JSON counts what it leaves out, `excluded` the
    same on a terminal; if several filters leave a thing out, the one with the lowest `precedence` is named. `listed`
    returns the values of the facet from the existing ones. Without `control`, the page has no control for it and
    carries its values along.
    """

    name: str
    place: int
    over: FilterScope
    kind: FilterKind
    meaning: str
    label: str
    fact: str = ""
    values: type[StrEnum] | None = None
    field: str = ""
    reason: str = ""
    excluded: str = ""
    precedence: int = 9
    words: str = ""
    listed: Callable[[Iterable[Any]], Iterable[Any]] | None = None
    control: bool = True

    @property
    def repeated(self) -> bool:
        """True if it takes several values."""
        return self.kind is FilterKind.ONE_OF

    @property
    def default(self) -> Any:
        """Its value if none is given."""
        if self.repeated:
            return ()
        return None if self.values is None else next(iter(self.values))

    @property
    def reason_key(self) -> str:
        """The name under which it counts what it leaves out."""
        return self.reason or self.name

    def value_in(self, query: BoardQuery) -> Any:
        """Return its value in a query."""
        return getattr(query, self.field) if self.field else dict(query.more).get(self.name, self.default)

    def replace_in(self, query: BoardQuery, value: Any) -> BoardQuery:
        """Return the query with another value of it."""
        if self.field:
            return replace(query, **{self.field: value})
        others = {name: other for name, other in query.more if name != self.name}
        if value != self.default:
            others[self.name] = value
        places = {entry.name: entry.place for entry in (*filters(), self)}
        return replace(query, more=tuple(sorted(others.items(), key=lambda pair: places[pair[0]])))

    def read(self, words: Sequence[str]) -> Any:
        """Return the value of some words. Raises InvalidInput, and UnknownName for a word that is not in `values`."""
        if self.repeated:
            return tuple(self._parse_word(word) for word in dict.fromkeys(words))
        return self._parse_word(words[0]) if words else self.default

    def _parse_word(self, word: str) -> Any:
        if self.kind is FilterKind.BEFORE:
            return parse_day(self.name, word)
        if self.values is None:
            return word
        if word not in list(self.values):
            raise UnknownName(self.name, word, self.values)
        return self.values(word)

    def write(self, value: Any) -> tuple[str, ...]:
        """Return the words that `read` turns into this value; none for the default."""
        if value == self.default:
            return ()
        return tuple(str(word) for word in value) if self.repeated else (str(value),)

    def as_json(self, value: Any) -> Any:
        """Return the value in JSON."""
        if self.repeated:
            return list(value)
        return value.isoformat() if isinstance(value, date) else value

    def allows(self, facts: Iterable[Any], value: Any) -> NDArray[np.bool_]:
        """Return which of these facts pass."""
        passes = _PREDICATES[self.kind](value)
        return np.array([passes(fact) for fact in facts], dtype=bool)

    def choices(self, facts: Iterable[Any]) -> list[str]:
        """Return the values of its facet, given the existing facts."""
        values = [fact for fact in facts if fact is not None] if self.listed is None else self.listed(facts)
        return [text_of(fact) for fact in values]


def text_of(fact: Any) -> str:
    """Return a fact as text; empty for None."""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    return "" if fact is None else str(fact)


def _one_of(values: Sequence[str]) -> Callable[[Any], bool]:
    texts = frozenset(str(value) for value in values)
    return lambda fact: fact is not None and text_of(fact) in texts


def _before(limit: date) -> Callable[[Any], bool]:
    return lambda fact: fact is None or fact < limit


_PREDICATES: Final[Mapping[FilterKind, Callable[[Any], Callable[[Any], bool]]]] = {
    FilterKind.ONE_OF: _one_of,
    FilterKind.BEFORE: _before,
}


@cache
def filters() -> tuple[BoardFilter, ...]:
    """Return every filter, in order."""
    entries = discover("app.domain.boards.filters", "FILTER", BoardFilter).values()
    return tuple(sorted(entries, key=lambda entry: entry.place))


def active_filters(query: BoardQuery, over: FilterScope) -> list[tuple[BoardFilter, Any]]:
    """Return the filters over problems or rows that a query uses, with their values, in order of precedence."""
    pairs = [(entry, entry.value_in(query)) for entry in filters() if entry.over is over]
    changes = [(entry, value) for entry, value in pairs if value != entry.default]
    return sorted(changes, key=lambda pair: pair[0].precedence)


def of_all_rows(query: BoardQuery) -> BoardQuery:
    """Return the query without its row filters: ranks are among these rows."""
    for entry, _ in active_filters(query, FilterScope.ROWS):
        query = entry.replace_in(query, entry.default)
    return replace(query, prospective=Prospective.ANY)


def parse_day(name: str, word: str) -> date:
    """Return the day of a parameter. Raises InvalidInput."""
    try:
        return read_day(word)
    except ValueError:
        words = f"{name} must be a day such as 2026-01-31, from {FIRST_DAY} to {LAST_DAY}"
        raise InvalidInput(words, pointer=f"/{name}") from None
