"""Inputs of crane-program: programs of every shape on rings of every size, with deep and with long repetitions."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def drops(program: str) -> int:
    """How many crates the program drops. Raises ValueError where it is badly written."""
    totals, factors = [0], []
    for token in re.findall(r"[LRDX)]|~[(]|[1-9][0-9]*[(]|.", program):
        if token in "LRDX":
            totals[-1] += token == "D"
        elif token[-1] == "(" and len(token) > 1:
            totals.append(0)
            factors.append(1 if token == "~(" else int(token[:-1]))
        elif token == ")" and factors:
            inner, factor = totals.pop(), factors.pop()
            if not 1 <= factor <= 10**9:
                raise ValueError("repetition")
            totals[-1] += inner * factor
        else:
            raise ValueError("token")
    if factors or "()" in program:
        raise ValueError("brackets")
    return totals[0]


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    places, program = value
    if not (type(places) is int and 1 <= places <= 60 and type(program) is str and 1 <= len(program) <= 200):
        raise ValueError("size")
    if drops(program) > 10**18:
        raise ValueError("too many crates")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_104)

    def body(length: int, depth: int, most: int, letters: str) -> str:
        parts, size = [], 0
        while size < length:
            if depth and length - size > 6 and rng.random() < 0.35:
                inner = body(rng.randint(1, length - size - 4), depth - 1, most, letters)
                parts.append(("~" if rng.random() < 0.3 else str(rng.randint(1, most))) + f"({inner})")
            else:
                parts.append(rng.choice(letters))
            size += len(parts[-1])
        return "".join(parts)

    def some(places: int, length: int, depth: int, most: int, letters: str = "LRRDX") -> list[Any]:
        while True:
            program = body(length, depth, most, letters)
            if len(program) <= 200 and drops(program) <= 10**18:
                return [places, program]

    yield [5, "DRD3(RD~(RRD))"]
    yield [4, "10(DRX2(R))D"]
    yield [3, "1000000000(DR)"]
    yield [1, "DDXD"]
    yield [1, "LRLR"]
    yield [7, "L"]
    yield [2, "3(D2(R~(DL)D))"]
    yield [6, "~(RD~(RD)RD)"]
    yield [6, "4(~(2(RDD)X)RRD)"]
    yield [4, "5(RRDX)D"]
    yield [6, "7(DRRDRX)"]
    for places, length, depth, most in ((3, 12, 2, 4), (5, 20, 3, 5), (8, 30, 3, 3), (12, 40, 4, 4), (9, 60, 3, 9)):
        yield some(places, length, depth, most)
        yield some(places, length, depth, most, "RRRRDDDDX")
    yield some(60, 190, 3, 300, "LRRDDD")
    yield [60, "1000000000(10000000(DR7(RRD)X~(9(RD)R)))RD"]
    yield [59, "999999999(R~(31(DR)L)999(RDRX))"]
    yield [48, "1000000(RR1000000(RRRRRRDRRRX~(RDL)DR))"]
    yield [60, "999(LDR~(1000(RD~(500(RRX1000000(DR3(DR))))D))R)"]
    yield [60, "~(" * 30 + "RD999999999(RRD)" + "R)" * 30]
    yield [57, "".join(f"{rng.randint(10**8, 10**9)}({'R' * rng.randint(1, 3)}{rng.choice('DDDX')})" for _ in range(13))]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
