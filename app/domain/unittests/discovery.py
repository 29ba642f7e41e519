"""Test discovery without running the source: the tests that it defines, or that it must run as one. Pure.

No possible test may be overlooked. Tests are listed only if everything that runs on import is known to define no
others: test classes have unittest's own base and nothing but methods and plain attributes, and nothing outside of them
touches a test class, unittest or the module's namespace.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from app.domain.errors import InvalidProblem
from app.domain.problems import Entry
from app.domain.unittests.evaluation import UnsupportedExpression

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_PREFIX = "test"
_MODULE_FIXTURES = frozenset({"setUpModule", "tearDownModule"})
_SPECIAL_NAMES = _MODULE_FIXTURES | {"load_tests"}
_CASES, _ASYNC_CASES = "TestCase", "IsolatedAsyncioTestCase"
# Decorators of unittest that do not change which tests a class has.
_KNOWN_DECORATORS = frozenset({"skip", "skipIf", "skipUnless", "expectedFailure"})
# Through these names code reaches objects that it does not name: the module's namespace, or all classes.
_REFLECTION = frozenset({"globals", "locals", "vars", "eval", "exec", "compile", "__import__", "__builtins__"})
_REFLECTIVE_MODULES = frozenset({"inspect", "gc", "importlib", "ctypes", "builtins", "unittest"})
_REFLECTIVE_PARTS = frozenset({
    "modules", "__subclasses__", "__dict__", "__globals__", "_getframe", "__set_name__", "__init_subclass__",
})  # fmt: skip


class UnittestModule:
    """The top-level definitions of a module, and the names it uses for unittest."""

    def __init__(self, module: ast.Module, entry: Entry | None) -> None:
        self._entry = entry
        self._has_entry = entry is not None and bool(entry.name)
        self.body = list(module.body)
        self.classes = {node.name: node for node in self.body if isinstance(node, ast.ClassDef)}
        self.functions = {node.name: node for node in self.body if isinstance(node, _Function)}
        self._unittest, self._cases, self._async_cases = {"unittest"}, {_CASES}, {_ASYNC_CASES}
        self._special = {"unittest", _CASES, _ASYNC_CASES}
        for node in self.body:
            self._note_import(node)
        local = self.classes.keys() | self.functions.keys()
        self._cases, self._async_cases = self._cases - local, self._async_cases - local
        # Helpers that assert, by themselves or through others: a call of one is a test.
        self.asserting = _closure(
            {name for name, function in self.functions.items() if _has_assert(function)}, self.functions
        )
        cases = {name for name, cls in self.classes.items() if self.is_case(cls) or _test_members(cls)}
        defined: Mapping[str, ast.AST] = {**self.functions, **self.classes}
        touching = {name for name, node in defined.items() if _forbidden_name(node, self._special, inside=True)}
        self._untouchable = self._special | _closure(cases | touching, defined)
        self.fixtures = not _MODULE_FIXTURES.isdisjoint(self.functions)

    def _note_import(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            self._unittest |= {alias.asname or "unittest" for alias in node.names if alias.name == "unittest"}
            aliases = [alias for alias in node.names if _top_package(alias.name) in _REFLECTIVE_MODULES]
            self._special |= {
                alias.asname or _top_package(alias.name) for alias in aliases if alias.name != "unittest.mock"
            }
        elif isinstance(node, ast.ImportFrom) and node.module != "unittest.mock":
            bound = {alias.asname or alias.name: alias.name for alias in node.names if alias.name != "mock"}
            reflective = _top_package(node.module or "") in _REFLECTIVE_MODULES
            self._special |= {name for name, real in bound.items() if reflective or real in _REFLECTIVE_PARTS}
            if _top_package(node.module or "") == "unittest":
                self._cases |= {name for name, real in bound.items() if real == _CASES}
                self._async_cases |= {name for name, real in bound.items() if real == _ASYNC_CASES}

    # --- kinds of definitions ---

    def is_plain(self, node: ast.ClassDef) -> bool:
        """Return whether its one base is unittest.TestCase, by whatever name."""
        return self._has_base(node, _CASES, self._cases)

    def is_case(self, node: ast.ClassDef) -> bool:
        """Return whether its one base is a TestCase of unittest's own, asynchronous or not."""
        return self.is_plain(node) or self._has_base(node, _ASYNC_CASES, self._async_cases)

    def _has_base(self, node: ast.ClassDef, real: str, names: set[str]) -> bool:
        bases = [ast.unparse(base) for base in node.bases]
        return (
            len(bases) == 1
            and not node.keywords
            and bases[0] in {f"{module}.{real}" for module in self._unittest} | names
        )

    def is_check(self, node: ast.stmt) -> bool:
        """Return whether this is HumanEval's `check`: a function of the candidate, or of nothing."""
        return isinstance(node, _Function) and node.name == "check" and len(required_parameters(node)) <= 1

    def is_harmless(self, node: ast.stmt) -> bool:
        """Return whether a statement defines no test: imports, docstrings, the main guard, and starting the tests."""
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()) | ast.Pass():
                return True
            case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]), orelse=[]):
                return True
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "main"))):
                return name in self._unittest
            case ast.Expr(ast.Call(ast.Name("main"))):
                return "main" in self._special and "main" not in self.functions
            case ast.Expr(ast.Call(ast.Name("check"), [candidate], [])):
                return (
                    "check" in self.functions
                    and self.is_check(self.functions["check"])
                    and self._is_candidate(candidate)
                )
        return False

    def _is_candidate(self, candidate: ast.expr) -> bool:
        entry = self._entry
        if entry is None:
            return False
        return ast.unparse(candidate) in (entry.name, f"{entry.cls or 'Solution'}().{entry.name}")

    # --- sources that must be refused ---

    def check_runnable(self) -> None:
        """Raise InvalidProblem, naming it, for what looks like a test and could not be run."""
        for node in _run_on_import(self.body):
            if isinstance(node, _Function) and is_test(node.name):
                names = required_parameters(node)
                if names and not any(_is_patch(decorator) for decorator in node.decorator_list):
                    raise InvalidProblem(f"{node.name} needs {', '.join(names)}, which nobody here supplies")
            if isinstance(node, ast.If) and self.is_harmless(node) and self._guards_tests(node):
                raise InvalidProblem(f"line {node.lineno}: assertions in the main guard are not run")
        mentioned = Counter(name for node in self.body for name in _loaded_names(node))
        for name, cls in self.classes.items():
            if _test_members(cls) and not cls.bases and not mentioned[name]:
                raise InvalidProblem(f"{name} has tests but is not a TestCase")
        if not self._has_entry and "check" in self.functions and len(required_parameters(self.functions["check"])) == 1:
            in_use = any("check" in _loaded_names(node) for node in self.body if not isinstance(node, _Function))
            if not in_use:
                raise InvalidProblem("check needs a candidate, and the problem names no function")

    def _guards_tests(self, node: ast.If) -> bool:
        helpers = {name for name in self.asserting if not is_test(name) and name != "check"}
        defines = any(isinstance(part, ast.Assert | _Function | ast.ClassDef) for part in ast.walk(node))
        return defines or not helpers.isdisjoint(_loaded_names(node))

    # --- sources whose tests can be listed ---

    def check_listable(self) -> None:
        """Raise Unsupported with the reason if there may be tests that cannot be listed without running the source."""
        times = Counter(node.name for node in self.body if isinstance(node, _Function | ast.ClassDef))
        for name in times:
            if times[name] > 1 and (name in self.classes or is_test(name) or name in _MODULE_FIXTURES | {"check"}):
                raise UnsupportedExpression(f"{name} is defined {times[name]} times")
        for node in self.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._check_import(node)
            elif isinstance(node, _Function):
                if node.name == "load_tests":
                    raise UnsupportedExpression("load_tests says which tests there are")
                self._check_parts(_definition_parts(node))
            elif isinstance(node, ast.ClassDef):
                self._check_class(node)
            elif not self.is_harmless(node):
                self._check_loose(node)

    def certain_methods(self) -> list[ast.FunctionDef]:
        """Return the test methods that unittest is sure to find: of test cases defined once and not removed again."""
        if any(
            isinstance(part, _Function) and part.name == "load_tests" for node in self.body for part in ast.walk(node)
        ):
            return []
        cases = {name for name, cls in self.classes.items() if self.is_case(cls)}
        bases = {name: ast.Tuple(cls.bases, ast.Load()) for name, cls in self.classes.items()}
        once = Counter(name for node in self.body for name in _stored_names([node]))
        classes = [self.classes[name] for name in _closure(cases, bases) if once[name] == 1]
        plain = [cls for cls in classes if not cls.decorator_list]
        return [
            method
            for cls in plain
            for method in {inner.name: inner for inner in cls.body if isinstance(inner, ast.FunctionDef)}.values()
            if is_test(method.name) and not method.decorator_list
        ]

    def _check_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if is_test(alias.asname or alias.name):
                raise UnsupportedExpression(f"line {node.lineno} imports {alias.name}")

    def _check_class(self, node: ast.ClassDef) -> None:
        case, tests = self.is_case(node), _test_members(node)
        if case and not all(_is_known(decorator) for decorator in node.decorator_list):
            raise UnsupportedExpression(f"{node.name} is decorated")
        if not case:
            if tests:
                raise UnsupportedExpression(f"{node.name} has tests and other bases")
            self._check_parts([*node.bases, *(keyword.value for keyword in node.keywords), *node.decorator_list])
        for part in node.body:
            if isinstance(part, _Function):
                self._check_parts(_definition_parts(part))
            elif isinstance(part, ast.ClassDef):
                self._check_class(part)
            elif case and not isinstance(part, ast.Assign | ast.AnnAssign | ast.Pass | ast.Expr):
                raise UnsupportedExpression(f"line {part.lineno} of {node.name} does something")
            else:
                self._check_parts([part])
        methods = {part.name for part in node.body if isinstance(part, _Function)}
        if case and (tests - methods or "runTest" in class_members(node)):
            raise UnsupportedExpression(f"{node.name} has tests that are no plain methods")

    def _check_loose(self, node: ast.stmt) -> None:
        self._check_parts([node])
        plain = isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _is_literal(node.value)
        names = _stored_names([node])
        for part in ast.walk(node):
            if isinstance(part, ast.Import | ast.ImportFrom):
                names |= set(bound_names(part))
            if isinstance(part, ast.ClassDef | ast.Match) or _touches_unittest(part):
                raise UnsupportedExpression(f"line {node.lineno} of the module may define a test")
            if isinstance(part, _Function):
                names.add(part.name)
        if names & _SPECIAL_NAMES or (any(map(is_test, names)) and not plain):
            raise UnsupportedExpression(f"line {node.lineno} of the module may define a test")

    def _check_parts(self, parts: Iterable[ast.AST]) -> None:
        for part in parts:
            name = _forbidden_name(part, self._untouchable)
            if name:
                raise UnsupportedExpression(f"what is done with {name} may define tests")


# --- names ------------------------------------------------------------------------------------------------------------


def is_test(name: str) -> bool:
    """Return whether unittest and pytest take an object of this name for a test."""
    return name.startswith(_PREFIX)


def required_parameters(node: _Function) -> list[str]:
    """Return the parameters without a default."""
    positional = [*node.args.posonlyargs, *node.args.args]
    plain = positional[: len(positional) - len(node.args.defaults)]
    only = [
        kwonlyarg for kwonlyarg, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value is None
    ]
    return [parameter.arg for parameter in (*plain, *only)]


def imported_packages(module: ast.Module) -> set[str]:
    """Return the top-level packages that a source imports, at any depth."""
    packages: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            packages |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            packages.add((node.module or "").partition(".")[0])
    return packages


def bound_names(node: ast.stmt) -> list[str]:
    """Return the names that an import or a definition binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    return [node.name] if isinstance(node, ast.ClassDef | _Function) else []


def class_members(node: ast.ClassDef) -> set[str]:
    """Return the names that a class body binds."""
    return _stored_names(node.body)


def min_assertions(body: Iterable[ast.stmt]) -> int:
    """Return the number of assertions that every complete run of these statements makes."""
    count = 0
    for node in body:
        if isinstance(node, ast.With):
            raising = sum("assertRaises" in ast.unparse(item.context_expr) for item in node.items)
            count += raising or min_assertions(node.body)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            count += (
                isinstance(function, ast.Attribute) and function.attr.startswith("assert") and "_" not in function.attr
            )
    return count


def _top_package(name: str) -> str:
    return name.partition(".")[0]


def _touches_unittest(node: ast.AST) -> bool:
    """Return whether a node imports unittest."""
    if isinstance(node, ast.ImportFrom):
        return _top_package(node.module or "") == "unittest"
    return isinstance(node, ast.Import) and any(_top_package(alias.name) == "unittest" for alias in node.names)


def _stored_names(body: Iterable[ast.stmt]) -> set[str]:
    names: set[str] = set()
    for node in body:
        if isinstance(node, _Function | ast.ClassDef):
            names.add(node.name)
        else:
            stores = (part for part in ast.walk(node) if isinstance(part, ast.Name))
            names |= {part.id for part in stores if not isinstance(part.ctx, ast.Load)}
    return names


def _test_members(node: ast.ClassDef) -> set[str]:
    return {name for name in _stored_names(node.body) if is_test(name)}


def _run_on_import(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run on import, those in blocks too; of functions and classes only the definition."""
    for node in body:
        yield node
        if not isinstance(node, _Function | ast.ClassDef):
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                for part in getattr(node, name, ()):
                    yield from _run_on_import([part] if isinstance(part, ast.stmt) else part.body)


def _loaded_names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _has_assert(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Assert) for part in ast.walk(node))


def _closure(names: set[str], defined: Mapping[str, ast.AST]) -> set[str]:
    """Return the names, and all names whose definitions use them, directly or through others."""
    uses = {name: _loaded_names(node) for name, node in defined.items()}
    while more := {name for name, loads in uses.items() if name not in names and not names.isdisjoint(loads)}:
        names = names | more
    return names


def _forbidden_name(node: ast.AST, names: set[str], *, inside: bool = False) -> str:
    """Return a name in the node by which it could define tests: one of `names`, or a way around names; "" if none."""
    for part in ast.walk(node):
        match part:
            case ast.Name(name) if name in names or name in _REFLECTION:
                return name
            case ast.Attribute(attr=name) | ast.FunctionDef(name=name) if name in _REFLECTIVE_PARTS:
                return name
            case ast.Global(names=[name, *_]) if inside:
                return name
            case ast.Import() | ast.ImportFrom() if inside and _touches_unittest(part):
                return "unittest"
    return ""


def _definition_parts(node: _Function) -> list[ast.AST]:
    """Return the nodes that run when a function is defined, without known decorators of unittest."""
    arguments = node.args
    return [
        *(decorator for decorator in node.decorator_list if not _is_known(decorator)),
        *arguments.defaults,
        *(default for default in arguments.kw_defaults if default is not None),
    ]


def _dotted_parts(decorator: ast.expr) -> list[str]:
    at = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(at).split(".")


def _is_patch(decorator: ast.expr) -> bool:
    return "patch" in _dotted_parts(decorator)


def _is_known(decorator: ast.expr) -> bool:
    return _is_patch(decorator) or _dotted_parts(decorator)[-1] in _KNOWN_DECORATORS


def _is_literal(node: ast.expr) -> bool:
    return not any(isinstance(part, ast.Name | ast.Call | ast.Attribute | ast.Lambda) for part in ast.walk(node))
