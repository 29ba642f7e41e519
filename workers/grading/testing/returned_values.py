# mypy: ignore-errors
"""Watch over the calls of a program's function beside its tests, and over the values it returns. Part of driver.py.

A value whose class the program wrote may answer whatever a test asks of it: whether it is equal, greater, contained,
true or of a class. Tests see the answers only, so such values are counted here, at any depth within a value.
"""

import gc
import sys
import types
import weakref

MAX_PARTS = 10_000
# Methods by which values answer the questions of tests.
ANSWERS = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__bool__", "__len__", "__iter__",
    "__getitem__", "__getattr__", "__getattribute__", "__class__", "__instancecheck__",
)  # fmt: skip
# Beginnings of the file names of code that is not the program's.
LIBRARY_PATHS = (
    "<frozen ",
    *(path for path in sys.path if path.startswith(("/usr/", "/packages", "/judge/", "/opt/"))),
)
BUILT_IN = (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType, type(None))
SIMPLE = frozenset((int, float, complex, bool, str, bytes, bytearray, range, slice, type(None), type(...)))
# Types that hold more than a value: code, and what runs it.
HOLDS_CODE = (
    type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.CodeType,
    types.FrameType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.TracebackType,
)  # fmt: skip
PROXIES = (weakref.ProxyType, weakref.CallableProxyType)
CODE_PARTS = ("co_code", "co_names", "co_consts", "co_varnames", "co_freevars")
referents = gc.get_referents


def of_numpy(value):
    """Return the number, truth value or text that a numpy scalar equals; any other value as it is."""
    numpy, kind = sys.modules.get("numpy"), type(value)
    if numpy is None or not isinstance(value, numpy.generic) or getattr(numpy, kind.__name__, None) is not kind:
        return value
    plain = value.item()
    return plain if type(plain) in (bool, int, float, str) else value


def watch_calls(space, name, watch, dependencies):
    """Replace a program's function by one that checks, on each call, the tests' dependencies and the value."""
    import functools

    function = space.get(name)
    if not callable(function):
        return
    if isinstance(function, type):  # its objects answer any question of the tests by code of the program
        watch.own += 1
        return

    def call_checked(run, *values, **named):
        before = dependencies.snapshot_call(watch)
        space[name] = function  # so that it calls itself directly
        try:
            value = run(*values, **named)
        finally:
            space[name] = watched_call
            dependencies.check_call(before, watch)
        watch.own += answers_for_itself(value)
        return value

    def watched_call(*values, **named):
        value = call_checked(function, *values, **named)
        return watch_generator(value, call_checked) if type(value) is types.GeneratorType else value

    functools.update_wrapper(watched_call, function)
    if type(function) is not types.FunctionType:  # such as a cache, whose attributes tests may read
        vars(watched_call).update(
            {part: getattr(function, part) for part in dir(function) if not part.startswith("__")}
        )
    space[name] = watched_call


def watch_generator(values, call_checked):
    """Yield what a generator yields, each value checked; pass on what is sent and thrown."""
    step, argument = values.send, None
    while True:
        try:
            value = call_checked(step, argument)
        except StopIteration as end:
            return end.value
        try:
            step, argument = values.send, (yield value)
        except GeneratorExit:
            values.close()
            raise
        except BaseException as error:
            step, argument = values.throw, error


def answers_for_itself(value):
    """Return whether code of the program or a mock answers for a value or one within it; looks at `MAX_PARTS`."""
    mock = sys.modules.get("unittest.mock")
    waiting, seen, kinds = [value], set(), {}
    while waiting and len(seen) < MAX_PARTS:
        part = waiting.pop()
        kind = type(part)
        if kind in SIMPLE or id(part) in seen or issubclass(kind, HOLDS_CODE):
            continue
        seen.add(id(part))
        if kind not in kinds:
            is_mock = mock is not None and mock.NonCallableMock in kind.__mro__
            kinds[kind] = is_mock or kind in PROXIES or any(program_answers(kind))
        if kinds[kind]:
            return True
        waiting += parts_of(part, kind)
    return False


def parts_of(part, kind):
    """Return the values that a value holds directly."""
    if kind.__module__ == "numpy" and kind.__name__ == "ndarray":  # the garbage collector does not see its elements
        return part.ravel().tolist()[:MAX_PARTS] if part.dtype.hasobject else []
    return [one for one in referents(part) if type(one) not in SIMPLE]


def program_answers(kind):
    """Yield whether code of the program gives an answer, for each answer that a class has or inherits."""
    for holder in (kind, type(kind)):
        for name in ANSWERS:
            owner = next((one for one in holder.__mro__ if name in vars(one)), None)
            method = None if owner is None else vars(owner)[name]
            method = method.fget if type(method) is property else getattr(method, "__func__", method)
            yield is_program_code(method) and not is_generated(owner, name, method)


def is_generated(kind, name, function):
    """Return whether a method is, to the last instruction, what `dataclasses` generates for a class."""
    dataclasses, fields = sys.modules.get("dataclasses"), vars(kind).get("__dataclass_fields__")
    if dataclasses is None or type(fields) is not dict or type(function) is not types.FunctionType:
        return False
    names = [field.name for field in fields.values() if getattr(field, "compare", False)]
    try:
        twin = vars(dataclasses.make_dataclass("Twin", names, order=True)).get(name)
        return all(getattr(twin.__code__, part) == getattr(function.__code__, part) for part in CODE_PARTS)
    except Exception:
        return False


def is_program_code(function):
    """Return whether a callable runs code of the program; True if that cannot be told."""
    for _ in range(10):
        code = getattr(function, "__code__", None)
        if code is not None:
            return not code.co_filename.startswith(LIBRARY_PATHS)
        if type(function) in BUILT_IN:
            return False
        inner = getattr(function, "func", None) or getattr(function, "__wrapped__", None)
        function = inner or vars(type(function)).get("__call__")
    return True
