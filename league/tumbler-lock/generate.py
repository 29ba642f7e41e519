"""Inputs of tumbler-lock: the code of a lock."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    code = value.removesuffix("\n")
    if value != code + "\n" or not (1 <= len(code) <= 40 and code.isascii() and code.isdigit()):
        raise ValueError("code")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_302)
    codes = [str(digit) for digit in range(10)]
    codes += ["55", "91", "0123456789", "0" * 40, "5" * 40, "1" * 40, "9" * 40, "64" * 20, "37" * 20, "82" * 20]
    codes += ["".join(rng.choice(digits) for _ in range(40)) for digits in ("0123456789", "12346789", "46", "0123456789")]
    codes += ["".join(rng.choice("0123456789") for _ in range(rng.randint(3, 39))) for _ in range(4)]
    for code in codes:
        yield f"{code}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
