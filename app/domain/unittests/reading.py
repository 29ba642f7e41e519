"""Which tests a source defines, told without running it; or that this cannot be told, so that it must run as one. Pure.

Nothing that could be a test may be overlooked. Tests are told apart only where all that runs when the module is
imported is known to define no others: test classes have unittest's own base and nothing but methods and plain
attributes, and nothing outside of them gets at a test class, at unittest or at the module's names.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from app.domain.errors import InvalidProblem
from app.domain.problems import Entry
from app.domain.unittests.evaluation import Unsupported

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_PREFIX = "test"
_MODULE_FIXTURES = frozenset({"setUpModule", "tearDownModule"})
_GIVEN_NAMES = _MODULE_FIXTURES | {"load_tests"}
_CASES, _ASYNC_CASES = "TestCase", "IsolatedAsyncioTestCase"
# Decorators of unittest that leave a test class the tests it has.
_KNOWN_DECORATORS = frozenset({"skip", "skipIf", "skipUnless", "expectedFailure"})
# By these names code gets at what it does not name: the module's names, or all classes.
_REFLECTION = frozenset({"globals", "locals", "vars", "eval", "exec", "compile", "__import__", "__builtins__"})
_REFLECTIVE_MODULES = frozenset({"inspect", "gc", "importlib", "ctypes", "builtins", "unittest"})
_REFLECTIVE_PARTS = frozenset({
    "modules", "__subclasses__", "__dict__", "__globals__", "_getframe", "__set_name__", "__init_subclass__",
})  # fmt: skip


class Surface:
    """What is defined where a module can be imported from; the names it gives to unittest."""

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
        # Helpers that assert, by themselves or through others: where one is called, something is tested.
        self.asserting = _spread(
            {name for name, function in self.functions.items() if _asserts(function)}, self.functions
        )
        cases = {name for name, cls in self.classes.items() if self.is_case(cls) or _test_members(cls)}
        defined: Mapping[str, ast.AST] = {**self.functions, **self.classes}
        touching = {name for name, node in defined.items() if _mentioned(node, self._special, inside=True)}
        self._untouchable = self._special | _spread(cases | touching, defined)
        self.fixtures = not _MODULE_FIXTURES.isdisjoint(self.functions)

    def _note_import(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            self._unittest |= {alias.asname or "unittest" for alias in node.names if alias.name == "unittest"}
            aliases = [alias for alias in node.names if _root(alias.name) in _REFLECTIVE_MODULES]
            self._special |= {alias.asname or _root(alias.name) for alias in aliases if alias.name != "unittest.mock"}
        elif isinstance(node, ast.ImportFrom) and node.module != "unittest.mock":
            bound = {alias.asname or alias.name: alias.name for alias in node.names if alias.name != "mock"}
            reflective = _root(node.module or "") in _REFLECTIVE_MODULES
            self._special |= {name for name, real in bound.items() if reflective or real in _REFLECTIVE_PARTS}
            if _root(node.module or "") == "unittest":
                self._cases |= {name for name, real in bound.items() if real == _CASES}
                self._async_cases |= {name for name, real in bound.items() if real == _ASYNC_CASES}

    # --- what is what ---

    def is_plain(self, node: ast.ClassDef) -> bool:
        """Whether its one base is unittest.TestCase, by whatever name."""
        return self._has_base(node, _CASES, self._cases)

    def is_case(self, node: ast.ClassDef) -> bool:
        """Whether its one base is a TestCase of unittest's own, asynchronous or not."""
        return self.is_plain(node) or self._has_base(node, _ASYNC_CASES, self._async_cases)

    def _has_base(self, node: ast.ClassDef, real: str, names: set[str]) -> bool:
        bases = [ast.unparse(base) for base in node.bases]
        return (
            len(bases) == 1
            and not node.keywords
            and bases[0] in {f"{module}.{real}" for module in self._unittest} | names
        )

    def is_check(self, node: ast.stmt) -> bool:
        """Whether it is HumanEval's `check`: a function of the candidate, or of nothing."""
        return isinstance(node, _Function) and node.name == "check" and len(required(node)) <= 1

    def harmless(self, node: ast.stmt) -> bool:
        """Imports, docstrings, the main guard, and starting the tests, which the judge does itself."""
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
                return "check" in self.functions and self.is_check(self.functions["check"]) and self._names(candidate)
        return False

    def _names(self, candidate: ast.expr) -> bool:
        entry = self._entry
        if entry is None:
            return False
        return ast.unparse(candidate) in (entry.name, f"{entry.cls or 'Solution'}().{entry.name}")

    # --- what must not be judged at all ---

    def refuse(self) -> None:
        """Raises InvalidProblem naming what looks like a test and could not be run."""
        for node in _executed(self.body):
            if isinstance(node, _Function) and is_test(node.name):
                names = required(node)
                if names and not any(_is_patch(decorator) for decorator in node.decorator_list):
                    raise InvalidProblem(f"{node.name} needs {', '.join(names)}, which nobody here supplies")
            if isinstance(node, ast.If) and self.harmless(node) and self._guards_tests(node):
                raise InvalidProblem(f"line {node.lineno}: assertions in the main guard are not run")
        mentioned = Counter(name for node in self.body for name in _loaded(node))
        for name, cls in self.classes.items():
            if _test_members(cls) and not cls.bases and not mentioned[name]:
                raise InvalidProblem(f"{name} has tests but is not a TestCase")
        if not self._has_entry and "check" in self.functions and len(required(self.functions["check"])) == 1:
            in_use = any("check" in _loaded(node) for node in self.body if not isinstance(node, _Function))
            if not in_use:
                raise InvalidProblem("check needs a candidate, and the problem names no function")

    def _guards_tests(self, node: ast.If) -> bool:
        helpers = {name for name in self.asserting if not is_test(name) and name != "check"}
        defines = any(isinstance(part, ast.Assert | _Function | ast.ClassDef) for part in ast.walk(node))
        return defines or not helpers.isdisjoint(_loaded(node))

    # --- whether the tests can be told apart ---

    def settle(self) -> None:
        """Raises Unsupported with the reason when there may be tests that cannot be told from here."""
        times = Counter(node.name for node in self.body if isinstance(node, _Function | ast.ClassDef))
        for name in times:
            if times[name] > 1 and (name in self.classes or is_test(name) or name in _MODULE_FIXTURES | {"check"}):
                raise Unsupported(f"{name} is defined {times[name]} times")
        for node in self.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._settle_import(node)
            elif isinstance(node, _Function):
                if node.name == "load_tests":
                    raise Unsupported("load_tests says which tests there are")
                self._settle_parts(_of_definition(node))
            elif isinstance(node, ast.ClassDef):
                self._settle_class(node)
            elif not self.harmless(node):
                self._settle_loose(node)

    def in_plain_sight(self) -> list[ast.FunctionDef]:
        """Test methods that unittest is sure to find: of test cases defined once and not taken away again."""
        if any(
            isinstance(part, _Function) and part.name == "load_tests" for node in self.body for part in ast.walk(node)
        ):
            return []
        cases = {name for name, cls in self.classes.items() if self.is_case(cls)}
        bases = {name: ast.Tuple(cls.bases, ast.Load()) for name, cls in self.classes.items()}
        once = Counter(name for node in self.body for name in _bound([node]))
        classes = [self.classes[name] for name in _spread(cases, bases) if once[name] == 1]
        plain = [cls for cls in classes if not cls.decorator_list]
        return [
            method
            for cls in plain
            for method in {inner.name: inner for inner in cls.body if isinstance(inner, ast.FunctionDef)}.values()
            if is_test(method.name) and not method.decorator_list
        ]

    def _settle_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if is_test(alias.asname or alias.name):
                raise Unsupported(f"line {node.lineno} imports {alias.name}")

    def _settle_class(self, node: ast.ClassDef) -> None:
        case, tests = self.is_case(node), _test_members(node)
        if case and not all(_is_known(decorator) for decorator in node.decorator_list):
            raise Unsupported(f"{node.name} is decorated")
        if not case:
            if tests:
                raise Unsupported(f"{node.name} has tests and other bases")
            self._settle_parts([*node.bases, *(keyword.value for keyword in node.keywords), *node.decorator_list])
        for part in node.body:
            if isinstance(part, _Function):
                self._settle_parts(_of_definition(part))
            elif isinstance(part, ast.ClassDef):
                self._settle_class(part)
            elif case and not isinstance(part, ast.Assign | ast.AnnAssign | ast.Pass | ast.Expr):
                raise Unsupported(f"line {part.lineno} of {node.name} does something")
            else:
                self._settle_parts([part])
        methods = {part.name for part in node.body if isinstance(part, _Function)}
        if case and (tests - methods or "runTest" in members(node)):
            raise Unsupported(f"{node.name} has tests that are no plain methods")

    def _settle_loose(self, node: ast.stmt) -> None:
        self._settle_parts([node])
        plain = isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _is_literal(node.value)
        names = _bound([node])
        for part in ast.walk(node):
            if isinstance(part, ast.Import | ast.ImportFrom):
                names |= set(bindings(part))
            if isinstance(part, ast.ClassDef | ast.Match) or _touches_unittest(part):
                raise Unsupported(f"line {node.lineno} of the module may define a test")
            if isinstance(part, _Function):
                names.add(part.name)
        if names & _GIVEN_NAMES or (any(map(is_test, names)) and not plain):
            raise Unsupported(f"line {node.lineno} of the module may define a test")

    def _settle_parts(self, parts: Iterable[ast.AST]) -> None:
        for part in parts:
            name = _mentioned(part, self._untouchable)
            if name:
                raise Unsupported(f"what is done with {name} may define tests")


# --- names ------------------------------------------------------------------------------------------------------------


def is_test(name: str) -> bool:
    """Whether unittest and pytest take what has this name for a test."""
    return name.startswith(_PREFIX)


def required(node: _Function) -> list[str]:
    """The parameters that must be given."""
    positional = [*node.args.posonlyargs, *node.args.args]
    plain = positional[: len(positional) - len(node.args.defaults)]
    only = [
        kwonlyarg for kwonlyarg, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value is None
    ]
    return [parameter.arg for parameter in (*plain, *only)]


def imported(module: ast.Module) -> set[str]:
    """The packages a source imports, wherever it does."""
    packages: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            packages |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            packages.add((node.module or "").partition(".")[0])
    return packages


def bindings(node: ast.stmt) -> list[str]:
    """The names that an import or a definition binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    return [node.name] if isinstance(node, ast.ClassDef | _Function) else []


def members(node: ast.ClassDef) -> set[str]:
    """The names a class body binds."""
    return _bound(node.body)


def least(body: Iterable[ast.stmt]) -> int:
    """Assertions that every complete run of these statements makes."""
    count = 0
    for node in body:
        if isinstance(node, ast.With):
            raising = sum("assertRaises" in ast.unparse(item.context_expr) for item in node.items)
            count += raising or least(node.body)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            count += (
                isinstance(function, ast.Attribute) and function.attr.startswith("assert") and "_" not in function.attr
            )
    return count


def _root(name: str) -> str:
    return name.partition(".")[0]


def _touches_unittest(node: ast.AST) -> bool:
    """Whether it imports unittest where that cannot be seen from the module's own imports."""
    if isinstance(node, ast.ImportFrom):
        return _root(node.module or "") == "unittest"
    return isinstance(node, ast.Import) and any(_root(alias.name) == "unittest" for alias in node.names)


def _bound(body: Iterable[ast.stmt]) -> set[str]:
    names: set[str] = set()
    for node in body:
        if isinstance(node, _Function | ast.ClassDef):
            names.add(node.name)
        else:
            stores = (part for part in ast.walk(node) if isinstance(part, ast.Name))
            names |= {part.id for part in stores if not isinstance(part.ctx, ast.Load)}
    return names


def _test_members(node: ast.ClassDef) -> set[str]:
    return {name for name in _bound(node.body) if is_test(name)}


def _executed(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that importing runs, those in blocks too; of functions and classes only the definition."""
    for node in body:
        yield node
        if not isinstance(node, _Function | ast.ClassDef):
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                for part in getattr(node, name, ()):
                    yield from _executed([part] if isinstance(part, ast.stmt) else part.body)


def _loaded(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _asserts(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Assert) for part in ast.walk(node))


def _spread(names: set[str], defined: Mapping[str, ast.AST]) -> set[str]:
    """These, and what is defined by way of them."""
    uses = {name: _loaded(node) for name, node in defined.items()}
    while more := {name for name, loads in uses.items() if name not in names and not names.isdisjoint(loads)}:
        names = names | more
    return names


def _mentioned(node: ast.AST, names: set[str], *, inside: bool = False) -> str:
    """A name in it by which it could define tests: one of `names`, or a way around names; "" without any."""
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


def _of_definition(node: _Function) -> list[ast.AST]:
    """What runs when a function is defined, without decorators of unittest that are known."""
    arguments = node.args
    return [
        *(decorator for decorator in node.decorator_list if not _is_known(decorator)),
        *arguments.defaults,
        *(default for default in arguments.kw_defaults if default is not None),
    ]


def _dotted(decorator: ast.expr) -> list[str]:
    at = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(at).split(".")


def _is_patch(decorator: ast.expr) -> bool:
    return "patch" in _dotted(decorator)


def _is_known(decorator: ast.expr) -> bool:
    return _is_patch(decorator) or _dotted(decorator)[-1] in _KNOWN_DECORATORS


def _is_literal(node: ast.expr) -> bool:
    return not any(isinstance(part, ast.Name | ast.Call | ast.Attribute | ast.Lambda) for part in ast.walk(node))
