"""The controls of a board's filters, for every page with such a form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.boards.board import BoardQuery, Facet
from app.domain.boards.filters import BoardFilter, FilterKind, filters
from app.services.boards.query import to_params
from web.context import PageRequest


@dataclass(frozen=True, slots=True)
class Option:
    """A value of a filter; `count` is the number of problems it would leave, if counted."""

    value: str
    text: str
    chosen: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class FilterControl:
    """One filter in a form: a checkbox for each of several values, a list of modes, or a day."""

    name: str
    label: str
    kind: FilterKind
    options: tuple[Option, ...] = ()
    value: str = ""

    @property
    def id(self) -> str:
        """The id that a label points to."""
        return self.name.replace("_", "-")


# Checkboxes come before lists, and lists before days.
_KIND_ORDER = (FilterKind.ONE_OF, FilterKind.MODE, FilterKind.BEFORE)


def controls(page: PageRequest, query: BoardQuery, facets: Mapping[str, Sequence[Facet]]) -> tuple[FilterControl, ...]:
    """Return the controls of a form about a board, without those that leave no choice."""
    entries = sorted((entry for entry in filters() if entry.control), key=lambda entry: _KIND_ORDER.index(entry.kind))
    widgets = (_control(page, entry, query, facets.get(entry.name, ())) for entry in entries)
    return tuple(control for control in widgets if control.kind is not FilterKind.ONE_OF or len(control.options) > 1)


def carried_params(query: BoardQuery, reference: str | None = None) -> list[tuple[str, str]]:
    """Return the parameters that a form has no control for and passes on."""
    names = {entry.name for entry in filters() if not entry.control} | {"ref"}
    return [pair for pair in to_params(query, reference) if pair[0] in names]


def label_of(page: PageRequest, entry: BoardFilter) -> str:
    """Return the heading of a filter in this page's locale if it is known, else as declared."""
    return page.t(f"board.{entry.name}") if page.knows(f"board.{entry.name}") else entry.label


def value_text(page: PageRequest, name: str, value: str) -> str:
    """Return a value of a filter in words if there are any."""
    prefix = next((entry.words for entry in filters() if entry.name == name), "")
    return page.t(f"{prefix}{value}") if prefix and page.knows(f"{prefix}{value}") else value


def _control(page: PageRequest, entry: BoardFilter, query: BoardQuery, facets: Sequence[Facet]) -> FilterControl:
    selected = entry.write(entry.value_in(query))
    options: tuple[Option, ...] = ()
    if entry.kind is FilterKind.ONE_OF:
        options = tuple(
            Option(facet.value, value_text(page, entry.name, facet.value), facet.value in selected, facet.count)
            for facet in facets
        )
    elif entry.values is not None:
        options = tuple(
            Option(value, value_text(page, entry.name, value), value == entry.value_in(query)) for value in entry.values
        )
    return FilterControl(entry.name, label_of(page, entry), entry.kind, options, selected[0] if selected else "")
