"""Second names of tables, for queries in which one stands twice."""

from functools import cache
from typing import TypeVar

from sqlalchemy.orm import aliased

T = TypeVar("T")


@cache  # of a wide table it takes milliseconds, and plans and claims are made all the time
def alias(table: type[T], name: str) -> type[T]:
    """The table under this name; wherever the same name is asked for, it is the same alias.

    A query inside another one gives its alias a name of its own, or it would mean the outer one's.
    """
    return aliased(table, name=name)
