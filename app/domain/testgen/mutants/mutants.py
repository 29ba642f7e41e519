"""Programs with one small mistake each, made from a right one: the worth of a suite is the share it catches."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from app.domain.testgen.mutants.cpp import cpp_mutants
from app.domain.testgen.mutants.python import python_mutants


class Mutant(NamedTuple):
    """A program with one mistake: its kind, its line, and its source."""

    operator: str
    line: int
    code: str
    language: str

    @property
    def name(self) -> str:
        """Its name in reports."""
        return f"mutant {self.operator} at line {self.line}"


Maker = Callable[[str, str | None], list[tuple[str, int, str]]]
MUTANT_MAKERS: Mapping[str, Maker] = {"python": python_mutants, "cpp": cpp_mutants}


def mutants(code: str, language: str, most: int, seed: int = 0, entry: str | None = None) -> list[Mutant]:
    """Return distinct mutants of a program, at most `most`, taking operators in turn. Empty for other languages.

    `entry` names the class or function that is called, if the program is not run as a whole.
    """
    maker = MUTANT_MAKERS.get(language)
    if maker is None:
        return []
    texts = {code}
    by_operator: dict[str, list[Mutant]] = {}
    for operator, line, text in maker(code, entry):
        if text not in texts:
            texts.add(text)
            by_operator.setdefault(operator, []).append(Mutant(operator, line, text, language))
    return _take_turns(by_operator, most, random.Random(seed))  # noqa: S311  # tests, not secrets


def _take_turns(by_operator: Mapping[str, Sequence[Mutant]], most: int, rng: random.Random) -> list[Mutant]:
    piles = [rng.sample(list(pile), len(pile)) for _, pile in sorted(by_operator.items())]
    picks: list[Mutant] = []
    while any(piles) and len(picks) < most:
        for pile in piles:
            if pile and len(picks) < most:
                picks.append(pile.pop())
    return picks
