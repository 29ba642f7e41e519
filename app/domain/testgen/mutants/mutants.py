"""Programs with one small mistake each, made from a right one: a suite is worth as much as it catches of them."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from app.domain.testgen.mutants.cpp import cpp_mutants
from app.domain.testgen.mutants.python import python_mutants


class Mutant(NamedTuple):
    """A program with one mistake: which kind, at which line, and its source."""

    operator: str
    line: int
    code: str
    language: str

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"mutant {self.operator} at line {self.line}"


Maker = Callable[[str, str | None], list[tuple[str, int, str]]]
MAKERS: Mapping[str, Maker] = {"python": python_mutants, "cpp": cpp_mutants}


def mutants(code: str, language: str, most: int, seed: int = 0, entry: str | None = None) -> list[Mutant]:
    """Different mutants of a program, at most `most`: every operator gets its turn. None for other languages.

    `entry` names the class or function that is called, where the program is not run as a whole.
    """
    maker = MAKERS.get(language)
    if maker is None:
        return []
    texts = {code}
    by_operator: dict[str, list[Mutant]] = {}
    for operator, line, text in maker(code, entry):
        if text not in texts:
            texts.add(text)
            by_operator.setdefault(operator, []).append(Mutant(operator, line, text, language))
    return _in_turn(by_operator, most, random.Random(seed))  # noqa: S311  # tests, not secrets


def _in_turn(by_operator: Mapping[str, Sequence[Mutant]], most: int, rng: random.Random) -> list[Mutant]:
    piles = [rng.sample(list(pile), len(pile)) for _, pile in sorted(by_operator.items())]
    picks: list[Mutant] = []
    while any(piles) and len(picks) < most:
        for pile in piles:
            if pile and len(picks) < most:
                picks.append(pile.pop())
    return picks
