"""Candidate inputs of four kinds: small and exhaustive, random, extreme, and slow to answer."""

import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.domain.testgen.grammars.domains import Unsatisfiable
from app.domain.testgen.grammars.expressions import Key, Num, Relation
from app.domain.testgen.grammars.grammar import Grammar, Values, Variable
from app.domain.testgen.grammars.layout import render
from app.domain.testgen.grammars.validator import evaluate, violation
from app.domain.testgen.sampling.fill import PickRule
from app.domain.testgen.sampling.sample import InputKind, InputProfile, make_case


class Candidate(NamedTuple):
    """An input and its kind."""

    kind: InputKind
    given: Any

    @property
    def size(self) -> int:
        """Its characters, as text or as JSON."""
        return len(self.given if isinstance(self.given, str) else json.dumps(self.given))


class CandidateCounts(NamedTuple):
    """The number of inputs to try of each kind; `bytes` bounds all of them together."""

    exhaustive: int = 60
    small: int = 90
    random: int = 70
    extreme: int = 30
    slow: int = 10
    bytes: int = 32_000_000


SLOW_STYLES = (
    "uniform", "same", "ends", "ascending", "descending", "narrow", "highest", "few", "doubling", "palindrome",
    "runs", "one_odd", "periodic", "fibonacci",
)  # fmt: skip
_SLOW_PICK_RULES = (PickRule.HIGH, PickRule.MIDDLE, PickRule.EDGE, None, PickRule.LOW)
_SMALL_SIZES = (1, 2, 3, 4, 5, 6, 8)
_RANDOM_SIZES = (8, 10, 12, 16, 20, 30, 40, 60, 100, 300)
_MAX_COMBINATIONS = 4000


def candidates(grammar: Grammar, seed: int, amounts: CandidateCounts | None = None) -> Iterator[Candidate]:
    """Yield distinct inputs that keep to the grammar, small ones first; deterministic in `seed`."""
    amounts = amounts or CandidateCounts()
    texts: set[str] = set()
    left = amounts.bytes
    for candidate in _all_candidates(grammar, seed, amounts):
        text = candidate.given if isinstance(candidate.given, str) else json.dumps(candidate.given)
        if text in texts or len(text) > left:
            continue
        texts.add(text)
        left -= len(text)
        yield candidate


def _all_candidates(grammar: Grammar, seed: int, amounts: CandidateCounts) -> Iterator[Candidate]:
    rng = random.Random(seed)  # noqa: S311  # tests, not secrets
    for values in itertools.islice(smallest_inputs(grammar, rng), amounts.exhaustive):
        yield Candidate(InputKind.SMALL, _write_input(grammar, [values]))
    for kind, profiles in _profiles(amounts).items():
        for number, profile in enumerate(profiles):
            own = random.Random(f"{seed} {kind} {number}")  # noqa: S311
            try:
                yield Candidate(kind, _write_input(grammar, _cases(grammar, profile, own)))
            except Unsatisfiable:
                continue


def _profiles(amounts: CandidateCounts) -> Mapping[InputKind, list[InputProfile]]:
    manners = (PickRule.EDGE, PickRule.LOW, PickRule.HIGH)
    styles = ("same", "ends", "highest", "ascending", "descending", "one_odd", "few", "palindrome", None)
    return {
        InputKind.SMALL: [
            InputProfile(InputKind.SMALL, _SMALL_SIZES[at % len(_SMALL_SIZES)], style=(None, "few", None)[at % 3])
            for at in range(amounts.small)
        ],
        InputKind.RANDOM: [
            InputProfile(
                InputKind.RANDOM, _RANDOM_SIZES[at % len(_RANDOM_SIZES)], style=("few", "narrow", None, None)[at % 4]
            )
            for at in range(amounts.random)
        ],
        InputKind.EXTREME: [
            InputProfile(
                InputKind.EXTREME, (1, 2, 5, 40, 200)[at % 5], at % 5 > 2, manners[at % 3], styles[at % len(styles)]
            )
            for at in range(amounts.extreme)
        ],
        InputKind.SLOW: [
            InputProfile(
                InputKind.SLOW,
                10**9,
                full=True,
                manner=_SLOW_PICK_RULES[at % len(_SLOW_PICK_RULES)],
                style=SLOW_STYLES[max(0, at - len(_SLOW_PICK_RULES) + 1) % len(SLOW_STYLES)],
            )
            for at in range(amounts.slow)
        ],
    }


def _cases(grammar: Grammar, profile: InputProfile, rng: random.Random) -> list[Values]:
    """Return one case, or as many as a file may have."""
    if grammar.cases is None:
        return [make_case(grammar, profile, rng)]
    bounds = grammar.cases
    count = (
        bounds.least
        if profile.kind is InputKind.SLOW and rng.random() < 0.5
        else rng.randint(
            bounds.least, min(bounds.most, 10**5 if profile.kind in (InputKind.SLOW, InputKind.EXTREME) else 20)
        )
    )
    left = [total.limit for total in bounds.totals]
    cases: list[Values] = []
    for number in range(count):
        rest = count - number - 1
        share = min((room - rest for room in left), default=10**9) if number else _first_share(profile, left, rest)
        if share < 1:
            break
        values = make_case(_cap_totals(grammar, share), profile, rng)
        spent = [evaluate(total.quantity, values, {}) for total in bounds.totals]
        left = [room - amount for room, amount in zip(left, spent, strict=True)]
        cases.append(values)
    if len(cases) < bounds.least or any(room < 0 for room in left):
        raise Unsatisfiable
    return cases


def _first_share(profile: InputProfile, left: Sequence[int], rest: int) -> int:
    least = min(left, default=10**9)
    return max(1, least - rest if profile.full else (least - rest) // (rest + 1))


def _cap_totals(grammar: Grammar, share: int) -> Grammar:
    """Return the grammar of one case, with the quantities that are counted over all cases bounded by `share`."""
    assert grammar.cases is not None
    more = tuple(Relation(total.quantity, "<=", Num(share)) for total in grammar.cases.totals)
    return Grammar(grammar.variables, grammar.relations + more, grammar.facts, grammar.layout, None, grammar.zipped)


def _write_input(grammar: Grammar, cases: Sequence[Values]) -> Any:
    if grammar.layout:
        return render(grammar, cases)
    return [cases[0][variable.name] for variable in grammar.variables]


# --- small and exhaustive --------------------------------------------------------------------------------------------


def smallest_inputs(grammar: Grammar, rng: random.Random) -> Iterator[Values]:
    """Yield the smallest inputs: all if there are few, else a random choice."""
    if grammar.cases is not None and grammar.cases.least > 1:
        return
    choices = [_smallest_values(grammar, variable) for variable in grammar.variables]
    total = 1
    for choice in choices:
        total *= len(choice)
    names = [variable.name for variable in grammar.variables]
    if total <= _MAX_COMBINATIONS:
        combined: Iterator[tuple[Any, ...]] = itertools.product(*choices)
        combinations = [dict(zip(names, combination, strict=True)) for combination in combined]
        rng.shuffle(combinations)
        pool: Iterator[Values] = iter(combinations)
    else:
        pool = (dict(zip(names, map(rng.choice, choices), strict=True)) for _ in range(_MAX_COMBINATIONS))
    for values in pool:
        if violation(grammar, values) is None:
            yield values


def _smallest_values(grammar: Grammar, variable: Variable) -> list[Any]:
    return _values(grammar, variable, 0)


def _values(grammar: Grammar, variable: Variable, level: int) -> list[Any]:
    path = (None,) * level
    if level == variable.lengths or (
        variable.base == "str" and level == variable.depth and _has_fixed_values(grammar, variable)
    ):
        return _leaves(grammar, variable, level)
    inner = _values(grammar, variable, level + 1)
    low, high = grammar.domains[Key(variable.name, path, length=True)]
    arrays: list[Any] = []
    for length in range(low, min(high, low + 3, max(low, 4)) + 1):
        if len(inner) ** length > _MAX_COMBINATIONS:
            inner = inner[: max(1, int(_MAX_COMBINATIONS ** (1 / length)))]
        of_characters = variable.base == "str" and level == variable.depth
        arrays += [
            "".join(elements) if of_characters else list(elements)
            for elements in itertools.product(inner, repeat=length)
        ]
        if len(arrays) > _MAX_COMBINATIONS:
            break
    return arrays[: 2 * _MAX_COMBINATIONS]


def _has_fixed_values(grammar: Grammar, variable: Variable) -> bool:
    return bool(grammar.facts_of(variable.name, "oneof"))


def _leaves(grammar: Grammar, variable: Variable, level: int) -> list[Any]:
    for fact in grammar.facts_of(variable.name, "oneof"):
        return list(fact.details)[:4]
    if variable.base == "bool":
        return [False, True]
    if variable.base == "str":
        letters = grammar.facts_of(variable.name, "letters")
        return list(letters[0].details[0])[:3] if letters else ["a", "b"]
    keys = [key for key in grammar.domains if key.name == variable.name and not key.length and len(key.path) == level]
    low = max(min(grammar.domains[key][0] for key in keys), -(10**18))
    high = min(max(grammar.domains[key][1] for key in keys), 10**18)
    low = next((grammar.domains[key][0] for key in keys if grammar.domains[key][0] > -(10**18)), low)
    start = low if level == 0 or low >= -3 or high <= 0 else -1
    return list(range(start, min(high, start + (11 if level == 0 else 3)) + 1))
