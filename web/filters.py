"""The controls of a board's filters, as every page with such a form has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.boards.board import BoardQuery, Facet
from app.domain.boards.filters import Filter, Kind, filters
from app.services.boards.query import to_params
from web.context import Page


@dataclass(frozen=True, slots=True)
class Option:
    """A value a filter may take; `count` is what it would leave, where that is counted."""

    value: str
    text: str
    chosen: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """One filter in a form: a checkbox for each of several values, a list of modes, or a day."""

    name: str
    label: str
    kind: Kind
    options: tuple[Option, ...] = ()
    value: str = ""

    @property
    def id(self) -> str:
        """What a label points to."""
        return self.name.replace("_", "-")


def controls(page: Page, query: BoardQuery, facets: Mapping[str, Sequence[Facet]]) -> tuple[Control, ...]:
    """The controls of a form about a board; one that leaves no choice is left out."""
    made = (_control(page, each, query, facets.get(each.name, ())) for each in filters() if each.control)
    return tuple(each for each in made if each.kind is not Kind.ONE_OF or len(each.options) > 1)


def carried(query: BoardQuery, reference: str | None = None) -> list[tuple[str, str]]:
    """What a form carries along because it has no control for it."""
    names = {each.name for each in filters() if not each.control} | {"ref"}
    return [pair for pair in to_params(query, reference) if pair[0] in names]


def label_of(page: Page, given: Filter) -> str:
    """The heading of a filter, in this page's locale where we know it, else as it was declared."""
    return page.t(f"board.{given.name}") if page.knows(f"board.{given.name}") else given.label


def value_text(page: Page, name: str, value: str) -> str:
    """A value of a filter in words where there are any."""
    words = next((each.words for each in filters() if each.name == name), "")
    return page.t(f"{words}{value}") if words and page.knows(f"{words}{value}") else value


def _control(page: Page, given: Filter, query: BoardQuery, facets: Sequence[Facet]) -> Control:
    chosen = given.write(given.of(query))
    options: tuple[Option, ...] = ()
    if given.kind is Kind.ONE_OF:
        options = tuple(
            Option(each.value, value_text(page, given.name, each.value), each.value in chosen, each.count)
            for each in facets
        )
    elif given.values is not None:
        options = tuple(
            Option(each, value_text(page, given.name, each), each == given.of(query)) for each in given.values
        )
    return Control(given.name, label_of(page, given), given.kind, options, chosen[0] if chosen else "")
