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

NODES = 1_000_000  # longer linked answers are taken for cycles
NESTING = 5000  # of a value; a deeper one holds itself


def entry(namespace: dict[str, Any], name: str, class_name: str | None) -> Callable[..., Any]:
    """The function, or the method of a fresh instance. A bare function does where a class was asked for, and back."""
    holder = namespace.get(class_name or "Solution")
    if name in namespace and (class_name is None or holder is None):
        return namespace[name]
    if holder is None:
        raise NameError(f"the program defines neither {name} nor {class_name or 'Solution'}")
    return getattr(holder(), name)


def one_call(namespace: dict[str, Any], call: dict[str, Any]) -> str:
    function = entry(namespace, call["name"], call["class"])
    values = decoded(call["arguments"], call["params"])
    value = function(*values)
    place = call["output"]
    return text(value, call["returns"]) if place is None else text(values[place], call["params"][place])


def design(namespace: dict[str, Any], call: dict[str, Any]) -> str:
    """LeetCode's class problems: make the object, then call its methods; each result is taken as it is then."""
    if call["class"] not in namespace:
        raise NameError(f"the program does not define {call['class']}")
    names, rows = call["arguments"]
    instance = namespace[call["class"]](*decoded(rows[0], call["params"]))
    results = ["null"]
    for name, row in zip(names[1:], rows[1:], strict=True):
        params, returns = call["methods"].get(name, ((), ""))
        value = getattr(instance, name)(*decoded(row, params))
        results.append("null" if returns == "void" else text(value, returns))
    return f"[{','.join(results)}]"


def decoded(values: list[Any], kinds: list[str]) -> list[Any]:
    return [decode(value, kind) for value, kind in zip_longest(values, kinds[: len(values)], fillvalue="")]


def decode(value: Any, kind: str) -> Any:
    make = {"ListNode": linked, "TreeNode": tree}.get(node_of(kind))
    if make is None:
        return value
    return [make(item) for item in value] if is_list(kind) and value is not None else make(value)


def node_of(kind: str) -> str:
    return "ListNode" if "ListNode" in kind else "TreeNode" if "TreeNode" in kind else ""


def is_list(kind: str) -> bool:
    kind = kind.lower()
    return any(mark in kind for mark in ("[]", "list[", "list<", "sequence["))


def linked(values: list[Any] | None) -> Any:
    node = None
    make = sys.modules["__main__"].ListNode
    for value in reversed(values or ()):
        rest, node = node, make(value)  # a program's own ListNode may take the value alone
        node.next = rest
    return node


def tree(values: list[Any] | None) -> Any:
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
    """A value that is no JSON value; the argument names its type."""


def encode(answer: Callable[[], str]) -> bytes:
    """One line: V and the value as JSON, or T and the name of the type that cannot be an answer."""
    try:
        return b"V" + answer().encode() + b"\n"
    except Unencodable as odd:
        return f"T{odd.args[0]!r}\n".encode()[:200]


def text(value: Any, kind: str) -> str:
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(NESTING)
        return sys.modules["json"].dumps(plain_value(value, kind), separators=(",", ":"))
    except (ValueError, RecursionError) as odd:  # an integer of thousands of digits, a list that holds itself
        raise Unencodable(type(odd).__name__) from None
    finally:
        sys.setrecursionlimit(limit)


SCALARS = frozenset((int, float, str, bool, type(None)))


def plain_value(value: Any, kind: str) -> Any:
    """`value` with exact types only: subclasses and look-alikes are refused; tuples count as lists."""
    node = node_of(kind)
    if node:
        return nodes(value, kind, node)
    exact = type(value)
    if exact in SCALARS:
        return value
    if exact is list or exact is tuple:
        return value if SCALARS.issuperset(map(type, value)) else [plain_value(item, kind) for item in value]
    if exact is dict and set(map(type, value)) in ({str}, {int}, set()):
        return {str(key): plain_value(item, kind) for key, item in value.items()}
    if not kind:  # nothing is declared: what it looks like is what it is
        return nodes(value, exact.__name__, exact.__name__)
    raise Unencodable(exact.__name__)


def nodes(value: Any, kind: str, node: str) -> Any:
    """A declared list or tree, or a list of such."""
    if type(value) in (list, tuple) and is_list(kind):
        return [nodes(item, node, node) for item in value]
    if value is None and node in ("ListNode", "TreeNode"):
        return []
    if type(value).__name__ != node or node not in ("ListNode", "TreeNode"):
        raise Unencodable(type(value).__name__)
    return list_values(value) if node == "ListNode" else tree_values(value)


def list_values(node: Any) -> list[Any]:
    values = []
    while node is not None:
        if len(values) >= NODES:
            raise Unencodable("ListNode cycle")
        values.append(plain_value(node.val, "value"))
        node = node.next
    return values


def tree_values(root: Any) -> list[Any]:
    values: list[Any] = []
    level = [root]
    for node in level:
        if len(level) > 2 * NODES:
            raise Unencodable("TreeNode cycle")
        values.append(None if node is None else plain_value(node.val, "value"))
        if node is not None:
            level += (node.left, node.right)
    while values and values[-1] is None:
        values.pop()
    return values
