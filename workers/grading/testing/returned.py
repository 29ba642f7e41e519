# mypy: ignore-errors
"""What the payload asks of values that a program returns beside its tests. Part of driver.py.

A value whose class the program wrote may answer whatever a test asks of it: whether it is equal, greater, held, true or
of a class. Tests see no more than the answers, so such values are counted here, wherever in a value they are.
"""

import gc
import sys
import types
import weakref

MOST_PARTS = 10_000
# What tests ask values by.
ANSWERS = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__bool__", "__len__", "__iter__",
    "__getitem__", "__getattr__", "__getattribute__", "__class__", "__instancecheck__",
)  # fmt: skip
# Where the code of others lies.
PLACES = ("<frozen ", *(path for path in sys.path if path.startswith(("/usr/", "/packages", "/judge/", "/opt/"))))
BUILT_IN = (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType, type(None))
SIMPLE = frozenset((int, float, complex, bool, str, bytes, bytearray, range, slice, type(None), type(...)))
# What holds more than a value: code, and what runs it.
HOLDS_CODE = (
    type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.CodeType,
    types.FrameType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.TracebackType,
)  # fmt: skip
PROXIES = (weakref.ProxyType, weakref.CallableProxyType)
referents = gc.get_referents


def of_numpy(value):
    """The number, truth value or text that a scalar of numpy's equals; anything else as it is."""
    numpy, kind = sys.modules.get("numpy"), type(value)
    if numpy is None or not isinstance(value, numpy.generic) or getattr(numpy, kind.__name__, None) is not kind:
        return value
    plain = value.item()
    return plain if type(plain) in (bool, int, float, str) else value


def heard(space, name, watch, relied):
    """Have what a program's function changes looked at whenever it is called, and what it returns."""
    import functools

    function = space.get(name)
    if not callable(function):
        return
    if isinstance(function, type):  # whatever tests ask its objects, these answer by code of the program
        watch.own += 1
        return

    def looked(run, *values, **named):
        before = relied.called(watch)
        space[name] = function  # so that it calls itself as it would
        try:
            value = run(*values, **named)
        finally:
            space[name] = hearing
            relied.returned(before, watch)
        watch.own += answers_for_itself(value)
        return value

    def hearing(*values, **named):
        value = looked(function, *values, **named)
        return each(value, looked) if type(value) is types.GeneratorType else value

    functools.update_wrapper(hearing, function)
    if type(function) is not types.FunctionType:  # such as a cache, which tests may look into
        vars(hearing).update({part: getattr(function, part) for part in dir(function) if not part.startswith("__")})
    space[name] = hearing


def each(values, looked):
    """A generator that gives what another one gives, each value looked at."""
    step, given = values.send, None
    while True:
        try:
            value = looked(step, given)
        except StopIteration as end:
            return end.value
        try:
            step, given = values.send, (yield value)
        except GeneratorExit:
            values.close()
            raise
        except BaseException as error:
            step, given = values.throw, error


def answers_for_itself(value):
    """Whether a value, or one within it, answers what tests ask by code of the program, or is a mock."""
    mock = sys.modules.get("unittest.mock")
    waiting, seen, kinds = [value], set(), {}
    while waiting and len(seen) < MOST_PARTS:
        part = waiting.pop()
        kind = type(part)
        if kind in SIMPLE or id(part) in seen or issubclass(kind, HOLDS_CODE):
            continue
        seen.add(id(part))
        if kind not in kinds:
            is_mock = mock is not None and mock.NonCallableMock in kind.__mro__
            kinds[kind] = is_mock or kind in PROXIES or any(answered_by(kind))
        if kinds[kind]:
            return True
        waiting += parts_of(part, kind)
    return False


def parts_of(part, kind):
    """What a value holds."""
    if kind.__module__ == "numpy" and kind.__name__ == "ndarray":  # of which the interpreter does not say it
        return part.ravel().tolist()[:MOST_PARTS] if part.dtype.hasobject else []
    return [one for one in referents(part) if type(one) not in SIMPLE]


def answered_by(kind):
    """Of each answer that a class gives, its own or the nearest it inherits, whether code of the program gives it."""
    for holder in (kind, type(kind)):
        for name in ANSWERS:
            owner = next((one for one in holder.__mro__ if name in vars(one)), None)
            found = None if owner is None else vars(owner)[name]
            found = found.fget if type(found) is property else getattr(found, "__func__", found)
            yield written(found) and not generated(owner, name, found)


def generated(kind, name, function):
    """Whether it is what the standard library writes for a class of fields, to the last instruction."""
    dataclasses, fields = sys.modules.get("dataclasses"), vars(kind).get("__dataclass_fields__")
    if dataclasses is None or type(fields) is not dict or type(function) is not types.FunctionType:
        return False
    names = [field.name for field in fields.values() if getattr(field, "compare", False)]
    try:
        made = vars(dataclasses.make_dataclass("Twin", names, order=True)).get(name)
        return all(getattr(made.__code__, part) == getattr(function.__code__, part) for part in SAME)
    except Exception:
        return False


SAME = ("co_code", "co_names", "co_consts", "co_varnames", "co_freevars")


def written(function):
    """Whether what answers is code of the program, or made of it."""
    for _ in range(10):
        code = getattr(function, "__code__", None)
        if code is not None:
            return not code.co_filename.startswith(PLACES)
        if type(function) in BUILT_IN:
            return False
        inner = getattr(function, "func", None) or getattr(function, "__wrapped__", None)
        function = inner or vars(type(function)).get("__call__")
    return True
