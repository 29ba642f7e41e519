"""Cached aliases of tables, for queries that use one table twice."""

from functools import cache
from threading import Lock
from typing import Any, TypeVar

from sqlalchemy import inspect
from sqlalchemy.orm import aliased

T = TypeVar("T")

_lock = Lock()


def alias(table: type[T], name: str) -> type[T]:
    """Return the table under `name`; the same table and name give the same alias in every thread.

    A subquery must give its alias a name of its own, or the name would refer to the outer query's alias.
    """
    entity: Any = table
    with _lock:
        entity_alias: type[T] = _alias(entity, name)
    return entity_alias


@cache  # an alias of a wide table takes milliseconds, too long for each plan and claim
def _alias(table: Any, name: str) -> Any:
    entity_alias = aliased(table, name=name)
    # Columns are created at the first access: a thread that reads them meanwhile would find only some of them, and
    # refer to the table itself for the others.
    for attribute in inspect(table).column_attrs:
        assert getattr(entity_alias, attribute.key).expression is not None
    return entity_alias
