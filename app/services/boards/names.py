"""Names that a board's filters ask for and nothing on the board has: an error, never an empty table."""

from app.domain.boards.board import BoardQuery
from app.domain.boards.filters import Filter, Over, filters, text_of
from app.domain.errors import UnknownName
from app.services.boards.cubes import Loaded


def check_names(loaded: Loaded, query: BoardQuery) -> None:
    """Raises UnknownName for the first value of a filter that no problem or run of the protocol has.

    A protocol without any (a fresh installation) takes every name: its board says itself why it is empty.
    """
    for entry in filters():
        if entry.repeated and entry.values is None:
            names = _names(loaded, entry)
            for value in entry.of(query):
                if names and value not in names:
                    raise UnknownName(entry.name, value, names, where="on this board")


def _names(loaded: Loaded, entry: Filter) -> list[str]:
    if entry.over is Over.PROBLEMS:
        facts = loaded.cube.axes.coded(entry.fact).values
    else:
        retired = (getattr(row, entry.fact, None) for row in loaded.retired)
        facts = (*loaded.lineup.coded(entry.fact).values, *retired)
    return sorted({text_of(fact) for fact in facts if fact is not None})
