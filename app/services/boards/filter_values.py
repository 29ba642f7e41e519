"""Check of the values that a board's filters ask for: an unknown one is an error, never an empty table."""

from app.domain.boards.board import BoardQuery
from app.domain.boards.filters import BoardFilter, FilterScope, filters, text_of
from app.domain.errors import UnknownName
from app.services.boards.cubes import LoadedProtocol


def check_filter_values(loaded: LoadedProtocol, query: BoardQuery) -> None:
    """Raise UnknownName for the first value of a filter that no problem or run of the protocol has.

    A protocol without problems or runs (a fresh installation) accepts every value: its board says why it is empty.
    """
    for entry in filters():
        if entry.repeated and entry.values is None:
            names = _known_values(loaded, entry)
            for value in entry.value_in(query):
                if names and value not in names:
                    raise UnknownName(entry.name, value, names, where="on this board")


def _known_values(loaded: LoadedProtocol, entry: BoardFilter) -> list[str]:
    if entry.over is FilterScope.PROBLEMS:
        facts = loaded.cube.axes.encoded_fact(entry.fact).values
    else:
        retired = (getattr(row, entry.fact, None) for row in loaded.retired)
        facts = (*loaded.lineup.encoded_fact(entry.fact).values, *retired)
    return sorted({text_of(fact) for fact in facts if fact is not None})
