"""Which calls a test makes of the program, and whether what it says of their values can be evaluated outside. Pure."""

import ast
import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.problems import Entry
from app.domain.unittests.evaluation import (
    BINARY,
    FUNCTIONS,
    KEYWORDS,
    LATER,
    METHODS,
    UNKNOWN,
    Evaluator,
    Unsupported,
    bound,
    targets,
)

_SIDES = {  # assertions by how many operands they compare
    **dict.fromkeys(("assertTrue", "assertFalse", "assertIsNone", "assertIsNotNone"), 1),
    **dict.fromkeys(("assertEqual", "assertEquals", "assertNotEqual", "assertIn", "assertNotIn", "assertIs"), 2),
    **dict.fromkeys(("assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual", "assertIsNot"), 2),
    **dict.fromkeys(("assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assertIsInstance"), 2),
    **dict.fromkeys(("assertNotIsInstance", "assertGreater", "assertGreaterEqual", "assertLess"), 2),
    **dict.fromkeys(("assertLessEqual", "assertAlmostEqual", "assertNotAlmostEqual"), 2),
}
_KNOWN = (
    ast.Constant, ast.Name, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.UnaryOp, ast.BinOp,
    ast.BoolOp, ast.IfExp, ast.Compare, ast.Call, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp,
    ast.Attribute, ast.comprehension, ast.keyword, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One call of the program; `raises` when the test wants an error of it."""

    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    raises: bool = False


class Plan:
    """Follows a test's statements: which calls they make, and whether what they say can be evaluated outside."""

    def __init__(self, entry: Entry | None, own: str | None, alias: str | None, names: Mapping[str, Any]) -> None:
        self._entry, self._own, self._alias = entry, own, alias
        self.names = dict(names)
        self.steps: list[Step] = []
        self.nodes: list[ast.Call] = []
        self.assertions = 0
        self._stale: set[str] = set()  # names of objects that a call may have changed

    def read(self, statement: ast.stmt, *, looped: bool = False) -> None:
        """Take the next statement. Raises Unsupported."""
        match statement:
            case ast.Pass() | ast.Expr(ast.Constant()):
                pass
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value, looped=looped)
            case ast.Assert(test=test):
                self._check_assertion([test], looped=looped)
            case ast.Expr(ast.Call(func=ast.Attribute(ast.Name(own), name)) as call) if own == self._own:
                self._assertion(name, call, looped=looped)
            case ast.With(items=[ast.withitem(ast.Call() as context, None)], body=[inner]) if not looped:
                self._must_raise(context, inner)
            case ast.For(orelse=[]):
                self._check(statement.iter, looped=looped)
                self.names.update(dict.fromkeys(targets(statement.target), LATER))
                for nested in statement.body:
                    self.read(nested, looped=True)
            case _:
                raise Unsupported(f"line {statement.lineno} is no assertion about a call")

    def _assign(self, target: ast.expr, value: ast.expr, *, looped: bool) -> None:
        names = targets(target)
        self._check(value, looped=looped)
        depends = looped or self._calls(value)
        values = dict.fromkeys(names, LATER)
        if not depends:
            try:
                values = bound(target, Evaluator({}).value(value, self.names))
            except Exception:  # whatever Python raises: it depends on a call's value, or fails when it is judged
                depends = True
        if depends:
            # It may hold on to what these names are bound to, unseen; after a call they could have changed.
            self._stale |= {name for name in _loads(value) if _parts(self.names.get(name))}
        self._stale -= set(names)
        self.names.update(values)

    def _assertion(self, name: str, call: ast.Call, *, looped: bool) -> None:
        if name == "assertRaises" and len(call.args) > 1 and not looped:
            self._raising(call.args[0])
            self._record(call, call.args[2:], raises=True)
            if not self._is_entry(call.args[1]):
                raise Unsupported("what is to raise is not the program's")
            return
        sides = _SIDES.get(name)
        keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg != "msg"}
        if (
            sides is None
            or len(call.args) < sides
            or set(keywords) - ({"places", "delta"} if "AlmostEqual" in name else set())
        ):
            raise Unsupported(f"{name} with these arguments")
        operands = [*call.args[: 3 if "AlmostEqual" in name else sides], *keywords.values()]
        if "IsInstance" in name:
            Evaluator({}).is_instance(None, operands.pop(1), self.names)
        if name in ("assertIs", "assertIsNot") and not any(map(_singular, operands)):
            raise Unsupported(name)
        self._check_assertion(operands, looped=looped)

    def _check_assertion(self, expressions: list[ast.expr], *, looped: bool) -> None:
        for expression in expressions:
            self._check(expression, looped=looped)
        self.assertions += 1

    def _must_raise(self, context: ast.Call, inner: ast.stmt) -> None:
        match context.func, inner:
            case ast.Attribute(ast.Name(own), "assertRaises"), ast.Expr(call) | ast.Assign(value=call) if (
                own == self._own
                and len(context.args) == 1
                and not context.keywords
                and isinstance(call, ast.Call)
                and self._is_entry(call.func)
            ):
                self._raising(context.args[0])
                self._record(call, call.args, raises=True)
            case _:
                raise Unsupported("a with block")

    def _raising(self, kind: ast.expr) -> None:
        self.assertions += 1
        if not error_names(kind) or any(name in self.names for name in error_names(kind)):
            raise Unsupported("an error that is not builtin")

    # --- expressions ---

    def _check(self, expression: ast.expr, *, looped: bool) -> None:
        """Note the calls in it; find out whether the rest can be evaluated."""
        calls = self._calls(expression)
        if calls and (looped or any(self._calls(part) for node in ast.walk(expression) for part in _maybe(node))):
            raise Unsupported("a call that may be made or not")
        for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
            self._record(call, call.args, raises=False)
        inside = {id(part) for call in calls for part in ast.walk(call)}
        others = [node for node in ast.walk(expression) if id(node) not in inside]
        local = {name for other in others if isinstance(other, ast.comprehension) for name in targets(other.target)}
        callees: set[int] = set()  # what stands in the place of a function or of a type
        for node in others:
            if isinstance(node, ast.Call):
                callees |= self._callees(node, local)
        for node in others:
            if isinstance(node, ast.Name) and id(node) not in callees:
                self._check_name(node.id, local)
            elif not _is_known(node) or (isinstance(node, ast.Attribute) and id(node) not in callees):
                raise Unsupported(f"{type(node).__name__} at line {expression.lineno}")

    def _callees(self, call: ast.Call, local: set[str]) -> set[int]:
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in METHODS:
            return {id(function)}
        if isinstance(function, ast.Name) and function.id not in self.names and function.id not in local:
            if function.id in FUNCTIONS:
                return {id(function)}
            if function.id == "isinstance" and len(call.args) == 2:
                Evaluator({}).is_instance(None, call.args[1], self.names)
                return {id(function), *(id(part) for part in ast.walk(call.args[1]))}
        raise Unsupported(f"{ast.unparse(function)[:40]}()")

    def _check_name(self, name: str, local: set[str]) -> None:
        if name not in local and self.names.get(name, UNKNOWN) is UNKNOWN:
            raise Unsupported(f"the name {name}")
        if name in self._stale:
            raise Unsupported(f"{name}, which a call may have changed")

    def _calls(self, node: ast.AST) -> list[ast.Call]:
        return [call for call in ast.walk(node) if isinstance(call, ast.Call) and self._is_entry(call.func)]

    def _is_entry(self, function: ast.expr) -> bool:
        entry = self._entry
        match function:
            case ast.Name(name) if name == self._alias:
                return True
            case ast.Name(name) if name not in self.names and name != self._own:
                return entry.name == name if entry is not None and entry.name else False
            case ast.Attribute(ast.Call(ast.Name(cls), []), name) if entry is not None:
                return (cls, name) == (entry.cls or "Solution", entry.name)
        return False

    def _record(self, node: ast.Call, arguments: Iterable[ast.expr], *, raises: bool) -> None:
        evaluator = Evaluator({})
        try:
            positional = tuple(evaluator.many(arguments, self.names))
            keywords = {
                str(keyword.arg): evaluator.value(keyword.value, self.names) for keyword in node.keywords if keyword.arg
            }
        except Unsupported:
            raise
        except Exception as error:  # an expression that fails
            raise Unsupported(f"an argument that fails: {error}") from error
        if len(keywords) != len(node.keywords) or not all(map(_plain, (*positional, *keywords.values()))):
            raise Unsupported("an argument that is no plain value")
        names = {
            name
            for argument in (*arguments, *(keyword.value for keyword in node.keywords))
            for name in _loads(argument)
        }
        if names & self._stale:
            raise Unsupported("an argument that an earlier call may have changed")
        parts = {part for name in names for part in _parts(self.names.get(name))}
        self._stale |= {name for name, value in self.names.items() if parts & _parts(value)}
        self.steps.append(Step(positional, keywords, raises))
        self.nodes.append(node)


def error_names(kind: ast.expr) -> tuple[str, ...]:
    """The builtin errors that an expression names; empty when it names anything else."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    names = tuple(node.id for node in kinds if isinstance(node, ast.Name) and _is_error(node.id))
    return names if len(names) == len(kinds) else ()


def _is_error(name: str) -> bool:
    value = getattr(builtins, name, None)
    return isinstance(value, type) and issubclass(value, BaseException)


def _maybe(node: ast.AST) -> list[ast.AST]:
    """Parts of an expression that are evaluated once, never, or often."""
    match node:
        case (
            ast.ListComp(generators=[first, *others])
            | ast.SetComp(generators=[first, *others])
            | ast.GeneratorExp(generators=[first, *others])
        ):
            return [node.elt, first.target, *first.ifs, *others]
        case ast.DictComp() | ast.Lambda() | ast.IfExp() | ast.BoolOp():
            return [node]
    return []


def _is_known(node: ast.AST) -> bool:
    """Whether the evaluator knows what this part means wherever it stands."""
    match node:
        case ast.operator():
            return type(node) in BINARY
        case ast.keyword(arg=arg):
            return arg in KEYWORDS
        case ast.Dict(keys=keys):
            return None not in keys
        case ast.Compare(left=left, ops=ops, comparators=others):
            return not any(isinstance(op, ast.Is | ast.IsNot) for op in ops) or any(map(_singular, (left, *others)))
    return isinstance(node, _KNOWN)


def _loads(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _singular(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))


def _parts(value: Any) -> set[int]:
    """Identities of all that could be changed in a value."""
    parts: set[int] = {id(value)} if isinstance(value, list | dict | set) else set()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return parts.union(*map(_parts, inner))


def _plain(value: Any) -> bool:
    if type(value) in (list, tuple, set, frozenset):
        return all(map(_plain, value))
    if type(value) is dict:
        return all(_plain(key) and _plain(item) for key, item in value.items())
    return type(value) in (int, float, str, bool, bytes, complex, type(None))
