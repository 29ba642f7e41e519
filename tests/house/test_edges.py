"""Rows of the database stay below the edges: what an edge calls takes and returns values alone."""

import ast
import importlib
import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase
from support.rules import sources

from app.db.kernel.session import Session
from app.db.tables import Model, Run
from app.domain.windows import Window

EDGES = ("app/api", "app/cli", "app/main.py", "app/supervise", "web", "workers", "perf")
BELOW = ("app.services", "app.db")


def _imported(name: str) -> object | None:
    """A module of that name, or what a module calls so."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return getattr(importlib.import_module(module), attribute, None)


def _used(source: str) -> Iterator[tuple[str, object]]:
    """What a source uses of the services and the storage: names it imports, and attributes of modules it imports."""
    tree = ast.parse(source)
    modules: dict[str, tuple[str, ModuleType]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(BELOW):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                thing = _imported(name)
                if isinstance(thing, ModuleType):
                    modules[alias.asname or alias.name] = (name, thing)
                else:
                    yield name, thing
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            name, module = modules[node.value.id]
            yield f"{name}.{node.attr}", getattr(module, node.attr, None)


def _tables(hint: object, seen: set[object] | None = None) -> Iterator[str]:
    """The mapped classes in an annotation, through its arguments and the fields of its dataclasses."""
    seen = set() if seen is None else seen
    if isinstance(hint, list):  # a callable's arguments
        for part in hint:
            yield from _tables(part, seen)
        return
    if not isinstance(hint, type) or typing.get_args(hint):
        for part in typing.get_args(hint):
            yield from _tables(part, seen)
    elif hint not in seen:
        seen.add(hint)
        if issubclass(hint, DeclarativeBase):
            yield hint.__name__
        elif is_dataclass(hint):
            hints = typing.get_type_hints(hint)
            for field in fields(hint):
                yield from _tables(hints[field.name], seen)
            for _, member in inspect.getmembers(hint, lambda member: isinstance(member, property)):
                yield from _tables(typing.get_type_hints(member.fget).get("return"), seen)


def leaks(thing: object) -> list[str]:
    """The tables whose rows a function takes or returns, or a class holds."""
    if isinstance(thing, type):
        return sorted(set(_tables(thing)))
    if not inspect.isfunction(thing):
        return []
    hints = typing.get_type_hints(inspect.unwrap(thing))
    return sorted({table for hint in hints.values() for table in _tables(hint)})


def test_no_edge_meets_a_row() -> None:
    things = {name: (thing, path) for path, source in sources(*EDGES) for name, thing in _used(source)}
    assert len(things) > 100
    assert {f"{path}: {name}": leaks(thing) for name, (thing, path) in things.items() if leaks(thing)} == {}


@dataclass(frozen=True)
class _Holder:
    row: Model | None


@dataclass(frozen=True)
class _Outer:
    holders: tuple[_Holder, ...]

    @property
    def run(self) -> Run | None:
        """The run."""
        return None


def _takes(session: Session, row: Run) -> None: ...
def _returns(session: Session) -> dict[str, list[Run]]:
    return {}


def _calls(session: Session, step: Callable[[Run], None]) -> None: ...
def _holds(session: Session) -> _Outer | None:
    return None


def _values(session: Session, window: Window) -> list[tuple[str, Any]]:
    return []


@pytest.mark.parametrize(
    ("thing", "tables"),
    [
        (_takes, ["Run"]),
        (_returns, ["Run"]),
        (_calls, ["Run"]),
        (_holds, ["Model", "Run"]),
        (_Outer, ["Model", "Run"]),
        (_values, []),
        (Window, []),
    ],
)
def test_a_row_is_noticed(thing: object, tables: list[str]) -> None:
    assert leaks(thing) == tables


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from app.services.runs import plan\nplan.sweep", {"app.services.runs.plan.sweep"}),
        ("from app.db.runs import samples as store\nstore.record", {"app.db.runs.samples.record"}),
        ("from app.services.runs.plan import sweep", {"app.services.runs.plan.sweep"}),
        ("from app.domain import windows\nwindows.window", set()),
    ],
)
def test_what_an_edge_uses_is_seen(source: str, names: set[str]) -> None:
    assert {name for name, _ in _used(source)} == names
