"""Strict readers of the fields of an imported row.

A field of the wrong kind is never taken for something else: every reader raises InvalidField, saying which field is
wrong and why.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from app.domain.imports import is_plausible
from scrapers.suite import check_storable

T = TypeVar("T")
Row = Mapping[str, Any]


class InvalidField(ValueError):
    """A field that is not what its row needs; the message names it."""


_MAX_UNKNOWN_KEYS: Final = 50
_MAX_LABEL_CHARS: Final = 200
_MAX_ID_CHARS: Final = 100
_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class UnknownKeys:
    """Keys of rows that their format does not have, each with its first place, such as `a.csv:1`.

    `known` has the keys that are read, and those of the format that are ignored. The keys of an object inside a row are
    written `metadata.level`, also if the object is stored as text.
    """

    def __init__(self, known: Collection[str], what: str = "key") -> None:
        self._what = what
        self._parents = frozenset(name.partition(".")[0] for name in known if "." in name)
        self._known = frozenset(known) | self._parents
        self._places: dict[str, str] = {}

    def note_keys(self, place: str, row: Row) -> None:
        """Note the unknown keys of a row."""
        self._add(place, row)
        for parent in self._parents & row.keys():
            self._add(place, [f"{parent}.{name}" for name in _object_keys(row[parent])])

    def _add(self, place: str, names: Iterable[object]) -> None:
        for name in names:
            if name not in self._known and len(self._places) <= _MAX_UNKNOWN_KEYS:
                self._places.setdefault(str(name), place)

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages for the person who imports the rows."""
        messages = [
            f"{place}: the {self._what} {format_value(name)} is not known, and changes nothing here"
            for name, place in list(self._places.items())[:_MAX_UNKNOWN_KEYS]
        ]
        if len(self._places) > _MAX_UNKNOWN_KEYS:
            messages.append(f"more than {_MAX_UNKNOWN_KEYS} {self._what}s are not known")
        return tuple(messages)


def _object_keys(value: Any) -> Iterable[str]:
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return ()
    return value if isinstance(value, dict) else ()


def as_object(row: Any) -> Row:
    """Return a row that is an object."""
    if not isinstance(row, dict):
        raise InvalidField(f"{format_value(row)} is not an object")
    return row


def child(row: Row, name: str) -> Row:
    """Return an object inside a row."""
    value = row.get(name)
    if not isinstance(value, dict):
        raise InvalidField(f"{name} is missing or not an object")
    return value


def text(row: Row, name: str) -> str:
    """Return text of any length, which may be empty."""
    value = row.get(name)
    if not isinstance(value, str):
        raise InvalidField(f"{name} is missing or not text")
    return value


def label(row: Row, name: str, longest: int = _MAX_LABEL_CHARS) -> str:
    """Return a name: one line of storable text that is not empty."""
    value = text(row, name)
    if not value.strip():
        raise InvalidField(f"{name} is missing or empty")
    if len(value) > longest:
        raise InvalidField(f"{name} has {len(value)} characters, more than {longest}")
    if len(value.splitlines()) > 1:
        raise InvalidField(f"{name} has more than one line")
    check_storable(value)
    return value


def identifier(row: Row, name: str) -> str:
    """Return a short name, or a number that serves as one."""
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return label({name: str(value)}, name, _MAX_ID_CHARS)
    return label(row, name, _MAX_ID_CHARS)


def slug(row: Row, name: str) -> str:
    """Return a name as it stands in addresses: lower-case letters, digits and single dashes."""
    value = label(row, name)
    if not _SLUG.fullmatch(value):
        raise InvalidField(f"{name} {format_value(value)} is not a name of lower-case letters, digits and dashes")
    return value


def one_of(row: Row, name: str, table: Mapping[str, T]) -> T:
    """Return what one of the known words stands for."""
    value = text(row, name)
    if value not in table:
        raise InvalidField(f"{name} {format_value(value)} is not known")
    return table[value]


def items(row: Row, name: str) -> list[Any]:
    """Return a list."""
    value = row.get(name)
    if not isinstance(value, list):
        raise InvalidField(f"{name} is missing or not a list")
    return value


def texts(row: Row, name: str) -> list[str | None]:
    """Return a list of texts, with None for null."""
    values = items(row, name)
    if not all(value is None or isinstance(value, str) for value in values):
        raise InvalidField(f"{name} holds something other than text")
    return values


def flags(row: Row, name: str) -> list[bool]:
    """Return a list of booleans."""
    values = items(row, name)
    if not all(isinstance(value, bool) for value in values):
        raise InvalidField(f"{name} holds something other than true and false")
    return values


def number(row: Row, name: str, lowest: float, highest: float, what: str) -> int | float:
    """Return a number in a range; `what` says which numbers are meant."""
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= highest:
        raise InvalidField(f"{name} is {format_value(value)}, not {what}")
    return value


def epoch(row: Row, name: str, now: datetime, *, per_second: int = 1) -> datetime:
    """Return an instant given in seconds (or parts of one) since 1970, at most a year after `now`."""
    unit = "seconds" if per_second == 1 else "milliseconds"
    value = number(row, name, 0, 1e11 * per_second, f"{unit} since 1970")
    return _check_plausible(datetime.fromtimestamp(value / per_second, UTC), name, now)


def instant(row: Row, name: str, now: datetime) -> datetime:
    """Return a day or a time in ISO 8601, at most a year after `now`; UTC if it names no zone."""
    value = text(row, name)
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise InvalidField(f"{name} is {format_value(value)}, not a date such as 2026-01-31") from None
    try:
        return _check_plausible(
            moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC), name, now
        )
    except OverflowError:  # the first or last possible day, moved to UTC
        raise InvalidField(f"{name} is {format_value(value)}, which is impossible") from None


def _check_plausible(when: datetime, name: str, now: datetime) -> datetime:
    if not is_plausible(when, now):
        raise InvalidField(f"{name} is {when.date()}, before the year 2000 or more than a year ahead")
    return when


def format_value(value: Any) -> str:
    """Return a value as messages spell it, cut to 80 characters."""
    spelt = repr(value)
    return spelt if len(spelt) <= 80 else f"{spelt[:77]}..."
