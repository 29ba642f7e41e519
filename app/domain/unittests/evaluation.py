"""Python expressions over plain values, evaluated in this process without running any code. Pure.

Supported: literals, names, operators, comparisons, indexing, comprehensions, and a fixed list of builtins and methods,
over exact builtin types only. Everything else is Unsupported. Steps and sizes are counted, but not the cost of each
step: values that a stranger chose are evaluated in a process that the kernel bounds.
"""

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

_MAX_STEPS = 200_000
_MAX_ITEMS = 1_000_000  # items of a product or a range
_MAX_BITS = 50_000  # of a product of numbers or a power

TYPES: Mapping[str, type] = {
    kind.__name__: kind for kind in (bool, bytes, complex, dict, float, frozenset, int, list, set, str, tuple)
}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{
        function.__name__: function
        for function in (abs, all, any, len, max, min, repr, reversed, round, sorted, sum, zip)
    },
    **{
        function.__name__: function
        for function in (enumerate, range, bool, bytes, complex, dict, float, frozenset, int, list)
    },
    **{function.__name__: function for function in (set, str, tuple)},
}
_METHODS: Mapping[type, frozenset[str]] = {
    dict: frozenset({"get", "items", "keys", "values", "copy"}),
    list: frozenset({"count", "index", "copy"}),
    tuple: frozenset({"count", "index"}),
    set: frozenset({"issubset", "issuperset", "isdisjoint", "union", "intersection", "difference", "copy"}),
    frozenset: frozenset({"issubset", "issuperset", "isdisjoint", "union", "intersection", "difference"}),
    str: frozenset({
        "count", "endswith", "find", "index", "isalpha", "isdigit", "islower", "isupper", "join", "lower", "lstrip",
        "rstrip", "split", "splitlines", "startswith", "strip", "title", "upper",
    }),
    bytes: frozenset({"decode", "hex"}),
}  # fmt: skip
KEYWORDS = frozenset({"reverse", "default", "ndigits", "start"})
METHODS = frozenset[str]().union(*_METHODS.values())
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
    ast.Is: lambda one, other: _is_same(one, other),
    ast.IsNot: lambda one, other: not _is_same(one, other),
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda one, other: _sum(one, other),
    ast.Sub: operator.sub,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Mult: lambda one, other: _product(one, other),
    ast.Mod: lambda one, other: _remainder(one, other),
    ast.Pow: lambda one, other: _power(one, other),
}


# Placeholders for the value of a name: never known here, or known only after the program has been called.
UNKNOWN, AFTER_CALL = object(), object()


class LibraryInt(int):
    """An integer or boolean of a library's class: it equals Python's own, but is no instance of it."""


class LibraryFloat(float):
    """A floating-point number of a library's class: it equals Python's own, but is no instance of it."""


class UnsupportedExpression(Exception):
    """An expression that is not evaluated here; the argument gives the reason."""


class Evaluator:
    """An evaluator of expressions; `calls` maps call nodes to values that were computed elsewhere."""

    def __init__(self, calls: Mapping[ast.Call, Any]) -> None:
        self._calls = calls
        self._steps = _MAX_STEPS

    def value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        """Return the value. Raises Unsupported, or the error that the expression raises in Python."""
        self._steps -= 1
        if self._steps < 0:
            raise UnsupportedExpression("too much work")
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise UnsupportedExpression(type(node).__name__)
        return method(node, names)

    def many(self, nodes: Iterable[ast.expr], names: Mapping[str, Any]) -> list[Any]:
        """Return the values of several expressions."""
        return [self.value(node, names) for node in nodes]

    def _constant(self, node: ast.Constant, _: Mapping[str, Any]) -> Any:
        if node.value is Ellipsis:
            raise UnsupportedExpression("...")
        return node.value

    def _name(self, node: ast.Name, names: Mapping[str, Any]) -> Any:
        value = names.get(node.id, UNKNOWN)
        if value is not UNKNOWN and value is not AFTER_CALL:
            return value
        raise UnsupportedExpression(f"the name {node.id}")

    def _list(self, node: ast.List, names: Mapping[str, Any]) -> list[Any]:
        return self.many(node.elts, names)

    def _tuple(self, node: ast.Tuple, names: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(self.many(node.elts, names))

    def _set(self, node: ast.Set, names: Mapping[str, Any]) -> set[Any]:
        return set(self.many(node.elts, names))

    def _dict(self, node: ast.Dict, names: Mapping[str, Any]) -> dict[Any, Any]:
        keys = [key for key in node.keys if key is not None]
        if len(keys) != len(node.values):
            raise UnsupportedExpression("** in a dict")
        return dict(zip(self.many(keys, names), self.many(node.values, names), strict=True))

    def _subscript(self, node: ast.Subscript, names: Mapping[str, Any]) -> Any:
        holder = self.value(node.value, names)
        return holder[self.value(node.slice, names)]

    def _slice(self, node: ast.Slice, names: Mapping[str, Any]) -> slice:
        ends = (node.lower, node.upper, node.step)
        return slice(*(None if end is None else self.value(end, names) for end in ends))

    def _unaryop(self, node: ast.UnaryOp, names: Mapping[str, Any]) -> Any:
        return _UNARY[type(node.op)](self.value(node.operand, names))

    def _binop(self, node: ast.BinOp, names: Mapping[str, Any]) -> Any:
        if type(node.op) not in BINARY:
            raise UnsupportedExpression(type(node.op).__name__)
        return BINARY[type(node.op)](self.value(node.left, names), self.value(node.right, names))

    def _boolop(self, node: ast.BoolOp, names: Mapping[str, Any]) -> Any:
        value: Any = None
        for operand in node.values:
            value = self.value(operand, names)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def _ifexp(self, node: ast.IfExp, names: Mapping[str, Any]) -> Any:
        return self.value(node.body if self.value(node.test, names) else node.orelse, names)

    def _compare(self, node: ast.Compare, names: Mapping[str, Any]) -> bool:
        left = self.value(node.left, names)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator, names)
            if not _COMPARISONS[type(op)](left, right):
                return False
            left = right
        return True

    def _call(self, node: ast.Call, names: Mapping[str, Any]) -> Any:
        if node in self._calls:
            return self._calls[node]
        function = node.func
        if isinstance(function, ast.Name) and function.id == "isinstance" and function.id not in names:
            return self.is_instance(self.value(node.args[0], names), node.args[1], names)
        arguments = self.many(node.args, names)
        if any(keyword.arg not in KEYWORDS for keyword in node.keywords):
            raise UnsupportedExpression("a keyword")
        keywords = {str(keyword.arg): self.value(keyword.value, names) for keyword in node.keywords}
        if isinstance(function, ast.Name) and function.id in FUNCTIONS and function.id not in names:
            return _call_builtin(function.id, arguments, keywords)
        if isinstance(function, ast.Attribute):
            holder = self.value(function.value, names)
            if function.attr in _METHODS.get(type(holder), ()):
                return getattr(holder, function.attr)(*arguments, **keywords)
        raise UnsupportedExpression("a call")

    def is_instance(self, value: Any, types: ast.expr, names: Mapping[str, Any]) -> bool:
        """Return whether `value` is of a builtin type, or of one of a tuple of them. Raises Unsupported."""
        nodes = types.elts if isinstance(types, ast.Tuple) else [types]
        kinds = [TYPES.get(node.id) for node in nodes if isinstance(node, ast.Name) and node.id not in names]
        if len(kinds) != len(nodes) or None in kinds:
            raise UnsupportedExpression("a type")
        return not isinstance(value, LibraryInt | LibraryFloat) and isinstance(value, tuple(filter(None, kinds)))

    def _listcomp(self, node: ast.ListComp, names: Mapping[str, Any]) -> list[Any]:
        return [self.value(node.elt, inner) for inner in self._rounds(node.generators, names)]

    def _generatorexp(self, node: ast.GeneratorExp, names: Mapping[str, Any]) -> list[Any]:
        return [self.value(node.elt, inner) for inner in self._rounds(node.generators, names)]

    def _setcomp(self, node: ast.SetComp, names: Mapping[str, Any]) -> set[Any]:
        return {self.value(node.elt, inner) for inner in self._rounds(node.generators, names)}

    def _dictcomp(self, node: ast.DictComp, names: Mapping[str, Any]) -> dict[Any, Any]:
        return {
            self.value(node.key, inner): self.value(node.value, inner) for inner in self._rounds(node.generators, names)
        }

    def _rounds(self, generators: list[ast.comprehension], names: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        if not generators:
            yield dict(names)
            return
        first, *others = generators
        for item in self.value(first.iter, names):
            inner = {**names, **bind_target(first.target, item)}
            if all(self.value(test, inner) for test in first.ifs):
                yield from self._rounds(others, inner)


def target_names(target: ast.expr) -> list[str]:
    """Return the names that assigning to `target` binds. Raises Unsupported for all but names and tuples of them."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Tuple | ast.List):
        return [name for elt in target.elts for name in target_names(elt)]
    raise UnsupportedExpression("a target")


def bind_target(target: ast.expr, value: Any) -> dict[str, Any]:
    """Return the names that assigning `value` to `target` binds, with their values."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    if not isinstance(target, ast.Tuple | ast.List):
        raise UnsupportedExpression("a target")
    values = list(value)
    if len(values) != len(target.elts):
        raise ValueError("too many or too few values to unpack")
    names: dict[str, Any] = {}
    for elt, part in zip(target.elts, values, strict=True):
        names.update(bind_target(elt, part))
    return names


def _call_builtin(name: str, arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    if name == "range" and len(range(*arguments)) > _MAX_ITEMS:
        raise UnsupportedExpression("a long range")
    if name in ("bytes", "bytearray") and any(type(argument) is int for argument in arguments):
        raise UnsupportedExpression("bytes of a length")
    return FUNCTIONS[name](*arguments, **keywords)


def _is_same(one: Any, other: Any) -> bool:
    """Evaluate `is`, which among plain values has a meaning for None, True and False only."""
    if not any(side is None or isinstance(side, bool) for side in (one, other)):
        raise UnsupportedExpression("is")
    return one is other


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, list | tuple | str | bytes) and len(one) > _MAX_ITEMS:
        raise UnsupportedExpression("a long sum")
    return one + other


def _product(one: Any, other: Any) -> Any:
    if isinstance(one, int) and isinstance(other, int) and one.bit_length() + other.bit_length() > _MAX_BITS:
        raise UnsupportedExpression("a large product")
    for many, times in ((one, other), (other, one)):
        if isinstance(many, list | tuple | str | bytes) and isinstance(times, int) and len(many) * times > _MAX_ITEMS:
            raise UnsupportedExpression("a long product")
    return one * other


def _remainder(one: Any, other: Any) -> Any:
    if isinstance(one, str | bytes):
        raise UnsupportedExpression("formatting")
    return one % other


def _power(one: Any, other: Any) -> Any:
    if isinstance(one, int) and isinstance(other, int) and one.bit_length() * abs(other) > _MAX_BITS:
        raise UnsupportedExpression("a large power")
    return one**other
