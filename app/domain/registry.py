"""Plug-ins found by folder: a new one is one file holding one constant."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from app.domain.errors import NotFound

T = TypeVar("T")


def discover(package: str, constant: str, kind: type[T]) -> dict[str, T]:
    """Import every module of `package` and collect its `constant`, keyed by `.name`.

    Modules whose name starts with an underscore are helpers and may lack the constant. A folder that is added to the
    package's `__path__` is searched too; each is searched once a process, for every answer asks for plug-ins.
    Raises TypeError when a module lacks it or holds another type, ValueError on a doubled name.
    """
    return dict(_found(package, constant, kind, tuple(importlib.import_module(package).__path__)))


@cache
def _found(package: str, constant: str, kind: type[Any], folders: tuple[str, ...]) -> Mapping[str, Any]:
    plugins: dict[str, Any] = {}
    for info in sorted(pkgutil.iter_modules(folders), key=lambda module: module.name):
        if info.name.startswith("_"):
            continue
        module = importlib.import_module(f"{package}.{info.name}")
        plugin: Any = getattr(module, constant, None)
        if not isinstance(plugin, kind):
            raise TypeError(f"{package}.{info.name} must hold {constant} of type {kind.__name__}")
        name: str = plugin.name
        if name in plugins:
            raise ValueError(f"{package}: two plug-ins are named {name}")
        plugins[name] = plugin
    return plugins


def named(plugins: Mapping[str, T], name: str, what: str) -> T:
    """The plug-in of that name. Raises NotFound, naming those there are."""
    if name not in plugins:
        raise NotFound(f"there is no {what} {name!r}; there are {', '.join(plugins)}")
    return plugins[name]
