"""Names that unittest tests use besides the program, read with ast alone. Pure."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

_BUILTINS = frozenset(dir(builtins))
_PATCHING_NAMES = frozenset({"patch", "setattr", "delattr", "__setattr__", "__dict__", "reload", "modules"})
_PROGRAM_MODULES = ("solution", "__main__", "__future__")


@dataclass(frozen=True, slots=True)
class UsedNames:
    """The modules that tests import at any depth, names they read or define, and attributes they use.

    `builtins` are the used names that are Python's own and that the tests define nowhere. `patches`: the tests may
    change what they use.
    """

    modules: tuple[str, ...]
    names: tuple[str, ...]
    parts: tuple[str, ...]
    builtins: tuple[str, ...]
    patches: bool


def find_uses(source: str) -> UsedNames:
    """Return the names that a source uses, each group in alphabetical order."""
    nodes = list(ast.walk(ast.parse(source)))
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    imported_names = {
        name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for name in _imported_names(node)
    }
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    modules = {name for node in nodes for name in _imported_modules(node)}
    return UsedNames(
        modules=tuple(sorted(modules)),
        names=tuple(sorted(read | defined)),
        parts=tuple(sorted(read | attributes | {name for pair in imported_names for name in pair})),
        builtins=tuple(sorted(read & _BUILTINS - bound - defined - {name for _real, name in imported_names})),
        patches=not _PATCHING_NAMES.isdisjoint(read | attributes) or any(map(_sets_foreign_attribute, nodes)),
    )


def _sets_foreign_attribute(node: ast.AST) -> bool:
    """Return whether a node sets or deletes an attribute of something other than the test itself."""
    if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
        return False
    return not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))


def uses_as_class(source: str, name: str | None) -> bool:
    """Return whether tests use a name as a class: it is capitalised, and they read attributes of it or its instances.

    This depends on the tests alone: a program cannot turn a function into a class if they only use its value.
    """
    if not name or not name.lstrip("_")[:1].isupper():
        return False
    nodes = list(ast.walk(ast.parse(source)))

    def is_instance(node: ast.AST) -> bool:
        if isinstance(node, ast.NamedExpr):
            return is_instance(node.value)
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name

    instances = {
        ast.unparse(target)
        for node in nodes
        for target, value in _bindings(node)
        if value is not None and is_instance(value)
    }
    owners = [node.value for node in nodes if isinstance(node, ast.Attribute)]
    return any(
        is_instance(part) or (isinstance(part, ast.Name | ast.Attribute) and ast.unparse(part) in {name, *instances})
        for part in owners
    )


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield (target, value) of each binding by an assignment, an annotation, a walrus or a `with`."""
    match node:
        case ast.Assign():
            yield from ((target, node.value) for target in node.targets)
        case ast.AnnAssign() | ast.NamedExpr():
            yield node.target, node.value
        case ast.withitem() if node.optional_vars is not None:
            yield node.optional_vars, node.context_expr


def own_imports(source: str) -> str:
    """Return the test module's own imports, without unittest's, since the program shares its module."""
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(line for line in map(ast.unparse, nodes) if "unittest" not in line and "__future__" not in line)


def _imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield the original and the local name of each thing that an import binds."""
    for alias in node.names:
        yield alias.name.rpartition(".")[2], alias.asname or alias.name.partition(".")[0]


def _imported_modules(node: ast.AST) -> Iterator[str]:
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
        names = [node.module]
    yield from (name for name in names if name.partition(".")[0] not in _PROGRAM_MODULES)
