"""Validator: whether an input from a generator or a person keeps to a grammar."""

import itertools
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from app.domain.testgen.grammars.domains import ANY_VALUE, Domains, Unsatisfiable, narrow
from app.domain.testgen.grammars.expressions import CallExpr, Expr, Key, Num, Ref, Relation, combine
from app.domain.testgen.grammars.facts import FACTS
from app.domain.testgen.grammars.grammar import Grammar, Values, Variable

_HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
Indices = dict[str, int]


def violation(grammar: Grammar, values: Values) -> str | None:
    """Return what is wrong with an input of one case, in words; None if it keeps to the grammar."""
    for variable in grammar.variables:
        if not _has_type(values[variable.name], variable.base, variable.depth):
            return f"{variable.name} is no {variable.base}{'[]' * variable.depth}"
    try:
        context = {**values, **hidden_numbers(grammar, values)}
    except Unsatisfiable:
        return "the sizes contradict the constraints"
    for relation in grammar.relations:
        if not _holds(relation, context):
            return f"not so: {format_expression(relation)}"
    for fact in grammar.facts:
        details = [_detail_value(detail, context) for detail in fact.details]
        if not FACTS[fact.name](context[fact.variable], context, *details):
            return f"{fact.variable} is not {fact.name}"
    return None


def _detail_value(detail: Any, context: Mapping[str, Any]) -> Any:
    """Return a fact's detail, with quantities replaced by their values."""
    return evaluate(detail, context, {}) if isinstance(detail, Ref | CallExpr | Num) else detail


def _has_type(value: Any, base: str, depth: int) -> bool:
    if depth:
        return isinstance(value, list) and all(_has_type(item, base, depth - 1) for item in value)
    return type(value) is {"int": int, "str": str, "bool": bool}[base]


def hidden_numbers(grammar: Grammar, values: Values) -> dict[str, int]:
    """Return the hidden numbers that follow from the values, the greatest possible ones if some are open.

    Raises Unsatisfiable if none fits.
    """
    domains = sizes_of(grammar, values)
    narrow(grammar.relations, domains)
    return {name: domains[Key(name)][1] for name in grammar.hidden}


def sizes_of(grammar: Grammar, values: Values) -> Domains:
    """Return the known numbers and lengths of an input, as domains of one value each."""
    domains: Domains = {Key(name): ANY_VALUE for name in grammar.hidden}
    for variable in grammar.variables:
        if variable.name in values:
            domains.update(_sizes(variable, values[variable.name]))
    return domains


def _sizes(variable: Variable, value: Any) -> Domains:
    if not variable.lengths:
        return {Key(variable.name): (int(value), int(value))}
    domains: Domains = {}
    level = [value]
    for depth in range(variable.lengths):
        lengths = {len(array) for array in level}
        if len(lengths) == 1:
            (length,) = lengths
            domains[Key(variable.name, (None,) * depth, length=True)] = (length, length)
        level = [inner for array in level for inner in array] if depth + 1 < variable.lengths else []
    return domains


def _holds(relation: Relation, context: Mapping[str, Any]) -> bool:
    holds = _HOLDS[relation.op]
    free = [ref for ref in _refs_outside_sums(relation) if ref.path]
    names = sorted({place.name for ref in free for place in ref.path if place.name})
    if not names:
        if any(not _exists(ref, context, {}) for ref in free):
            return True  # the input has no such place
        return holds(evaluate(relation.left, context, {}), evaluate(relation.right, context, {}))
    if len(free) == 1 and free[0].key is not None and relation.op != "!=":
        return _holds_everywhere(relation, free[0], context)
    left, right = _compile(relation.left, context), _compile(relation.right, context)
    return all(
        holds(left(at), right(at))
        for at in _places(names, free, context)
        if all(_exists(ref, context, at) for ref in free)
    )


def _holds_everywhere(relation: Relation, ref: Ref, context: Mapping[str, Any]) -> bool:
    """Return whether a relation of one array to a constant holds; extremes decide if a side is the array itself."""
    numbers = elements(ref, context[ref.name])
    if not numbers:
        return True
    holds = _HOLDS[relation.op]
    extremes = {min(numbers), max(numbers)}
    alone = isinstance(relation.left, Ref) or isinstance(relation.right, Ref)
    samples = extremes if alone else set(numbers)

    def side(expr: Expr, value: int) -> int:
        return _evaluate_with(expr, ref, value, context)

    return all(holds(side(relation.left, value), side(relation.right, value)) for value in samples)


def _evaluate_with(expr: Expr, ref: Ref, value: int, context: Mapping[str, Any]) -> int:
    if expr == ref:
        return value
    if isinstance(expr, CallExpr) and expr.name != "sum":
        return combine(expr.name, [_evaluate_with(arg, ref, value, context) for arg in expr.args])
    return evaluate(expr, context, {})


def _refs_outside_sums(relation: Relation) -> Iterable[Ref]:
    waiting: list[Expr] = [relation.left, relation.right]
    while waiting:
        expr = waiting.pop()
        if isinstance(expr, Ref):
            yield expr
        elif isinstance(expr, CallExpr) and expr.name != "sum":
            waiting.extend(expr.args)


def elements(ref: Ref, value: Any) -> list[int]:
    """Return every number that a reference stands for; characters as their code points."""
    level = [value]
    for place in ref.path:
        if place.name:
            level = [inner for array in level for inner in array]
        else:
            level = [array[place.shift] for array in level if place.shift < len(array)]
    if ref.length:
        return [len(array) for array in level]
    return [ord(leaf) if isinstance(leaf, str) else leaf for leaf in level]


def _places(names: list[str], free: list[Ref], context: Mapping[str, Any]) -> Iterable[Indices]:
    ranges = []
    for name in names:
        longest = [_longest(context[ref.name], level) for ref in free for level, place in enumerate(ref.path)
                   if place.name == name]  # fmt: skip
        ranges.append(range(min(longest)))
    for combination in itertools.product(*ranges):
        yield dict(zip(names, combination, strict=True))


def _longest(value: Any, level: int) -> int:
    for _ in range(level):
        value = max(value, key=len, default=[])
    return len(value)


def _exists(ref: Ref, context: Mapping[str, Any], at: Indices) -> bool:
    value = context[ref.name]
    for place in ref.path:
        where = at[place.name] + place.shift if place.name else place.shift
        if not 0 <= where < len(value):
            return False
        value = value[where]
    return True


def evaluate(expr: Expr, context: Mapping[str, Any], at: Indices) -> int:
    """Return an expression's value for these values and indices."""
    return _compile(expr, context)(at)


def _compile(expr: Expr, context: Mapping[str, Any]) -> Callable[[Indices], int]:
    if isinstance(expr, Num):
        number = expr.value
        return lambda _: number
    if isinstance(expr, Ref):
        return _reader(expr, context[expr.name])
    if expr.name == "sum":
        (ref,) = expr.args
        total = sum(elements(ref, context[ref.name])) if isinstance(ref, Ref) else 0
        return lambda _: total
    name, parts = expr.name, [_compile(arg, context) for arg in expr.args]
    return lambda at: combine(name, [part(at) for part in parts])


def _reader(ref: Ref, value: Any) -> Callable[[Indices], int]:
    steps = [(place.name, place.shift) for place in ref.path]
    length = ref.length

    def read(at: Indices) -> int:
        item = value
        for name, shift in steps:
            item = item[at[name] + shift if name else shift]
        if length:
            return len(item)
        return ord(item) if isinstance(item, str) else int(item)

    return read


def format_expression(expr: Expr | Relation) -> str:
    """Return an expression or relation as a person writes it."""
    if isinstance(expr, Relation):
        return f"{format_expression(expr.left)} {expr.op} {format_expression(expr.right)}"
    if isinstance(expr, Num):
        return str(expr.value)
    if isinstance(expr, Ref):
        path = "".join(f"[{place.name}{f'{place.shift:+}' if place.shift and place.name else ''}"
                       f"{place.shift if not place.name else ''}]" for place in expr.path)  # fmt: skip
        return f"{expr.name}{path}{'.length' if expr.length else ''}"
    if len(expr.args) == 2 and not expr.name.isalpha():
        return f"({format_expression(expr.args[0])} {expr.name} {format_expression(expr.args[1])})"
    return f"{expr.name}({', '.join(map(format_expression, expr.args))})"
