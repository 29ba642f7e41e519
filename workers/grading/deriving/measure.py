"""Measurement of a call: its steps, its operands and its value. Runs in the sandbox like a judged program.

It imports nothing of ours. The call is made twice: once to count the bytecodes that the shown code executes, once with
each operator replaced by one that checks its operands, and each name, attribute and call by one that checks its value.
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
_MAX_OPERAND = 3  # of the smaller operand
_MAX_SHIFT = 10  # places: a longer shift is a power that is too large to work out by hand


class _TooLong(BaseException):
    pass


def measure(code: str, name: str, arguments: list[Any], most_steps: int) -> dict[str, Any]:
    """Return the bytecodes executed, whether all operands were small and none was a float, and the value.

    `plain`: the value is of types that JSON writes as Python does; else it is left out. So it is after `most_steps`.
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
    checks = _OperandChecks()
    space = {
        **globals(),
        "_check_operands": checks.check_operands,
        "_check_shift": checks.check_shift,
        "_check_value": checks.check_value,
    }
    _check_divisions(checks)
    exec(compile(ast.fix_missing_locations(_CheckInserter().visit(tree)), _FILE, "exec"), space)  # noqa: S102  # as above
    again = space[name](*copy.deepcopy(arguments))
    small = checks.small and again == value
    plain = _is_plain(value)
    return {"steps": steps, "small": small, "plain": plain, "value": value if plain else None}


def _is_plain(value: Any) -> bool:
    if type(value) is list:
        return all(map(_is_plain, value))
    return value is None or type(value) in (bool, int, str)


class _OperandChecks:
    """Checks of operands and values; `small` is False once one fails."""

    def __init__(self) -> None:
        self.small = True

    def check_operands(self, one: Any, other: Any) -> None:
        sizes = [self._size(value) for value in (one, other)]
        if None in sizes or min(size for size in sizes if size is not None) > _MAX_OPERAND:
            self.small = False

    def check_shift(self, one: Any, other: Any) -> None:
        self.check_operands(one, other)
        if isinstance(one, int) and isinstance(other, int) and abs(other) > _MAX_SHIFT:
            self.small = False

    def with_check(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def checked(*arguments: Any) -> Any:
            if len(arguments) == 2:
                self.check_operands(*arguments)
            return function(*arguments)

        return checked

    def check_value(self, value: Any) -> Any:
        """Return the value. A float fails even if it is no operand: it is hard to follow by hand."""
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


def _check_divisions(checks: _OperandChecks) -> None:
    """Check the operands of functions that divide two numbers, too, in the whole process, which ends after the call."""
    builtins.divmod = checks.with_check(divmod)
    math.gcd = checks.with_check(math.gcd)


_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "a + b", ast.Sub: "a - b", ast.Mult: "a * b", ast.FloorDiv: "a // b", ast.Mod: "a % b",
    ast.LShift: "a << b", ast.RShift: "a >> b", ast.BitAnd: "a & b", ast.BitOr: "a | b", ast.BitXor: "a ^ b",
    ast.MatMult: "a @ b", ast.Div: "a / b", ast.Pow: "a ** b",
}  # fmt: skip


def _check_of(operator: ast.operator) -> str:
    return "_check_shift" if isinstance(operator, ast.LShift | ast.RShift) else "_check_operands"


class _CheckInserter(ast.NodeTransformer):
    """Turns `a + b` into a call that checks both and adds them, and puts a call that checks them before `a += b`."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._with_check(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return self._with_check(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return self._with_check(node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node  # a pattern takes no call

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        return node

    @staticmethod
    def _with_check(node: ast.Name | ast.Attribute | ast.Call) -> ast.AST:
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return node
        return ast.copy_location(ast.Call(ast.Name("_check_value", ast.Load()), [node], []), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        text = f"(lambda a, b: ({_check_of(node.op)}(a, b), {_OPERATORS[type(node.op)]})[1])"
        function = ast.parse(text, mode="eval").body
        return ast.copy_location(ast.Call(function, [node.left, node.right], []), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        before = copy.deepcopy(node.target)
        for part in ast.walk(before):
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Store):
                part.ctx = ast.Load()
        name = ast.Name(_check_of(node.op), ast.Load())
        check = ast.Expr(ast.Call(name, [before, copy.deepcopy(node.value)], []))
        return [ast.copy_location(check, node), node]
