"""Python code of CoCo-Bench: the function to call, and the wrapper that makes its values comparable."""

import ast
from typing import Final, NamedTuple

from app.domain.problems import Entry
from scrapers.suites._common.asserts import read_entry
from scrapers.suites._common.missing_packages import parse_source

# Appended to an item's own code. Arrays and tensors are passed and returned as lists. If the code does not take lists,
# which the libraries' own functions do, they become arrays or tensors first.
_ADAPTER: Final = """

def _judged_plain(value):
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "tolist"):
        value = value.tolist()
    elif hasattr(value, "numpy"):
        value = value.numpy().tolist()
    if isinstance(value, dict):
        return {str(key): _judged_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_judged_plain(item) for item in value]
    if isinstance(value, float) and value - value != 0:
        raise ValueError("a value is not finite")
    return value


def _judged_given(value):
    if not isinstance(value, list):
        return value
    import sys
    torch = sys.modules.get("torch")
    return sys.modules["numpy"].array(value) if torch is None else torch.tensor(value)


_judged_code, _judged_inside = {call}, False


def {name}(*given, **named):
    import copy, sys
    global _judged_inside
    if _judged_inside:
        return _judged_code(*given, **named)
    _judged_inside = True
    try:
        return _judged_plain(_judged_code(*copy.deepcopy(given)))
    except (TypeError, AttributeError):
        if not {"numpy", "torch"} & set(sys.modules):
            raise
    return _judged_plain(_judged_code(*map(_judged_given, given)))
"""


class CalledFunction(NamedTuple):
    """The function that code defines to be called, and how many of its parameters have no default."""

    entry: Entry
    needed: int


def find_called(code: str) -> CalledFunction:
    """Return the function to call: the last one, or the method of Solution. Raises ValueError without one."""
    entry = read_entry(code)
    for node in ast.walk(parse_source(code)):
        if isinstance(node, ast.FunctionDef) and node.name == entry.name:
            return CalledFunction(entry, len(entry.params) - len(node.args.defaults))
    raise ValueError("it defines no function")


def add_adapter(code: str, entry: Entry) -> str:
    """Return the code with a wrapper of the same name, through which the code itself calls the function too."""
    call = entry.name if entry.cls is None else f"lambda *given, **named: {entry.cls}().{entry.name}(*given, **named)"
    return code.rstrip() + "\n" + _ADAPTER.replace("{call}", call).replace("{name}", entry.name)
