"""Plug-ins found by folder: a new one is one file holding one constant."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

from app.domain.errors import NotFound

T = TypeVar("T")


def discover(package: str, constant: str, kind: type[T]) -> dict[str, T]:
    """Import every module of `package` and return its `constant` values by `.name`.

    Modules whose name starts with an underscore are helpers and may lack the constant. A folder that is added to the
    package's `__path__` is searched too; each folder is searched once a process, because every answer asks for
    plug-ins. Raises TypeError if a module lacks the constant or holds another type, ValueError if two plug-ins have one
    name.
    """
    plugins: dict[str, T] = {}
    for module in _modules(package, tuple(importlib.import_module(package).__path__)):
        plugin: Any = getattr(module, constant, None)
        if not isinstance(plugin, kind):
            raise TypeError(f"{module.__name__} must hold {constant} of type {kind.__name__}")
        name: str = plugin.name  # type: ignore[attr-defined]  # every plug-in kind has a name
        if name in plugins:
            raise ValueError(f"{package}: two plug-ins are named {name}")
        plugins[name] = plugin
    return plugins


@cache
def _modules(package: str, folders: tuple[str, ...]) -> tuple[ModuleType, ...]:
    names = sorted(info.name for info in pkgutil.iter_modules(folders))
    return tuple(importlib.import_module(f"{package}.{name}") for name in names if not name.startswith("_"))


def find_plugin(plugins: Mapping[str, T], name: str, what: str) -> T:
    """Return the plug-in of that name. Raises NotFound, listing the existing names."""
    if name not in plugins:
        raise NotFound(f"unknown {what} {name!r}; known: {', '.join(plugins)}")
    return plugins[name]
