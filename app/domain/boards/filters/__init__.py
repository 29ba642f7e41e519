"""A board's filters: one file each, found by the registry. Every face of a board is made from this list.

A filter asks a *fact*: a field of `ProblemFact` or of `RunFact`. See docs/adding-a-filter.md.
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


class Over(StrEnum):
    """What a filter chooses from; a filter over the board chooses nothing and says how the board is made."""

    PROBLEMS = "problems"
    ROWS = "rows"
    BOARD = "board"


class Kind(StrEnum):
    """How a filter asks its fact. `recompute.py` of a bundle has a predicate of its own for each but MODE.

    one_of: the fact is one of the values asked for, of which there may be several.
    before: the fact is a day before the one asked for, or no day is known.
    mode: one word out of a few; nothing is asked.
    """

    ONE_OF = "one_of"
    BEFORE = "before"
    MODE = "mode"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One filter, declared once.

    `name` is its name in addresses, options, parameters and JSON. `place` orders filters in all of these.
    `meaning` is the help on the command line and in OpenAPI. `label` heads its control on the page, where the
    catalogue has no `board.NAME`; the words of a value are found under `words` and the value.
    `values` are the only words it takes; a filter without them takes any value that its fact has on the board.
    `field` is its field of `BoardQuery`; filters without one share `BoardQuery.more`.
    `reason` is the name under which JSON counts what it leaves out, `excluded` says the same on a terminal; of several
    filters that leave one thing out, the one with the lowest `precedence` is named.
    `listed` gives the values of the facet, from those there are. Without `control` the page has none for it and carries
    its values along.
    """

    name: str
    place: int
    over: Over
    kind: Kind
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
        """Whether it takes several values."""
        return self.kind is Kind.ONE_OF

    @property
    def default(self) -> Any:
        """Its value where nobody asks."""
        if self.repeated:
            return ()
        return None if self.values is None else next(iter(self.values))

    @property
    def why(self) -> str:
        """The name under which it counts what it leaves out."""
        return self.reason or self.name

    def of(self, query: BoardQuery) -> Any:
        """Its value in a query."""
        return getattr(query, self.field) if self.field else dict(query.more).get(self.name, self.default)

    def put(self, query: BoardQuery, value: Any) -> BoardQuery:
        """The query with another value of it."""
        if self.field:
            return replace(query, **{self.field: value})
        others = {name: other for name, other in query.more if name != self.name}
        if value != self.default:
            others[self.name] = value
        places = {entry.name: entry.place for entry in (*filters(), self)}
        return replace(query, more=tuple(sorted(others.items(), key=lambda pair: places[pair[0]])))

    def read(self, words: Sequence[str]) -> Any:
        """The value that words ask for. Raises InvalidInput, and UnknownName for what is not one of `values`."""
        if self.repeated:
            return tuple(self._one(word) for word in dict.fromkeys(words))
        return self._one(words[0]) if words else self.default

    def _one(self, word: str) -> Any:
        if self.kind is Kind.BEFORE:
            return day(self.name, word)
        if self.values is None:
            return word
        if word not in list(self.values):
            raise UnknownName(self.name, word, self.values)
        return self.values(word)

    def write(self, value: Any) -> tuple[str, ...]:
        """The words that `read` makes this value of; none for the default."""
        if value == self.default:
            return ()
        return tuple(str(word) for word in value) if self.repeated else (str(value),)

    def as_json(self, value: Any) -> Any:
        """The value as JSON says it."""
        if self.repeated:
            return list(value)
        return value.isoformat() if isinstance(value, date) else value

    def allows(self, facts: Iterable[Any], value: Any) -> NDArray[np.bool_]:
        """Which of these facts pass, by the value asked for."""
        passes = _PREDICATES[self.kind](value)
        return np.array([passes(fact) for fact in facts], dtype=bool)

    def choices(self, facts: Iterable[Any]) -> list[str]:
        """The values of its facet, given the facts there are."""
        values = [fact for fact in facts if fact is not None] if self.listed is None else self.listed(facts)
        return [text_of(fact) for fact in values]


def text_of(fact: Any) -> str:
    """A fact as it is written and compared; no fact is the empty text."""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    return "" if fact is None else str(fact)


def _one_of(values: Sequence[str]) -> Callable[[Any], bool]:
    texts = frozenset(str(value) for value in values)
    return lambda fact: fact is not None and text_of(fact) in texts


def _before(limit: date) -> Callable[[Any], bool]:
    return lambda fact: fact is None or fact < limit


_PREDICATES: Final[Mapping[Kind, Callable[[Any], Callable[[Any], bool]]]] = {
    Kind.ONE_OF: _one_of,
    Kind.BEFORE: _before,
}


@cache
def filters() -> tuple[Filter, ...]:
    """Every filter, in order."""
    entries = discover("app.domain.boards.filters", "FILTER", Filter).values()
    return tuple(sorted(entries, key=lambda entry: entry.place))


def active(query: BoardQuery, over: Over) -> list[tuple[Filter, Any]]:
    """The filters over problems or rows that a query uses, with their values; the first one to name comes first."""
    pairs = [(entry, entry.of(query)) for entry in filters() if entry.over is over]
    changes = [(entry, value) for entry, value in pairs if value != entry.default]
    return sorted(changes, key=lambda pair: pair[0].precedence)


def of_all_rows(query: BoardQuery) -> BoardQuery:
    """The question without its filters of rows: what ranks are among."""
    for entry, _ in active(query, Over.ROWS):
        query = entry.put(query, entry.default)
    return replace(query, prospective=Prospective.ANY)


def day(name: str, word: str) -> date:
    """The day that a parameter names. Raises InvalidInput."""
    try:
        return read_day(word)
    except ValueError:
        words = f"{name} must be a day such as 2026-01-31, from {FIRST_DAY} to {LAST_DAY}"
        raise InvalidInput(words, pointer=f"/{name}") from None
