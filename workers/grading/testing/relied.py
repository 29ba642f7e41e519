# ruff: noqa: F821  # names of returned.py
# mypy: ignore-errors
"""What tests beside a program rely on, and the program could put something of its own in the place of.

That is parts of the modules that tests import, builtins they name, and names of their own. They are looked at before
and after code of the program runs, for what is put back later is not seen at the end. Part of driver.py.
"""

import builtins
import contextlib
import sys
import types
import warnings

MOST_PLACES, MOST_CALLS, DEPTH = 2000, 50, 3
HEAP, FIXED = 1 << 9, 1 << 8  # flags of classes that Python code makes, and of those that nobody can change
METHODS = (types.FunctionType, staticmethod, classmethod)


class Relied:
    """Knows it as it was before the program was loaded. `uses` are the names of app.domain.unittests.uses."""

    def __init__(self, uses, space):
        self.names, self.builtins, self.space = uses["names"], uses["builtins"], space
        self.calls, self.patches = 0, uses["patches"]
        self.modules = [name for full in uses["modules"] for name in imported(full)]
        parts = uses["parts"]
        holders = [sys.modules[name] for name in self.modules]
        bring(holders, parts)
        holders += [part for holder in holders for part in vars(holder).values() if type(part) is types.ModuleType]
        holders = list({id(holder): holder for holder in holders}.values())
        classes = {id(part): part for holder in holders for part in vars(holder).values() if changeable(part)}
        places = [(vars(holder), part) for holder in holders for part in parts if callable(vars(holder).get(part))]
        places += [(vars(builtins), name) for name in self.builtins]
        places += [(part, name) for part in classes.values() for name in parts if look(part, name) is not None]
        self.places = deepened(places)
        self.began = self.seen()

    def seen(self):
        """All of it as it is now."""
        facts = [sys.modules.get(name) for name in self.modules]
        for holder, name in self.places:
            facts += made_of(look(holder, name))
        return facts

    def named(self):
        """What the tests' names stand for in the program's module: functions, modules, classes with their methods."""
        facts = [self.space.get("__builtins__")]
        for name in self.names:
            value = self.space.get(name)
            facts += made_of(value)
            if issubclass(type(value), type):
                facts += [part for one in vars(value).values() if type(one) in METHODS for part in made_of(one)]
        return facts

    def loaded(self, watch):
        """Tell the watch where loading the program changed any of it."""
        hidden = [(name, self.space[name]) for name in self.builtins if name in self.space]
        real = self.space.get("__builtins__") in (builtins, vars(builtins))
        if not real or differ(self.began, self.seen()) or any(shadows(name, value) for name, value in hidden):
            watch.tampered.append("what the tests use was changed")

    def called(self, watch):
        """What a call of the program is to leave as it is; None after so many calls that looking would take long."""
        self.calls += 1
        return ([*self.seen(), *self.named()], watch.seen()) if self.calls <= MOST_CALLS else None

    def returned(self, before, watch):
        """Tell the watch where a call did not."""
        if before and (differ(before[0], [*self.seen(), *self.named()]) or before[1] != watch.seen()):
            watch.tampered.append("a call changed what the tests use")

    def ended(self, watch):
        """Tell the watch where something is another at the end, and the tests change nothing themselves."""
        if not self.patches and differ(self.began, self.seen()):
            watch.tampered.append("what the tests use was changed")


def imported(full):
    """The modules that importing one brings, by name; none where it fails, as the tests will say."""
    try:
        __import__(full)
    except BaseException:
        return []
    words = full.split(".")
    names = [".".join(words[:count]) for count in range(1, len(words) + 1)]
    return [name for name in names if type(sys.modules.get(name)) is types.ModuleType]


def bring(modules, parts):
    """Have modules bring those of their parts that they bring when they are asked for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in modules:
            for part in parts:
                with contextlib.suppress(Exception):
                    getattr(module, part, None)


def changeable(part):
    return issubclass(type(part), type) and part.__flags__ & HEAP and not part.__flags__ & FIXED


def deepened(places):
    """With what the functions there call in their own modules, and what these call."""
    known, edge = {(id(holder), name) for holder, name in places}, places
    for _ in range(DEPTH):
        more = []
        for holder, name in edge:
            function = bare(look(holder, name))
            if type(function) is types.FunctionType:
                inside = function.__globals__
                fresh = [part for part in function.__code__.co_names if (id(inside), part) not in known]
                more += [(inside, part) for part in fresh if callable(inside.get(part))]
                known |= {(id(inside), part) for part in fresh}
        places, edge = [*places, *more], more
    return places[:MOST_PLACES]


def look(holder, name):
    """What a module's dictionary, or a class and those it inherits from, have by a name."""
    if type(holder) is dict:
        return holder.get(name)
    return next((vars(one)[name] for one in holder.__mro__ if name in vars(one)), None)


def bare(value):
    """The function within a method, or within what wraps it."""
    if type(value) in (staticmethod, classmethod):
        value = value.__func__
    return vars(value).get("__wrapped__", value) if type(value) is types.FunctionType else value


def made_of(value):
    """The value and what it does; nothing of data, which programs may change."""
    function = bare(value)
    if type(function) is not types.FunctionType:
        return [value if callable(value) or type(value) is types.ModuleType else None, None, None, None]
    return [value, function.__code__, function.__defaults__, function.__kwdefaults__]


def differ(before, after):
    return len(before) != len(after) or any(one is not other for one, other in zip(before, after, strict=True))


def shadows(name, value):
    """Whether a value by the name of a builtin is another thing than what a library offers by that name."""
    if value is vars(builtins)[name]:
        return False
    parts = vars(value).values() if issubclass(type(value), type) else [value]
    own = any(written(bare(part)) for part in parts if type(part) in METHODS)  # of returned.py
    return own or getattr(value, "__name__", "") != name
