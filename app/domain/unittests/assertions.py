"""Tests written for unittest, read with ast alone: none of their code runs in this process. Pure.

A test is *converted* if its calls of the program are plain and its assertions are about the returned values: the
calls are made in the sandbox, their values leave it as bytes, and the assertions are evaluated here:

    self.assertEqual(f(args), literal)         result = f(args); self.assertTrue(len(result) == 3)
    with self.assertRaises(ValueError): f(0)   assert f(args) == literal

Every other test is *kept* as it is and runs beside the program, which proves less (sandbox.md section 7). Tests are
the methods of TestCase classes, functions named test_..., `def check(candidate)`, and asserts outside of them all.
If the tests of a source cannot be listed, it is kept whole, and unittest finds them when it runs.
"""

import ast
import math
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.errors import InvalidProblem
from app.domain.problems import Entry
from app.domain.unittests.conversion import CallPlan, CallStep, error_names
from app.domain.unittests.discovery import (
    UnittestModule,
    bound_names,
    class_members,
    imported_packages,
    is_test,
    min_assertions,
)
from app.domain.unittests.evaluation import UNKNOWN, Evaluator, UnsupportedExpression, bind_target

MODULE = "module"  # the name of the test that consists of asserts outside of all functions
OFFERED_PACKAGES = frozenset(sys.stdlib_module_names) | {"sortedcontainers"}
WHOLE = "all tests"  # the name of a source that is kept as one test
_FIXTURES = frozenset({
    "setUp", "tearDown", "setUpClass", "tearDownClass", "run", "asyncSetUp", "asyncTearDown", "__init__", "__call__",
    "__new__", "__getattribute__", "failureException", "doCleanups", "defaultTestResult",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConvertedTest:
    """A test whose assertions are evaluated outside the sandbox: its calls in order, and its statements."""

    name: str
    steps: tuple[CallStep, ...]
    nodes: tuple[ast.Call, ...]
    body: tuple[ast.stmt, ...]
    names: Mapping[str, Any]
    assertions: int


@dataclass(frozen=True, slots=True)
class DirectTest:
    """A test that must run beside the program, the reason, and the least number of assertions it makes.

    A source that is kept `whole` has at least `tests` tests; about `span` of them share its run. `spared` are the
    numbers of its expected values that decide nothing.
    """

    name: str
    reason: str
    assertions: int
    tests: int = 1
    span: int = 1
    spared: tuple[int, ...] = ()

    @property
    def whole(self) -> bool:
        """True if this is a whole source."""
        return self.name == WHOLE


def as_kept_test(test: ConvertedTest) -> DirectTest:
    """Return the same test as one that runs beside the program."""
    return DirectTest(test.name, "a value it is about cannot leave the program", min_assertions(test.body))


def read_tests(
    source: str, entry: Entry | None, offered: frozenset[str] = OFFERED_PACKAGES
) -> tuple[ConvertedTest | DirectTest, ...]:
    """Return every test of the source, or the source as one test if they cannot be listed.

    Modules in `offered` may be imported. Raises InvalidProblem if the source is no Python, has no tests, needs a
    missing module, or has tests that cannot be run.
    """
    module = _parse(source)
    needed = sorted(imported_packages(module) | imported_packages(_parse(entry.preamble if entry is not None else "")))
    missing = [name for name in needed if name not in offered]
    if missing:
        raise InvalidProblem(f"the tests need {', '.join(missing)}, which the sandbox does not have")
    try:
        surface = UnittestModule(module, entry)
        surface.check_runnable()
        reader = _TestReader(surface, entry)
        try:
            surface.check_listable()
        except UnsupportedExpression as reason:
            return (reader.whole(str(reason)),)
        tests = tuple(reader.tests())
    except RecursionError as deep:
        raise InvalidProblem("the test source is nested too deeply") from deep
    if not tests:
        raise InvalidProblem("the test source has no tests")
    return tests


def _parse(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
            raise InvalidProblem(f"the test source is not valid Python: {wrong}") from wrong


class _TestReader:
    """A finder of a module's tests."""

    def __init__(self, surface: UnittestModule, entry: Entry | None) -> None:
        self._entry, self._surface = entry, surface
        self._module = [node for node in surface.body if not surface.is_harmless(node)]
        defined = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        self._loose = [node for node in self._module if not isinstance(node, defined)]
        self._names: dict[str, Any] = {}
        for node in surface.body:
            self._names.update(dict.fromkeys(bound_names(node), UNKNOWN))
        self._obstacle = ""
        plan = CallPlan(entry, None, None, self._names)
        try:
            for node in self._loose:
                if isinstance(node, ast.Assign | ast.AnnAssign):
                    plan.read(node)
                elif not isinstance(node, ast.Assert | ast.For):
                    raise UnsupportedExpression(f"line {node.lineno} of the module does something")
        except UnsupportedExpression as reason:
            self._obstacle = str(reason)
        self._names = plan.names if not plan.steps else self._names

    def tests(self) -> Iterator[ConvertedTest | DirectTest]:
        """Yield the tests in the order of the source."""
        if self._asserts():
            yield self._test(MODULE, self._loose, None, None, {})
        for node in self._module:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._function(node)
            elif isinstance(node, ast.ClassDef) and self._surface.is_case(node):
                yield from self._methods(node)

    def whole(self, reason: str) -> DirectTest:
        """Return the source as one test; the tests it certainly defines are the least it must run."""
        methods = self._surface.certain_methods()
        functions = [part for node in self._module for part in ast.walk(node) if isinstance(part, ast.FunctionDef)]
        span = max(1, sum(is_test(function.name) for function in functions))
        fewest = len(methods) or int(not self._asserts())
        return DirectTest(
            WHOLE, reason, sum(min_assertions(method.body) for method in methods), tests=fewest, span=span
        )

    def _asserts(self) -> bool:
        """Return whether the module asserts outside of its tests: by itself, or by helpers that it calls."""
        parts = [part for node in self._loose for part in ast.walk(node)]
        called = {part.id for part in parts if isinstance(part, ast.Name)}
        return any(isinstance(part, ast.Assert) for part in parts) or not called.isdisjoint(self._surface.asserting)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ConvertedTest | DirectTest]:
        arguments = [posonlyarg.arg for posonlyarg in (*node.args.posonlyargs, *node.args.args)]
        checks = self._surface.is_check(node)
        if not checks and not is_test(node.name):
            return
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        if isinstance(node, ast.AsyncFunctionDef) or node.decorator_list:
            yield DirectTest(node.name, "it is decorated or asynchronous", min_assertions(node.body))
        elif not all(isinstance(default, ast.Constant) for default in defaults):
            yield DirectTest(node.name, "its parameters have values of their own", min_assertions(node.body))
        else:
            candidate = arguments[0] if checks and arguments else None
            parameters = (argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg))
            names = {**self._names, **dict.fromkeys(parameters, UNKNOWN)}
            yield self._test(node.name, node.body, None, candidate, names)

    def _methods(self, node: ast.ClassDef) -> Iterator[ConvertedTest | DirectTest]:
        functions = {
            function.name: function
            for function in node.body
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        class_names = class_members(node)
        for name, function in functions.items():
            if not is_test(name):
                continue
            full = f"{node.name}.{name}"
            arguments = [arg.arg for arg in function.args.args]
            if isinstance(function, ast.AsyncFunctionDef) or function.decorator_list or node.decorator_list:
                yield DirectTest(full, "it is decorated or asynchronous", min_assertions(function.body))
            elif self._surface.fixtures:
                yield DirectTest(full, "its module has fixtures", min_assertions(function.body))
            elif (
                not class_names.isdisjoint(_OVERRIDING_NAMES) or not self._surface.is_plain(node) or len(arguments) != 1
            ):
                yield DirectTest(full, "its class has fixtures or other bases", min_assertions(function.body))
            else:
                yield self._test(full, function.body, arguments[0], None, self._names)

    def _test(
        self, name: str, body: Sequence[ast.stmt], own: str | None, alias: str | None, names: Mapping[str, Any]
    ) -> ConvertedTest | DirectTest:
        fewest = min_assertions(body)
        if self._obstacle:
            return DirectTest(name, self._obstacle, fewest)
        plan = CallPlan(self._entry, own, alias, names)
        try:
            for statement in body:
                plan.read(statement)
            if not plan.steps:
                raise UnsupportedExpression("it calls nothing of the program")
        except UnsupportedExpression as reason:
            return DirectTest(name, str(reason), fewest)
        return ConvertedTest(name, tuple(plan.steps), tuple(plan.nodes), tuple(body), dict(names), plan.assertions)


# --- judging the returned values --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReturnedValue:
    """The value that a call returned."""

    value: Any


@dataclass(frozen=True, slots=True)
class RaisedError:
    """The builtin classes of the error that a call raised, the most specific first."""

    names: tuple[str, ...]


def find_failure(test: ConvertedTest, outcomes: Sequence[ReturnedValue | RaisedError]) -> str:
    """Return which line of the test fails for the outcomes of its steps, "" if none does; hidden values stay out."""
    if len(outcomes) != len(test.steps):
        return "not all calls came to an end"
    calls: dict[ast.Call, Any] = {}
    raised: dict[ast.Call, RaisedError] = {}
    for node, step, outcome in zip(test.nodes, test.steps, outcomes, strict=True):
        if isinstance(outcome, RaisedError) and step.raises:
            raised[node] = outcome
        elif isinstance(outcome, ReturnedValue):
            calls[node] = outcome.value
        else:
            return f"line {node.lineno}: the call raised an error"
    checks = _Checks(calls, raised)
    return checks.first_failure(test.body, dict(test.names))


class _Checks:
    """A run of a test's statements over the values of its calls."""

    def __init__(self, calls: Mapping[ast.Call, Any], raised: Mapping[ast.Call, RaisedError]) -> None:
        self._evaluator, self._raised = Evaluator(calls), raised

    def first_failure(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> str:
        for statement in body:
            try:
                if isinstance(statement, ast.For):
                    reason = self._loop(statement, names)
                else:
                    reason = "" if self._holds(statement, names) else f"line {statement.lineno} does not hold"
            except Exception as error:  # raised by the test's own expressions over the returned values
                reason = f"line {statement.lineno}: {type(error).__name__}"
            if reason:
                return reason
        return ""

    def _loop(self, statement: ast.For, names: dict[str, Any]) -> str:
        for value in self._evaluator.value(statement.iter, names):
            names.update(bind_target(statement.target, value))
            reason = self.first_failure(statement.body, names)
            if reason:
                return reason
        return ""

    def _holds(self, statement: ast.stmt, names: dict[str, Any]) -> bool:
        match statement:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                names.update(bind_target(target, self._evaluator.value(value, names)))
            case ast.Assert(test=test):
                return bool(self._evaluator.value(test, names))
            case ast.With(items=[ast.withitem(ast.Call(args=[kind]))], body=[ast.Expr(call) | ast.Assign(value=call)]):
                return self._raises(kind, call)
            case ast.Expr(ast.Call(func=ast.Attribute(attr="assertRaises"), args=[kind, *_]) as call):
                return self._raises(kind, call)
            case ast.Expr(ast.Call(func=ast.Attribute(attr=name)) as call):
                return self._assertion_holds(name, call, names)
        return True

    def _raises(self, kind: ast.expr, call: ast.expr) -> bool:
        assert isinstance(call, ast.Call)
        return call in self._raised and not set(error_names(kind)).isdisjoint(self._raised[call].names)

    def _assertion_holds(self, name: str, call: ast.Call, names: Mapping[str, Any]) -> bool:
        if "IsInstance" in name:
            verdict = self._evaluator.is_instance(self._evaluator.value(call.args[0], names), call.args[1], names)
            return verdict is (name == "assertIsInstance")
        if "AlmostEqual" in name:
            return self._almost_equal(call, names) is (name == "assertAlmostEqual")
        if name in _UNARY_CHECKS:
            return bool(_UNARY_CHECKS[name](self._evaluator.value(call.args[0], names)))
        return bool(_BINARY_CHECKS[name](*self._evaluator.many(call.args[:2], names)))

    def _almost_equal(self, call: ast.Call, names: Mapping[str, Any]) -> bool:
        options = {
            keyword.arg: self._evaluator.value(keyword.value, names)
            for keyword in call.keywords
            if keyword.arg != "msg"
        }
        one, other, *more = self._evaluator.many(call.args[:3], names)
        if one == other:
            return True
        if options.get("delta") is not None:
            return bool(abs(one - other) <= options["delta"])
        places = more[0] if more else options.get("places")
        difference = abs(one - other)
        return not math.isinf(difference) and bool(round(difference, 7 if places is None else places) == 0)


def _same_items(one: Any, other: Any) -> bool:
    items, rest = list(one), list(other)
    try:
        return Counter(items) == Counter(rest)
    except TypeError:  # unhashable
        pass
    for item in items:
        if item not in rest:
            return False
        rest.remove(item)
    return not rest


def _equal_in_order(one: Any, other: Any) -> bool:
    """Compare as unittest does: equal, or equal element by element whatever the types."""
    try:
        return one == other or (len(one) == len(other) and all(one[at] == other[at] for at in range(len(one))))
    except (TypeError, LookupError):
        return False


def _equal_sets(one: Any, other: Any) -> bool:
    return isinstance(one, set | frozenset) and isinstance(other, set | frozenset) and one == other


def _equal_as(kind: type) -> Callable[[Any, Any], bool]:
    return lambda one, other: isinstance(one, kind) and isinstance(other, kind) and one == other


_UNARY_CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "assertTrue": bool,
    "assertFalse": lambda one: not one,
    "assertIsNone": lambda one: one is None,
    "assertIsNotNone": lambda one: one is not None,
}
_BINARY_CHECKS: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("assertEqual", "assertEquals"), lambda one, other: one == other),
    "assertSequenceEqual": _equal_in_order,
    "assertMultiLineEqual": _equal_as(str),
    "assertListEqual": _equal_as(list),
    "assertDictEqual": _equal_as(dict),
    "assertTupleEqual": _equal_as(tuple),
    "assertSetEqual": _equal_sets,
    "assertCountEqual": _same_items,
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
# Names that make a class's tests differ from their text if the class defines them.
_OVERRIDING_NAMES = _FIXTURES | _UNARY_CHECKS.keys() | _BINARY_CHECKS.keys() | {
    "assertRaises", "assertIsInstance", "assertNotIsInstance", "assertAlmostEqual", "assertNotAlmostEqual",
}  # fmt: skip
