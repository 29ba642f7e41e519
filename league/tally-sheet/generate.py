"""Inputs of tally-sheet: single rules of the formulas, errors of every kind, circles, and large sheets."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

TOKEN = re.compile(r"[A-J][1-9]:[A-J][1-9]|[A-J][1-9]|SUM|MAX|COUNT|IF|[0-9]+|[-+*/<(),]|.")


class Reader:
    """Reads a formula, and refuses what the grammar does not allow."""

    def __init__(self, text: str) -> None:
        self.tokens = [*TOKEN.findall(text), ""]

    def take(self, *wanted: str) -> str:
        """The next token, one of those wanted (any, if none are named)."""
        token = self.tokens.pop(0)
        if wanted and token not in wanted:
            raise ValueError(f"{token!r} in a formula")
        return token

    def formula(self) -> None:
        """A sum, or a comparison of two."""
        self.level(1)
        if self.tokens[0] == "<":
            self.take()
            self.level(1)

    def level(self, depth: int) -> None:
        """Sums (1) and products (2)."""
        signs = {1: ("+", "-"), 2: ("*", "/")}[depth]
        self.factor() if depth == 2 else self.level(2)
        while self.tokens[0] in signs:
            self.take()
            self.factor() if depth == 2 else self.level(2)

    def factor(self) -> None:
        """A factor."""
        token = self.take()
        if token == "-":
            self.factor()
        elif token == "(":
            self.formula()
            self.take(")")
        elif token in ("SUM", "MAX", "COUNT"):
            self.take("(")
            first, _, last = self.take().partition(":")
            if not last or first[0] > last[0] or first[1] > last[1]:
                raise ValueError("range")
            self.take(")")
        elif token == "IF":
            for sign in "(,,":
                self.take(sign)
                self.formula()
            self.take(")")
        elif not re.fullmatch(r"[A-J][1-9]|0|[1-9][0-9]{0,5}", token):
            raise ValueError(f"{token!r} in a formula")


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    (cells,) = value
    if not (type(cells) is list and 1 <= len(cells) <= 90):
        raise ValueError("size")
    names = set()
    for cell in cells:
        name, sign, text = cell.partition("=")
        if not re.fullmatch("[A-J][1-9]", name) or sign != "=" or name in names or len(text) > 60:
            raise ValueError("cell")
        names.add(name)
        reader = Reader(text)
        reader.formula()
        reader.take("")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_704)
    every = [f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 10)]

    def formula(names: list[str], depth: int) -> str:
        word = rng.choice(("number", "cell", "cell", "+", "-", "*", "/", "<", "IF", "SUM", "MAX", "COUNT", "minus", "("))
        if depth == 0 or word in ("number", "cell"):
            return rng.choice(names) if names and word != "number" else str(rng.choice((0, 1, 2, 3, 7, 40, 1000)))
        inner = [formula(names, depth - 1) for _ in range(3)]
        if word == "IF":
            return f"IF({','.join(inner)})"
        if word in ("SUM", "MAX", "COUNT"):
            (a, b), (c, d) = sorted(rng.choices("ABCDEFGHIJ", k=2)), sorted(rng.choices("123456789", k=2))
            return f"{word}({a}{c}:{min(b, chr(ord(a) + 1))}{min(int(d), int(c) + 1)})"
        if word == "minus":
            return f"-({inner[0]})"
        return f"({inner[0]})" if word == "(" else f"({inner[0]}){word}({inner[1]})" if word == "<" else f"{inner[0]}{word}({inner[1]})"

    def some(count: int, ahead: int, depth: int) -> list[Any]:
        """A sheet whose cells read mostly earlier ones, and up to `ahead` later ones."""
        names = rng.sample(every, count)
        cells = []
        for at, name in enumerate(names):
            while True:
                text = formula(names[max(0, at - 6) : at + ahead], depth)
                if len(text) <= 60:
                    break
            cells.append(f"{name}={text}")
        rng.shuffle(cells)
        return [cells]

    yield [["A1=2+3*4", "A2=A1-B7-1", "A3=-7/2", "B1=SUM(A1:A3)", "B2=IF(A3<0,MAX(A1:B1),1/0)"]]
    yield [["A1=B1+1", "B1=A1", "C1=IF(0,A1,5)", "C2=C1+1/0", "C3=B1+C2", "D1=COUNT(A1:D9)"]]
    yield [["A1=999999*999999", "A2=A1+999999", "A3=A1*2", "B1=A3-A3", "B2=IF(A3,1,2)", "B3=IF(1,2,A3)"]]
    yield [["A1=A1"]]
    yield [["J9=0"]]
    yield [["A1=--3", "A2=2--3", "A3=-2*-3", "A4=-3+5", "A5=2*-3+1", "A6=-(-(1))"]]
    yield [["A1=7/2", "A2=-7/2", "A3=7/(-2)", "A4=-7/-2", "A5=0/5", "A6=5/0", "A7=0/0", "A8=100/7/2", "A9=100/(7/2)", "B1=2*7/4*4"]]
    yield [["A1=1<2", "A2=2<2", "A3=1+1<3*1", "A4=(1<2)+(2<1)", "A5=-(1<2)", "A6=IF(3<B9,1,2)", "A7=IF(-1,1,2)", "A8=IF(1/2,1,2)"]]
    yield [["A1=MAX(B1:C3)", "B2=-5", "C1=-4-2", "A2=COUNT(B1:C3)", "A3=SUM(B1:C3)", "A4=MAX(D1:E5)", "A5=COUNT(D1:E5)", "A6=SUM(D1:E5)"]]
    yield [["A1=IF(B1,1,2)", "B1=C1", "C1=A1", "D1=A1*0", "E1=IF(1,3,D1)", "E2=IF(D1,3,3)"]]
    yield [["A1=IF(1,B1,A1)", "B1=4", "C1=IF(B1-4,C1,6)", "D1=IF(C1,D2,0)", "D2=IF(B1,D3,D1)", "D3=9", "E1=IF(1,5,E2)", "E2=E1+1", "F1=IF(0,F2,8)", "F2=F1*F1"]]
    # What is not read must not make a cell that is, a cycle: of an error's IF neither part, of an inner IF none either.
    unread = ["A1=IF(1/0,B1,2)", "B1=A1", "A2=IF(0/0,3,B2)", "B2=A2", "A3=IF(0,IF(1,B3,2),3)", "B3=A3+1", "A4=IF(1,5,IF(0,1,B4))", "B4=A4*2"]
    yield [[*unread, "A5=IF(C5,B5,6)", "B5=A5", "C5=D5/0", "D5=999999*999999*9", "A6=IF(0,IF(1/0,B6,B6)+B6,7)", "B6=A6-1"]]
    yield [["A1=IF(1,2,SUM(B1:C1))", "B1=A1+1", "A2=IF(0,MAX(B2:B3),3)", "B2=-A2", "A3=7/-1", "A4=-7/-1", "A5=-1/1", "A6=-1/-1", "A7=1/-2", "A8=0/-1"]]
    # Products that are small again in 64 bits.
    yield [["A1=65536*65536", "A2=A1*A1", "A3=A1*-A1/7", "B1=A1*A1<1", "B2=524288*262144", "B3=B2*B2*0"]]
    yield [["A1=COUNT(A1:A3)", "A2=SUM(A1:A3)", "A3=MAX(A3:A3)", "B1=COUNT(A1:B1)", "B2=COUNT(A1:A3)"]]
    yield [["A1=1/0", "A2=A2+A1", "A3=100000", "A4=1+1/0+A2", "A5=999999*999999*9+1/0", "A6=1/0*(999999*999999*9)", "A7=A5<A6"]]
    yield [["A1=999999*999999+999999+999999+1", "A2=A1-1", "A3=A2+1", "A4=A2+2", "A5=-A2-1", "A6=A2+A2-A2", "A7=SUM(A2:A2)"]]
    yield [["A1=999999*999999", "B1=-A1", "A2=999999", "C1=SUM(A1:B2)", "C2=MAX(A1:B2)", "D1=SUM(A1:A1)+A2+A2"]]
    yield [["A1=7*-3/2", "A2=8/-2*3", "A3=-7/2*-2/3", "A4=5*--7/3", "A5=9/-(1+1)*2", "B1=4", "A6=3*-B1/5", "A7=2*-IF(B1,7,1)/3"]]
    yield [["A1=999999*999999", "A2=A1", "A3=SUM(A1:A2)", "B1=-A1", "B2=B1", "C1=SUM(B1:B2)", "C2=SUM(A1:B2)", "C3=0-SUM(A1:A2)/2", "D1=SUM(A3:A3)"]]
    yield [["A1=A1/0", "B1=999999*999999*9", "B2=B1/0", "B3=1/0/0", "B4=B2/C9", "C1=A1/(1-1)", "C2=0/B1", "C3=0/(1/0)", "D1=IF(B1/0,1,2)"]]
    yield [["E5=(9*-9/4)/(E4-E4)", "E4=999999*-999999*3/0", "E3=E4/E9", "E2=-E3", "E1=E2/E6", "E6=0/7", "F1=E5+E4", "F2=F2/0+1/0"]]
    for count, ahead, depth in ((4, 1, 2), (8, 0, 2), (12, 1, 3), (20, 0, 3), (30, 1, 2)):
        yield some(count, ahead, depth)
    yield some(90, 0, 3)
    yield some(90, 1, 2)
    yield some(90, 2, 3)
    yield [[f"{name}={after}+1" for name, after in zip(every, every[1:], strict=False)]]
    yield [[f"{name}=IF({after}<{after},{name},{after}+{after}-{after}+1)" for name, after in zip(every, every[1:], strict=False)]]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
