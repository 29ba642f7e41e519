# ruff: noqa: F821, PT009, PT027, S102  # names of guest.py and function_calls.py; a unittest of our own
# mypy: ignore-errors
"""Driver of one test of the unittest form, which runs in the payload among the names of guest.py and function_calls.py.

It is one file of the tools, joined with the parts in `workers/grading/testing`. There are two ways to run a test:

    converted  the calls of the test are made in order, and their values leave as bytes
    beside     the test itself runs next to the program, watched as closely as one interpreter allows; counts leave

The program could forge either report. But the expected values of a converted test are not in the sandbox.
"""

import builtins
import json
import sys
import types


def drive(call, load):
    """Run one test; return its report as a line in the format of `encode` in function_calls.py."""
    module = types.ModuleType("solution")
    sys.modules["solution"] = sys.modules["__main__"] = module
    sys.setrecursionlimit(1000)
    return (run_converted if "steps" in call else run_beside)(call, load, module.__dict__)


# --- converted ----------------------------------------------------------------------------------------------------


def run_converted(call, load, space):
    load(space)
    exec(call["imports"], space)  # the program may use what its tests import, as they share a module
    function = find_entry(space, call["name"], call["class"])
    try:
        line = b"V" + json.dumps([call_once(function, step) for step in call["steps"]], separators=(",", ":")).encode()
    except Unencodable as odd:
        return f"T{odd.args[0]!r}".encode()[:200] + b"\n"
    return line + b"\n" if len(line) < call["room"] else b"T'too long'\n"


def call_once(function, step):
    """Make one call; return ["returned", value] or ["raised", names of the error's builtin classes]."""
    values = [unpack(argument) for argument in step["arguments"]]
    named = {name: unpack(argument) for name, argument in step["keywords"].items()}
    try:
        value = function(*values, **named)
    except MemoryError:
        raise
    except BaseException as error:
        if not step["raises"]:
            raise
        return ["raised", [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]]
    if step["raises"]:  # any value is wrong
        return ["returned", None]
    try:
        return ["returned", pack(value)]
    except (MemoryError, Unencodable):
        raise
    except BaseException as error:  # nested too deeply, or reading it fails
        raise Unencodable(type(error).__name__) from None


def pack(value):
    """Return a value for JSON: scalars as they are, others as a list that begins with a letter of their kind.

    An instance of a subclass of a builtin becomes that builtin if it has the builtin's equality. Raises Unencodable.
    """
    kind = type(value)
    if kind not in KNOWN and kind not in plain_dicts():
        base = next((ancestor for ancestor in kind.__mro__ if ancestor in PLAIN), None)
        if (scalar := of_numpy(value)) is not value:  # of returned_values.py
            return pack(scalar) if base is type(scalar) else ["n", scalar]
        if base is None:
            return pack_iterable(value)
        if any(getattr(kind, name) is not getattr(base, name) for name in ("__eq__", "__ne__")):
            raise Unencodable(kind.__name__)
        kind = base
    if kind in BARE:
        bare = BARE[kind](value)
        return ["i", f"{bare:x}"] if kind is int and not -MIN_HEX_INT < bare < MIN_HEX_INT else bare
    if kind in SCALARS:
        return value
    if kind in LETTERS:
        return [LETTERS[kind], *map(pack, kind.__iter__(value))]
    if kind is complex:
        return ["c", value.real, value.imag]
    if kind in (bytes, bytearray):
        return ["b" if kind is bytes else "a", kind.hex(value)]
    return ["d", *(pack(part) for pair in dict.items(value) for part in pair)]


def pack_iterable(value):
    """Return a range, or an iterator or view as the list of its values. Raises Unencodable beyond `MAX_ITERATED`."""
    kind = type(value)
    if kind is range:
        return ["r", pack(value.start), pack(value.stop), pack(value.step)]
    module = sys.modules.get("collections")
    if module is not None and kind is module.deque:
        return ["q", *map(pack, value)]
    iterates = kind.__module__ in ("builtins", "itertools") and hasattr(kind, "__next__")
    letter = "g" if iterates else VIEWS.get(kind)
    if letter is None:
        raise Unencodable(kind.__name__)
    parts = []
    for item in value:
        parts.append(pack(item))
        if iterates and len(parts) > MAX_ITERATED:
            raise Unencodable(kind.__name__)
    return [letter, *parts]


MIN_HEX_INT = 1 << 10_000  # readers of JSON refuse the decimal digits of larger ones
MAX_ITERATED = 20_000  # values of an iterator, which may be endless
LETTERS = {list: "l", tuple: "t", set: "s", frozenset: "f"}
BARE = {int: int.__index__, float: float.__float__, str: str.__str__}
PLAIN = frozenset((bytes, bytearray, dict, *BARE, *LETTERS))
KNOWN = PLAIN | SCALARS | {complex}
VIEWS = {type({}.keys()): "k", type({}.values()): "v", type({}.items()): "e"}


def plain_dicts():
    """Return the dictionary classes of the standard library whose objects equal a plain dictionary."""
    module = sys.modules.get("collections")
    return () if module is None else (module.Counter, module.OrderedDict, module.defaultdict)


def unpack(value):
    """Return the argument that the judge packed."""
    if type(value) is not list:
        return value
    kind, *parts = value
    if kind == "b":
        return bytes.fromhex(parts[0])
    if kind == "c":
        return complex(*parts)
    if kind == "i":
        return int(parts[0], 16)
    parts = [unpack(part) for part in parts]
    if kind == "d":
        return dict(zip(parts[::2], parts[1::2], strict=True))
    return {"l": list, "t": tuple, "s": set, "f": frozenset}[kind](parts)


# --- beside the program -------------------------------------------------------------------------------------------


def run_beside(call, load, space):
    """Run a test in the program's interpreter; return the report of the watch as a line."""
    word = call.pop("word")
    dependencies = DependencyWatch(call["uses"], space)  # of dependency_watch.py; first, since it imports
    watch = Watch(call["tests"])
    audit_program(watch.tampered)  # of frame_audit.py
    load(space)
    watch.look()
    dependencies.check_load(watch)
    if call["class"] is None and not call["constructs"]:
        watch_calls(space, call["name"], watch, dependencies)  # of returned_values.py
    before = dict(space)
    watch.unittest.main = lambda *_, **__: None  # some sources start their own tests, which is done here
    dependencies.initial = dependencies.snapshot()
    # Failures are reported by type alone, since a message would show what is expected.
    group, _, method = call["test"].rpartition(".")
    try:
        exec(compile(call["tests"], "tests.py", "exec"), space)
        if call["whole"]:
            own = {name: value for name, value in space.items() if before.get(name, before) is not value}
            run_whole_source(watch, call, own)
        elif group:
            watch.run(watch.suite([space[group](method)]))
        elif call["test"] != "module":
            watch.call(space[method], *check_arguments(call, space[method]))
    except BaseException as error:
        print(type(error).__name__, file=sys.__stderr__)
        watch.bad += 1
    watch.look()
    dependencies.check_end(watch)
    watch.decoys()
    names = ("bad", "skipped", "assertions", "tests", "unready", "tampered", "own")
    return b"V" + json.dumps({name: getattr(watch, name) for name in names} | {"word": word}).encode() + b"\n"


def check_arguments(call, function):
    """Return the arguments of a test function: the program's function for HumanEval's `check`, else none."""
    code = function.__code__
    wants = function.__name__ == "check" and (code.co_argcount or code.co_flags & VAR_POSITIONAL)
    return [find_entry(sys.modules["solution"].__dict__, call["name"], call["class"])] if wants else []


def accepts(function, *values):
    """Return whether a function can be called with these arguments; True if it has no signature."""
    import inspect

    try:
        inspect.signature(function, follow_wrapped=False).bind(*values)
    except TypeError:
        return False
    except ValueError:  # it has no signature
        pass
    return True


def run_whole_source(watch, call, own):
    """Run all that unittest finds among a source's own names, and the functions whose names are those of tests."""
    module = types.ModuleType("tests")
    module.__dict__.update(own)
    suite = watch.loader().loadTestsFromModule(module)
    classes = {type(test) for test in watch.cases(suite)}
    for name, value in own.items():
        if isinstance(value, type):
            mixed = issubclass(value, watch.case) or any(issubclass(kind, value) for kind in classes)
            tests = [member for member in vars(value) if member.startswith("test") and callable(getattr(value, member))]
            if tests and not mixed and value.__module__ == "solution":
                watch.unready.append(name)
        elif name == "check" and isinstance(value, types.FunctionType) and call["name"]:
            if accepts(value) or accepts(value, None):
                watch.call(value, *check_arguments(call, value))
        elif name.startswith("test") and (isinstance(value, types.FunctionType) or hasattr(value, "__wrapped__")):
            if accepts(value):
                watch.call(value)
            else:
                watch.unready.append(name)
    watch.run(suite)


VAR_POSITIONAL = 4  # the flag of a function that takes *arguments
# Attributes in which patch() and the like, and partialmethod, keep what they decorate.
WRAPPED_ATTRIBUTES = ("__wrapped__", "_partialmethod", "__partialmethod__")


def wrapped_function(function):
    """Return the function that a decorator or a partial wraps; None if there is none."""
    inner = next(filter(None, map(getattr(function, "__dict__", {}).get, WRAPPED_ATTRIBUTES)), None)
    return inner or (function.func if type(function).__name__ in ("partial", "partialmethod") else None)


class Watch:
    """State of unittest before the program was loaded, and the counts of what a test does with it."""

    def __init__(self, source):
        import unittest

        self.isolated = ()
        if "IsolatedAsyncioTestCase" in source:  # its import takes long
            self.isolated = (unittest.IsolatedAsyncioTestCase,)
        self.unittest, self.case, self.result = unittest, unittest.TestCase, unittest.TestResult
        self.suite, self.loader = unittest.TestSuite, unittest.TestLoader
        self.start = unittest.TestCase.run
        self.originals = {name: var for name, var in vars(self.case).items() if callable(var)}
        self.before = self.snapshot()
        self.bad, self.skipped, self.assertions, self.tests, self.depth, self.own = 0, 0, 0, 0, 0, 0
        self.tampered, self.unready = [], []

    def snapshot(self):
        """Return the identities of all that a program might replace to change the result of a test."""
        import operator

        of = self.unittest
        holders = [self.case, self.result, of.case, of.suite, of.suite.BaseTestSuite, self.suite, of.loader]
        holders += [self.loader, builtins, operator, *self.isolated]
        facts = {(id(holder), name): id(var) for holder in holders for name, var in vars(holder).items()}
        facts.pop((id(builtins), "_"), None)
        codes = {
            name: id(original.__code__) for name, original in self.originals.items() if hasattr(original, "__code__")
        }
        return facts, codes, id(sys.modules.get("unittest")), sys.gettrace(), sys.getprofile()

    def look(self):
        """Report a change of unittest or the builtins since the beginning."""
        if self.snapshot() != self.before:
            self.tampered.append("unittest or builtins were changed")

    def check_source(self, function):
        """Report a test whose code is not of the tests' source."""
        while inner := wrapped_function(function):
            function = inner
        if function.__code__.co_filename != "tests.py":
            self.tampered.append("a test was replaced")

    def call(self, function, *values):
        """Run a test that is a function."""
        self.check_source(function)
        self.tests += 1
        await_result(function(*values))

    def cases(self, suite):
        for part in suite:
            yield from (self.cases(part) if isinstance(part, self.suite) else (part,))

    def run(self, suite):
        """Run tests with the fixtures of their classes and of their module."""
        cases, result = list(self.cases(suite)), self.result()
        for test in cases:
            self.guard(test)
        self.suite.run(suite, result)
        for _, trace in result.failures + result.errors:
            print(trace.strip().rpartition("\n")[2].partition(":")[0], file=sys.__stderr__)
        self.bad += len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
        self.skipped += len(result.skipped)
        self.tests += result.testsRun
        if result.testsRun != len(cases) and not self.bad and not self.skipped:
            self.tampered.append("the test did not run")

    def guard(self, test):
        """Bind a test's methods to the object, since the program may change its class, and count its assertions."""
        name = test._testMethodName
        self.check_source(getattr(type(test), name))
        method = getattr(test, name)
        test.__dict__[name] = method if isinstance(test, self.isolated) else run_awaited(method)
        for assertion, original in self.originals.items():
            if assertion.startswith("assert"):
                own = getattr(type(test), assertion)
                is_own = getattr(getattr(own, "__code__", None), "co_filename", "") == "tests.py"
                test.__dict__[assertion] = self.count_assertion(test, own if is_own else original, "Equal" in assertion)

    def count_assertion(self, test, original, compares):
        """Return an assertion that is counted if no other one calls it; with its operands checked if it `compares`."""

        def counted(*operands, **named):
            if self.depth == 0:
                self.assertions += 1
                if compares and len(operands) > 1:
                    self.check_equality(operands[0], operands[1])
                    self.check_equality(operands[1], operands[0])
            self.depth += 1
            try:
                return original(test, *operands, **named)
            finally:
                self.depth -= 1

        return counted

    def check_equality(self, operand, other):
        """Report an operand that equals a new object, a random value, or a number next to the one it equals."""
        mock = sys.modules.get("unittest.mock")
        if mock is not None and operand is mock.ANY:
            return
        try:
            odds = [object(), unpredictable(other)]
            if (operand == other) is True and type(other) is int:
                odds += (other + 1, other - 1)
            same = any((operand == odd) is True or (operand != odd) is False for odd in odds)
        except Exception:
            return
        if same:
            self.tampered.append("a value equals everything")

    def decoys(self):
        """Run tests that must fail; report each that passes."""

        class Decoys(self.case):
            def equal(self):
                self.assertEqual(1, 2)

            def true(self):
                self.assertTrue(0)

            def contained(self):
                self.assertIn(1, [])

            def raises(self):
                with self.assertRaises(ValueError):
                    pass

            def error(self):
                raise KeyError

        for name in ("equal", "true", "contained", "raises", "error"):
            result = self.result()
            self.start(Decoys(name), result)
            if len(result.failures) + len(result.errors) != 1:
                self.tampered.append("a test that must fail passed")


def unpredictable(value):
    """Return a random value of the same type; a new object for a type of another kind."""
    kind, number = type(value), int.from_bytes(sys.modules["os"].urandom(6), "big")
    if kind in (int, float):
        return -value - number - 1
    if kind in (str, bytes):
        return value + (str(number) if kind is str else b"%d" % number)
    if kind in (list, tuple, set, frozenset):
        return kind((*value, number))
    return {**value, number: number} if kind is dict else object()


def run_awaited(method):
    """Return the test method with its coroutine run to the end, if it returns one: a plain TestCase drops it."""
    import functools

    return functools.wraps(method)(lambda: await_result(method()))


def await_result(value):
    """Run the coroutine that a test returned. Raises TypeError for a generator, whose test would not run."""
    if isinstance(value, types.CoroutineType):
        import asyncio

        asyncio.run(value)
    elif isinstance(value, types.GeneratorType | types.AsyncGeneratorType):
        raise TypeError("a test that yields does not run")
