"""The language of constraints: relations between sizes and values, as statements write them.

    1 <= n <= 10^5                      0 <= queries[i][0] < queries[i][1] < n
    n == nums.length                    1 <= a[i], b[i] <= 10^9
    m <= n * (n - 1) / 2                sum(len(words[i])) <= 2 * 10^5

A name inside brackets stands for every place (`nums[i]`), a number for one; `x.length` and `len(x)` are the same; `/`
divides and rounds down; `=` is `==`. A chain becomes one relation per step, a list one relation per member.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Union

from app.domain.errors import InvalidInput

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\d_]*)|(?P<quoted>'[^']'|\"[^\"]\")|(?P<name>[A-Za-z]\w*)"
    r"|(?P<sign><=|>=|==|!=|//|\*\*|[-+*/%^()\[\],.<>=]))"
)
_COMPARISONS = {"<=", "<", ">=", ">", "==", "=", "!="}
_FUNCTIONS = {"min": 2, "max": 2, "abs": 1, "sum": 1, "len": 1}
_MAX_CHARS, _MAX_DEPTH, _MAX_POWER = 500, 20, 200


@dataclass(frozen=True, slots=True)
class Num:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Subscript:
    """An index: every place, with a name and moved by `shift`; without a name, the place `shift`."""

    name: str
    shift: int = 0


@dataclass(frozen=True, slots=True)
class Ref:
    """A variable, an element of it, or the length of either."""

    name: str
    path: tuple[Subscript, ...] = ()
    length: bool = False
    # One key for all elements; None if it is not a plain element, as `x[i + 1]` or `x[i][i]`. Computed once, since
    # bounds are looked up by it thousands of times.
    key: "Key | None" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = [place.name for place in self.path if place.name]
        is_plain = len(set(names)) == len(names) and not any(place.name and place.shift for place in self.path)
        path = tuple(None if place.name else place.shift for place in self.path)
        object.__setattr__(self, "key", Key(self.name, path, self.length) if is_plain else None)


class Key(NamedTuple):
    """A quantity: `path` holds None for every place and a number for one."""

    name: str
    path: tuple[int | None, ...] = ()
    length: bool = False


@dataclass(frozen=True, slots=True)
class CallExpr:
    """An operator or a function with its arguments."""

    name: str
    args: tuple["Expr", ...]


Expr = Union[Num, Ref, CallExpr]  # noqa: UP007  # a forward reference in Call


@dataclass(frozen=True, slots=True)
class Relation:
    """`left op right`, with op one of <=, <, ==, !=."""

    left: Expr
    op: str
    right: Expr

    def refs(self) -> list[Ref]:
        """Return all its references."""
        return [*refs_of(self.left), *refs_of(self.right)]


def refs_of(expr: Expr) -> Iterator[Ref]:
    """Yield the references in an expression, in order."""
    if isinstance(expr, Ref):
        yield expr
    elif isinstance(expr, CallExpr):
        for arg in expr.args:
            yield from refs_of(arg)


def parse_relations(text: str) -> tuple[Relation, ...]:
    """Return a chain of relations. Raises InvalidInput if the text is anything else."""
    parser = _Parser(text)
    relations = parser.chain()
    parser.finish()
    return relations


def parse_expression(text: str) -> Expr:
    """Return one expression. Raises InvalidInput."""
    parser = _Parser(text)
    expr = parser.expression()
    parser.finish()
    return expr


class _Parser:
    def __init__(self, text: str) -> None:
        if len(text) > _MAX_CHARS:
            raise InvalidInput("a constraint is too long")
        self._text = text
        self._tokens = list(_tokens(text))
        self._at = 0
        self._depth = 0

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _expect(self, token: str) -> None:
        if self._take() != token:
            raise InvalidInput(f"{self._text!r}: {token!r} is missing")

    def finish(self) -> None:
        if self._peek():
            raise InvalidInput(f"{self._text!r}: {self._peek()!r} is not understood")

    def chain(self) -> tuple[Relation, ...]:
        sides, ops = [self._side()], []
        while self._peek() in _COMPARISONS:
            ops.append(self._take())
            sides.append(self._side())
        if not ops:
            raise InvalidInput(f"{self._text!r} has no comparison")
        return tuple(
            _relation(left, op, right)
            for op, lefts, rights in zip(ops, sides, sides[1:], strict=False)
            for left in lefts
            for right in rights
        )

    def _side(self) -> list[Expr]:
        members = [self.expression()]
        while self._peek() == ",":
            self._take()
            members.append(self.expression())
        return members

    def expression(self) -> Expr:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise InvalidInput(f"{self._text!r} is nested too deeply")
        left = self._product()
        while self._peek() in ("+", "-"):
            left = CallExpr(self._take(), (left, self._product()))
        self._depth -= 1
        return left

    def _product(self) -> Expr:
        left = self._power()
        while self._peek() in ("*", "/", "//", "%"):
            op = self._take()
            left = CallExpr("/" if op == "//" else op, (left, self._power()))
        return left

    def _power(self) -> Expr:
        if self._peek() == "-":
            self._take()
            inner = self._power()
            return Num(-inner.value) if isinstance(inner, Num) else CallExpr("-", (Num(0), inner))
        base = self._atom()
        if self._peek() not in ("^", "**"):
            return base
        self._take()
        exponent = self._power()
        if not (isinstance(base, Num) and isinstance(exponent, Num) and 0 <= exponent.value <= _MAX_POWER):
            raise InvalidInput(f"{self._text!r}: only numbers can be raised, to powers from 0 to {_MAX_POWER}")
        return Num(base.value**exponent.value)

    def _atom(self) -> Expr:
        if self._peek() == "(":
            self._take()
            inner = self.expression()
            self._expect(")")
            return inner
        token = self._take()
        if token[:1].isdigit():
            return Num(int(token))
        if token[:1] in ("'", '"') and len(token) == 3:
            return Num(ord(token[1]))
        if token[:1].isalpha():
            return self._call(token) if self._peek() == "(" else self._ref(token)
        raise InvalidInput(f"{self._text!r}: a value is missing")

    def _call(self, name: str) -> Expr:
        if name not in _FUNCTIONS:
            raise InvalidInput(f"{self._text!r}: {name} is not a known function")
        self._expect("(")
        args = self._side()
        self._expect(")")
        if len(args) != _FUNCTIONS[name]:
            raise InvalidInput(f"{self._text!r}: {name} takes {_FUNCTIONS[name]} values")
        if name == "len":
            if not isinstance(args[0], Ref) or args[0].length:
                raise InvalidInput(f"{self._text!r}: only a variable has a length")
            return Ref(args[0].name, args[0].path, length=True)
        return CallExpr(name, tuple(args))

    def _ref(self, name: str) -> Ref:
        path: list[Subscript] = []
        while self._peek() == "[":
            self._take()
            path.append(self._place())
            self._expect("]")
        if self._peek() != ".":
            return Ref(name, tuple(path))
        self._take()
        if self._take() not in ("length", "size"):
            raise InvalidInput(f"{self._text!r}: the only known attribute is .length")
        return Ref(name, tuple(path), length=True)

    def _place(self) -> Subscript:
        token = self._take()
        if token.isdigit():
            return Subscript("", int(token))
        if not token[:1].isalpha():
            raise InvalidInput(f"{self._text!r}: {token!r} is not an index")
        if self._peek() not in ("+", "-"):
            return Subscript(token)
        sign = 1 if self._take() == "+" else -1
        shift = self._take()
        if not shift.isdigit():
            raise InvalidInput(f"{self._text!r}: an index can only be shifted by a number")
        return Subscript(token, sign * int(shift))


def _tokens(text: str) -> Iterator[str]:
    at, text = 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise InvalidInput(f"{text!r}: {text[at : at + 10]!r} is not understood")
        yield match.group().strip()
        at = match.end()


def _relation(left: Expr, op: str, right: Expr) -> Relation:
    if op in (">", ">="):
        return Relation(right, "<" if op == ">" else "<=", left)
    return Relation(left, "==" if op == "=" else op, right)


# --- values ----------------------------------------------------------------------------------------------------------

Interval = tuple[int, int]
UNBOUNDED = 10**40  # larger than any number in a statement


def combine(name: str, values: Sequence[int]) -> int:
    """Return an operator's result. Raises ZeroDivisionError."""
    match name:
        case "+":
            return values[0] + values[1]
        case "-":
            return values[0] - values[1]
        case "*":
            return values[0] * values[1]
        case "/":
            return values[0] // values[1]
        case "%":
            return values[0] % values[1]
        case "abs":
            return abs(values[0])
        case "min":
            return min(values)
        case _:
            return max(values)
