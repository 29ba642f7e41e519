"""Fields of the console's forms as values; each refusal names its field and the value."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from app.domain.characters import has_invisible, has_stacked_marks
from app.domain.cutoffs import is_public_url
from app.domain.errors import InvalidInput
from app.domain.windows import FIRST_DAY, LAST_DAY, read_day

_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_SECRET: Final = re.compile(r"[\x21-\x7e]{1,4000}")
_MAX_CONFIGURATION_BYTES: Final = 2048
_MAX_SETTINGS: Final = 16
_MAX_ADDRESS_CHARS: Final = 2000
_MIN_LINES_CHARS, _MAX_LINES_CHARS = 10, 4000
_MOST_MONEY: Final = Decimal(10**9)


@dataclass(frozen=True, slots=True)
class ConsoleForm:
    """The fields of a form that was sent; a field may come several times."""

    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def get(self, name: str) -> str:
        """Return the last value of a field without outer white space; empty if it is missing."""
        return self.raw(name).strip()

    def raw(self, name: str) -> str:
        """Return the last value of a field as it was sent."""
        values = self.fields.get(name, ())
        return values[-1] if values else ""

    def values_of(self, name: str) -> tuple[str, ...]:
        """Return all values of a field, without repeats."""
        return tuple(dict.fromkeys(self.fields.get(name, ())))


def read_slug(form: ConsoleForm, name: str) -> str:
    """Return a slug. Raises InvalidInput."""
    value = form.get(name)
    if not _SLUG.fullmatch(value):
        raise InvalidInput(
            f"{name} must have 1 to 64 characters a-z, 0-9 and -, and must not start with -: {value[:80]!r}",
            pointer=f"/{name}",
        )
    return value


def read_text(form: ConsoleForm, name: str, most: int = 200) -> str:
    """Return visible text. Raises InvalidInput."""
    value = form.get(name)
    if not 1 <= len(value) <= most or not value.isprintable() or has_invisible(value) or has_stacked_marks(value):
        raise InvalidInput(
            f"{name} must have 1 to {most} visible characters, without control or direction characters: {value[:80]!r}",
            pointer=f"/{name}",
        )
    return value


def read_lines(form: ConsoleForm, name: str) -> str:
    """Return a text of 10 to 4,000 characters that may have several lines. Raises InvalidInput."""
    value = "\n".join(form.get(name).splitlines())
    lines = [line for line in value.split("\n") if line.strip()]
    is_readable = all(line.isprintable() and not has_invisible(line) and not has_stacked_marks(line) for line in lines)
    if not is_readable or len(value) > _MAX_LINES_CHARS or sum(map(len, lines)) < _MIN_LINES_CHARS:
        raise InvalidInput(
            f"{name} must have {_MIN_LINES_CHARS} to {_MAX_LINES_CHARS} visible characters, without control or "
            f"direction characters, and begins with {value[:40]!r}",
            pointer=f"/{name}",
        )
    return value


def check_sure(form: ConsoleForm) -> None:
    """Raise InvalidInput unless the box is ticked by which a person confirms what cannot be undone."""
    if form.get("sure") != "yes":
        raise InvalidInput("tick the box to confirm: this cannot be undone", pointer="/sure")


def read_address(form: ConsoleForm, name: str) -> str:
    """Return an address that requests are sent to, to be judged by the address guard. Raises InvalidInput."""
    value = form.get(name)
    if not value or len(value) > _MAX_ADDRESS_CHARS or "#" in value:
        raise InvalidInput(
            f"{name} must be an address of at most {_MAX_ADDRESS_CHARS} characters without fragment, not "
            f"{value[:120]!r}",
            pointer=f"/{name}",
        )
    return value


def read_base_url(form: ConsoleForm, name: str) -> str:
    """Return the address of an endpoint. Raises InvalidInput."""
    value = read_address(form, name)
    if "?" in value:
        raise InvalidInput(f"{name} must be an address without query, not {value[:120]!r}", pointer=f"/{name}")
    return value


def read_day_field(form: ConsoleForm, name: str) -> date | None:
    """Return a day, or None for an empty field. Raises InvalidInput."""
    value = form.get(name)
    if not value:
        return None
    try:
        return read_day(value)
    except ValueError as bad:
        raise InvalidInput(f"{name} must be a day such as 2026-01-31, not {value[:40]!r}", pointer=f"/{name}") from bad


def read_instant(form: ConsoleForm, name: str) -> datetime | None:
    """Return an instant in UTC, or None for an empty field. Raises InvalidInput."""
    value = form.get(name)
    if not value:
        return None
    try:
        instant = datetime.fromisoformat(value)
    except ValueError as bad:
        raise InvalidInput(f"{name} must be a time such as 2026-01-31T12:00, not {value[:40]!r}") from bad
    if not FIRST_DAY <= instant.date() <= LAST_DAY:
        raise InvalidInput(f"{name} must lie between {FIRST_DAY} and {LAST_DAY}, not at {value[:40]!r}")
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


def read_money(form: ConsoleForm, name: str, most: Decimal = _MOST_MONEY) -> Decimal | None:
    """Return an amount of US dollars, or None for an empty field. Raises InvalidInput."""
    value = form.get(name)
    if not value:
        return None
    try:
        amount = Decimal(value)
    except InvalidOperation as bad:
        raise InvalidInput(f"{name} must be a number, not {value[:40]!r}", pointer=f"/{name}") from bad
    exponent = amount.as_tuple().exponent
    if not amount.is_finite() or not 0 <= amount <= most or not isinstance(exponent, int) or exponent < -6:
        raise InvalidInput(
            f"{name} must lie between 0 and {most}, with at most six places, and is {value[:40]!r}", pointer=f"/{name}"
        )
    return amount


def read_number(form: ConsoleForm, name: str, least: int, most: int) -> int | None:
    """Return a whole number, or None for an empty field. Raises InvalidInput."""
    value = form.get(name)
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= 18 and least <= int(value) <= most):
        raise InvalidInput(
            f"{name} must be a whole number from {least} to {most}, not {value[:40]!r}", pointer=f"/{name}"
        )
    return int(value)


def read_link(form: ConsoleForm, name: str) -> str | None:
    """Return a web address, or None for an empty field. Raises InvalidInput."""
    value = form.get(name)
    if value and not is_public_url(value):
        raise InvalidInput(f"{name} must be a public web address, not {value[:120]!r}", pointer=f"/{name}")
    return value or None


def read_secret(form: ConsoleForm, name: str) -> str | None:
    """Return a secret, or None for an empty field. Raises InvalidInput, without the value."""
    value = form.get(name)
    if value and not _SECRET.fullmatch(value):
        raise InvalidInput(
            f"{name} must have at most 4000 printable ASCII characters without spaces", pointer=f"/{name}"
        )
    return value or None


def read_configuration(form: ConsoleForm, name: str) -> dict[str, str | bool | int | float]:
    """Return settings that are given as a JSON object. Raises InvalidInput."""
    value = form.get(name)
    if not value:
        return {}
    refusal = InvalidInput(
        f'{name} must be a JSON object of at most {_MAX_SETTINGS} settings, such as {{"temperature": 0.2}}',
        pointer=f"/{name}",
    )
    if len(value.encode()) > _MAX_CONFIGURATION_BYTES:
        raise refusal
    try:
        read = json.loads(value)
    except (ValueError, RecursionError) as bad:
        raise refusal from bad
    if not isinstance(read, dict) or len(read) > _MAX_SETTINGS:
        raise refusal
    for key, setting in read.items():
        is_text = isinstance(setting, str) and 1 <= len(setting) <= 64 and setting.isprintable()
        is_number = isinstance(setting, int | float) and -(2**63) <= setting < 2**63
        if not 1 <= len(key) <= 64 or not key.isprintable() or not (is_text or is_number):
            raise refusal
    return read
