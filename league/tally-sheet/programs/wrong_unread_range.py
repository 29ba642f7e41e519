# Reads the cells of a SUM or MAX that lies in a part of an IF that is not read.
import re
import sys
from typing import List

MOST = 10**12
ERRORS = ("#CYCLE", "#DIV", "#BIG")
TOKEN = re.compile(r"[A-J][1-9]|SUM|MAX|COUNT|IF|\d+|.")


class Solution:
    def evaluate(self, cells: List[str]) -> List[str]:
        sys.setrecursionlimit(20_000)
        formulas = dict(cell.split("=") for cell in cells)
        values, reading = {}, set()

        def bounded(value):
            return value if abs(value) <= MOST else "#BIG"

        def worst(operands):
            """The error that matters among operands, or none."""
            there = {each for each in operands if isinstance(each, str)}
            return next((error for error in ERRORS if error in there), None)

        def apply(sign, x, y):
            error = worst((x, y))
            if error:
                return error
            if sign == "<":
                return int(x < y)
            if sign == "/":
                if y == 0:
                    return "#DIV"
                return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            return bounded(x + y if sign == "+" else x - y if sign == "-" else x * y)

        def value_of(name):
            if name not in formulas:
                return 0
            if name in reading:
                return "#CYCLE"
            if name not in values:
                reading.add(name)
                tokens = TOKEN.findall(formulas[name])[::-1]
                values[name] = comparison(tokens, True)
                reading.remove(name)
            return values[name]

        # Each reader takes its part off the end of the tokens. Where `live` is false it only skips the part.
        def comparison(tokens, live):
            result = addition(tokens, live)
            if tokens and tokens[-1] == "<":
                tokens.pop()
                result = apply("<", result, addition(tokens, live))
            return result

        def addition(tokens, live):
            result = product(tokens, live)
            while tokens and tokens[-1] in "+-":
                sign = tokens.pop()
                result = apply(sign, result, product(tokens, live))
            return result

        def product(tokens, live):
            result = factor(tokens, live)
            while tokens and tokens[-1] in "*/":
                sign = tokens.pop()
                result = apply(sign, result, factor(tokens, live))
            return result

        def factor(tokens, live):
            token = tokens.pop()
            if token.isdigit():
                return int(token)
            if token == "-":
                inner = factor(tokens, live)
                return inner if isinstance(inner, str) else -inner
            if token == "(":
                inner = comparison(tokens, live)
                tokens.pop()
                return inner
            if token == "IF":
                tokens.pop()
                test = comparison(tokens, live)
                tokens.pop()
                chosen = live and not isinstance(test, str)
                one = comparison(tokens, chosen and test != 0)
                tokens.pop()
                two = comparison(tokens, chosen and test == 0)
                tokens.pop()
                return test if isinstance(test, str) else one if test else two
            if token in ("SUM", "MAX", "COUNT"):
                tokens.pop()
                first, _, last, _ = (tokens.pop() for _ in range(4))
                names = [
                    chr(column) + str(row)
                    for column in range(ord(first[0]), ord(last[0]) + 1)
                    for row in range(int(first[1]), int(last[1]) + 1)
                ]
                names = [name for name in names if name in formulas]
                if token == "COUNT":
                    return len(names)
                numbers = [value_of(name) for name in names]
                return worst(numbers) or (bounded(sum(numbers)) if token == "SUM" else max(numbers, default=0))
            return value_of(token) if live else 0

        return [str(value_of(cell.split("=")[0])) for cell in cells]
