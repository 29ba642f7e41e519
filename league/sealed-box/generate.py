"""Inputs of sealed-box: the numbers of the boxes. Their seals are drawn by `league build`, once."""

import json
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if re.fullmatch(r"[1-9][0-9]?\n", given) is None or int(given) > 20:
        raise ValueError("the number of the box")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    yield from (f"{box}\n" for box in range(1, 21))


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
