"""One input of a grammar: sizes and numbers first, then arrays and texts of these sizes."""

import random
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from app.domain.testgen.grammars.domains import Domains, Unsatisfiable, narrow
from app.domain.testgen.grammars.expressions import CallExpr, Expr, Key, Ref
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.grammars.validator import violation
from app.domain.testgen.sampling.arrays import ArrayFiller
from app.domain.testgen.sampling.fill import PickRule, pick_number

_MAX_ATTEMPTS = 12
_NARROW_SHARE = 0.6  # of small and random inputs, to have all numbers in a narrow range
_RULE_SHARE = 0.7  # of numbers, to follow the profile's rule
_TARGET_SHARE = 0.4  # of inputs, to have a number aimed at an array


class InputKind(StrEnum):
    """The reason why an input is in a suite."""

    EXAMPLE = "example"
    SMALL = "small"
    RANDOM = "random"
    EXTREME = "extreme"
    SLOW = "slow"


class InputProfile(NamedTuple):
    """Wanted properties of an input: at most `size` long, as long as allowed if `full`, numbers by the rule `manner`.

    `style` is that of the arrays and texts; None chooses one at random for each.
    """

    kind: InputKind
    size: int
    full: bool = False
    manner: PickRule | None = None
    style: str | None = None


def make_case(grammar: Grammar, profile: InputProfile, rng: random.Random) -> Mapping[str, Any]:
    """Return values of one case that keep to the grammar. Raises Unsatisfiable after some failed attempts."""
    for _attempt in range(_MAX_ATTEMPTS):
        try:
            values = _attempt_case(grammar, profile, rng)
        except Unsatisfiable:
            continue
        if violation(grammar, values) is None:
            return values
    raise Unsatisfiable


def _attempt_case(grammar: Grammar, profile: InputProfile, rng: random.Random) -> Mapping[str, Any]:
    domains = _narrowed_domains(grammar, profile, rng)
    _choose_sizes(grammar, profile, rng, domains)
    _choose_numbers(grammar, profile, rng, domains)
    filled = ArrayFiller(grammar, domains, rng, profile.style).values()
    values = {variable.name: filled[variable.name] for variable in grammar.variables}
    return _aim_at_array(grammar, values, rng) if rng.random() < _TARGET_SHARE else values


def _narrowed_domains(grammar: Grammar, profile: InputProfile, rng: random.Random) -> Domains:
    """Return the domains; in most small inputs all numbers are in one narrow range, so that they coincide."""
    domains = dict(grammar.domains)
    if profile.full or profile.kind not in (InputKind.SMALL, InputKind.RANDOM) or rng.random() > _NARROW_SHARE:
        return domains
    width = rng.choice((2, 4, 6, 10) if profile.kind is InputKind.SMALL else (6, 12, 30, 100))
    for key, (low, high) in grammar.domains.items():
        if not key.length and high - low > width:
            start = max(low, -(width // 2)) if high > 0 else high - width
            domains[key] = (start, min(high, start + width))
    try:
        narrow(grammar.relations, domains)
    except Unsatisfiable:
        return dict(grammar.domains)
    return domains


def _aim_at_array(grammar: Grammar, values: dict[str, Any], rng: random.Random) -> Mapping[str, Any]:
    """Set a number beside an array to a value to be found in it: an element, or a sum or difference of some."""
    pools = [value for value in values.values() if isinstance(value, list) and value and isinstance(value[0], int)]
    names = [variable.name for variable in grammar.variables if variable.base == "int" and not variable.depth]
    if not pools or not names:
        return values
    name, pool = rng.choice(names), rng.choice(pools)
    one, other = rng.choice(pool), rng.choice(pool)
    target = rng.choice((one, one + other, abs(one - other), sum(pool), sum(pool) // 2, max(pool), len(pool)))
    low, high = grammar.domains[Key(name)]
    aimed = {**values, name: target}
    return aimed if low <= target <= high and violation(grammar, aimed) is None else values


def _choose_sizes(grammar: Grammar, profile: InputProfile, rng: random.Random, domains: Domains) -> None:
    sizes = [key for key in grammar.domains if key.length and not is_jagged(grammar, key)]
    sizes.sort(key=lambda key: (len(key.path), rng.random()))
    for key in sizes:
        low, high = domains[key]
        most = max(low, min(high, profile.size))
        _fix_value(grammar, domains, key, most if profile.full else rng.randint(low, most))
    for key in grammar.domains:
        if key.length and is_jagged(grammar, key):
            low, high = domains[key]
            domains[key] = (low, max(low, min(high, profile.size)))


def is_jagged(grammar: Grammar, key: Key) -> bool:
    """Return whether rows may differ in this length: no relation makes it equal to something."""
    variable = grammar.by_name[key.name]
    if not key.path or (low_high := grammar.domains[key])[0] == low_high[1]:
        return False
    equal = any(_is_ref_to(key, relation.left) or _is_ref_to(key, relation.right)
                for relation in grammar.relations if relation.op == "==")  # fmt: skip
    return not equal and (variable.base == "str" or len(key.path) < variable.depth)


def _is_ref_to(key: Key, expr: Expr) -> bool:
    return isinstance(expr, Ref) and expr.key == key


def _choose_numbers(grammar: Grammar, profile: InputProfile, rng: random.Random, domains: Domains) -> None:
    names = [variable.name for variable in grammar.variables if not variable.lengths]
    rng.shuffle(names)
    for name in (*names, *grammar.hidden):
        key = Key(name)
        low, high = domains[key]
        if profile.full and _is_size(grammar, name):
            manner = PickRule.HIGH if rng.random() < 0.8 else PickRule.UNIFORM
        else:
            manner = profile.manner if profile.manner and rng.random() < _RULE_SHARE else rng.choice(list(PickRule))
        if profile.kind is InputKind.SMALL and profile.manner is None:
            manner = rng.choice((PickRule.LOW, PickRule.LOW, PickRule.LOG, PickRule.EDGE))
        _fix_value(grammar, domains, key, pick_number(rng, low, high, manner))


def _is_size(grammar: Grammar, name: str) -> bool:
    """Return whether a number acts as a size: it bounds a graph or a place in an array."""
    return any((isinstance(detail, Ref) and detail.name == name) or isinstance(detail, CallExpr)
               for fact in grammar.facts for detail in fact.details)  # fmt: skip


def _fix_value(grammar: Grammar, domains: Domains, key: Key, value: int) -> None:
    low, high = domains[key]
    if not low <= value <= high:
        raise Unsatisfiable
    domains[key] = (value, value)
    narrow(grammar.relations, domains)
