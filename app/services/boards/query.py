"""A board's query, parsed from a URL or a command line, and written back into a URL."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.domain.boards.board import BoardQuery
from app.domain.boards.filters import FilterKind, filters, parse_day
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput
from app.domain.registry import find_plugin
from app.domain.windows import Window

MAX_VALUES = 64
MAX_VALUE_CHARS = 200

Params = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a board's URL: its help, whether it may be repeated, and its values.

    `values` are the only ones it takes, if they are few; `day` is True if its value is a day.
    """

    name: str
    meaning: str
    repeated: bool = False
    values: tuple[str, ...] = ()
    day: bool = False


def parameters() -> tuple[Parameter, ...]:
    """Return every parameter of a board's URL in their order there: protocol and window, filters, reference."""
    return (
        Parameter("protocol", "protocol of the rows; by default the board's own"),
        Parameter("from", "first release day", day=True),
        Parameter("to", "the day after the last release day", day=True),
        *(
            Parameter(
                entry.name, entry.meaning, entry.repeated, tuple(entry.values or ()), entry.kind is FilterKind.BEFORE
            )
            for entry in filters()
        ),
        Parameter("ref", "the row that others are compared with: a model, or model:configuration"),
    )


def parse_query(params: Params, board: str = "codegen", *, strict: bool = True) -> BoardQuery:
    """Return the query that (name, value) pairs ask for; empty values count as not given.

    Raises NotFound for an unknown board, and InvalidInput with the pointer `/name` for a name that is unknown, repeated
    or unreadable. Unless `strict`, unknown names are ignored: others add names of their own to links.
    """
    board_entry = find_plugin(boards(), board, "board")
    fields = _collect(params, strict=strict)
    query = BoardQuery(
        board=board,
        protocol=_first_value(fields, "protocol") or board_entry.protocol,
        window=Window(*(_optional_day(name, _first_value(fields, name)) for name in ("from", "to"))),
    )
    for entry in filters():
        query = entry.replace_in(query, entry.read(fields.get(entry.name, ())))
    return query


def parse_reference(params: Params, *, strict: bool = True) -> str | None:
    """Return the row that others are compared with: a model, or `model:configuration`."""
    return _first_value(_collect(params, strict=strict), "ref")


def take_parameter(params: Params, name: str, values: Iterable[str] = ()) -> tuple[str | None, list[tuple[str, str]]]:
    """Take one extra parameter out of the pairs: return its value, None if absent, and the other pairs.

    Raises InvalidInput if it is given twice, is too long, has characters that are not printable, or is not one of
    `values`, if there are any.
    """
    pairs, allowed = list(params), list(values)
    chosen = [value for key, value in pairs if key == name and value]
    for value in chosen:
        _check_text(name, value)
    if len(chosen) > 1 or any(allowed and value not in allowed for value in chosen):
        raise InvalidInput(
            f"{name} must be given once{', as one of ' if allowed else ''}{', '.join(allowed)}", pointer=f"/{name}"
        )
    return next(iter(chosen), None), [pair for pair in pairs if pair[0] != name]


def to_params(query: BoardQuery, reference: str | None = None) -> list[tuple[str, str]]:
    """Return the shortest pairs that parse back to `query`, in one order, so that equal boards have equal URLs."""
    pairs: list[tuple[str, str | None]] = [
        ("protocol", query.protocol if query.protocol != boards()[query.board].protocol else None),
        ("from", query.window.start.isoformat() if query.window.start else None),
        ("to", query.window.end.isoformat() if query.window.end else None),
        *((entry.name, word) for entry in filters() for word in entry.write(entry.value_in(query))),
        ("ref", reference),
    ]
    return [(name, value) for name, value in pairs if value]


def _collect(params: Params, *, strict: bool) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    repeated = {entry.name: entry.repeated for entry in parameters()}
    for name, value in params:
        if name not in repeated:
            if not strict:
                continue
            label = "".join(character for character in name if character.isprintable())[:40]
            raise InvalidInput(f"unknown field {label!r}; known: {', '.join(repeated)}", pointer=f"/{label}")
        _check_text(name, value)
        if value:
            fields.setdefault(name, []).append(value)
    for name, values in fields.items():
        if len(values) > (MAX_VALUES if repeated[name] else 1):
            limit = f"at most {MAX_VALUES} times" if repeated[name] else "once"
            raise InvalidInput(f"{name} may be given {limit}", pointer=f"/{name}")
    return fields


def _check_text(name: str, value: str) -> None:
    if len(value) > MAX_VALUE_CHARS or not value.isprintable():
        raise InvalidInput(f"{name} is too long or has characters that are not allowed", pointer=f"/{name}")


def _first_value(fields: Mapping[str, Sequence[str]], name: str) -> str | None:
    values = fields.get(name)
    return values[0] if values else None


def _optional_day(name: str, value: str | None) -> date | None:
    return None if value is None else parse_day(name, value)
