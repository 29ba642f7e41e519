"""Tests written as Python asserts, read as literals; nothing in them is ever executed.

Understood are `assert f(a=1, b=[2]) == literal`, `assert obj.method(**name) == literal` after `name = {literal}`, and
list and tree builders around either side or an argument, whose own argument is LeetCode's list spelling of the value.
Any other call changes what is compared, and is refused.
"""

import ast
import contextlib
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from app.domain.problems import Entry, Param


class AssertCase(NamedTuple):
    """One assert: arguments by parameter name, the expected value, and its line."""

    arguments: dict[str, Any]
    expected: Any
    line: int


class UnsupportedAssert(NamedTuple):
    """An assert of another form."""

    line: int
    reason: str


# Builders and comparisons that sets import; others bind a lambda to a name of their own.
_BUILDERS = frozenset({"list_node", "tree_node"})
_COMPARISONS = frozenset({"is_same_list", "is_same_tree"})


def read_asserts(source: str) -> Iterator[AssertCase | UnsupportedAssert]:
    """Yield every assert of the source. Raises SyntaxError if it is not Python."""
    body: Sequence[ast.stmt] = _parse(source).body
    if len(body) == 1 and isinstance(body[0], ast.FunctionDef):
        body = body[0].body
    reader = _AssertReader()
    for statement in body:
        if isinstance(statement, ast.Assign):
            reader.remember(statement)
        elif isinstance(statement, ast.Assert):
            try:
                arguments, expected = reader.sides(statement.test)
                yield AssertCase(arguments, expected, statement.lineno)
            except (ValueError, TypeError, KeyError) as unsupported:
                yield UnsupportedAssert(statement.lineno, str(unsupported))


def _parse(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a backslash in a string, which does not matter
        try:
            return ast.parse(source)
        except (RecursionError, MemoryError) as deep:
            raise SyntaxError("nested too deep") from deep


class _AssertReader:
    """Reader of asserts that remembers the names defined so far: dictionaries of arguments, and builders."""

    def __init__(self) -> None:
        self._named: dict[str, dict[str, Any]] = {}
        self._builders = set(_BUILDERS)

    def remember(self, statement: ast.Assign) -> None:
        """Remember a name bound to a dictionary or a builder; a name bound to anything else is forgotten."""
        target, value = statement.targets[0], statement.value
        if not isinstance(target, ast.Name):
            return
        self._named.pop(target.id, None)
        self._builders.discard(target.id)
        if isinstance(value, ast.Lambda) and _is_builder(value):
            self._builders.add(target.id)
        elif isinstance(value, ast.Dict):
            with contextlib.suppress(ValueError, TypeError):  # the assert that uses it fails with a reason
                self._named[target.id] = {
                    ast.literal_eval(key): self._literal(node)
                    for key, node in zip(value.keys, value.values, strict=True)
                    if key is not None
                }

    def sides(self, test: ast.expr) -> tuple[dict[str, Any], Any]:
        """Return (arguments, expected) of an assert. Raises ValueError for any other form."""
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            left, right = test.left, test.comparators[0]
        elif isinstance(test, ast.Call) and _name(test) in _COMPARISONS and len(test.args) == 2 and not test.keywords:
            left, right = test.args
        else:
            raise ValueError("not of the form f(...) == literal")
        left = self._unwrap(left)
        if not isinstance(left, ast.Call) or left.args:
            raise ValueError("not a call with named arguments")
        arguments: dict[str, Any] = {}
        for keyword in left.keywords:
            if keyword.arg is not None:
                arguments[keyword.arg] = self._literal(keyword.value)
            elif isinstance(keyword.value, ast.Name):
                arguments |= self._named[keyword.value.id]
            else:
                raise ValueError("not a call with named arguments")
        return arguments, self._literal(right)

    def _unwrap(self, node: ast.expr) -> ast.expr:
        while isinstance(node, ast.Call) and _name(node) in self._builders:
            if len(node.args) != 1 or node.keywords:
                raise ValueError("a builder takes one argument")
            node = node.args[0]
        return node

    def _literal(self, node: ast.expr) -> Any:
        value = self._unwrap(node)
        try:
            return ast.literal_eval(value)
        except ValueError as other:
            raise ValueError(f"{ast.unparse(value)[:60]} is not a literal") from other


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_builder(function: ast.Lambda) -> bool:
    """Return whether a lambda makes a list or tree from its spelling, or reads one back."""
    parts = list(ast.walk(function))
    nodes = {part.id for part in parts if isinstance(part, ast.Name)} & {"ListNode", "TreeNode"}
    return bool(nodes) or any(isinstance(part, ast.Attribute) and part.attr == "val" for part in parts)


def read_entry(starter_code: str) -> Entry:
    """Return what a program must define, from LeetCode's starter code. Raises ValueError without one."""
    code = starter_code.rstrip()
    try:
        tree = _parse(code + "\n        pass\n" if code.endswith(":") else code)
    except SyntaxError as broken:
        raise ValueError(f"unreadable starter code: {broken.msg}") from broken
    for node in reversed(tree.body):
        owner = node.name if isinstance(node, ast.ClassDef) else None
        functions = node.body if isinstance(node, ast.ClassDef) else [node]
        if owner is not None and owner != "Solution":
            continue
        for function in functions:
            if isinstance(function, ast.FunctionDef) and not function.name.startswith("__"):
                params = tuple(
                    Param(arg.arg, ast.unparse(arg.annotation) if arg.annotation else "")
                    for arg in function.args.args
                    if arg.arg != "self"
                )
                returns = ast.unparse(function.returns) if function.returns else ""
                return Entry(function.name, owner, params, returns)
    raise ValueError("the starter code defines no function")
