"""Tests with one expected value changed, which a right program must fail. Pure.

A test that runs beside the program can be tampered with in unforeseen ways. But whatever makes it pass without the
right value makes it pass with a changed expected value too, and there a right program fails.

Only assertions that a passing test has certainly executed are changed: those of its body, in order, and of `with`
blocks in it; not those in loops, in conditions or after a return. A literal becomes another one of its kind, anything
else a dictionary that holds it, and an assertion that compares nothing becomes its opposite.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from app.domain.unittests.discovery import is_test

MAX_CHANGES: Final = 12  # per test
_EQUALITY_ASSERTIONS = frozenset({
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
    "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual",
})  # fmt: skip
_OPPOSITE_PAIRS = (
    ("assertTrue", "assertFalse"), ("assertIn", "assertNotIn"), ("assertIsNone", "assertIsNotNone"),
    ("assertIsInstance", "assertNotIsInstance"), ("assertIs", "assertIsNot"), ("assertRegex", "assertNotRegex"),
    ("assertGreater", "assertLessEqual"), ("assertGreaterEqual", "assertLess"),
    ("assertAlmostEqual", "assertNotAlmostEqual"),
)  # fmt: skip
_OPPOSITES: Mapping[str, str] = {
    **dict(_OPPOSITE_PAIRS), **{other: one for one, other in _OPPOSITE_PAIRS}, "assertNotEqual": "assertEqual",
}  # fmt: skip
_RAISING = frozenset({"assertRaises", "assertRaisesRegex"})
_OTHER_ERROR = "BufferError"
_OTHER_VALUE = "another value"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _Change(NamedTuple):
    """An expression, and the text that replaces it."""

    node: ast.expr
    text: str


def perturb_expected(source: str, name: str) -> tuple[str, ...]:
    """Return the source once for each expected value of the test `name`, with that value changed.

    The order is always the same. Empty if the test is not found by its name, is meant to fail, or has assertions of its
    own.
    """
    function, cls = _find(ast.parse(source), name)
    if function is None:
        return ()
    changes = list(_changes(function.body, _Scope(function, cls)))
    return tuple(_apply_change(source, change) for change in changes[:MAX_CHANGES])


def _find(module: ast.Module, name: str) -> tuple[_Function | None, ast.ClassDef | None]:
    """Return a test's function, and the class it is in, if any."""
    group, _, method = name.rpartition(".")
    body: Sequence[ast.stmt] = module.body
    cls = None
    if group:
        classes = [node for node in body if isinstance(node, ast.ClassDef) and node.name == group]
        if len(classes) != 1 or any(_is_assertion(node) for node in classes[0].body):
            return None, None
        [cls] = classes
        body = cls.body
    functions = [node for node in body if isinstance(node, _Function) and node.name == method]
    if len(functions) != 1 or any(
        "expectedFailure" in ast.unparse(decorator) for decorator in functions[0].decorator_list
    ):
        return None, None
    return functions[0], cls


def _is_assertion(node: ast.stmt) -> bool:
    return isinstance(node, _Function) and node.name.startswith("assert")


class _Scope:
    """The bindings of a function's names and its class's attributes that are bound once and only compared.

    These are changed where they are bound, so that code that looks up the expected value finds the changed one.
    """

    def __init__(self, function: _Function, cls: ast.ClassDef | None) -> None:
        arguments = function.args.args
        self.own = arguments[0].arg if cls is not None and arguments else ""
        self._function, self._cls = function, cls
        self._bound: dict[str, ast.expr] = {}
        for within in (function, cls):
            if within is not None:
                nodes = list(_nodes_in_use(within, function))
                names = Counter(key for node in nodes if (key := _key(node)))
                compared = Counter(key for node in nodes for part in _compared(node) if (key := _key(part)))
                for node in nodes:
                    if isinstance(node, ast.Assign):
                        for target in node.targets:
                            key = _key(target)
                            if key and names[key] == 1 and _belongs_to(target, within):
                                uses = names[_load_key(key)]
                                if uses == 1 or 0 < uses == compared[_load_key(key)]:
                                    self._bound[key[0]] = node.value

    def helper(self, name: str) -> "tuple[_Function, _Scope] | None":
        """Return a plain method of the same class that the test calls; its assertions are the test's."""
        body = [] if self._cls is None else self._cls.body
        methods = [node for node in body if isinstance(node, _Function) and node.name == name]
        if len(methods) != 1 or methods[0] is self._function or methods[0].decorator_list:
            return None
        return methods[0], _Scope(methods[0], self._cls)

    def change_of(self, node: ast.expr) -> _Change | None:
        """Return a changed value for an expression that is a literal or stands for one; None for any other."""
        literal = self.bound(node)
        try:
            text = _changed_literal(ast.literal_eval(literal))
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None
        return None if text is None else _Change(literal, text)

    def bound(self, node: ast.expr) -> ast.expr:
        """Return the expression that a name or an attribute is bound to, if it is bound and used once; else itself."""
        key = _key(node)
        return self._bound.get(key[0], node) if key else node


_Key = tuple[str, type[ast.expr_context]]
_READING_BUILTINS: Final = frozenset(
    {"len", "set", "sorted", "list", "tuple", "dict", "sum", "type", "isinstance", "all", "any"}
)

_CALLING_ASSERTIONS: Final = ("assertRaises", "assertWarns", "assertLogs")


def _nodes_in_use(within: _Function | ast.ClassDef, test: _Function) -> Iterator[ast.AST]:
    """Yield all nodes that may run in this test: those of a class without its other tests."""
    others = (
        [node for node in within.body if isinstance(node, _Function) and node is not test and is_test(node.name)]
        if isinstance(within, ast.ClassDef)
        else []
    )
    waiting: list[ast.AST] = [within]
    while waiting:
        part = waiting.pop()
        if part not in others:
            yield part
            waiting += ast.iter_child_nodes(part)


def _compared(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that an assertion reads, without the arguments of a call that might be the program's."""
    match node:
        case ast.Assert(test=test):
            waiting: list[ast.AST] = [test]
        case ast.Expr(ast.Call(func=ast.Attribute(ast.Name(), name), args=arguments)) if name.startswith(
            "assert"
        ) and not name.startswith(_CALLING_ASSERTIONS):
            waiting = [*arguments]
        case _:
            return
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in _READING_BUILTINS):
            continue
        waiting += ast.iter_child_nodes(part)


def _key(node: ast.AST) -> _Key | None:
    """Return a name, or an attribute of `self`, with its context (load or store); None for other nodes."""
    match node:
        case ast.Name(name):
            return name, type(node.ctx)
        case ast.Attribute(ast.Name("self"), name):
            return f"self.{name}", type(node.ctx)
    return None


def _load_key(key: _Key) -> _Key:
    return key[0], ast.Load


def _belongs_to(target: ast.expr, within: _Function | ast.ClassDef) -> bool:
    """Return whether a target belongs there: names belong to a function, attributes to its class."""
    return isinstance(target, ast.Name) is isinstance(within, _Function)


def _changed_literal(value: Any) -> str | None:
    if isinstance(value, bool):
        return repr(not value)
    if isinstance(value, int | float | complex):
        return repr(value + 1) if value + 1 != value else None
    if isinstance(value, str):
        return repr(value + "x")
    if isinstance(value, bytes):
        return repr(value + b"x")
    if isinstance(value, list):
        return repr([*value, _OTHER_VALUE])
    if isinstance(value, tuple):
        return repr((*value, _OTHER_VALUE))
    if isinstance(value, set):
        return repr({*value, _OTHER_VALUE})
    return repr({**value, _OTHER_VALUE: 1}) if isinstance(value, dict) else repr(_OTHER_VALUE)


def _changes(body: Sequence[ast.stmt], scope: _Scope, *, within: bool = False) -> Iterator[_Change]:
    own = scope.own
    for node in body:
        match node:
            case ast.Assert(test=test):
                yield _Change(test, f"not ({ast.unparse(test)})")
            case ast.Expr(ast.Call(func=ast.Attribute(ast.Name(owner), name)) as call) if own and owner == own:
                if name == "skipTest":
                    return
                helper = None if within else scope.helper(name)
                yield from _assertion(name, call, scope) if helper is None else _helper_changes(*helper)
            case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
                contexts = [item.context_expr for item in items]
                if own and len(contexts) == 1 and _is_raising(contexts[0], own):
                    yield from _assertion(_RAISES, contexts[0], scope)
                elif not any(word in ast.unparse(context).lower() for context in contexts for word in _SWALLOWING):
                    yield from _changes(inner, scope, within=within)
        if _may_end(node):
            return


def _helper_changes(function: _Function, scope: _Scope) -> Iterator[_Change]:
    return _changes(function.body, scope, within=True)


_SWALLOWING = ("raises", "suppress")
_RAISES = "assertRaises"


def _is_raising(node: ast.expr, own: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(ast.Name(owner), name)):
            return owner == own and name in _RAISING
    return False


def _assertion(name: str, call: ast.expr, scope: _Scope) -> Iterator[_Change]:
    if not isinstance(call, ast.Call) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    if name in _RAISING and call.args and _OTHER_ERROR not in ast.unparse(call.args[0]):
        yield _Change(call.args[0], _OTHER_ERROR)
    elif name in _EQUALITY_ASSERTIONS and len(call.args) > 1:
        changes = [change for operand in call.args[1::-1] if (change := scope.change_of(operand)) is not None]
        node = scope.bound(call.args[1])
        yield changes[0] if changes else _Change(node, f"{{{_OTHER_VALUE!r}: {ast.unparse(node)}}}")
    elif name in _OPPOSITES and isinstance(call.func, ast.Attribute):
        yield _Change(call.func, f"{ast.unparse(call.func.value)}.{_OPPOSITES[name]}")


def _may_end(node: ast.stmt) -> bool:
    """Return whether the test may end with this statement, so that later ones may not run."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Return | ast.Raise) or (isinstance(part, ast.Attribute) and part.attr == "skipTest"):
            return True
        if not isinstance(part, _Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(part)
    return False


def _apply_change(source: str, change: _Change) -> str:
    """Return the source with the change; its other lines keep their text and numbers."""
    lines = source.encode().split(b"\n")
    node = change.node
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    head = lines[node.lineno - 1][: node.col_offset]
    tail = lines[node.end_lineno - 1][node.end_col_offset :]
    replacement = f"({change.text}".encode() + b"\n" * (node.end_lineno - node.lineno) + b")"
    return b"\n".join([*lines[: node.lineno - 1], head + replacement + tail, *lines[node.end_lineno :]]).decode()
