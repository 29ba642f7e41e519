"""Inputs of regatta-table: every code, discards of equal scores, ties of each kind, redress everywhere, and full regattas."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 3:
        raise ValueError("not three arguments")
    boats, races, discards = given
    if not isinstance(boats, list) or not isinstance(races, list) or type(discards) is not int:
        raise ValueError("the types")
    if not all(isinstance(boat, str) and re.fullmatch("[A-Z0-9]{1,8}", boat) for boat in boats) or len(set(boats)) != len(boats):
        raise ValueError("the boats")
    if not 1 <= len(boats) <= 60 or not 1 <= len(races) <= 30 or not 0 <= discards < len(races):
        raise ValueError("the size")
    for race in races:
        if not isinstance(race, list) or not all(isinstance(word, str) for word in race):
            raise ValueError("a race")
        named = [word.partition(":")[0] for word in race]
        if len(set(named)) != len(named) or not set(named) <= set(boats):
            raise ValueError("a boat in a race")
        if not all(word == name or word[len(name) :] in (":DSQ", ":DNE", ":RDG") for word, name in zip(race, named)):
            raise ValueError("a code")


def _random(rng: random.Random, boats: int, races: int, discards: int, codes: float, swaps: int = 0) -> list[Any]:
    names: list[str] = []
    while len(names) < boats:
        name = "".join(rng.choice("ABGR1279") for _ in range(rng.randint(1, 5)))
        names += [] if name in names else [name]
    table, order = [], rng.sample(names, boats)
    for _ in range(races):
        if swaps:
            for _ in range(swaps):
                at = rng.randrange(boats)
                order[at - 1], order[at] = order[at], order[at - 1]
        else:
            rng.shuffle(order)
        race = []
        for name in order:
            if rng.random() < codes:
                code = rng.choice(("", ":DSQ", ":DNE", ":RDG", ":RDG"))
                race += [name + code] if code else []
            else:
                race.append(name)
        table.append(race)
    return [names, table, discards]


def _small(rng: random.Random) -> list[Any]:
    races = rng.randint(1, 5)
    return _random(rng, rng.randint(1, 5), races, rng.randrange(races), rng.choice((0, 0.2, 0.6)))


def _halves(rng: random.Random) -> list[Any]:
    """Redress after twenty races, mostly at half a tenth, where sums in floating point fall short."""
    names = ["P1", "P2", "P3", "P4", "P5", "P6"]
    while True:
        races = [rng.sample(names, 6) for _ in range(20)]
        sums = [sum(race.index(name) + 1 for race in races) for name in names]
        if sum(int((points / 20 + 0.05) * 10) < (points + 1) // 2 for points in sums) >= 3:
            return [names, [*races, [f"{name}:RDG" for name in names]], 2]


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_109)
    yield [["A1", "B2", "C3"], [["A1", "B2", "C3"], ["B2", "A1", "C3"], ["C3", "B2:DSQ", "A1"]], 1]
    yield [["GBR7", "NED1"], [["GBR7:RDG", "NED1"], ["NED1", "GBR7"], ["GBR7"]], 0]
    yield [["X", "Y"], [["X:DNE", "Y"], ["X", "Y"], ["X", "Y"]], 1]
    yield [["A"], [[]], 0]
    yield [["A", "B"], [["A:RDG", "B:RDG"], ["A:RDG"]], 1]
    yield [["B", "A"], [[], []], 1]
    yield [["A", "B", "C"], [["A", "B", "C"], ["C", "B", "A"], ["A", "C", "B"], ["B", "C", "A"]], 2]
    yield [["A", "B"], [["A", "B"], ["B", "A"]], 1]
    yield [["A", "B"], [["A:DNE", "B:DNE"], ["A:DNE", "B"], ["A", "B"]], 2]
    yield [["P", "Q", "R", "S"], [["P", "Q:RDG", "R", "S"], ["Q", "P"], ["R", "Q", "S:DSQ"], ["S", "R", "P"], ["Q", "S"]], 1]
    yield [["K2", "K10", "K1"], [["K2:DSQ", "K10:DSQ", "K1:DSQ"]], 0]
    for _ in range(7):
        yield _small(rng)
    yield _random(rng, 12, 6, 1, 0.25)
    yield _random(rng, 8, 16, 3, 0.5)
    yield _random(rng, 30, 5, 2, 0.0)
    yield _random(rng, 40, 3, 1, 0.1, swaps=9)
    yield _random(rng, 60, 30, 5, 0.15)
    yield _random(rng, 60, 9, 2, 0.0, swaps=30)
    yield _random(rng, 5, 30, 29, 0.7)
    yield _random(rng, 25, 2, 1, 0.2, swaps=5)
    yield _halves(rng)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
