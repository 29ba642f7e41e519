# Compares boats two by two, with fractions.
from fractions import Fraction
from functools import cmp_to_key
from math import floor
from typing import List


class Boat:
    def __init__(self, name, races, entered, discards):
        self.name = name
        points, codes = [], []
        for race in races:
            points.append(Fraction(entered + 1))
            codes.append("none")
            placed = 0
            for word in race:
                other, code = (word + ":").split(":")[:2]
                if code in ("", "RDG"):
                    placed += 1
                if other == name:
                    codes[-1] = code
                    if code in ("", "RDG"):
                        points[-1] = Fraction(placed)
        basis = [value for value, code in zip(points, codes) if code != "RDG"]
        if basis:
            mean = Fraction(floor(sum(basis) / len(basis) * 10 + Fraction(1, 2)), 10)
            points = [mean if code == "RDG" else value for value, code in zip(points, codes)]
        self.points = points
        self.kept = list(range(len(points)))
        for _ in range(discards):
            candidates = [at for at in self.kept if codes[at] != "DNE"]
            if candidates:
                self.kept.remove(max(candidates, key=lambda at: (points[at], -at)))
        self.total = sum((points[at] for at in self.kept), Fraction(0))

    def against(self, other):
        if self.total != other.total:
            return -1 if self.total < other.total else 1
        mine = sorted(self.points[at] for at in self.kept)
        theirs = sorted(other.points[at] for at in other.kept)
        for a, b in [*zip(mine, theirs), *zip(reversed(self.points), reversed(other.points))]:
            if a != b:
                return -1 if a < b else 1
        return -1 if self.name < other.name else 1


def regattaTable(boats: List[str], races: List[List[str]], discards: int) -> List[str]:
    table = [Boat(name, races, len(boats), discards) for name in boats]
    table.sort(key=cmp_to_key(Boat.against))
    return [f"{at} {boat.name} {float(boat.total):.1f}" for at, boat in enumerate(table, 1)]
