# ruff: noqa: F821  # names of returned_values.py
# mypy: ignore-errors
"""Dependencies of tests that run beside a program, which the program could replace. Part of driver.py.

These are parts of the modules that the tests import, builtins they name, and names of their own. They are compared
before and after code of the program runs: a comparison at the end alone would miss what was put back.
"""

import builtins
import contextlib
import sys
import types
import warnings

MAX_PLACES, MAX_WATCHED_CALLS, MAX_CALL_DEPTH = 2000, 50, 3
HEAP_TYPE, IMMUTABLE_TYPE = 1 << 9, 1 << 8  # flags of classes made by Python code, and of those that cannot change
METHODS = (types.FunctionType, staticmethod, classmethod)


class DependencyWatch:
    """State of the tests' dependencies before the program was loaded. `uses` comes from app.domain.unittests.

    The methods `check_*` report a change to `watch`, the `Watch` of the test.
    """

    def __init__(self, uses, space):
        self.names, self.builtins, self.space = uses["names"], uses["builtins"], space
        self.calls, self.patches = 0, uses["patches"]
        self.modules = [name for full in uses["modules"] for name in import_module(full)]
        parts = uses["parts"]
        holders = [sys.modules[name] for name in self.modules]
        load_lazy_parts(holders, parts)
        holders += [part for holder in holders for part in vars(holder).values() if type(part) is types.ModuleType]
        holders = list({id(holder): holder for holder in holders}.values())
        classes = {id(part): part for holder in holders for part in vars(holder).values() if is_changeable(part)}
        places = [(vars(holder), part) for holder in holders for part in parts if callable(vars(holder).get(part))]
        places += [(vars(builtins), name) for name in self.builtins]
        places += [(part, name) for part in classes.values() for name in parts if look_up(part, name) is not None]
        self.places = add_callees(places)
        self.initial = self.snapshot()

    def snapshot(self):
        """Return the current objects of all dependencies outside the program's module."""
        facts = [sys.modules.get(name) for name in self.modules]
        for holder, name in self.places:
            facts += identity_of(look_up(holder, name))
        return facts

    def snapshot_names(self):
        """Return the objects of the tests' names in the program's module: functions, modules, classes, methods."""
        facts = [self.space.get("__builtins__")]
        for name in self.names:
            value = self.space.get(name)
            facts += identity_of(value)
            if issubclass(type(value), type):
                facts += [part for one in vars(value).values() if type(one) in METHODS for part in identity_of(one)]
        return facts

    def check_load(self, watch):
        """Report a change that loading the program made."""
        hidden = [(name, self.space[name]) for name in self.builtins if name in self.space]
        real = self.space.get("__builtins__") in (builtins, vars(builtins))
        if not real or differ(self.initial, self.snapshot()) or any(shadows(name, value) for name, value in hidden):
            watch.tampered.append("what the tests use was changed")

    def snapshot_call(self, watch):
        """Return what a call of the program must leave unchanged; None after `MAX_WATCHED_CALLS`, to save time."""
        self.calls += 1
        if self.calls > MAX_WATCHED_CALLS:
            return None
        return [*self.snapshot(), *self.snapshot_names()], watch.snapshot()

    def check_call(self, before, watch):
        """Report a change since `before`, the result of `snapshot_call`."""
        if before and (differ(before[0], [*self.snapshot(), *self.snapshot_names()]) or before[1] != watch.snapshot()):
            watch.tampered.append("a call changed what the tests use")

    def check_end(self, watch):
        """Report a change at the end, unless the tests patch their dependencies themselves."""
        if not self.patches and differ(self.initial, self.snapshot()):
            watch.tampered.append("what the tests use was changed")


def import_module(full):
    """Import a module; return its name and those of its packages, none if it fails, as the tests will report."""
    try:
        __import__(full)
    except BaseException:
        return []
    words = full.split(".")
    names = [".".join(words[:count]) for count in range(1, len(words) + 1)]
    return [name for name in names if type(sys.modules.get(name)) is types.ModuleType]


def load_lazy_parts(modules, parts):
    """Read parts of modules that some modules load only when they are read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in modules:
            for part in parts:
                with contextlib.suppress(Exception):
                    getattr(module, part, None)


def is_changeable(part):
    return issubclass(type(part), type) and part.__flags__ & HEAP_TYPE and not part.__flags__ & IMMUTABLE_TYPE


def add_callees(places):
    """Return the places with those of the functions that they call in their own modules, `MAX_CALL_DEPTH` deep."""
    known, edge = {(id(holder), name) for holder, name in places}, places
    for _ in range(MAX_CALL_DEPTH):
        more = []
        for holder, name in edge:
            function = unwrap(look_up(holder, name))
            if type(function) is types.FunctionType:
                inside = function.__globals__
                fresh = [part for part in function.__code__.co_names if (id(inside), part) not in known]
                more += [(inside, part) for part in fresh if callable(inside.get(part))]
                known |= {(id(inside), part) for part in fresh}
        places, edge = [*places, *more], more
    return places[:MAX_PLACES]


def look_up(holder, name):
    """Return the value of a name in a module's dictionary, or in a class and those it inherits from; else None."""
    if type(holder) is dict:
        return holder.get(name)
    return next((vars(one)[name] for one in holder.__mro__ if name in vars(one)), None)


def unwrap(value):
    """Return the function within a method or a wrapper; any other value as it is."""
    if type(value) in (staticmethod, classmethod):
        value = value.__func__
    return vars(value).get("__wrapped__", value) if type(value) is types.FunctionType else value


def identity_of(value):
    """Return the value and, of a function, its code and defaults; Nones for data, which programs may change."""
    function = unwrap(value)
    if type(function) is not types.FunctionType:
        return [value if callable(value) or type(value) is types.ModuleType else None, None, None, None]
    return [value, function.__code__, function.__defaults__, function.__kwdefaults__]


def differ(before, after):
    return len(before) != len(after) or any(one is not other for one, other in zip(before, after, strict=True))


def shadows(name, value):
    """Return whether a value with the name of a builtin is neither it nor a library's function of that name."""
    if value is vars(builtins)[name]:
        return False
    parts = vars(value).values() if issubclass(type(value), type) else [value]
    own = any(is_program_code(unwrap(part)) for part in parts if type(part) in METHODS)  # of returned_values.py
    return own or getattr(value, "__name__", "") != name
