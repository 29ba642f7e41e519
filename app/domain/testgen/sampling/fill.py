"""Styles of arrays and texts: shapes that reveal wrong programs."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from app.domain.testgen.grammars.domains import Unsatisfiable


class PickRule(StrEnum):
    """A rule for picking a number from its range."""

    LOW = "low"
    HIGH = "high"
    LOG = "log"
    EDGE = "edge"
    UNIFORM = "uniform"
    MIDDLE = "middle"


def pick_number(rng: random.Random, low: int, high: int, manner: PickRule) -> int:
    """Return one number from low to high. Raises Unsatisfiable if there is none."""
    if low > high:
        raise Unsatisfiable
    match manner:
        case PickRule.LOW:
            return low + rng.randint(0, min(high - low, 4))
        case PickRule.HIGH:
            return high - rng.randint(0, min(high - low, 4))
        case PickRule.MIDDLE:
            middle = (low + high) // 2
            return rng.randint(max(low, middle - 2), min(high, middle + 2))
        case PickRule.EDGE:
            return rng.choice((low, high))
        case PickRule.LOG:
            span = high - low + 1
            return min(high, low - 1 + int(math.exp(rng.uniform(0, math.log(span + 1)))) if span < 2**1000 else high)
        case _:
            return rng.randint(low, high)


def narrow_range(rng: random.Random, low: int, high: int, width: int) -> tuple[int, int]:
    """Return a narrow part of a range: at its lower end, around zero, at its upper end or anywhere."""
    if high - low < width:
        return low, high
    starts = [low, high - width, rng.randint(low, high - width)]
    if low < 0 < high:
        starts.append(min(max(-(width // 2), low), high - width))
    start = rng.choice(starts)
    return start, start + width


Numbers = Callable[[random.Random, int, int, int], list[int]]


def _uniform(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    span = high - low + 1
    return [low + int(rng.random() * span) for _ in range(count)] if span < 2**50 else [
        rng.randint(low, high) for _ in range(count)]  # fmt: skip


def _few(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return _uniform(rng, count, *narrow_range(rng, low, high, rng.randint(1, 3)))


def _narrow(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return _uniform(rng, count, *narrow_range(rng, low, high, max(2, count)))


def _same(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return [rng.choice((low, high, rng.randint(low, high)))] * count


def _ends(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return rng.choices((low, high), k=count)


def _highest(_rng: random.Random, count: int, _low: int, high: int) -> list[int]:
    return [high] * count


def _ascending(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return sorted(rng.choice((_uniform, _narrow))(rng, count, low, high))


def _descending(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return _ascending(rng, count, low, high)[::-1]


def _nearly_sorted(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    values = _ascending(rng, count, low, high)
    for _ in range(min(count // 8 + 1, 50)):
        one, other = rng.randrange(count), rng.randrange(count)
        values[one], values[other] = values[other], values[one]
    return values


def _zigzag(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    one, other = _ends(rng, 1, low, high)[0], rng.randint(low, high)
    return [(one, other)[place % 2] for place in range(count)]


def _runs(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    values: list[int] = []
    start, end = narrow_range(rng, low, high, rng.choice((2, 5, 50)))
    while len(values) < count:
        values += [rng.randint(start, end)] * rng.randint(1, max(1, min(count // 3, rng.choice((2, 5, 40)))))
    return values[:count]


def _logarithmic(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return [pick_number(rng, low, high, PickRule.LOG) for _ in range(count)]


def _one_odd(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    values = _same(rng, count, low, high)
    values[rng.choice((0, count - 1, rng.randrange(count)))] = rng.randint(*narrow_range(rng, low, high, 3))
    return values


NUMBER_STYLES: dict[str, Numbers] = {
    "uniform": _uniform,
    "narrow": _narrow,
    "few": _few,
    "same": _same,
    "ends": _ends,
    "highest": _highest,
    "ascending": _ascending,
    "descending": _descending,
    "nearly_sorted": _nearly_sorted,
    "zigzag": _zigzag,
    "runs": _runs,
    "logarithmic": _logarithmic,
    "one_odd": _one_odd,
}


def make_numbers(rng: random.Random, count: int, low: int, high: int, style: str) -> list[int]:
    """Return `count` numbers from low to high in a style. Raises Unsatisfiable if there is no such number."""
    if count == 0:
        return []
    if low > high:
        raise Unsatisfiable
    return NUMBER_STYLES[style](rng, count, low, high)


def distinct_numbers(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    """Return distinct numbers, close together or far apart. Raises Unsatisfiable if there are too few."""
    if high - low + 1 < count:
        raise Unsatisfiable
    if rng.random() < 0.5:
        low, high = narrow_range(rng, low, high, max(count - 1, min(2 * count, high - low)))
    if high - low < 4 * count:
        return rng.sample(range(low, high + 1), count)
    values: dict[int, None] = {}
    while len(values) < count:
        values[rng.randint(low, high)] = None
    return list(values)


# --- texts -----------------------------------------------------------------------------------------------------------


class _Alphabet(NamedTuple):
    """The alphabet, and two or three of its characters."""

    all: Sequence[str]
    few: Sequence[str]


def _any_text(rng: random.Random, length: int, characters: _Alphabet) -> str:
    return "".join(rng.choices(characters.all, k=length))


def _few_text(rng: random.Random, length: int, characters: _Alphabet) -> str:
    return "".join(rng.choices(characters.few, k=length))


def _same_text(_rng: random.Random, length: int, characters: _Alphabet) -> str:
    return characters.few[0] * length


def _one_odd_text(rng: random.Random, length: int, characters: _Alphabet) -> str:
    place = rng.choice((0, max(0, length - 1), rng.randrange(max(1, length))))
    return (characters.few[0] * place + characters.few[-1] + characters.few[0] * length)[:length]


def _periodic(rng: random.Random, length: int, characters: _Alphabet) -> str:
    word = "".join(rng.choices(characters.few, k=rng.randint(1, 4)))
    return (word * (length // len(word) + 1))[:length]


def _palindrome(rng: random.Random, length: int, characters: _Alphabet) -> str:
    half = _few_text(rng, (length + 1) // 2, characters)
    return half + half[: length // 2][::-1]


def _sorted_text(rng: random.Random, length: int, characters: _Alphabet) -> str:
    return "".join(sorted(rng.choices(characters.all, k=length), reverse=rng.random() < 0.5))


def _fibonacci(_rng: random.Random, length: int, characters: _Alphabet) -> str:
    before, word = characters.few[0], characters.few[-1] + characters.few[0]
    while len(word) < length:
        before, word = word, word + before
    return word[:length]


def _doubling(_rng: random.Random, length: int, characters: _Alphabet) -> str:
    """Return a Thue-Morse word: no part occurs three times in a row, and polynomial hashes modulo 2^64 fail."""
    one, other = characters.few[0], characters.few[-1]
    word = one
    while len(word) < length:
        word += "".join(other if character == one else one for character in word)
    return word[:length]


def _text_runs(rng: random.Random, length: int, characters: _Alphabet) -> str:
    pieces: list[str] = []
    total = 0
    while total < length:
        pieces.append(rng.choice(characters.few) * rng.randint(1, max(1, min(length // 3, rng.choice((3, 10, 1000))))))
        total += len(pieces[-1])
    return "".join(pieces)[:length]


_TEXTS: Mapping[str, Callable[[random.Random, int, _Alphabet], str]] = {
    "uniform": _any_text,
    "few": _few_text,
    "same": _same_text,
    "one_odd": _one_odd_text,
    "periodic": _periodic,
    "palindrome": _palindrome,
    "runs": _text_runs,
    "sorted": _sorted_text,
    "fibonacci": _fibonacci,
    "doubling": _doubling,
}
TEXT_STYLES = tuple(_TEXTS)


def make_text(rng: random.Random, length: int, characters: Sequence[str], style: str) -> str:
    """Return a text of a length over an alphabet, in a style."""
    every = list(characters) or ["?"]
    few = rng.sample(every, min(len(every), rng.randint(2, 3)))
    return _TEXTS[style](rng, length, _Alphabet(every, few))
