"""Fields of an imported row, read strictly.

What is not of its kind is refused in plain words, never taken for something else: every reader raises Unfit,
saying which field is wrong and why.
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


class Unfit(ValueError):
    """A field that is not what its row needs; the message names it."""


_MOST_UNKNOWN_KEYS: Final = 50
_LONGEST_LABEL: Final = 200
_LONGEST_ID: Final = 100
_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class UnknownKeys:
    """The keys of rows that their format does not have, each with the place where it stands first, such as `a.csv:1`.

    `known` has the keys that are read, and those that a format has and nothing is made of; the keys of an object in a
    row are known as `metadata.level`, also where the object is written as text.
    """

    def __init__(self, known: Collection[str], what: str = "key") -> None:
        self._what = what
        self._parents = frozenset(name.partition(".")[0] for name in known if "." in name)
        self._known = frozenset(known) | self._parents
        self._places: dict[str, str] = {}

    def look(self, place: str, row: Row) -> None:
        """Take the keys of a row in."""
        self._add(place, row)
        for parent in self._parents & row.keys():
            self._add(place, [f"{parent}.{name}" for name in _names_in(row[parent])])

    def _add(self, place: str, names: Iterable[object]) -> None:
        for name in names:
            if name not in self._known and len(self._places) <= _MOST_UNKNOWN_KEYS:
                self._places.setdefault(str(name), place)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the person who imports them is told of them."""
        told = [
            f"{place}: the {self._what} {shown(name)} is not known, and changes nothing here"
            for name, place in list(self._places.items())[:_MOST_UNKNOWN_KEYS]
        ]
        if len(self._places) > _MOST_UNKNOWN_KEYS:
            told.append(f"more than {_MOST_UNKNOWN_KEYS} {self._what}s are not known")
        return tuple(told)


def _names_in(value: Any) -> Iterable[str]:
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return ()
    return value if isinstance(value, dict) else ()


def as_object(row: Any) -> Row:
    """A row that has fields at all."""
    if not isinstance(row, dict):
        raise Unfit(f"{shown(row)} is not an object")
    return row


def child(row: Row, name: str) -> Row:
    """An object inside a row."""
    value = row.get(name)
    if not isinstance(value, dict):
        raise Unfit(f"{name} is missing or not an object")
    return value


def text(row: Row, name: str) -> str:
    """Text of any length, none included."""
    value = row.get(name)
    if not isinstance(value, str):
        raise Unfit(f"{name} is missing or not text")
    return value


def label(row: Row, name: str, longest: int = _LONGEST_LABEL) -> str:
    """A name: one line of storable text that is not empty."""
    value = text(row, name)
    if not value.strip():
        raise Unfit(f"{name} is missing or empty")
    if len(value) > longest:
        raise Unfit(f"{name} has {len(value)} characters, more than {longest}")
    if len(value.splitlines()) > 1:
        raise Unfit(f"{name} has more than one line")
    check_storable(value)
    return value


def identifier(row: Row, name: str) -> str:
    """A short name, or a number that serves as one."""
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return label({name: str(value)}, name, _LONGEST_ID)
    return label(row, name, _LONGEST_ID)


def slug(row: Row, name: str) -> str:
    """A name as it stands in addresses: lower-case letters, digits and single dashes."""
    value = label(row, name)
    if not _SLUG.fullmatch(value):
        raise Unfit(f"{name} {shown(value)} is not a name of lower-case letters, digits and dashes")
    return value


def one_of(row: Row, name: str, table: Mapping[str, T]) -> T:
    """What one of the known words stands for."""
    value = text(row, name)
    if value not in table:
        raise Unfit(f"{name} {shown(value)} is not known")
    return table[value]


def items(row: Row, name: str) -> list[Any]:
    """A list."""
    value = row.get(name)
    if not isinstance(value, list):
        raise Unfit(f"{name} is missing or not a list")
    return value


def texts(row: Row, name: str) -> list[str | None]:
    """A list of texts, null where there is none."""
    values = items(row, name)
    if not all(value is None or isinstance(value, str) for value in values):
        raise Unfit(f"{name} holds something other than text")
    return values


def flags(row: Row, name: str) -> list[bool]:
    """A list of true and false."""
    values = items(row, name)
    if not all(isinstance(value, bool) for value in values):
        raise Unfit(f"{name} holds something other than true and false")
    return values


def number(row: Row, name: str, lowest: float, highest: float, what: str) -> int | float:
    """A number in a range; `what` says which numbers are meant."""
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= highest:
        raise Unfit(f"{name} is {shown(value)}, not {what}")
    return value


def epoch(row: Row, name: str, now: datetime, *, per_second: int = 1) -> datetime:
    """An instant given in seconds (or parts of one) since 1970, at most a year after `now`."""
    unit = "seconds" if per_second == 1 else "milliseconds"
    value = number(row, name, 0, 1e11 * per_second, f"{unit} since 1970")
    return _believed(datetime.fromtimestamp(value / per_second, UTC), name, now)


def instant(row: Row, name: str, now: datetime) -> datetime:
    """A day or a time as ISO 8601 writes it, at most a year after `now`; in UTC where it names no zone."""
    value = text(row, name)
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise Unfit(f"{name} is {shown(value)}, not a date such as 2026-01-31") from None
    try:
        return _believed(moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC), name, now)
    except OverflowError:  # the first or last day there is, moved to UTC
        raise Unfit(f"{name} is {shown(value)}, which is impossible") from None


def _believed(when: datetime, name: str, now: datetime) -> datetime:
    if not is_plausible(when, now):
        raise Unfit(f"{name} is {when.date()}, before the year 2000 or more than a year ahead")
    return when


def shown(value: Any) -> str:
    """A value as a message spells it, cut where it is long."""
    spelt = repr(value)
    return spelt if len(spelt) <= 80 else f"{spelt[:77]}..."
