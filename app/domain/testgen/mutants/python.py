"""Mutants of Python programs, by syntax trees."""

import ast
from collections.abc import Iterator

from app.domain.errors import InvalidInput

SLOWER = "slower"  # right, but its time grows faster: only a large input reveals it
_MAX_CHARS = 60_000

_COMPARISONS: dict[type[ast.cmpop], tuple[tuple[str, type[ast.cmpop]], ...]] = {
    ast.Lt: (("boundary", ast.LtE), ("comparison", ast.Gt)),
    ast.LtE: (("boundary", ast.Lt), ("comparison", ast.GtE)),
    ast.Gt: (("boundary", ast.GtE), ("comparison", ast.Lt)),
    ast.GtE: (("boundary", ast.Gt), ("comparison", ast.LtE)),
    ast.Eq: (("comparison", ast.NotEq),),
    ast.NotEq: (("comparison", ast.Eq),),
    ast.In: (("comparison", ast.NotIn),),
    ast.NotIn: (("comparison", ast.In),),
    ast.Is: (("comparison", ast.IsNot),),
    ast.IsNot: (("comparison", ast.Is),),
}
_OPERATORS: dict[type[ast.operator], tuple[tuple[str, type[ast.operator]], ...]] = {
    ast.Add: (("arithmetic", ast.Sub),),
    ast.Sub: (("arithmetic", ast.Add),),
    ast.Mult: (("arithmetic", ast.Add),),
    ast.FloorDiv: (("division", ast.Div),),
    ast.Div: (("division", ast.FloorDiv),),
    ast.BitAnd: (("arithmetic", ast.BitOr),),
    ast.BitOr: (("arithmetic", ast.BitAnd),),
    ast.BitXor: (("arithmetic", ast.BitOr),),
    ast.LShift: (("arithmetic", ast.RShift),),
    ast.RShift: (("arithmetic", ast.LShift),),
}
_FUNCTION_SWAPS = {"min": "max", "max": "min", "any": "all", "all": "any", "bisect_left": "bisect_right",
          "bisect_right": "bisect_left", "bisect": "bisect_left", "floor": "ceil", "ceil": "floor"}  # fmt: skip


def python_mutants(code: str, entry: str | None = None) -> list[tuple[str, int, str]]:
    """Return (operator, line, source) of each mutant of used code. `entry` is the name that is called.

    Raises InvalidInput if the program is not Python.
    """
    if len(code) > _MAX_CHARS:
        return []
    try:
        tree = ast.parse(code)
        return list(_mutants(tree, _used_statements(tree, entry)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
        raise InvalidInput(f"a reference is not readable as Python: {wrong}") from wrong


def _used_statements(tree: ast.Module, entry: str | None) -> list[ast.stmt]:
    """Return the statements of a module that its entry, or running it, can reach by name."""
    waiting = [node for node in tree.body if (_defines(node, entry) if entry else not _defined_names(node))]
    nodes: list[ast.stmt] = []
    while waiting:
        node = waiting.pop()
        if node in nodes:
            continue
        nodes.append(node)
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        waiting += [other for other in tree.body if _defined_names(other) & names]
    return [node for node in tree.body if node in nodes]


def _defined_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement defines without running code."""
    return {node.name} if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else set()


def _defines(node: ast.stmt, entry: str) -> bool:
    """Return whether a statement defines what is called: that name, or a class with such a method."""
    return entry in _defined_names(node) or (
        isinstance(node, ast.ClassDef) and any(entry in _defined_names(part) for part in node.body)
    )


def _mutants(tree: ast.Module, nodes: list[ast.stmt]) -> Iterator[tuple[str, int, str]]:
    spots = [(tree, "body", at, node) for at, node in enumerate(tree.body) if node in nodes]
    for parent, name, place, node in [*spots, *(spot for statement in nodes for spot in _spots(statement))]:
        for operator, changed in _changes(node, parent, name):
            line = getattr(node, "lineno", getattr(parent, "lineno", 0))
            yield operator, line, _source_with(tree, parent, name, place, changed)


def _spots(tree: ast.stmt) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    for parent in ast.walk(tree):
        if isinstance(parent, ast.arguments | ast.arg):
            continue
        for name, value in ast.iter_fields(parent):
            if name in ("annotation", "returns", "decorator_list", "type_params", "format_spec"):
                continue
            if isinstance(value, ast.AST):
                yield parent, name, None, value
            elif isinstance(value, list):
                for place, item in enumerate(value):
                    if isinstance(item, ast.AST):
                        yield parent, name, place, item


def _source_with(tree: ast.Module, parent: ast.AST, name: str, place: int | None, changed: ast.AST) -> str:
    """Return the source with one node changed; the tree is restored, since a copy for each takes far longer."""
    fixed = ast.fix_missing_locations(changed)
    if place is None:
        original = getattr(parent, name)
        setattr(parent, name, fixed)
        text = ast.unparse(tree)
        setattr(parent, name, original)
    else:
        nodes = getattr(parent, name)
        original, nodes[place] = nodes[place], fixed
        text = ast.unparse(tree)
        nodes[place] = original
    return text + "\n"


def _changes(node: ast.AST, parent: ast.AST, name: str) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Compare):
        yield from _comparisons(node)
    elif isinstance(node, ast.BinOp):
        yield from _arithmetic(node)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "connective", ast.BoolOp(other, node.values)
        yield "branch", node.values[0]
        yield "branch", node.values[-1]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "negation", node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node, parent, name)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.stmt):
        yield from _statements(node)


def _comparisons(node: ast.Compare) -> Iterator[tuple[str, ast.AST]]:
    for place, op in enumerate(node.ops):
        for operator, other in _COMPARISONS.get(type(op), ()):
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield operator, ast.Compare(node.left, ops, node.comparators)


def _arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[tuple[str, ast.AST]]:
    for operator, other in _OPERATORS.get(type(node.op), ()):
        if isinstance(node, ast.BinOp):
            yield operator, ast.BinOp(node.left, other(), node.right)
        else:
            yield operator, ast.AugAssign(node.target, other(), node.value)
    if isinstance(node.op, ast.Mod):
        if isinstance(node, ast.BinOp) and not isinstance(node.left, ast.Constant):
            yield "modulo", node.left
        elif isinstance(node, ast.AugAssign):
            yield "modulo", ast.Pass()


def _constants(node: ast.Constant, parent: ast.AST, name: str) -> Iterator[tuple[str, ast.AST]]:
    value = node.value
    if isinstance(parent, ast.Expr | ast.JoinedStr):
        return
    operator = "initial" if isinstance(parent, ast.Assign | ast.AnnAssign) and name == "value" else "constant"
    if isinstance(value, bool):
        yield operator, ast.Constant(not value)
    elif isinstance(value, int):
        for other in (value + 1, value - 1):
            yield operator, ast.Constant(other) if other >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-other))
    elif isinstance(value, float):
        yield operator, ast.Constant(value + 1)
    elif isinstance(value, str) and value:
        yield operator, ast.Constant(value[:-1])


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    function = node.func
    if isinstance(function, ast.Name) and function.id in _FUNCTION_SWAPS:
        yield "extreme", ast.Call(ast.Name(_FUNCTION_SWAPS[function.id], ast.Load()), node.args, node.keywords)
    elif isinstance(function, ast.Attribute) and function.attr in _FUNCTION_SWAPS:
        extreme = ast.Attribute(function.value, _FUNCTION_SWAPS[function.attr], ast.Load())
        yield "extreme", ast.Call(extreme, node.args, node.keywords)
    elif isinstance(function, ast.Name) and function.id == "range" and 1 <= len(node.args) <= 3:
        end = 0 if len(node.args) == 1 else 1
        for sign in (ast.Add(), ast.Sub()):
            bound = ast.BinOp(node.args[end], sign, ast.Constant(1))
            yield "range", ast.Call(function, [*node.args[:end], bound, *node.args[end + 1 :]], [])
        if len(node.args) > 1:
            bound = ast.BinOp(node.args[0], ast.Add(), ast.Constant(1))
            yield "range", ast.Call(function, [bound, *node.args[1:]], [])
    elif isinstance(function, ast.Name) and function.id in ("sorted", "abs", "set") and len(node.args) == 1:
        as_list = ast.Call(ast.Name("list", ast.Load()), node.args, [])
        yield "missing call", node.args[0] if function.id == "abs" else as_list


def _statements(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.If):
        yield "branch", ast.If(ast.Constant(value=True), node.body, [])
        yield "branch", ast.If(ast.Constant(value=False), node.body, node.orelse) if node.orelse else ast.Pass()
    elif isinstance(node, ast.Break):
        yield "flow", ast.Pass()
    elif isinstance(node, ast.Continue):
        yield "flow", ast.Break()
    elif isinstance(node, ast.FunctionDef) and node.decorator_list:
        yield SLOWER, ast.FunctionDef(node.name, node.args, node.body, [], node.returns, lineno=node.lineno)
    elif isinstance(node, ast.For | ast.While):
        if isinstance(node, ast.For):
            yield SLOWER, ast.For(node.target, _slow_iterable(node.iter), node.body, node.orelse, None)
        leave = [*node.body, ast.Break()]
        yield "early end", (ast.For(node.target, node.iter, leave, node.orelse, None) if isinstance(node, ast.For)
                            else ast.While(node.test, leave, node.orelse))  # fmt: skip
    elif isinstance(node, ast.AugAssign):
        yield from _arithmetic(node)
        yield "missing statement", ast.Pass()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "missing statement", ast.Pass()


def _slow_iterable(iterable: ast.expr) -> ast.expr:
    """Return an expression with the same elements, the n-th delayed by n empty steps."""
    text = "(item for n, item in enumerate(ITEMS) if not any(False for _ in range(n)))"
    generator = ast.parse(text, mode="eval").body
    assert isinstance(generator, ast.GeneratorExp)
    counted = generator.generators[0].iter
    assert isinstance(counted, ast.Call)
    counted.args = [iterable]
    return generator
