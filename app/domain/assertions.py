"""Tests written for unittest, read with ast alone: none of their code runs on this side. Pure.

A test whose calls of the program are plain, and whose assertions are about what came back, is *converted*: the
calls are made in the sandbox, their values leave it as bytes, and the assertions are evaluated here:

    self.assertEqual(f(args), literal)         result = f(args); self.assertTrue(len(result) == 3)
    with self.assertRaises(ValueError): f(0)   assert f(args) == literal

Every other test is *kept* as it is, to run beside the program, which proves less (sandbox.md section 7). Tests are
the methods of TestCase classes, functions named test_..., `def check(candidate)`, and asserts outside of them all.
"""

import ast
import math
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.conversion import Plan, Step, error_names
from app.domain.errors import InvalidProblem
from app.domain.evaluation import UNKNOWN, Evaluator, Unsupported, bound
from app.domain.problems import Entry

MODULE = "module"  # the name of the test that asserts outside of all functions make
OFFERED = frozenset(sys.stdlib_module_names) | {"sortedcontainers"}
_FIXTURES = frozenset({"setUp", "tearDown", "setUpClass", "tearDownClass", "run", "asyncSetUp", "asyncTearDown"})


@dataclass(frozen=True, slots=True)
class Converted:
    """A test whose assertions are evaluated outside: its calls in order, and what it says of their values."""

    name: str
    steps: tuple[Step, ...]
    nodes: tuple[ast.Call, ...]
    body: tuple[ast.stmt, ...]
    names: Mapping[str, Any]
    assertions: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A test that must run beside the program, why, and the least number of assertions it comes by."""

    name: str
    reason: str
    assertions: int


def read_tests(source: str, entry: Entry | None) -> tuple[Converted | Kept, ...]:
    """Every test of the source. Raises InvalidProblem when it is no Python, has no tests or needs what is missing."""
    module = _parsed(source)
    needed = sorted(_imported(module) | _imported(_parsed(entry.preamble if entry is not None else "")))
    missing = [name for name in needed if name not in OFFERED]
    if missing:
        raise InvalidProblem(f"the tests need {', '.join(missing)}, which the sandbox does not have")
    try:
        tests = tuple(_Reader(module, entry).tests())
    except RecursionError as deep:
        raise InvalidProblem("the test source is nested too deeply") from deep
    if not tests:
        raise InvalidProblem("the test source holds no tests")
    return tests


def _parsed(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
            raise InvalidProblem(f"the test source is no Python: {wrong}") from wrong


def _imported(module: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


class _Reader:
    """Finds the tests of a module."""

    def __init__(self, module: ast.Module, entry: Entry | None) -> None:
        self._entry = entry
        self._module = [each for each in module.body if not _harmless(each)]
        self._loose = [each for each in self._module if not isinstance(each, ast.ClassDef | ast.FunctionDef)]
        self._names: dict[str, Any] = {}
        for node in module.body:
            self._names.update(dict.fromkeys(_binds(node), UNKNOWN))
        self._trouble = ""
        plan = Plan(entry, None, None, self._names)
        try:
            for node in self._loose:
                if isinstance(node, ast.Assign | ast.AnnAssign):
                    plan.read(node)
                elif not isinstance(node, ast.Assert | ast.For):
                    raise Unsupported(f"line {node.lineno} of the module does something")
        except Unsupported as reason:
            self._trouble = str(reason)
        self._names = plan.names if not plan.steps else self._names

    def tests(self) -> Iterator[Converted | Kept]:
        """In the order of the source."""
        if any(isinstance(each, ast.Assert) for each in self._loose):
            yield self._test(MODULE, self._loose, None, None, {})
        for node in self._module:
            if isinstance(node, ast.FunctionDef):
                yield from self._function(node)
            elif isinstance(node, ast.ClassDef) and _is_test_case(node):
                yield from self._methods(node)

    def _function(self, node: ast.FunctionDef) -> Iterator[Converted | Kept]:
        given = [each.arg for each in node.args.args]
        if node.name == "check" and len(given) == 1:
            yield self._test(node.name, node.body, None, given[0], self._names)
        elif node.name.startswith("test") and not given and not node.decorator_list:
            yield self._test(node.name, node.body, None, None, self._names)

    def _methods(self, node: ast.ClassDef) -> Iterator[Converted | Kept]:
        functions = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
        for name, function in functions.items():
            if not name.startswith("test"):
                continue
            full = f"{node.name}.{name}"
            given = [each.arg for each in function.args.args]
            if isinstance(function, ast.AsyncFunctionDef) or function.decorator_list or node.decorator_list:
                yield Kept(full, "it is decorated or asynchronous", _least(function.body))
            elif _FIXTURES.intersection(functions) or not _is_plain(node) or len(given) != 1:
                yield Kept(full, "its class has fixtures or other bases", _least(function.body))
            else:
                yield self._test(full, function.body, given[0], None, self._names)

    def _test(
        self, name: str, body: Sequence[ast.stmt], own: str | None, alias: str | None, names: Mapping[str, Any]
    ) -> Converted | Kept:
        least = _least(body)
        if self._trouble:
            return Kept(name, self._trouble, least)
        plan = Plan(self._entry, own, alias, names)
        try:
            for statement in body:
                plan.read(statement)
            if not plan.steps:
                raise Unsupported("it calls nothing of the program")
        except Unsupported as reason:
            return Kept(name, str(reason), least)
        return Converted(name, tuple(plan.steps), tuple(plan.nodes), tuple(body), dict(names), plan.assertions)


# --- judging what came back -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Returned:
    """What a call gave."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """The builtin errors that what a call raised is one of, the nearest first."""

    names: tuple[str, ...]


def failure(test: Converted, outcomes: Sequence[Returned | Raised]) -> str:
    """Which line of the test does not hold, of the outcomes of its steps; "" when all do. Hidden values stay out."""
    if len(outcomes) != len(test.steps):
        return "not all calls came to an end"
    calls: dict[ast.Call, Any] = {}
    raised: dict[ast.Call, Raised] = {}
    for node, step, outcome in zip(test.nodes, test.steps, outcomes, strict=True):
        if isinstance(outcome, Raised) and step.raises:
            raised[node] = outcome
        elif isinstance(outcome, Returned):
            calls[node] = outcome.value
        else:
            return f"line {node.lineno}: the call raised an error"
    checks = _Checks(calls, raised)
    return checks.first_failure(test.body, dict(test.names))


class _Checks:
    """Runs a test's statements over the values of its calls."""

    def __init__(self, calls: Mapping[ast.Call, Any], raised: Mapping[ast.Call, Raised]) -> None:
        self._evaluator, self._raised = Evaluator(calls), raised

    def first_failure(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> str:
        for statement in body:
            try:
                if isinstance(statement, ast.For):
                    found = self._loop(statement, names)
                else:
                    found = "" if self._holds(statement, names) else f"line {statement.lineno} does not hold"
            except Exception as error:  # whatever the test's own expressions raise over what came back
                found = f"line {statement.lineno}: {type(error).__name__}"
            if found:
                return found
        return ""

    def _loop(self, statement: ast.For, names: dict[str, Any]) -> str:
        for each in self._evaluator.value(statement.iter, names):
            names.update(bound(statement.target, each))
            found = self.first_failure(statement.body, names)
            if found:
                return found
        return ""

    def _holds(self, statement: ast.stmt, names: dict[str, Any]) -> bool:
        match statement:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                names.update(bound(target, self._evaluator.value(value, names)))
            case ast.Assert(test=test):
                return bool(self._evaluator.value(test, names))
            case ast.With(items=[ast.withitem(ast.Call(args=[kind]))], body=[ast.Expr(call) | ast.Assign(value=call)]):
                return self._raises(kind, call)
            case ast.Expr(ast.Call(func=ast.Attribute(attr="assertRaises"), args=[kind, *_]) as call):
                return self._raises(kind, call)
            case ast.Expr(ast.Call(func=ast.Attribute(attr=name)) as call):
                return self._says(name, call, names)
        return True

    def _raises(self, kind: ast.expr, call: ast.expr) -> bool:
        assert isinstance(call, ast.Call)
        return call in self._raised and not set(error_names(kind)).isdisjoint(self._raised[call].names)

    def _says(self, name: str, call: ast.Call, names: Mapping[str, Any]) -> bool:
        if "IsInstance" in name:
            found = self._evaluator.is_instance(self._evaluator.value(call.args[0], names), call.args[1], names)
            return found is (name == "assertIsInstance")
        if "AlmostEqual" in name:
            return self._almost(call, names) is (name == "assertAlmostEqual")
        if name in _ONE:
            return bool(_ONE[name](self._evaluator.value(call.args[0], names)))
        return bool(_TWO[name](*self._evaluator.many(call.args[:2], names)))

    def _almost(self, call: ast.Call, names: Mapping[str, Any]) -> bool:
        named = {each.arg: self._evaluator.value(each.value, names) for each in call.keywords if each.arg != "msg"}
        one, other, *more = self._evaluator.many(call.args[:3], names)
        if one == other:
            return True
        if named.get("delta") is not None:
            return bool(abs(one - other) <= named["delta"])
        places = more[0] if more else named.get("places")
        apart = abs(one - other)
        return not math.isinf(apart) and bool(round(apart, 7 if places is None else places) == 0)


def _counted(one: Any, other: Any) -> bool:
    try:
        return Counter(one) == Counter(other)
    except TypeError:  # unhashable
        return sorted(map(repr, one)) == sorted(map(repr, other))


def _equal_as(kind: type) -> Callable[[Any, Any], bool]:
    return lambda one, other: isinstance(one, kind) and isinstance(other, kind) and one == other


_ONE: Mapping[str, Callable[[Any], Any]] = {
    "assertTrue": bool,
    "assertFalse": lambda one: not one,
    "assertIsNone": lambda one: one is None,
    "assertIsNotNone": lambda one: one is not None,
}
_TWO: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("assertEqual", "assertEquals"), lambda one, other: one == other),
    "assertSequenceEqual": lambda one, other: list(one) == list(other),
    "assertMultiLineEqual": _equal_as(str),
    "assertListEqual": _equal_as(list),
    "assertDictEqual": _equal_as(dict),
    "assertTupleEqual": _equal_as(tuple),
    "assertSetEqual": lambda one, other: set(one) == set(other),
    "assertCountEqual": _counted,
    "assertNotEqual": lambda one, other: one != other,
    "assertIn": lambda one, other: one in other,
    "assertNotIn": lambda one, other: one not in other,
    "assertIs": lambda one, other: one is other,
    "assertIsNot": lambda one, other: one is not other,
    "assertGreater": lambda one, other: one > other,
    "assertGreaterEqual": lambda one, other: one >= other,
    "assertLess": lambda one, other: one < other,
    "assertLessEqual": lambda one, other: one <= other,
}


# --- finding the tests ------------------------------------------------------------------------------------------------


def _harmless(node: ast.stmt) -> bool:
    """Imports, docstrings, the main guard, and starting the tests, which the judge does itself."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()) | ast.Pass():
            return True
        case ast.If(ast.Compare(ast.Name("__name__"))):
            return True
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("unittest"), "main") | ast.Name("check"))):
            return True
    return False


def _binds(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    return [node.name] if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) else []


def _is_test_case(node: ast.ClassDef) -> bool:
    last = [each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in node.bases]
    return any(name.endswith("TestCase") for name in last)


def _is_plain(node: ast.ClassDef) -> bool:
    return [ast.unparse(each) for each in node.bases] in (["unittest.TestCase"], ["TestCase"])


def _least(body: Sequence[ast.stmt]) -> int:
    """Assertions that every complete run of these statements makes."""
    count = 0
    for node in body:
        if isinstance(node, ast.With):
            raising = sum("assertRaises" in ast.unparse(each.context_expr) for each in node.items)
            count += raising or _least(node.body)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            count += (
                isinstance(function, ast.Attribute) and function.attr.startswith("assert") and "_" not in function.attr
            )
    return count
