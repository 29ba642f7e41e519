"""Whether an input keeps to a grammar: the validator of whatever a generator or a person came up with."""

import itertools
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from app.domain.testgen.grammars.domains import ANY, Domains, Unsatisfiable, narrow
from app.domain.testgen.grammars.expressions import Call, Expr, Key, Num, Ref, Relation, combine
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
    """What is wrong with an input of one case, in words; None when it keeps to the grammar."""
    for variable in grammar.variables:
        if not _typed(values[variable.name], variable.base, variable.depth):
            return f"{variable.name} is no {variable.base}{'[]' * variable.depth}"
    try:
        context = {**values, **hidden(grammar, values)}
    except Unsatisfiable:
        return "the sizes contradict the constraints"
    for relation in grammar.relations:
        if not _holds(relation, context):
            return f"not so: {show(relation)}"
    for fact in grammar.facts:
        details = [_number(detail, context) for detail in fact.details]
        if not FACTS[fact.name](context[fact.variable], context, *details):
            return f"{fact.variable} is not {fact.name}"
    return None


def _number(detail: Any, context: Mapping[str, Any]) -> Any:
    """A fact's detail, with the value in the place of a quantity."""
    return evaluate(detail, context, {}) if isinstance(detail, Ref | Call | Num) else detail


def _typed(value: Any, base: str, depth: int) -> bool:
    if depth:
        return isinstance(value, list) and all(_typed(item, base, depth - 1) for item in value)
    return type(value) is {"int": int, "str": str, "bool": bool}[base]


def hidden(grammar: Grammar, values: Values) -> dict[str, int]:
    """The hidden numbers that follow from the values, the greatest possible where that leaves some open.

    Raises Unsatisfiable when none would do.
    """
    domains = sizes_of(grammar, values)
    narrow(grammar.relations, domains)
    return {name: domains[Key(name)][1] for name in grammar.hidden}


def sizes_of(grammar: Grammar, values: Values) -> Domains:
    """The numbers and lengths of an input, as far as it is known, as domains of one value each."""
    domains: Domains = {Key(name): ANY for name in grammar.hidden}
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
    free = [ref for ref in _outside_sums(relation) if ref.path]
    names = sorted({place.name for ref in free for place in ref.path if place.name})
    if not names:
        if any(not _there(ref, context, {}) for ref in free):
            return True  # a place that this input does not have
        return holds(evaluate(relation.left, context, {}), evaluate(relation.right, context, {}))
    if len(free) == 1 and free[0].key is not None and relation.op != "!=":
        return _holds_everywhere(relation, free[0], context)
    left, right = _compiled(relation.left, context), _compiled(relation.right, context)
    return all(
        holds(left(at), right(at))
        for at in _places(names, free, context)
        if all(_there(ref, context, at) for ref in free)
    )


def _holds_everywhere(relation: Relation, ref: Ref, context: Mapping[str, Any]) -> bool:
    """One array against what is the same for all its elements: the extremes decide for each side that is the array."""
    numbers = elements(ref, context[ref.name])
    if not numbers:
        return True
    holds = _HOLDS[relation.op]
    extremes = {min(numbers), max(numbers)}
    alone = isinstance(relation.left, Ref) or isinstance(relation.right, Ref)
    samples = extremes if alone else set(numbers)

    def side(expr: Expr, value: int) -> int:
        return _with(expr, ref, value, context)

    return all(holds(side(relation.left, value), side(relation.right, value)) for value in samples)


def _with(expr: Expr, ref: Ref, value: int, context: Mapping[str, Any]) -> int:
    if expr == ref:
        return value
    if isinstance(expr, Call) and expr.name != "sum":
        return combine(expr.name, [_with(arg, ref, value, context) for arg in expr.args])
    return evaluate(expr, context, {})


def _outside_sums(relation: Relation) -> Iterable[Ref]:
    waiting: list[Expr] = [relation.left, relation.right]
    while waiting:
        expr = waiting.pop()
        if isinstance(expr, Ref):
            yield expr
        elif isinstance(expr, Call) and expr.name != "sum":
            waiting.extend(expr.args)


def elements(ref: Ref, value: Any) -> list[int]:
    """Every number a reference stands for; characters as their code points."""
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


def _there(ref: Ref, context: Mapping[str, Any], at: Indices) -> bool:
    value = context[ref.name]
    for place in ref.path:
        where = at[place.name] + place.shift if place.name else place.shift
        if not 0 <= where < len(value):
            return False
        value = value[where]
    return True


def evaluate(expr: Expr, context: Mapping[str, Any], at: Indices) -> int:
    """An expression's value for these values and places."""
    return _compiled(expr, context)(at)


def _compiled(expr: Expr, context: Mapping[str, Any]) -> Callable[[Indices], int]:
    if isinstance(expr, Num):
        number = expr.value
        return lambda _: number
    if isinstance(expr, Ref):
        return _reader(expr, context[expr.name])
    if expr.name == "sum":
        (ref,) = expr.args
        total = sum(elements(ref, context[ref.name])) if isinstance(ref, Ref) else 0
        return lambda _: total
    name, parts = expr.name, [_compiled(arg, context) for arg in expr.args]
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


def show(expr: Expr | Relation) -> str:
    """An expression or relation as a person writes it."""
    if isinstance(expr, Relation):
        return f"{show(expr.left)} {expr.op} {show(expr.right)}"
    if isinstance(expr, Num):
        return str(expr.value)
    if isinstance(expr, Ref):
        path = "".join(f"[{place.name}{f'{place.shift:+}' if place.shift and place.name else ''}"
                       f"{place.shift if not place.name else ''}]" for place in expr.path)  # fmt: skip
        return f"{expr.name}{path}{'.length' if expr.length else ''}"
    if len(expr.args) == 2 and not expr.name.isalpha():
        return f"({show(expr.args[0])} {expr.name} {show(expr.args[1])})"
    return f"{expr.name}({', '.join(map(show, expr.args))})"
