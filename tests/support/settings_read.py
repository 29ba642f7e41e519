"""Which settings code reads, found in its text: `settings.NAME` and what the methods of Settings read that it calls."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from app.config import Settings
from support.rules import ROOT

FIELDS = frozenset(Settings.model_fields)
# Adapters and services are handed values; what lies here may ask for a setting itself.
_ASKS = ("app/supervise", "workers")


def read_by_module(name: str) -> set[str]:
    """The settings that a module reads, without those of the modules that it imports."""
    return _expanded(_attributes(_tree(name)))


def read_by_tasks(names: Iterable[str]) -> set[str]:
    """The settings that these tasks read, with all of the worker's modules that they use anything of."""
    wanted, found, seen = set(names), set[str](), set[str]()
    for module in ("workers.tasks", "workers.upkeep"):
        tree = _tree(module)
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        queue = [node for node in functions.values() if wanted & set(_task_names(node))]
        reached = set[str]()
        while queue:
            node = queue.pop()
            if node.name in reached:
                continue
            reached.add(node.name)
            found |= _attributes(node)
            used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            queue += [functions[name] for name in used & functions.keys()]
            seen |= {home for name, home in _imported(tree) if name in used}
    modules = [name for name in seen if _path(name) is not None]
    done = set[str]()
    while modules:
        name = modules.pop()
        if name not in done:
            done.add(name)
            tree = _tree(name)
            found |= _attributes(tree)
            modules += [home for _, home in _imported(tree) if _path(home) is not None]
    return _expanded(found)


def _task_names(node: ast.FunctionDef) -> Iterator[str]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "task":
            yield ast.literal_eval(mark.args[0])


def _imported(tree: ast.Module) -> list[tuple[str, str]]:
    """Each name that a module imports, and the module that it is from."""
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    pairs = [(alias, node.module or "") for node in imports for alias in node.names]
    inside = [(alias, module, f"{module}.{alias.name}") for alias, module in pairs]
    return [(alias.asname or alias.name, whole if _path(whole) else module) for alias, module, whole in inside]


def _path(module: str) -> Path | None:
    path = ROOT / f"{module.replace('.', '/')}.py"
    inside = path.relative_to(ROOT).as_posix()
    asks = inside.startswith(_ASKS) and inside.count("/") < 2 + inside.startswith("app/")
    return path if asks and path.exists() else None


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))


def _attributes(tree: ast.AST) -> set[str]:
    """What is asked of anything that is called settings."""
    return {
        node.attr for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and _is_settings(node.value)
    }  # fmt: skip


def _is_settings(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        value = value.func
    name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
    return name.strip("_").lower() in {"settings", "settings_for_state"}


def _expanded(names: set[str]) -> set[str]:
    """Fields themselves, and for methods what they read of their own object."""
    [body] = [node for node in _tree("app.config").body if isinstance(node, ast.ClassDef) and node.name == "Settings"]
    methods = {node.name: node for node in body.body if isinstance(node, ast.FunctionDef)}
    found, queue = set[str](), list(names)
    while queue:
        name = queue.pop()
        if name in FIELDS:
            found.add(name)
        elif name in methods:
            own = [node for node in ast.walk(methods[name]) if isinstance(node, ast.Attribute)]
            queue += [node.attr for node in own if isinstance(node.value, ast.Name) and node.value.id == "self"]
            queue += _by_pattern(methods[name])
    return found


def _by_pattern(method: ast.FunctionDef) -> list[str]:
    """Fields that `getattr(self, f"...")` may mean: all of the same beginning."""
    beginnings = [
        str(node.values[0].value) for node in ast.walk(method)
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant)
    ]  # fmt: skip
    return [name for name in FIELDS for beginning in beginnings if name.startswith(beginning) and len(beginning) > 2]
