"""Tests written for unittest, read with ast alone: none of their code runs on this side. Pure.

A test whose calls of the program are plain, and whose assertions are about what came back, is *converted*: the
calls are made in the sandbox, their values leave it as bytes, and the assertions are evaluated here:

    self.assertEqual(f(args), literal)         result = f(args); self.assertTrue(len(result) == 3)
    with self.assertRaises(ValueError): f(0)   assert f(args) == literal

Every other test is *kept* as it is, to run beside the program, which proves less (sandbox.md section 7). Tests are
the methods of TestCase classes, functions named test_..., `def check(candidate)`, and asserts outside of them all.
Where it cannot be told which tests there are, the whole source is kept as one, and unittest finds them when it runs.
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
from app.domain.unittests.conversion import Plan, Step, error_names
from app.domain.unittests.evaluation import UNKNOWN, Evaluator, Unsupported, bound
from app.domain.unittests.reading import Surface, bindings, imported, is_test, least, members

MODULE = "module"  # the name of the test that asserts outside of all functions make
OFFERED = frozenset(sys.stdlib_module_names) | {"sortedcontainers"}
WHOLE = "all tests"  # of a source that is kept as one
_FIXTURES = frozenset({
    "setUp", "tearDown", "setUpClass", "tearDownClass", "run", "asyncSetUp", "asyncTearDown", "__init__", "__call__",
    "__new__", "__getattribute__", "failureException", "doCleanups", "defaultTestResult",
})  # fmt: skip


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
    """A test that must run beside the program, why, and the least number of assertions it comes by.

    A source that is kept `whole` finds at least so many `tests`; about `span` of them share its run. `spared`: its
    expected values, by number, that decide nothing.
    """

    name: str
    reason: str
    assertions: int
    tests: int = 1
    span: int = 1
    spared: tuple[int, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether it is all of a source."""
        return self.name == WHOLE


def beside(test: Converted) -> Kept:
    """The same test as it would run beside the program."""
    return Kept(test.name, "a value it is about cannot leave the program", least(test.body))


def read_tests(source: str, entry: Entry | None, offered: frozenset[str] = OFFERED) -> tuple[Converted | Kept, ...]:
    """Every test of the source; of one whose tests cannot be told apart, itself as one. `offered` may be imported.

    Raises InvalidProblem when it is no Python, has no tests, needs what is missing, or has tests that nobody can run.
    """
    module = _parsed(source)
    needed = sorted(imported(module) | imported(_parsed(entry.preamble if entry is not None else "")))
    missing = [name for name in needed if name not in offered]
    if missing:
        raise InvalidProblem(f"the tests need {', '.join(missing)}, which the sandbox does not have")
    try:
        surface = Surface(module, entry)
        surface.refuse()
        reader = _Reader(surface, entry)
        try:
            surface.settle()
        except Unsupported as reason:
            return (reader.whole(str(reason)),)
        tests = tuple(reader.tests())
    except RecursionError as deep:
        raise InvalidProblem("the test source is nested too deeply") from deep
    if not tests:
        raise InvalidProblem("the test source has no tests")
    return tests


def _parsed(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
            raise InvalidProblem(f"the test source is not valid Python: {wrong}") from wrong


class _Reader:
    """Finds the tests of a module."""

    def __init__(self, surface: Surface, entry: Entry | None) -> None:
        self._entry, self._surface = entry, surface
        self._module = [node for node in surface.body if not surface.harmless(node)]
        defined = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        self._loose = [node for node in self._module if not isinstance(node, defined)]
        self._names: dict[str, Any] = {}
        for node in surface.body:
            self._names.update(dict.fromkeys(bindings(node), UNKNOWN))
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
        if self._asserts():
            yield self._test(MODULE, self._loose, None, None, {})
        for node in self._module:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._function(node)
            elif isinstance(node, ast.ClassDef) and self._surface.is_case(node):
                yield from self._methods(node)

    def whole(self, reason: str) -> Kept:
        """The source as one test: of those it holds, the ones in plain sight are the least there must be."""
        methods = self._surface.in_plain_sight()
        functions = [part for node in self._module for part in ast.walk(node) if isinstance(part, ast.FunctionDef)]
        span = max(1, sum(is_test(function.name) for function in functions))
        fewest = len(methods) or int(not self._asserts())
        return Kept(WHOLE, reason, sum(least(method.body) for method in methods), tests=fewest, span=span)

    def _asserts(self) -> bool:
        """Whether asserts are made where no test is: by the module itself, or by helpers that it calls."""
        parts = [part for node in self._loose for part in ast.walk(node)]
        called = {part.id for part in parts if isinstance(part, ast.Name)}
        return any(isinstance(part, ast.Assert) for part in parts) or not called.isdisjoint(self._surface.asserting)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Converted | Kept]:
        arguments = [posonlyarg.arg for posonlyarg in (*node.args.posonlyargs, *node.args.args)]
        checks = self._surface.is_check(node)
        if not checks and not is_test(node.name):
            return
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        if isinstance(node, ast.AsyncFunctionDef) or node.decorator_list:
            yield Kept(node.name, "it is decorated or asynchronous", least(node.body))
        elif not all(isinstance(default, ast.Constant) for default in defaults):
            yield Kept(node.name, "its parameters have values of their own", least(node.body))
        else:
            candidate = arguments[0] if checks and arguments else None
            parameters = (argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg))
            names = {**self._names, **dict.fromkeys(parameters, UNKNOWN)}
            yield self._test(node.name, node.body, None, candidate, names)

    def _methods(self, node: ast.ClassDef) -> Iterator[Converted | Kept]:
        functions = {
            function.name: function
            for function in node.body
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        own = members(node)
        for name, function in functions.items():
            if not is_test(name):
                continue
            full = f"{node.name}.{name}"
            arguments = [arg.arg for arg in function.args.args]
            if isinstance(function, ast.AsyncFunctionDef) or function.decorator_list or node.decorator_list:
                yield Kept(full, "it is decorated or asynchronous", least(function.body))
            elif self._surface.fixtures:
                yield Kept(full, "its module has fixtures", least(function.body))
            elif not own.isdisjoint(_REPLACED) or not self._surface.is_plain(node) or len(arguments) != 1:
                yield Kept(full, "its class has fixtures or other bases", least(function.body))
            else:
                yield self._test(full, function.body, arguments[0], None, self._names)

    def _test(
        self, name: str, body: Sequence[ast.stmt], own: str | None, alias: str | None, names: Mapping[str, Any]
    ) -> Converted | Kept:
        fewest = least(body)
        if self._trouble:
            return Kept(name, self._trouble, fewest)
        plan = Plan(self._entry, own, alias, names)
        try:
            for statement in body:
                plan.read(statement)
            if not plan.steps:
                raise Unsupported("it calls nothing of the program")
        except Unsupported as reason:
            return Kept(name, str(reason), fewest)
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
                    reason = self._loop(statement, names)
                else:
                    reason = "" if self._holds(statement, names) else f"line {statement.lineno} does not hold"
            except Exception as error:  # whatever the test's own expressions raise over what came back
                reason = f"line {statement.lineno}: {type(error).__name__}"
            if reason:
                return reason
        return ""

    def _loop(self, statement: ast.For, names: dict[str, Any]) -> str:
        for value in self._evaluator.value(statement.iter, names):
            names.update(bound(statement.target, value))
            reason = self.first_failure(statement.body, names)
            if reason:
                return reason
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
            verdict = self._evaluator.is_instance(self._evaluator.value(call.args[0], names), call.args[1], names)
            return verdict is (name == "assertIsInstance")
        if "AlmostEqual" in name:
            return self._almost(call, names) is (name == "assertAlmostEqual")
        if name in _ONE:
            return bool(_ONE[name](self._evaluator.value(call.args[0], names)))
        return bool(_TWO[name](*self._evaluator.many(call.args[:2], names)))

    def _almost(self, call: ast.Call, names: Mapping[str, Any]) -> bool:
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
        apart = abs(one - other)
        return not math.isinf(apart) and bool(round(apart, 7 if places is None else places) == 0)


def _same_items(one: Any, other: Any) -> bool:
    items, left = list(one), list(other)
    try:
        return Counter(items) == Counter(left)
    except TypeError:  # unhashable
        pass
    for item in items:
        if item not in left:
            return False
        left.remove(item)
    return not left


def _sequence(one: Any, other: Any) -> bool:
    """As unittest has it: equal, or alike element by element, whatever their types; sets have no elements in order."""
    try:
        return one == other or (len(one) == len(other) and all(one[at] == other[at] for at in range(len(one))))
    except (TypeError, LookupError):
        return False


def _sets(one: Any, other: Any) -> bool:
    return isinstance(one, set | frozenset) and isinstance(other, set | frozenset) and one == other


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
    "assertSequenceEqual": _sequence,
    "assertMultiLineEqual": _equal_as(str),
    "assertListEqual": _equal_as(list),
    "assertDictEqual": _equal_as(dict),
    "assertTupleEqual": _equal_as(tuple),
    "assertSetEqual": _sets,
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
# What a class may define that makes its tests other than they read.
_REPLACED = _FIXTURES | _ONE.keys() | _TWO.keys() | {
    "assertRaises", "assertIsInstance", "assertNotIsInstance", "assertAlmostEqual", "assertNotAlmostEqual",
}  # fmt: skip
