"""Signature of a program, from `metaData` or else from the Python starter code.

`metaData` is JSON in a string: a function's name, params and return, or with `classname` a class with its constructor
and methods. A function is a method of the class Solution. Types stay in LeetCode's or Python's spelling.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.domain.problems import Entry, Method, Param
from scrapers.reading.page import scrub

_MAX_PARAMS: Final = 40
_MAX_METHODS: Final = 200
_SOLUTION: Final = "Solution"
_CALLS: Final = (Param("calls", "string[]"), Param("arguments", "list"))
_CLASS: Final = re.compile(r"^class (\w{1,100})\b")
_METHOD: Final = re.compile(r"^    def (\w{1,100})\(\s*self\s*,?([^#\n]{0,1000}?)\)\s*(?:->\s*([^#\n:]{1,200}))?:")


@dataclass(frozen=True, slots=True)
class CallSpec:
    """Call of a problem's program. `params` are what an example names: a function's parameters, or a class's calls and
    their arguments.

    `returns` is the type of an example's output. `kept`: only the part of a list that the returned length keeps counts.
    `custom`: the site's own driver does more than call and compare.
    """

    signature: Entry | None = None
    params: tuple[Param, ...] | None = None
    returns: str = ""
    kept: bool = False
    custom: bool = False
    broken: bool = False

    @property
    def form(self) -> str | None:
        """ "function" or "class"; None for neither."""
        if self.signature is None:
            return None
        return "function" if self.signature.name else "class"


def metadata(value: Any) -> Mapping[str, Any] | None:
    """Return the object that metaData holds; None if it is broken or absent."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, Mapping) else None


def read_call_spec(value: Any, starter: Mapping[str, str]) -> CallSpec:
    """Return the call of `metaData`, else that of the Python starter code; an empty one if neither states it."""
    meta = metadata(value)
    broken = value is not None and meta is None
    if meta is not None:
        try:
            return _class_shape(meta) if meta.get("classname") or meta.get("systemdesign") else _function_shape(meta)
        except (KeyError, TypeError, ValueError, AttributeError):
            broken = True
    shape = _from_starter(starter.get("python3", ""))
    return CallSpec(shape.signature, shape.params, shape.returns, broken=broken)


def _function_shape(meta: Mapping[str, Any]) -> CallSpec:
    params = _params(meta["params"])
    returns = _type(meta["return"])
    signature = Entry(_name(meta["name"]), _SOLUTION, params, returns)
    result = meta.get("output")
    changed = result.get("paramindex") if isinstance(result, Mapping) else None
    prefix = isinstance(result, Mapping) and result.get("size") == "ret"
    answer = returns
    if type(changed) is int and 0 <= changed < len(params) and (prefix or returns == "void"):
        answer = params[changed].type
        if not prefix:
            signature = replace(signature, output_param=changed)
    return CallSpec(signature, params, answer, kept=prefix, custom=prefix or meta.get("manual") is True)


def _class_shape(meta: Mapping[str, Any]) -> CallSpec:
    constructor = meta.get("constructor") or {}
    methods = meta["methods"]
    if not isinstance(methods, list) or not 0 < len(methods) <= _MAX_METHODS:
        raise ValueError("no methods")
    signature = Entry(
        name="",
        cls=_name(meta["classname"]),
        params=_params(constructor.get("params") or []),
        methods={
            _name(method["name"]): Method(_params(method.get("params") or []), _type(method["return"]))
            for method in methods
        },
    )
    return CallSpec(signature, _CALLS, "list", custom=meta.get("manual") is True)


def _params(rows: Any) -> tuple[Param, ...]:
    if not isinstance(rows, list) or len(rows) > _MAX_PARAMS:
        raise ValueError("no list of parameters")
    return tuple(Param(_name(row["name"]), _type(row)) for row in rows)


def _name(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\w{1,100}", value.strip()):
        raise ValueError(f"{str(value)[:80]!r} is no name")
    return value.strip()


def _type(row: Any) -> str:
    kind = row["type"]
    if not isinstance(kind, str) or not 0 < len(kind.strip()) <= 200:
        raise ValueError(f"{str(kind)[:80]!r} is no type")
    return scrub(kind).strip()


def _from_starter(code: str) -> CallSpec:
    """Read the class Solution, else the first class that is not commented out, with types in Python's spelling."""
    classes = _classes(code[:20_000])
    cls = _SOLUTION if _SOLUTION in classes else next(iter(classes), "")
    methods = dict(classes.get(cls, {}))
    if cls == _SOLUTION and "__init__" not in methods:
        if len(methods) != 1:
            return CallSpec()
        ((name, method),) = methods.items()
        return CallSpec(Entry(name, _SOLUTION, method.params, method.returns), method.params, method.returns)
    constructor = methods.pop("__init__", Method())
    signature = Entry("", cls, constructor.params, methods=methods)
    return CallSpec(signature, _CALLS, "list") if methods else CallSpec()


def _classes(code: str) -> dict[str, dict[str, Method]]:
    """Return the methods of every class at the left edge, without the parameter self."""
    classes: dict[str, dict[str, Method]] = {}
    current = ""
    for line in code.split("\n"):
        opening, method = _CLASS.match(line), _METHOD.match(line)
        if opening:
            current = opening[1]
            classes[current] = {}
        elif method and current:
            returns = (method[3] or "").strip()
            params = tuple(_python_params(method[2]))
            classes[current][method[1]] = Method(params, "void" if returns == "None" else returns)
    return classes


def _python_params(text: str) -> Iterator[Param]:
    """Yield the parameters of `name: type, ...`; commas inside brackets belong to a type."""
    depth = start = 0
    for at, letter in enumerate(f"{text},"):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            name, _, kind = text[start:at].partition(":")
            if re.fullmatch(r"\w{1,100}", name.strip()):
                yield Param(name.strip(), kind.partition("=")[0].strip())
            start = at + 1
