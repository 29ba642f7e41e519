"""Inputs of chart-fold: charts of every shape, folded over and under, in the middle and beyond it."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def shrink(rows: int, columns: int, fold: str) -> tuple[int, int]:
    """The size after a fold. Raises ValueError where it cannot be made."""
    side, width = fold[0].upper(), int(fold[1:])
    size = rows if side in "TB" else columns
    if not 1 <= width < size:
        raise ValueError("fold")
    size = max(width, size - width)
    return (size, columns) if side in "TB" else (rows, size)


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    chart, folds = value
    if not (1 <= len(chart) <= 50 and len(folds) <= 98):
        raise ValueError("size")
    if not all(type(row) is str and re.fullmatch(r"[A-Z]{1,50}", row) and len(row) == len(chart[0]) for row in chart):
        raise ValueError("chart")
    rows, columns = len(chart), len(chart[0])
    for fold in folds:
        if not re.fullmatch(r"[LRTBlrtb][1-9][0-9]?", fold):
            raise ValueError("fold")
        rows, columns = shrink(rows, columns, fold)


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_301)

    def some(rows: int, columns: int, folds: int, most: int = 50) -> list[Any]:
        chart = ["".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(columns)) for _ in range(rows)]
        made: list[str] = []
        while len(made) < folds and rows * columns > 1:
            side = rng.choice("LRTBlrtb")
            size = rows if side in "TBtb" else columns
            if size > 1:
                made.append(f"{side}{rng.randint(1, min(most, size - 1))}")
                rows, columns = shrink(rows, columns, made[-1])
        return [chart, made]

    yield [["ABCDE"], ["R2", "L1"]]
    yield [["ABC", "DEF"], ["r1", "T1"]]
    yield [["ABCD", "EFGH", "IJKL"], ["L3", "B1", "r2"]]
    yield [["Q"], []]
    yield [["AB", "CD"], []]
    yield [["ABCDEFGH"], ["R4", "R2", "R1"]]
    yield [["ABCDEFGH"], ["r4", "r2", "r1"]]
    yield [["ABCDEFGH"], ["L1", "l2", "R1", "r2"]]
    yield [["A", "B", "C", "D", "E", "F"], ["T5", "b2", "B2", "t1"]]
    yield [["AB", "CD"], ["R1", "B1"]]
    yield [["AB", "CD"], ["r1", "b1"]]
    yield [["AB", "CD"], ["l1", "T1"]]
    for rows, columns, folds in ((1, 9, 3), (9, 1, 4), (3, 3, 3), (4, 5, 5), (7, 7, 9), (12, 9, 6), (20, 20, 15), (31, 17, 20)):
        yield some(rows, columns, folds)
    yield some(50, 50, 98, 1)
    yield some(50, 50, 30, 4)
    yield some(49, 50, 98)
    yield some(1, 50, 49, 1)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
