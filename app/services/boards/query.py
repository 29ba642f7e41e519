"""One board, read from the words of a URL or a command line, and written back into a URL."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.domain.boards.board import BoardQuery
from app.domain.boards.filters import Kind, day, filters
from app.domain.boards.named import boards
from app.domain.errors import InvalidInput
from app.domain.registry import named
from app.domain.windows import Window

MAX_VALUES = 64
MAX_LENGTH = 200

Params = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name that a board's URL may carry: its help, whether it may be repeated, and what its values are.

    `values` are the only words it takes, where it takes few; `day` says that it is a day.
    """

    name: str
    meaning: str
    repeated: bool = False
    values: tuple[str, ...] = ()
    day: bool = False


def parameters() -> tuple[Parameter, ...]:
    """Every name that a board's URL may carry, in the order that URLs have them: the filters, and what frames them."""
    return (
        Parameter("protocol", "whose rows; the board's own protocol when not given"),
        Parameter("from", "first release day", day=True),
        Parameter("to", "the day after the last release day", day=True),
        *(
            Parameter(entry.name, entry.meaning, entry.repeated, tuple(entry.values or ()), entry.kind is Kind.BEFORE)
            for entry in filters()
        ),
        Parameter("ref", "the row others are compared with: a model, or model:configuration"),
    )


def parse_query(params: Params, board: str = "codegen", *, strict: bool = True) -> BoardQuery:
    """The board that (name, value) pairs ask for; empty values mean not given.

    Raises NotFound for an unknown board, and InvalidInput whose pointer is `/name` for a name that is
    unknown, repeated or unreadable. Unless `strict`, unknown names are passed over: pages are linked to with names
    that others add.
    """
    shown = named(boards(), board, "board")
    fields = _collect(params, strict=strict)
    query = BoardQuery(
        board=board,
        protocol=_one(fields, "protocol") or shown.protocol,
        window=Window(*(_day(name, _one(fields, name)) for name in ("from", "to"))),
    )
    for entry in filters():
        query = entry.put(query, entry.read(fields.get(entry.name, ())))
    return query


def parse_reference(params: Params, *, strict: bool = True) -> str | None:
    """The row others are compared with: a model, or `model:configuration`."""
    return _one(_collect(params, strict=strict), "ref")


def taken(params: Params, name: str, values: Iterable[str] = ()) -> tuple[str | None, list[tuple[str, str]]]:
    """What stands beside a board's own parameters under a name, None where nobody gave it, and the pairs left.

    Raises InvalidInput where it is given twice, is too long, has characters that nothing can have, or is not one of
    `values`, where there are some.
    """
    pairs, known = list(params), list(values)
    given = [value for key, value in pairs if key == name and value]
    for value in given:
        _check_text(name, value)
    if len(given) > 1 or any(known and value not in known for value in given):
        raise InvalidInput(
            f"{name} must be given once{', as one of ' if known else ''}{', '.join(known)}", pointer=f"/{name}"
        )
    return next(iter(given), None), [pair for pair in pairs if pair[0] != name]


def to_params(query: BoardQuery, reference: str | None = None) -> list[tuple[str, str]]:
    """The shortest pairs that parse back to `query`, in one order, so that equal boards have equal URLs."""
    pairs: list[tuple[str, str | None]] = [
        ("protocol", query.protocol if query.protocol != boards()[query.board].protocol else None),
        ("from", query.window.start.isoformat() if query.window.start else None),
        ("to", query.window.end.isoformat() if query.window.end else None),
        *((entry.name, word) for entry in filters() for word in entry.write(entry.of(query))),
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
            raise InvalidInput(f"unknown field {label!r}; there are {', '.join(repeated)}", pointer=f"/{label}")
        _check_text(name, value)
        if value:
            fields.setdefault(name, []).append(value)
    for name, values in fields.items():
        if len(values) > (MAX_VALUES if repeated[name] else 1):
            limit = f"at most {MAX_VALUES} times" if repeated[name] else "once"
            raise InvalidInput(f"{name} may be given {limit}", pointer=f"/{name}")
    return fields


def _check_text(name: str, value: str) -> None:
    if len(value) > MAX_LENGTH or not value.isprintable():
        raise InvalidInput(f"{name} is too long or has characters that are not allowed", pointer=f"/{name}")


def _one(fields: Mapping[str, Sequence[str]], name: str) -> str | None:
    values = fields.get(name)
    return values[0] if values else None


def _day(name: str, value: str | None) -> date | None:
    return None if value is None else day(name, value)
