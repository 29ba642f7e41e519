# mypy: ignore-errors
"""What the payload asks of values that a program returns beside its tests. Sent along with driver.py.

A value whose class the program wrote may answer whatever a test asks of it: whether it is equal, greater, held, true or
of a class. Tests see no more than the answers, so such values are counted here.
"""

import sys
import types

MOST_PARTS = 10_000
# What tests ask values by.
ANSWERS = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__bool__", "__len__", "__iter__",
    "__getitem__", "__getattr__", "__getattribute__", "__class__", "__instancecheck__",
)  # fmt: skip
# Where the code of others lies; `<string>` is what the standard library makes dataclasses of.
PLACES = ("<frozen ", "<string>", *(path for path in sys.path if path.startswith(("/usr/", "/packages", "/opt/"))))
BUILT_IN = (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType, type(None))


def heard(space, name, watch):
    """Have a program's function counted by `watch.own` when it returns a value that answers for itself."""
    import functools

    function = space.get(name)
    if not isinstance(function, types.FunctionType):
        return

    @functools.wraps(function)
    def hearing(*values, **named):
        space[name] = function  # so that it calls itself as it would
        try:
            value = function(*values, **named)
        finally:
            space[name] = hearing
        watch.own += answers_for_itself(value)
        return value

    space[name] = hearing


def answers_for_itself(value):
    """Whether a value, or one within it, answers what tests ask by code of the program, or is a mock."""
    mock = sys.modules.get("unittest.mock")
    waiting, seen = [value], 0
    while waiting and seen < MOST_PARTS:
        part, seen = waiting.pop(), seen + 1
        kind = type(part)
        if kind in (list, tuple, set, frozenset):
            waiting += part
        elif kind is dict:
            waiting += [*part, *part.values()]
        elif (mock is not None and mock.NonCallableMock in kind.__mro__) or any(map(written, answers_of(kind))):
            return True
    return False


def answers_of(kind):
    """What a class answers by, its own or the nearest it inherits, and what its class does."""
    for holder in (kind, type(kind)):
        for name in ANSWERS:
            found = next((vars(one)[name] for one in holder.__mro__ if name in vars(one)), None)
            yield found.fget if type(found) is property else getattr(found, "__func__", found)


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
