"""A test with one of its expected values another one: what is right fails it. Pure.

A test that runs beside the program can be tampered with in ways that nobody thinks of. But whatever makes it pass
without the right value makes it pass with another expected value too, and there a right program fails.

Only assertions are made others that a passing test is sure to have come by: those of its body, in order, and of `with`
blocks in it; not those in loops, conditions and what follows a return. A literal becomes another one of its kind,
anything else a dictionary that holds it, and an assertion that compares with nothing becomes its opposite.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from app.domain.unittests.reading import is_test

MOST: Final = 12  # of one test
_EQUAL = frozenset({
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
    "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual",
})  # fmt: skip
_PAIRS = (
    ("assertTrue", "assertFalse"), ("assertIn", "assertNotIn"), ("assertIsNone", "assertIsNotNone"),
    ("assertIsInstance", "assertNotIsInstance"), ("assertIs", "assertIsNot"), ("assertRegex", "assertNotRegex"),
    ("assertGreater", "assertLessEqual"), ("assertGreaterEqual", "assertLess"),
    ("assertAlmostEqual", "assertNotAlmostEqual"),
)  # fmt: skip
_OPPOSITES: Mapping[str, str] = {
    **dict(_PAIRS), **{other: one for one, other in _PAIRS}, "assertNotEqual": "assertEqual",
}  # fmt: skip
_RAISING = frozenset({"assertRaises", "assertRaisesRegex"})
_OTHER_ERROR = "BufferError"
_OTHER = "another value"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _Change(NamedTuple):
    """An expression, and what stands in its place."""

    node: ast.expr
    text: str


def perturbed(source: str, name: str) -> tuple[str, ...]:
    """The source once for each expected value of the test `name`, with that one another; the order is always the same.

    None where the test is not found by its name, is meant to fail, or has assertions of its own.
    """
    function, cls = _find(ast.parse(source), name)
    if function is None:
        return ()
    changes = list(_changes(function.body, _Scope(function, cls)))
    return tuple(_with(source, change) for change in changes[:MOST])


def _find(module: ast.Module, name: str) -> tuple[_Function | None, ast.ClassDef | None]:
    """A test's function, and the class it is in, if any."""
    group, _, method = name.rpartition(".")
    body: Sequence[ast.stmt] = module.body
    cls = None
    if group:
        classes = [node for node in body if isinstance(node, ast.ClassDef) and node.name == group]
        if len(classes) != 1 or any(_asserting(node) for node in classes[0].body):
            return None, None
        [cls] = classes
        body = cls.body
    found = [node for node in body if isinstance(node, _Function) and node.name == method]
    if len(found) != 1 or any("expectedFailure" in ast.unparse(decorator) for decorator in found[0].decorator_list):
        return None, None
    return found[0], cls


def _asserting(node: ast.stmt) -> bool:
    return isinstance(node, _Function) and node.name.startswith("assert")


class _Scope:
    """What names of a function and attributes of its class are bound to, each bound once and only compared with.

    These become another value where they are bound: whoever looks there for what is expected finds that.
    """

    def __init__(self, function: _Function, cls: ast.ClassDef | None) -> None:
        arguments = function.args.args
        self.own = arguments[0].arg if cls is not None and arguments else ""
        self._function, self._cls = function, cls
        self._bound: dict[str, ast.expr] = {}
        for within in (function, cls):
            if within is not None:
                nodes = list(_in_use(within, function))
                names = Counter(key for node in nodes if (key := _key(node)))
                compared = Counter(key for node in nodes for part in _compared(node) if (key := _key(part)))
                for node in nodes:
                    if isinstance(node, ast.Assign):
                        for target in node.targets:
                            key = _key(target)
                            if key and names[key] == 1 and _is_of(target, within):
                                uses = names[_loaded(key)]
                                if uses == 1 or 0 < uses == compared[_loaded(key)]:
                                    self._bound[key[0]] = node.value

    def helper(self, name: str) -> "tuple[_Function, _Scope] | None":
        """A plain method of the same class that the test calls, whose assertions are the test's."""
        body = [] if self._cls is None else self._cls.body
        found = [node for node in body if isinstance(node, _Function) and node.name == name]
        if len(found) != 1 or found[0] is self._function or found[0].decorator_list:
            return None
        return found[0], _Scope(found[0], self._cls)

    def another(self, node: ast.expr) -> _Change | None:
        """Another value of an expression's kind, where it is a literal or stands for one."""
        literal = self.bound(node)
        try:
            text = _another(ast.literal_eval(literal))
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None
        return None if text is None else _Change(literal, text)

    def bound(self, node: ast.expr) -> ast.expr:
        """What a name or an attribute is bound to, where it is but once and used once; else the expression itself."""
        key = _key(node)
        return self._bound.get(key[0], node) if key else node


_Key = tuple[str, type[ast.expr_context]]
_LOOKS: Final = frozenset({"len", "set", "sorted", "list", "tuple", "dict", "sum", "type", "isinstance", "all", "any"})

_CALLS: Final = ("assertRaises", "assertWarns", "assertLogs")


def _in_use(within: _Function | ast.ClassDef, test: _Function) -> Iterator[ast.AST]:
    """All that may run in this test: of a class, without its other tests."""
    others = (
        [one for one in within.body if isinstance(one, _Function) and one is not test and is_test(one.name)]
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
    """What an assertion reads, without what it gives to a call that might be the program's."""
    match node:
        case ast.Assert(test=test):
            waiting: list[ast.AST] = [test]
        case ast.Expr(ast.Call(func=ast.Attribute(ast.Name(), name), args=arguments)) if name.startswith(
            "assert"
        ) and not name.startswith(_CALLS):
            waiting = [*arguments]
        case _:
            return
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in _LOOKS):
            continue
        waiting += ast.iter_child_nodes(part)


def _key(node: ast.AST) -> _Key | None:
    """A name, or an attribute of a name that a test calls its own, and whether it is bound or used."""
    match node:
        case ast.Name(name):
            return name, type(node.ctx)
        case ast.Attribute(ast.Name("self"), name):
            return f"self.{name}", type(node.ctx)
    return None


def _loaded(key: _Key) -> _Key:
    return key[0], ast.Load


def _is_of(target: ast.expr, within: _Function | ast.ClassDef) -> bool:
    """Names belong to a function, attributes to its class."""
    return isinstance(target, ast.Name) is isinstance(within, _Function)


def _another(value: Any) -> str | None:
    if isinstance(value, bool):
        return repr(not value)
    if isinstance(value, int | float | complex):
        return repr(value + 1) if value + 1 != value else None
    if isinstance(value, str):
        return repr(value + "x")
    if isinstance(value, bytes):
        return repr(value + b"x")
    if isinstance(value, list):
        return repr([*value, _OTHER])
    if isinstance(value, tuple):
        return repr((*value, _OTHER))
    if isinstance(value, set):
        return repr({*value, _OTHER})
    return repr({**value, _OTHER: 1}) if isinstance(value, dict) else repr(_OTHER)


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
                yield from _assertion(name, call, scope) if helper is None else _of_helper(*helper)
            case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
                contexts = [item.context_expr for item in items]
                if own and len(contexts) == 1 and _is_raising(contexts[0], own):
                    yield from _assertion(_RAISES, contexts[0], scope)
                elif not any(word in ast.unparse(context).lower() for context in contexts for word in _SWALLOWING):
                    yield from _changes(inner, scope, within=within)
        if _may_end(node):
            return


def _of_helper(function: _Function, scope: _Scope) -> Iterator[_Change]:
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
    elif name in _EQUAL and len(call.args) > 1:
        wanted = [change for operand in call.args[1::-1] if (change := scope.another(operand)) is not None]
        node = scope.bound(call.args[1])
        yield wanted[0] if wanted else _Change(node, f"{{{_OTHER!r}: {ast.unparse(node)}}}")
    elif name in _OPPOSITES and isinstance(call.func, ast.Attribute):
        yield _Change(call.func, f"{ast.unparse(call.func.value)}.{_OPPOSITES[name]}")


def _may_end(node: ast.stmt) -> bool:
    """Whether the test may end with this statement: what follows it may not run."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Return | ast.Raise) or (isinstance(part, ast.Attribute) and part.attr == "skipTest"):
            return True
        if not isinstance(part, _Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(part)
    return False


def _with(source: str, change: _Change) -> str:
    """The source with the change, its other lines as they are and where they are."""
    lines = source.encode().split(b"\n")
    node = change.node
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    head = lines[node.lineno - 1][: node.col_offset]
    tail = lines[node.end_lineno - 1][node.end_col_offset :]
    held = f"({change.text}".encode() + b"\n" * (node.end_lineno - node.lineno) + b")"
    return b"\n".join([*lines[: node.lineno - 1], head + held + tail, *lines[node.end_lineno :]]).decode()
