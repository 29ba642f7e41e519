"""Inputs of flag-hoist: substitutes of substitutes, hoists that begin anew, single flags, and very long hoists."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    (signal,) = given
    if not 1 <= len(signal) <= 20_000 or re.fullmatch(r"[A-Z1-9]+( [A-Z1-9]+)*", signal) is None:
        raise ValueError("the signal")
    for hoist in signal.split(" "):
        if any(flag.isdigit() and int(flag) > place for place, flag in enumerate(hoist)):
            raise ValueError("a substitute for a letter further right")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_404)

    def hoist(length: int, letters: str, share: float) -> str:
        flags = [rng.choice(letters)]
        while len(flags) < length:
            substitute = rng.random() < share
            flags.append(str(rng.randint(1, min(9, len(flags)))) if substitute else rng.choice(letters))
        return "".join(flags)

    signals = ["AB213 C1", "HELO3", "Z1 Y12 X"]
    signals += ["Q", "Q1", "A1 B1 C1", "AB12345678", "A B C D", "ABCDEFGHI987654321", "AB2 CD2 EF2", "K123456789"]
    signals += [" ".join(hoist(rng.randint(1, 5), "AB", 0.5) for _ in range(size)) for size in (2, 5, 20)]
    signals += [" ".join(hoist(rng.randint(1, 14), "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.3) for _ in range(12)) for _ in range(4)]
    signals.append(" ".join(hoist(rng.randint(1, 30), "XYZ", 0.8) for _ in range(600)))
    signals.append(" ".join("N1" for _ in range(6_000)))
    signals += [hoist(20_000, "ABC", 0.9), "T" + "1" * 19_999, hoist(9_999, "EW", 0.5) + " " + hoist(10_000, "NS", 0.5)]
    yield from ([signal] for signal in signals)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
