"""Inputs of tow-order: small ones, chains, layers, free barges, rules told twice, rings short and long, and the largest."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    count, rules = (int(each) for each in lines[0].split(" "))
    if not (1 <= count <= 2000 and 0 <= rules <= 4000) or len(lines) != rules + 2 or lines[-1]:
        raise ValueError("the size")
    for line in lines[1:-1]:
        before, after = (int(each) for each in line.split(" "))
        if not (1 <= before <= count and 1 <= after <= count) or before == after:
            raise ValueError("a rule")
    if lines != [" ".join(str(int(word)) for word in line.split()) for line in lines]:
        raise ValueError("the spelling")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_427)

    def hidden(count: int, rules: int, reach: int | None = None) -> tuple[int, list[tuple[int, int]]]:
        """Rules that a hidden order keeps to; with `reach` only between barges near each other in it."""
        order = rng.sample(range(1, count + 1), count)
        made = []
        for _ in range(rules):
            first = rng.randrange(count - 1)
            made.append((order[first], order[rng.randint(first + 1, min(count - 1, first + (reach or count)))]))
        return count, made

    def ring(count: int, length: int, rules: int) -> tuple[int, list[tuple[int, int]]]:
        """The same, and a ring among the barges of the highest numbers."""
        _, made = hidden(count, rules)
        last = list(range(count - length + 1, count + 1))
        made = [(a, b) for a, b in made if not (a in last and b in last)]
        made += list(zip(last, [*last[1:], last[0]], strict=True))
        rng.shuffle(made)
        return count, made

    chain = rng.sample(range(1, 2001), 2000)
    cases = [(4, [(3, 1), (1, 4), (2, 4)]), (3, [(1, 2), (2, 3), (3, 1)]), (3, [])]
    cases += [(1, []), (2, [(2, 1)]), (2, [(1, 2), (2, 1)]), (3, [(3, 2), (3, 2), (2, 1), (3, 1)])]
    cases += [(5, [(5, 4), (4, 3), (3, 2), (2, 1)]), (6, [(6, 1), (6, 2), (6, 3), (4, 6), (5, 6)])]
    cases += [hidden(8, 10), hidden(10, 20), hidden(12, 6), hidden(30, 90), hidden(40, 100, 3), ring(9, 2, 12), ring(30, 7, 40)]
    cases += [(2000, list(zip(chain, chain[1:], strict=False))), (2000, []), hidden(2000, 4000), hidden(2000, 4000, 2)]
    cases += [(2000, [(each, 1) for each in range(2, 2001)] * 2), ring(2000, 1600, 2000), ring(1500, 3, 3500), hidden(90, 4000)]
    for count, rules in cases:
        yield f"{count} {len(rules)}\n" + "".join(f"{a} {b}\n" for a, b in rules)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
