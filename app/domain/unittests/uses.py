"""What tests written for unittest use besides the program, read with ast alone. Pure."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

_BUILTINS = frozenset(dir(builtins))
_PATCHING = frozenset({"patch", "setattr", "delattr", "__setattr__", "__dict__", "reload", "modules"})
_OF_THE_PROGRAM = ("solution", "__main__", "__future__")


@dataclass(frozen=True, slots=True)
class Uses:
    """The modules that tests import wherever they do, names they read or define, and parts of modules and classes.

    `builtins` are those of the names that are Python's own and that the tests define nowhere. `patches`: the tests may
    themselves change what they use.
    """

    modules: tuple[str, ...]
    names: tuple[str, ...]
    parts: tuple[str, ...]
    builtins: tuple[str, ...]
    patches: bool


def uses(source: str) -> Uses:
    """What a source uses, each in the order of the alphabet."""
    nodes = list(ast.walk(ast.parse(source)))
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    taken = {name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for name in _taken(node)}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    modules = {name for node in nodes for name in _modules(node)}
    return Uses(
        modules=tuple(sorted(modules)),
        names=tuple(sorted(read | defined)),
        parts=tuple(sorted(read | attributes | {name for pair in taken for name in pair})),
        builtins=tuple(sorted(read & _BUILTINS - bound - defined - {name for _real, name in taken})),
        patches=not _PATCHING.isdisjoint(read | attributes) or any(map(_sets_another, nodes)),
    )


def _sets_another(node: ast.AST) -> bool:
    """Whether it sets or takes away a part of something other than the test itself."""
    if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
        return False
    return not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))


def constructs(source: str, name: str | None) -> bool:
    """Whether tests use a name as a class: it is written like one, and they ask parts of it or of what it makes.

    That is a fact of the tests: a program cannot make a class of a function that they ask for its value.
    """
    if not name or not name.lstrip("_")[:1].isupper():
        return False
    nodes = list(ast.walk(ast.parse(source)))

    def is_made(node: ast.AST) -> bool:
        if isinstance(node, ast.NamedExpr):
            return is_made(node.value)
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name

    made = {
        ast.unparse(target)
        for node in nodes
        for target, value in _bindings(node)
        if value is not None and is_made(value)
    }
    asked = [node.value for node in nodes if isinstance(node, ast.Attribute)]
    return any(
        is_made(part) or (isinstance(part, ast.Name | ast.Attribute) and ast.unparse(part) in {name, *made})
        for part in asked
    )


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """(target, value) of what an assignment, an annotation, a walrus or a `with` binds."""
    match node:
        case ast.Assign():
            yield from ((target, node.value) for target in node.targets)
        case ast.AnnAssign() | ast.NamedExpr():
            yield node.target, node.value
        case ast.withitem() if node.optional_vars is not None:
            yield node.optional_vars, node.context_expr


def own_imports(source: str) -> str:
    """The test module's own imports, for the program shares its module; not those of unittest."""
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(line for line in map(ast.unparse, nodes) if "unittest" not in line and "__future__" not in line)


def _taken(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """What an import takes, by its name there and here."""
    for alias in node.names:
        yield alias.name.rpartition(".")[2], alias.asname or alias.name.partition(".")[0]


def _modules(node: ast.AST) -> Iterator[str]:
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
        names = [node.module]
    yield from (name for name in names if name.partition(".")[0] not in _OF_THE_PROGRAM)
