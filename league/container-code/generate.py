"""Inputs of container-code: short and long codes, with many and with few digits missing, that can be repaired or not."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    code, divisor = value
    if not (type(code) is str and re.fullmatch("[0-9?]{1,120}", code)):
        raise ValueError("code")
    if not (type(divisor) is int and 1 <= divisor <= 120):
        raise ValueError("divisor")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_502)

    def smooth(length: int) -> str:
        """Digits that obey the rule of neighbours."""
        digits = [rng.randint(0, 9)]
        while len(digits) < length:
            digit = rng.randint(0, 9)
            if abs(digit - digits[-1]) >= 2:
                digits.append(digit)
        return "".join(map(str, digits))

    def holes(code: str, share: float) -> str:
        return "".join("?" if rng.random() < share else digit for digit in code)

    yield ["4??7", 13]
    yield ["?", 10]
    yield ["1?2", 1]
    yield ["5", 5]
    yield ["7", 4]
    yield ["?", 120]
    yield ["33", 3]
    yield ["??", 11]
    yield ["???", 111]
    yield ["0?0?0", 7]
    yield ["9?8?9", 3]
    yield ["?1", 2]
    yield ["12?", 1]
    for length, share, divisor in ((6, 0.5, 7), (8, 0.7, 64), (12, 0.6, 99), (20, 0.3, 16), (40, 0.4, 97), (40, 0.2, 110)):
        yield [holes(smooth(length), share), divisor]
    yield ["?" * 60, 119]
    yield [holes(smooth(100), 0.1), 100]
    yield [holes(smooth(120), 0.5), 113]
    yield ["?" * 120, 117]
    yield ["?" * 60 + "5", 8]
    yield ["?" * 20 + "35", 25]
    yield ["?" * 117 + "425", 115]
    yield [holes(smooth(60), 0.7) + "?" * 59 + "7", 119]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
