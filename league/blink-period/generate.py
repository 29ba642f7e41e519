"""Inputs of blink-period: fog that links far signs, contradictions several periods apart, and long records that resist."""

import json
import random
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if re.fullmatch(r"[01?]{1,16000}\n", given) is None:
        raise ValueError("the notes")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_412)

    def foggy(pattern: str, length: int, fog: float) -> str:
        signs = (pattern * (length // len(pattern) + 1))[:length]
        return "".join("?" if rng.random() < fog else sign for sign in signs)

    notes = ["1?0?1", "0??1", "????"]
    notes += ["0", "?", "01", "0?", "10101010", "0?1?0?1", "?1????0", "1??0??1", "000001", "100000", "0?????1?????0"]
    notes += ["".join(rng.choice("01??") for _ in range(size)) for size in (6, 7, 8, 9, 10, 12)]
    notes += [foggy("110", 40, 0.6), foggy("1000101", 300, 0.9), foggy("0" * 40 + "1", 2_000, 0.95)]
    notes.append("0" + "?" * 7_998 + "1")
    blank = ["?"] * 16_000
    for place in rng.sample(range(5_000, 5_400), 9):
        blank[place] = "0"
    for place in range(10_700, 16_000):
        blank[place] = "1"
    notes.append("".join(blank))
    notes.append(foggy("1011001110001", 16_000, 0.999))
    scattered = ["?"] * 16_000
    for place in rng.sample(range(16_000), 160):
        scattered[place] = "1" if place % 7_919 % 3 else "0"
    notes.append("".join(scattered))
    yield from (f"{signs}\n" for signs in notes)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
