"""Calls into a program: arguments from JSON, LeetCode's lists and trees, the result back as canonical JSON.

Beside guest.py, in the payload, with the bare standard library; loaded in the zygote before any untrusted byte.
"""

from __future__ import annotations

import sys
from itertools import zip_longest

TYPE_CHECKING = False  # without importing typing, as in zygote.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_NODES = 1_000_000  # a longer linked list is taken for a cycle
MAX_NESTING = 5000  # of a value; a deeper one is taken for one that contains itself


def find_entry(namespace: dict[str, Any], name: str, class_name: str | None) -> Callable[..., Any]:
    """Return the function, or the method of a new instance. A program may have either, whichever was asked for.

    Raises NameError if it has neither.
    """
    holder = namespace.get(class_name or "Solution")
    if name in namespace and (class_name is None or holder is None):
        return namespace[name]
    if holder is None:
        raise NameError(f"the program defines neither {name} nor {class_name or 'Solution'}")
    return getattr(holder(), name)


def call_function(namespace: dict[str, Any], call: dict[str, Any]) -> str:
    """Return the value of one call as JSON; the argument that the call changed if that is the output."""
    function = find_entry(namespace, call["name"], call["class"])
    values = decode_all(call["arguments"], call["params"])
    value = function(*values)
    place = call["output"]
    return to_json(value, call["returns"]) if place is None else to_json(values[place], call["params"][place])


def call_methods(namespace: dict[str, Any], call: dict[str, Any]) -> str:
    """Make an object and call its methods, as in LeetCode's class problems; return the list of results as JSON.

    Each result becomes text before the next call, which may change it.
    """
    if call["class"] not in namespace:
        raise NameError(f"the program does not define {call['class']}")
    names, rows = call["arguments"]
    instance = namespace[call["class"]](*decode_all(rows[0], call["params"]))
    results = ["null"]
    for name, row in zip(names[1:], rows[1:], strict=True):
        params, returns = call["methods"].get(name, ((), ""))
        value = getattr(instance, name)(*decode_all(row, params))
        results.append("null" if returns == "void" else to_json(value, returns))
    return f"[{','.join(results)}]"


def decode_all(values: list[Any], kinds: list[str]) -> list[Any]:
    return [decode(value, kind) for value, kind in zip_longest(values, kinds[: len(values)], fillvalue="")]


def decode(value: Any, kind: str) -> Any:
    make = {"ListNode": build_list, "TreeNode": build_tree}.get(node_of(kind))
    if make is None:
        return value
    return [make(item) for item in value] if is_list(kind) and value is not None else make(value)


def node_of(kind: str) -> str:
    """Return the node class of a declared type; "" if it has none."""
    return "ListNode" if "ListNode" in kind else "TreeNode" if "TreeNode" in kind else ""


def is_list(kind: str) -> bool:
    kind = kind.lower()
    return any(mark in kind for mark in ("[]", "list[", "list<", "sequence["))


def build_list(values: list[Any] | None) -> Any:
    node = None
    make = sys.modules["__main__"].ListNode
    for value in reversed(values or ()):
        rest, node = node, make(value)  # a program's own ListNode may take the value alone
        node.next = rest
    return node


def build_tree(values: list[Any] | None) -> Any:
    if not values or values[0] is None:
        return None
    make = sys.modules["__main__"].TreeNode
    root = make(values[0])
    waiting, rest = [root], iter(values[1:])
    for node in waiting:
        for side in ("left", "right"):
            value = next(rest, None)
            if value is not None:
                child = make(value)
                setattr(node, side, child)
                waiting.append(child)
    return root


class Unencodable(Exception):
    """Raised for a value that cannot be JSON; the argument names its type."""


def encode(answer: Callable[[], str]) -> bytes:
    """Return a line: V and the value as JSON, or T and the name of the type that cannot be an answer."""
    try:
        return b"V" + answer().encode() + b"\n"
    except Unencodable as odd:
        return f"T{odd.args[0]!r}\n".encode()[:200]


def to_json(value: Any, kind: str) -> str:
    """Return a value of the declared type `kind` as JSON. Raises Unencodable."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(MAX_NESTING)
        return sys.modules["json"].dumps(plain_value(value, kind), separators=(",", ":"))
    except (ValueError, RecursionError) as odd:  # an integer of thousands of digits, a list that holds itself
        raise Unencodable(type(odd).__name__) from None
    finally:
        sys.setrecursionlimit(limit)


SCALARS = frozenset((int, float, str, bool, type(None)))


def plain_value(value: Any, kind: str) -> Any:
    """Return `value` with exact types only; tuples become lists. Raises Unencodable for subclasses and look-alikes."""
    node = node_of(kind)
    if node:
        return node_values(value, kind, node)
    exact = type(value)
    if exact in SCALARS:
        return value
    if exact is list or exact is tuple:
        return value if SCALARS.issuperset(map(type, value)) else [plain_value(item, kind) for item in value]
    if exact is dict and set(map(type, value)) in ({str}, {int}, set()):
        return {str(key): plain_value(item, kind) for key, item in value.items()}
    if not kind:  # without a declared type, the class name decides
        return node_values(value, exact.__name__, exact.__name__)
    raise Unencodable(exact.__name__)


def node_values(value: Any, kind: str, node: str) -> Any:
    """Return the values of a declared linked list or tree, or of a list of such. Raises Unencodable."""
    if type(value) in (list, tuple) and is_list(kind):
        return [node_values(item, node, node) for item in value]
    if value is None and node in ("ListNode", "TreeNode"):
        return []
    if type(value).__name__ != node or node not in ("ListNode", "TreeNode"):
        raise Unencodable(type(value).__name__)
    return list_values(value) if node == "ListNode" else tree_values(value)


def list_values(node: Any) -> list[Any]:
    values = []
    while node is not None:
        if len(values) >= MAX_NODES:
            raise Unencodable("ListNode cycle")
        values.append(plain_value(node.val, "value"))
        node = node.next
    return values


def tree_values(root: Any) -> list[Any]:
    values: list[Any] = []
    level = [root]
    for node in level:
        if len(level) > 2 * MAX_NODES:
            raise Unencodable("TreeNode cycle")
        values.append(None if node is None else plain_value(node.val, "value"))
        if node is not None:
            level += (node.left, node.right)
    while values and values[-1] is None:
        values.pop()
    return values
