"""Shared parts of all tables: constraint names, column types, and checks made from enums."""

import enum
from datetime import datetime
from typing import Annotated, Any, ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    ColumnExpressionArgument,
    DateTime,
    Dialect,
    Identity,
    Index,
    MetaData,
    Text,
    TypeDecorator,
    text,
    type_coerce,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, mapped_column

from app.domain.reasons import Reason, reason_from_json, reason_to_json, text_reason

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

BigId = Annotated[int, mapped_column(BigInteger, Identity(), primary_key=True)]
Instant = Annotated[datetime, mapped_column(DateTime(timezone=True))]
Json = Annotated[dict[str, Any], mapped_column(JSONB)]
JsonList = Annotated[list[Any], mapped_column(JSONB)]


class ReasonType(TypeDecorator[str]):
    """A column for a `Reason` or for free text, stored as JSON."""

    impl = JSONB(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> Any:
        """Return what is stored."""
        return None if value is None else reason_to_json(value)

    def process_result_value(self, value: Any, _dialect: Dialect) -> str | None:
        """Return the reason or the text."""
        return None if value is None else reason_from_json(value)


class RuleReasonType(TypeDecorator[Reason]):
    """A column for reasons of our own rules, which refuses plain text; text of before is read as a reason, too."""

    impl = JSONB(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: Reason | None, _dialect: Dialect) -> Any:
        """Return what is stored. Raises TypeError for a text that is no reason."""
        if value is not None and not isinstance(value, Reason):
            raise TypeError(f"plain text where a reason is stored: {value[:80]!r}")
        return None if value is None else reason_to_json(value)

    def process_result_value(self, value: Any, _dialect: Dialect) -> Reason | None:
        """Return the reason."""
        return None if value is None else text_reason(reason_from_json(value))


StoredReason = Annotated[str, mapped_column(ReasonType)]
RuleReason = Annotated[Reason, mapped_column(RuleReasonType)]


def has_code(column: ColumnExpressionArgument[Any], code: str) -> ColumnElement[bool]:
    """Return the condition that a stored reason has this code."""
    stored: ColumnElement[str] = type_coerce(column, JSONB)["code"].astext
    return stored == code


class Base(DeclarativeBase):
    """Base of all tables. It declares no relationships: each query states what it loads."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {str: Text, datetime: DateTime(timezone=True), int: BigInteger}


def one_of(column: str, values: type[enum.StrEnum]) -> CheckConstraint:
    """Return a check that `column` holds one of the enum's values: closed sets are text with a check."""
    allowed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({allowed})", name=column)


def children_index(table: str, column: str) -> Index:
    """Return a partial index on a foreign key, so that the database finds the children of a deleted row."""
    return Index(f"ix_{table}_{column}", column, postgresql_where=text(f"{column} IS NOT NULL"))
