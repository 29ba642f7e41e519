"""Runs inside the sandbox, as a program that is judged: how a call runs, and what it returns. Imports nothing of ours.

A call is made twice: once to count the bytecodes that the shown code executes, once with every operator replaced by one
that looks at its operands, and a look at whatever a name, an attribute or a call gives.
"""

import ast
import builtins
import copy
import math
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

_FILE = "shown.py"
_SMALL = 3
_MOST_SHIFTED = 10  # places: more of them are a power that nobody works out by hand


class _TooLong(BaseException):
    pass


def measure(code: str, name: str, arguments: list[Any], most_steps: int) -> dict[str, Any]:
    """Bytecodes executed, whether all operands were small and none was a float, and the value returned.

    `plain` says whether the value is of the types that JSON writes as Python does.
    """
    tree = ast.parse(code)
    steps = 0

    def count(frame: FrameType, event: str, _argument: object) -> Callable[..., Any] | None:
        nonlocal steps
        if frame.f_code.co_filename != _FILE:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            steps += 1
            if steps > most_steps:
                raise _TooLong
        return count

    space = dict(globals())
    sys.settrace(count)
    try:
        exec(compile(tree, _FILE, "exec"), space)  # noqa: S102  # in the sandbox, and nowhere else
        value = space[name](*copy.deepcopy(arguments))
    except _TooLong:
        return {"steps": steps, "small": False, "plain": False, "value": None}
    finally:
        sys.settrace(None)
    looks = _Looks()
    space = {**globals(), "_looked": looks.looked, "_shifted": looks.shifted, "_seen": looks.seen}
    _look_into_calls(looks)
    exec(compile(ast.fix_missing_locations(_Replaced().visit(tree)), _FILE, "exec"), space)  # noqa: S102  # as above
    again = space[name](*copy.deepcopy(arguments))
    small = looks.small and again == value
    plain = _is_plain(value)
    return {"steps": steps, "small": small, "plain": plain, "value": value if plain else None}


def _is_plain(value: Any) -> bool:
    if type(value) is list:
        return all(map(_is_plain, value))
    return value is None or type(value) in (bool, int, str)


class _Looks:
    def __init__(self) -> None:
        self.small = True

    def looked(self, one: Any, other: Any) -> None:
        sizes = [self._size(value) for value in (one, other)]
        if None in sizes or min(size for size in sizes if size is not None) > _SMALL:
            self.small = False

    def shifted(self, one: Any, other: Any) -> None:
        self.looked(one, other)
        if isinstance(one, int) and isinstance(other, int) and abs(other) > _MOST_SHIFTED:
            self.small = False

    def looking(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            if len(given) == 2:
                self.looked(*given)
            return function(*given)

        return called

    def seen(self, value: Any) -> Any:
        """No float is worked with by hand, even where nothing is reckoned with it."""
        if isinstance(value, float | complex):
            self.small = False
        return value

    @staticmethod
    def _size(value: Any) -> int | None:
        if isinstance(value, int):
            return abs(value)
        if isinstance(value, float | complex):
            return None
        return len(value) if hasattr(value, "__len__") else 0


def _look_into_calls(looks: _Looks) -> None:
    """Of the functions that divide two numbers the operands are looked at, too. This process runs nothing after it."""
    builtins.divmod = looks.looking(divmod)
    math.gcd = looks.looking(math.gcd)


_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "a + b", ast.Sub: "a - b", ast.Mult: "a * b", ast.FloorDiv: "a // b", ast.Mod: "a % b",
    ast.LShift: "a << b", ast.RShift: "a >> b", ast.BitAnd: "a & b", ast.BitOr: "a | b", ast.BitXor: "a ^ b",
    ast.MatMult: "a @ b", ast.Div: "a / b", ast.Pow: "a ** b",
}  # fmt: skip


def _look(operator: ast.operator) -> str:
    return "_shifted" if isinstance(operator, ast.LShift | ast.RShift) else "_looked"


class _Replaced(ast.NodeTransformer):
    """`a + b` becomes a call that looks at both and adds them; before `a += b` there is one that only looks."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._seen(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return self._seen(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return self._seen(node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node  # a pattern takes no call

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        return node

    @staticmethod
    def _seen(node: ast.Name | ast.Attribute | ast.Call) -> ast.AST:
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return node
        return ast.copy_location(ast.Call(ast.Name("_seen", ast.Load()), [node], []), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        text = f"(lambda a, b: ({_look(node.op)}(a, b), {_OPERATORS[type(node.op)]})[1])"
        function = ast.parse(text, mode="eval").body
        return ast.copy_location(ast.Call(function, [node.left, node.right], []), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        before = copy.deepcopy(node.target)
        for part in ast.walk(before):
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Store):
                part.ctx = ast.Load()
        name = ast.Name(_look(node.op), ast.Load())
        look = ast.Expr(ast.Call(name, [before, copy.deepcopy(node.value)], []))
        return [ast.copy_location(look, node), node]
