"""Inputs of soup-rota: spoons of the same thing, equal soups, hot water, long chains, and large menus."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

_WORDS = ("salt", "leek", "kale", "cod", "rice", "pea", "onion", "bean", "dill", "mint")


def _pairs(menu: list[list[str]]) -> int:
    counts: dict[tuple[str, ...], int] = {}
    for _, *spoons in menu:
        key = tuple(sorted(spoons))
        counts[key] = counts.get(key, 0) + 1
    total = 0
    for key, count in counts.items():
        less = {key[:at] + key[at + 1 :] for at in range(len(key))}
        total += count * sum(counts.get(each, 0) for each in less)
    return total


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 1 or not isinstance(given[0], list) or not 1 <= len(given[0]) <= 20_000:
        raise ValueError("the menu")
    for soup in given[0]:
        if not isinstance(soup, list) or not 1 <= len(soup) <= 13:
            raise ValueError("a soup")
        if not all(isinstance(word, str) and re.fullmatch("[a-z]{1,8}", word) for word in soup):
            raise ValueError("a word")
    if len({soup[0] for soup in given[0]}) != len(given[0]) or _pairs(given[0]) > 3_000:
        raise ValueError("the names, or too many pairs")


def _name(number: int) -> str:
    return "".join(chr(97 + number // 26**place % 26) for place in range(3))


def _random(rng: random.Random, count: int, words: int, least: int, most: int) -> list[Any]:
    names = [_name(number) for number in rng.sample(range(26**3), count)]
    return [[[name, *(rng.choice(_WORDS[:words]) for _ in range(rng.randint(least, most)))] for name in names]]


def _small(rng: random.Random) -> list[Any]:
    return _random(rng, rng.randint(1, 9), rng.randint(1, 3), 0, 3)


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_118)
    yield [[["chowder", "cod", "leek", "salt"], ["broth", "leek", "salt"], ["brine", "salt", "leek", "salt"], ["tea"]]]
    yield [[["a", "pea"], ["b", "pea", "pea"], ["c", "pea"], ["d", "pea", "pea", "pea"]]]
    yield [[["water"], ["sea", "salt"]]]
    yield [[["only", "kale"]]]
    yield [[["one"], ["two"]]]
    yield [[["salt", "pea"], ["pea", "salt"], ["x", "pea", "salt"]]]
    yield [[["a", "ab", "c"], ["b", "a", "bc"], ["c", "abc"], ["d", "ab", "c", "abc"], ["e", "a"]]]
    yield [[["b", "rice", "rice", "bean"], ["a", "rice", "bean", "bean"], ["c", "rice", "bean"], ["d", "rice", "rice", "bean", "bean"]]]
    for _ in range(8):
        yield _small(rng)
    yield [[[_name(size), *["salt"] * size] for size in range(13)]]
    yield _random(rng, 60, 3, 0, 6)
    yield _random(rng, 200, 4, 2, 9)
    yield _random(rng, 400, 10, 1, 5)
    yield _random(rng, 1_000, 10, 3, 6)
    yield [[[_name(at), *["kale"] * (at % 2 * 3 + 2), *["cod"] * (at % 3)] for at in range(100)]]
    rows = [[_name(at), *(_WORDS[at >> bit & 1] + _WORDS[bit] for bit in range(10) if len(_WORDS[bit]) < 5)] for at in range(1_024)]
    yield [rows[:700]]
    chain = [[_name(at * 13 + size), *[_name(at)] * size, "salt"] for at in range(110) for size in range(1, 12)]
    rng.shuffle(chain)
    yield [chain]
    yield [[[_name(at), *("leek", "salt", "bean", "dill", "rice", "pea", "cod", "mint", "kale", "onion"), _name(at)] for at in range(1_499)]
           + [["base", "onion", "kale", "mint", "cod", "pea", "rice", "dill", "bean", "salt", "leek"]]]
    less = [["a" + _name(at), "w" + _name(at), "cod", "bean"] for at in range(10_000)]
    more = [["b" + _name(at), "bean", "w" + _name(at), "cod", "x" + _name(at % 40)] for at in range(7_000, 17_000)]
    yield [[*less, *more]]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
