"""The calls that a test makes of the program, and whether its assertions can be evaluated outside the sandbox. Pure."""

import ast
import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.problems import Entry
from app.domain.unittests.evaluation import (
    AFTER_CALL,
    BINARY,
    FUNCTIONS,
    KEYWORDS,
    METHODS,
    UNKNOWN,
    Evaluator,
    UnsupportedExpression,
    bind_target,
    target_names,
)

_OPERAND_COUNTS = {  # assertions by how many operands they compare
    **dict.fromkeys(("assertTrue", "assertFalse", "assertIsNone", "assertIsNotNone"), 1),
    **dict.fromkeys(("assertEqual", "assertEquals", "assertNotEqual", "assertIn", "assertNotIn", "assertIs"), 2),
    **dict.fromkeys(("assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual", "assertIsNot"), 2),
    **dict.fromkeys(("assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assertIsInstance"), 2),
    **dict.fromkeys(("assertNotIsInstance", "assertGreater", "assertGreaterEqual", "assertLess"), 2),
    **dict.fromkeys(("assertLessEqual", "assertAlmostEqual", "assertNotAlmostEqual"), 2),
}
_KNOWN_NODES = (
    ast.Constant, ast.Name, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.UnaryOp, ast.BinOp,
    ast.BoolOp, ast.IfExp, ast.Compare, ast.Call, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp,
    ast.Attribute, ast.comprehension, ast.keyword, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CallStep:
    """One call of the program; `raises` if the test expects an error from it."""

    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    raises: bool = False


class CallPlan:
    """A test's statements, read in order: their calls, and a check that their assertions can be evaluated outside."""

    def __init__(self, entry: Entry | None, own: str | None, alias: str | None, names: Mapping[str, Any]) -> None:
        self._entry, self._own, self._alias = entry, own, alias
        self.names = dict(names)
        self.steps: list[CallStep] = []
        self.nodes: list[ast.Call] = []
        self.assertions = 0
        self._stale: set[str] = set()  # names of objects that a call may have changed

    def read(self, statement: ast.stmt, *, looped: bool = False) -> None:
        """Process the next statement. Raises Unsupported."""
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
                self._read_raising_block(context, inner)
            case ast.For(orelse=[]):
                self._check(statement.iter, looped=looped)
                self.names.update(dict.fromkeys(target_names(statement.target), AFTER_CALL))
                for nested in statement.body:
                    self.read(nested, looped=True)
            case _:
                raise UnsupportedExpression(f"line {statement.lineno} is no assertion about a call")

    def _assign(self, target: ast.expr, value: ast.expr, *, looped: bool) -> None:
        names = target_names(target)
        self._check(value, looped=looped)
        depends = looped or self._calls(value)
        values = dict.fromkeys(names, AFTER_CALL)
        if not depends:
            try:
                values = bind_target(target, Evaluator({}).value(value, self.names))
            except Exception:  # it depends on a call's value, or fails when it is judged
                depends = True
        if depends:
            # The value may keep a reference to these names' objects, so that a later call could change them.
            self._stale |= {name for name in _loaded_names(value) if _mutable_parts(self.names.get(name))}
        self._stale -= set(names)
        self.names.update(values)

    def _assertion(self, name: str, call: ast.Call, *, looped: bool) -> None:
        if name == "assertRaises" and len(call.args) > 1 and not looped:
            self._count_raising(call.args[0])
            self._record(call, call.args[2:], raises=True)
            if not self._is_entry(call.args[1]):
                raise UnsupportedExpression("what is to raise is not the program's")
            return
        operand_count = _OPERAND_COUNTS.get(name)
        keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg != "msg"}
        if (
            operand_count is None
            or len(call.args) < operand_count
            or set(keywords) - ({"places", "delta"} if "AlmostEqual" in name else set())
        ):
            raise UnsupportedExpression(f"{name} with these arguments")
        operands = [*call.args[: 3 if "AlmostEqual" in name else operand_count], *keywords.values()]
        if "IsInstance" in name:
            Evaluator({}).is_instance(None, operands.pop(1), self.names)
        if name in ("assertIs", "assertIsNot") and not any(map(_is_singleton, operands)):
            raise UnsupportedExpression(name)
        self._check_assertion(operands, looped=looped)

    def _check_assertion(self, expressions: list[ast.expr], *, looped: bool) -> None:
        for expression in expressions:
            self._check(expression, looped=looped)
        self.assertions += 1

    def _read_raising_block(self, context: ast.Call, inner: ast.stmt) -> None:
        match context.func, inner:
            case ast.Attribute(ast.Name(own), "assertRaises"), ast.Expr(call) | ast.Assign(value=call) if (
                own == self._own
                and len(context.args) == 1
                and not context.keywords
                and isinstance(call, ast.Call)
                and self._is_entry(call.func)
            ):
                self._count_raising(context.args[0])
                self._record(call, call.args, raises=True)
            case _:
                raise UnsupportedExpression("a with block")

    def _count_raising(self, kind: ast.expr) -> None:
        self.assertions += 1
        if not error_names(kind) or any(name in self.names for name in error_names(kind)):
            raise UnsupportedExpression("an error that is not builtin")

    # --- expressions ---

    def _check(self, expression: ast.expr, *, looped: bool) -> None:
        """Record the calls in an expression, and check that the rest can be evaluated. Raises Unsupported."""
        calls = self._calls(expression)
        if calls and (
            looped or any(self._calls(part) for node in ast.walk(expression) for part in _conditional_parts(node))
        ):
            raise UnsupportedExpression("a call that may be made or not")
        for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
            self._record(call, call.args, raises=False)
        inside = {id(part) for call in calls for part in ast.walk(call)}
        others = [node for node in ast.walk(expression) if id(node) not in inside]
        local = {
            name for other in others if isinstance(other, ast.comprehension) for name in target_names(other.target)
        }
        callees: set[int] = set()  # nodes that name a function or a type
        for node in others:
            if isinstance(node, ast.Call):
                callees |= self._callees(node, local)
        for node in others:
            if isinstance(node, ast.Name) and id(node) not in callees:
                self._check_name(node.id, local)
            elif not _is_known(node) or (isinstance(node, ast.Attribute) and id(node) not in callees):
                raise UnsupportedExpression(f"{type(node).__name__} at line {expression.lineno}")

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
        raise UnsupportedExpression(f"{ast.unparse(function)[:40]}()")

    def _check_name(self, name: str, local: set[str]) -> None:
        if name not in local and self.names.get(name, UNKNOWN) is UNKNOWN:
            raise UnsupportedExpression(f"the name {name}")
        if name in self._stale:
            raise UnsupportedExpression(f"{name}, which a call may have changed")

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
        except UnsupportedExpression:
            raise
        except Exception as error:  # an expression that fails
            raise UnsupportedExpression(f"an argument that fails: {error}") from error
        if len(keywords) != len(node.keywords) or not all(map(_is_plain, (*positional, *keywords.values()))):
            raise UnsupportedExpression("an argument that is no plain value")
        names = {
            name
            for argument in (*arguments, *(keyword.value for keyword in node.keywords))
            for name in _loaded_names(argument)
        }
        if names & self._stale:
            raise UnsupportedExpression("an argument that an earlier call may have changed")
        parts = {part for name in names for part in _mutable_parts(self.names.get(name))}
        self._stale |= {name for name, value in self.names.items() if parts & _mutable_parts(value)}
        self.steps.append(CallStep(positional, keywords, raises))
        self.nodes.append(node)


def error_names(kind: ast.expr) -> tuple[str, ...]:
    """Return the builtin errors that an expression names; empty if it names anything else."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    names = tuple(node.id for node in kinds if isinstance(node, ast.Name) and _is_error(node.id))
    return names if len(names) == len(kinds) else ()


def _is_error(name: str) -> bool:
    value = getattr(builtins, name, None)
    return isinstance(value, type) and issubclass(value, BaseException)


def _conditional_parts(node: ast.AST) -> list[ast.AST]:
    """Return the parts of an expression that may be evaluated more or less than once."""
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
    """Return whether the evaluator supports this node wherever it appears."""
    match node:
        case ast.operator():
            return type(node) in BINARY
        case ast.keyword(arg=arg):
            return arg in KEYWORDS
        case ast.Dict(keys=keys):
            return None not in keys
        case ast.Compare(left=left, ops=ops, comparators=others):
            return not any(isinstance(op, ast.Is | ast.IsNot) for op in ops) or any(map(_is_singleton, (left, *others)))
    return isinstance(node, _KNOWN_NODES)


def _loaded_names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _is_singleton(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))


def _mutable_parts(value: Any) -> set[int]:
    """Return the identities of all mutable parts of a value."""
    parts: set[int] = {id(value)} if isinstance(value, list | dict | set) else set()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return parts.union(*map(_mutable_parts, inner))


def _is_plain(value: Any) -> bool:
    if type(value) in (list, tuple, set, frozenset):
        return all(map(_is_plain, value))
    if type(value) is dict:
        return all(_is_plain(key) and _is_plain(item) for key, item in value.items())
    return type(value) in (int, float, str, bool, bytes, complex, type(None))
