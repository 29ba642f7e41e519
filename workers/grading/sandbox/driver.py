# ruff: noqa: F821, PT009, PT027, S102  # names of guest.py and calling.py; a unittest of our own
# mypy: ignore-errors
"""What the payload does for one test of the unittest form. Sent along with the call, run among the names of guest.py
and calling.py.

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
        return b"V" + json.dumps([outcome(function, step) for step in call["steps"]]).encode() + b"\n"
    except Unencodable as odd:
        return f"T{odd.args[0]!r}".encode()[:200] + b"\n"


def outcome(function, step):
    given = [unpacked(each) for each in step["arguments"]]
    named = {name: unpacked(each) for name, each in step["keywords"].items()}
    try:
        value = function(*given, **named)
    except MemoryError:
        raise
    except BaseException as error:
        if not step["raises"]:
            raise
        return ["raised", [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]]
    return ["returned", packed(value)]


def packed(value):
    """A value as JSON: scalars as they are, containers as a list that begins with their kind. Exact types only."""
    exact = type(value)
    if exact in SCALARS:
        return value
    if exact in LETTERS:
        return [LETTERS[exact], *map(packed, value)]
    if exact is dict or exact in dicts():
        return ["d", *(packed(each) for pair in dict.items(value) for each in pair)]
    if exact is bytes:
        return ["b", value.hex()]
    if exact is complex:
        return ["c", value.real, value.imag]
    raise Unencodable(exact.__name__)


LETTERS = {list: "l", tuple: "t", set: "s", frozenset: "f"}


def dicts():
    """Dictionaries of the standard library that equal a plain one."""
    found = sys.modules.get("collections")
    return () if found is None else (found.Counter, found.OrderedDict, found.defaultdict)


def unpacked(value):
    if type(value) is not list:
        return value
    kind, *parts = value
    if kind == "b":
        return bytes.fromhex(parts[0])
    if kind == "c":
        return complex(*parts)
    parts = [unpacked(each) for each in parts]
    if kind == "d":
        return dict(zip(parts[::2], parts[1::2], strict=True))
    return {"l": list, "t": tuple, "s": set, "f": frozenset}[kind](parts)


# --- beside the program -------------------------------------------------------------------------------------------


def beside(call, load, space):
    watch = Watch()
    load(space)
    watch.look()
    # Failures are told by type alone: a message would show what is expected.
    bad, skipped = 0, 0
    group, _, method = call["test"].rpartition(".")
    try:
        exec(compile(call["tests"], "tests.py", "exec"), space)
        if group:
            bad, skipped = watch.run(space[group], method)
        elif call["test"] != "module":
            function = space[method]
            watch.ours(function)
            function(*([entry(space, call["name"], call["class"])] if method == "check" else ()))
    except BaseException as error:
        print(type(error).__name__, file=sys.__stderr__)
        bad = 1
    watch.look()
    watch.decoys()
    facts = {"bad": bad, "skipped": skipped, "assertions": watch.assertions, "tampered": watch.tampered}
    return b"V" + json.dumps(facts).encode() + b"\n"


class Watch:
    """Knows unittest as it was before the program, and what a test does with it."""

    def __init__(self):
        import unittest

        self.unittest, self.case, self.result = unittest, unittest.TestCase, unittest.TestResult
        self.start = unittest.TestCase.run
        self.originals = {name: each for name, each in vars(self.case).items() if callable(each)}
        self.before = self.seen()
        self.assertions, self.depth, self.tampered = 0, 0, []

    def seen(self):
        """All that a program might have put something of its own in the place of."""
        import operator

        holders = (self.case, self.result, self.unittest.case, builtins, operator)
        facts = {(id(holder), name): id(each) for holder in holders for name, each in vars(holder).items()}
        facts.pop((id(builtins), "_"), None)
        codes = {name: id(each.__code__) for name, each in self.originals.items() if hasattr(each, "__code__")}
        return facts, codes, id(sys.modules.get("unittest")), sys.gettrace(), sys.getprofile()

    def look(self):
        if self.seen() != self.before:
            self.tampered.append("unittest or builtins were changed")

    def ours(self, function):
        while hasattr(function, "__wrapped__"):  # patch() and the like decorate it
            function = function.__wrapped__
        if function.__code__.co_filename != "tests.py":
            self.tampered.append("a test was replaced")

    def run(self, group, method):
        """Run one test; how many failed, and how many were skipped."""
        self.ours(getattr(group, method))
        test, result = group(method), self.result()
        for name, original in self.originals.items():
            if name.startswith("assert"):
                test.__dict__[name] = self.counting(test, original, "Equal" in name)
        self.start(test, result)
        for _, trace in result.failures + result.errors:
            print(trace.strip().rpartition("\n")[2].partition(":")[0], file=sys.__stderr__)
        if result.testsRun != 1:
            self.tampered.append("the test did not run")
        return len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses), len(result.skipped)

    def counting(self, test, original, compares):
        def checked(*given, **named):
            if self.depth == 0:
                self.assertions += 1
                for operand in given[:2] if compares else ():
                    self.honest(operand)
            self.depth += 1
            try:
                return original(test, *given, **named)
            finally:
                self.depth -= 1

        return checked

    def honest(self, operand):
        """Nothing equals an object that was made just now."""
        mock = sys.modules.get("unittest.mock")
        if mock is not None and operand is mock.ANY:
            return
        try:
            same = (operand == object()) is True or (operand != object()) is False
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
