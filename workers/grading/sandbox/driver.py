# ruff: noqa: F821, PT009, PT027, S102  # names of guest.py and calling.py; a unittest of our own
# mypy: ignore-errors
"""What the payload does for one test of the unittest form, run among the names of guest.py and calling.py. With what
is in `testing` beside it one file of the tools.

Converted: the calls of a test are made in order, and their values leave as bytes. Beside: the test itself runs next
to the program, watched as closely as one interpreter allows, and what is counted leaves. Neither proves anything
that the program could not have made up; only a converted test's expected values are out of its reach.
"""

import builtins
import json
import sys
import types


def drive(call, load):
    """One line, as `encode` in calling.py makes it."""
    module = types.ModuleType("solution")
    sys.modules["solution"] = sys.modules["__main__"] = module
    sys.setrecursionlimit(1000)
    return (converted if "steps" in call else beside)(call, load, module.__dict__)


# --- converted ----------------------------------------------------------------------------------------------------


def converted(call, load, space):
    load(space)
    exec(call["imports"], space)  # the test shares its module with the program, which may count on that
    function = entry(space, call["name"], call["class"])
    try:
        line = b"V" + json.dumps([outcome(function, step) for step in call["steps"]], separators=(",", ":")).encode()
    except Unencodable as odd:
        return f"T{odd.args[0]!r}".encode()[:200] + b"\n"
    return line + b"\n" if len(line) < call["room"] else b"T'too long'\n"


def outcome(function, step):
    values = [unpacked(argument) for argument in step["arguments"]]
    named = {name: unpacked(argument) for name, argument in step["keywords"].items()}
    try:
        value = function(*values, **named)
    except MemoryError:
        raise
    except BaseException as error:
        if not step["raises"]:
            raise
        return ["raised", [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]]
    if step["raises"]:  # that it returned is wrong, whatever it returned
        return ["returned", None]
    try:
        return ["returned", packed(value)]
    except (MemoryError, Unencodable):
        raise
    except BaseException as error:  # nested too deeply, or what it is made of fails when it is asked for
        raise Unencodable(type(error).__name__) from None


def packed(value):
    """A value as JSON: scalars as they are, others as a list that begins with their kind.

    What is of a class of its own goes as the builtin it is made of, where that is what it equals.
    """
    kind = type(value)
    if kind not in KNOWN and kind not in dicts():
        base = next((ancestor for ancestor in kind.__mro__ if ancestor in PLAIN), None)
        if (scalar := of_numpy(value)) is not value:  # of returned.py
            return packed(scalar) if base is type(scalar) else ["n", scalar]
        if base is None:
            return packed_lazily(value)
        if any(getattr(kind, name) is not getattr(base, name) for name in ("__eq__", "__ne__")):
            raise Unencodable(kind.__name__)
        kind = base
    if kind in BARE:
        bare = BARE[kind](value)
        return ["i", f"{bare:x}"] if kind is int and not -LARGE < bare < LARGE else bare
    if kind in SCALARS:
        return value
    if kind in LETTERS:
        return [LETTERS[kind], *map(packed, kind.__iter__(value))]
    if kind is complex:
        return ["c", value.real, value.imag]
    if kind in (bytes, bytearray):
        return ["b" if kind is bytes else "a", kind.hex(value)]
    return ["d", *(packed(part) for pair in dict.items(value) for part in pair)]


def packed_lazily(value):
    """What gives values one at a time, as all that it gives."""
    kind = type(value)
    if kind is range:
        return ["r", packed(value.start), packed(value.stop), packed(value.step)]
    module = sys.modules.get("collections")
    if module is not None and kind is module.deque:
        return ["q", *map(packed, value)]
    iterates = kind.__module__ in ("builtins", "itertools") and hasattr(kind, "__next__")
    letter = "g" if iterates else VIEWS.get(kind)
    if letter is None:
        raise Unencodable(kind.__name__)
    parts = []
    for item in value:
        parts.append(packed(item))
        if iterates and len(parts) > MOST:
            raise Unencodable(kind.__name__)
    return [letter, *parts]


LARGE = 1 << 10_000  # beyond it JSON's readers take no digits
MOST = 20_000  # of what something gives that may never end
LETTERS = {list: "l", tuple: "t", set: "s", frozenset: "f"}
BARE = {int: int.__index__, float: float.__float__, str: str.__str__}
PLAIN = frozenset((bytes, bytearray, dict, *BARE, *LETTERS))
KNOWN = PLAIN | SCALARS | {complex}
VIEWS = {type({}.keys()): "k", type({}.values()): "v", type({}.items()): "e"}


def dicts():
    """Dictionaries of the standard library that equal a plain one."""
    module = sys.modules.get("collections")
    return () if module is None else (module.Counter, module.OrderedDict, module.defaultdict)


def unpacked(value):
    if type(value) is not list:
        return value
    kind, *parts = value
    if kind == "b":
        return bytes.fromhex(parts[0])
    if kind == "c":
        return complex(*parts)
    if kind == "i":
        return int(parts[0], 16)
    parts = [unpacked(part) for part in parts]
    if kind == "d":
        return dict(zip(parts[::2], parts[1::2], strict=True))
    return {"l": list, "t": tuple, "s": set, "f": frozenset}[kind](parts)


# --- beside the program -------------------------------------------------------------------------------------------


def beside(call, load, space):
    word = call.pop("word")
    relied = Relied(call["uses"], space)  # of relied.py; first, for it imports
    watch = Watch(call["tests"])
    overhear(watch.tampered)  # of reaching.py
    load(space)
    watch.look()
    relied.loaded(watch)
    if call["class"] is None and not call["constructs"]:
        heard(space, call["name"], watch, relied)  # of returned.py
    before = dict(space)
    watch.unittest.main = nothing  # a source that starts its own tests: that is done here
    relied.began = relied.seen()
    # Failures are told by type alone: a message would show what is expected.
    group, _, method = call["test"].rpartition(".")
    try:
        exec(compile(call["tests"], "tests.py", "exec"), space)
        if call["whole"]:
            whole(watch, call, {name: value for name, value in space.items() if before.get(name, before) is not value})
        elif group:
            watch.run(watch.suite([space[group](method)]))
        elif call["test"] != "module":
            watch.call(space[method], *candidates(call, space[method]))
    except BaseException as error:
        print(type(error).__name__, file=sys.__stderr__)
        watch.bad += 1
    watch.look()
    relied.ended(watch)
    watch.decoys()
    names = ("bad", "skipped", "assertions", "tests", "unready", "tampered", "own")
    return b"V" + json.dumps({name: getattr(watch, name) for name in names} | {"word": word}).encode() + b"\n"


def nothing(*_, **__):
    """Do nothing."""


def candidates(call, function):
    """What a function is given: `check` of HumanEval, the program's."""
    code = function.__code__
    wants = function.__name__ == "check" and (code.co_argcount or code.co_flags & ANY_NUMBER)
    return [entry(sys.modules["solution"].__dict__, call["name"], call["class"])] if wants else []


ANY_NUMBER = 4  # the flag of a function that takes *arguments


def takes(function, *values):
    """Whether a function can be called with these."""
    import inspect

    try:
        inspect.signature(function, follow_wrapped=False).bind(*values)
    except TypeError:
        return False
    except ValueError:  # it does not say
        pass
    return True


def whole(watch, call, own):
    """Run all that unittest finds among a source's own names, and the functions that are tests by their names."""
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
            if takes(value) or takes(value, None):
                watch.call(value, *candidates(call, value))
        elif name.startswith("test") and (isinstance(value, types.FunctionType) or hasattr(value, "__wrapped__")):
            if takes(value):
                watch.call(value)
            else:
                watch.unready.append(name)
    watch.run(suite)


# Where patch() and the like, and partialmethod, keep what they decorate.
WRAPPING = ("__wrapped__", "_partialmethod", "__partialmethod__")


def partly(function):
    return function.func if type(function).__name__ in ("partial", "partialmethod") else None


class Watch:
    """Knows unittest as it was before the program, and what a test does with it."""

    def __init__(self, source):
        import unittest

        self.isolated = ()
        if "IsolatedAsyncioTestCase" in source:  # else it is not worth its import
            self.isolated = (unittest.IsolatedAsyncioTestCase,)
        self.unittest, self.case, self.result = unittest, unittest.TestCase, unittest.TestResult
        self.suite, self.loader = unittest.TestSuite, unittest.TestLoader
        self.start = unittest.TestCase.run
        self.originals = {name: var for name, var in vars(self.case).items() if callable(var)}
        self.before = self.seen()
        self.bad, self.skipped, self.assertions, self.tests, self.depth, self.own = 0, 0, 0, 0, 0, 0
        self.tampered, self.unready = [], []

    def seen(self):
        """All that a program might have put something of its own in the place of."""
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
        if self.seen() != self.before:
            self.tampered.append("unittest or builtins were changed")

    def ours(self, function):
        while inner := next(filter(None, map(getattr(function, "__dict__", {}).get, WRAPPING)), None) or partly(
            function
        ):
            function = inner
        if function.__code__.co_filename != "tests.py":
            self.tampered.append("a test was replaced")

    def call(self, function, *values):
        """Run a test that is a function."""
        self.ours(function)
        self.tests += 1
        settled(function(*values))

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
        """Keep a test what it is now, whatever the program does to its class, and count its assertions."""
        name = test._testMethodName
        self.ours(getattr(type(test), name))
        method = getattr(test, name)
        test.__dict__[name] = method if isinstance(test, self.isolated) else awaiting(method)
        for assertion, original in self.originals.items():
            if assertion.startswith("assert"):
                own = getattr(type(test), assertion)
                is_own = getattr(getattr(own, "__code__", None), "co_filename", "") == "tests.py"
                test.__dict__[assertion] = self.counting(test, own if is_own else original, "Equal" in assertion)

    def counting(self, test, original, compares):
        def checked(*operands, **named):
            if self.depth == 0:
                self.assertions += 1
                if compares and len(operands) > 1:
                    self.honest(operands[0], operands[1])
                    self.honest(operands[1], operands[0])
            self.depth += 1
            try:
                return original(test, *operands, **named)
            finally:
                self.depth -= 1

        return checked

    def honest(self, operand, other):
        """Nothing equals an object that was made just now, nor another value of the kind that it is compared with."""
        mock = sys.modules.get("unittest.mock")
        if mock is not None and operand is mock.ANY:
            return
        try:
            odds = (object(), unlike(other), *(near(other) if (operand == other) is True else ()))
            same = any((operand == odd) is True or (operand != odd) is False for odd in odds)
        except Exception:
            return
        if same:
            self.tampered.append("a value equals everything")

    def decoys(self):
        """Tests that must fail."""

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


def unlike(value):
    """A value of the same kind that nobody can know beforehand."""
    kind, number = type(value), int.from_bytes(sys.modules["os"].urandom(6), "big")
    if kind in (int, float):
        return -value - number - 1
    if kind in (str, bytes):
        return value + (str(number) if kind is str else b"%d" % number)
    if kind in (list, tuple, set, frozenset):
        return kind((*value, number))
    return {**value, number: number} if kind is dict else object()


def near(value):
    """Numbers beside it."""
    return (value + 1, value - 1) if type(value) is int else ()


def awaiting(method):
    """The same, for a test that is a coroutine where nobody would wait for it."""
    import functools

    return functools.wraps(method)(lambda: settled(method()))


def settled(value):
    """Wait for what a test returned, so that it has run."""
    if isinstance(value, types.CoroutineType):
        import asyncio

        asyncio.run(value)
    elif isinstance(value, types.GeneratorType | types.AsyncGeneratorType):
        raise TypeError("a test that yields does not run")
