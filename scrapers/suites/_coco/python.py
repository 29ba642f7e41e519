"""Python code of CoCo-Bench: what of it is called, and what is added so that its values can be compared."""

import ast
from typing import Final, NamedTuple

from app.domain.problems import Entry
from scrapers.suites._shared.asserts import read_entry
from scrapers.suites._shared.needs import parsed

# After an item's own code. Arrays and tensors are given and returned as lists; where the code does not take lists,
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


class Callable(NamedTuple):
    """What code defines to be called, and how many of its parameters have no default."""

    entry: Entry
    needed: int


def called(code: str) -> Callable:
    """What is called of an item's code: the last function, or the method of Solution. Raises ValueError without one."""
    entry = read_entry(code)
    for node in ast.walk(parsed(code)):
        if isinstance(node, ast.FunctionDef) and node.name == entry.name:
            return Callable(entry, len(entry.params) - len(node.args.defaults))
    raise ValueError("it defines no function")


def adapted(code: str, entry: Entry) -> str:
    """The code with what its calls go through: a function of the same name, which the code itself calls through."""
    call = entry.name if entry.cls is None else f"lambda *given, **named: {entry.cls}().{entry.name}(*given, **named)"
    return code.rstrip() + "\n" + _ADAPTER.replace("{call}", call).replace("{name}", entry.name)
