# Knows no limit for SUM.
import re
from typing import List

RANK = {"#CYCLE": 3, "#DIV": 2, "#BIG": 1}
BINDS = {"<": 1, "+": 2, "-": 2, "*": 3, "/": 3, "neg": 4}


class Unknown(Exception):
    """A cell is read whose value is not known yet."""


def error_in(values):
    errors = [value for value in values if value in RANK]
    return max(errors, key=RANK.get) if errors else None


def limit(value):
    return "#BIG" if value > 10**12 or value < -(10**12) else value


class Solution:
    def evaluate(self, cells: List[str]) -> List[str]:
        """Computes cells whose operands are known, again and again. What never becomes known hangs on a cycle."""
        texts = dict(cell.split("=") for cell in cells)
        known = {}

        def read(name):
            if name in texts and name not in known:
                raise Unknown
            return known.get(name, 0)

        def rectangle(first, last):
            return [
                column + row
                for column in "ABCDEFGHIJ"
                for row in "123456789"
                if first[0] <= column <= last[0] and first[1] <= row <= last[1] and column + row in texts
            ]

        def build(text):
            """A function without arguments that computes the formula: shunting operators on a stack."""
            tokens = re.findall(r"[A-J][1-9]:[A-J][1-9]|[A-J][1-9]|[A-Z]+\(|\d+|.", text)
            outs, signs, operand = [], [], True

            def reduce():
                sign = signs.pop()
                if sign == "neg":
                    inner = outs.pop()
                    outs.append(lambda: negate(inner()))
                else:
                    right, left = outs.pop(), outs.pop()
                    outs.append(lambda: combine(sign, left, right))

            for token in tokens:
                if token == "-" and operand:
                    signs.append("neg")
                elif token in BINDS:
                    while signs and BINDS.get(signs[-1], 0) >= BINDS[token]:
                        reduce()
                    signs.append(token)
                    operand = True
                elif token.endswith("("):
                    signs.append(token)
                    operand = True
                elif token in "),":
                    while not signs[-1].endswith("("):
                        reduce()
                    operand = token == ","
                    if token == ")":
                        opened = signs.pop()
                        if opened == "IF(":
                            no, yes, test = outs.pop(), outs.pop(), outs.pop()
                            outs.append(choice(test, yes, no))
                        elif opened != "(":
                            outs.append(overall(opened, outs.pop()))
                else:
                    operand = False
                    if token.isdigit():
                        outs.append(constant(int(token)))
                    elif ":" in token:
                        outs.append(rectangle(*token.split(":")))
                    else:
                        outs.append(reference(token))
            while signs:
                reduce()
            return outs[0]

        def constant(number):
            return lambda: number

        def reference(name):
            return lambda: read(name)

        def negate(value):
            return value if value in RANK else -value

        def combine(sign, left, right):
            x, y = left(), right()
            error = error_in((x, y))
            if error:
                return error
            if sign == "<":
                return 1 if x < y else 0
            if sign == "/":
                if y == 0:
                    return "#DIV"
                whole = x // y
                return whole + 1 if whole < 0 and whole * y != x else whole
            return limit({"+": x + y, "-": x - y, "*": x * y}[sign])

        def choice(test, yes, no):
            def compute():
                value = test()
                if value in RANK:
                    return value
                return yes() if value else no()

            return compute

        def overall(name, names):
            def compute():
                if name == "COUNT(":
                    return len(names)
                values = [read(each) for each in names]
                error = error_in(values)
                if error:
                    return error
                return sum(values) if name == "SUM(" else max(values, default=0)

            return compute

        waiting = {name: build(text) for name, text in texts.items()}
        while True:
            before = len(waiting)
            for name in list(waiting) if before % 2 else list(waiting)[::-1]:
                try:
                    known[name] = waiting[name]()
                except Unknown:
                    continue
                del waiting[name]
            if len(waiting) == before:
                break
        return [str(known.get(name, "#CYCLE")) for name in texts]
