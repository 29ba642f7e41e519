"""Second names of tables, for queries in which one stands twice."""

from functools import cache
from threading import Lock
from typing import Any, TypeVar

from sqlalchemy import inspect
from sqlalchemy.orm import aliased

T = TypeVar("T")

_turn = Lock()


def alias(table: type[T], name: str) -> type[T]:
    """The table under this name; wherever the same name is asked for, it is the same alias, in every thread.

    A query inside another one gives its alias a name of its own, or it would mean the outer one's.
    """
    entity: Any = table
    with _turn:
        made: type[T] = _alias(entity, name)
    return made


@cache  # of a wide table it takes milliseconds, and plans and claims are made all the time
def _alias(table: Any, name: str) -> Any:
    made = aliased(table, name=name)
    # Its columns are made when the first is asked for: a thread that asked meanwhile would find some of them, and name
    # the table itself where it found none.
    for attribute in inspect(table).column_attrs:
        assert getattr(made, attribute.key).expression is not None
    return made
