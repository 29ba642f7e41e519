"""Defects that are planted in right programs, one at a time: where each is, and of which category. Only parsed."""

import ast
import copy
import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.errors import InvalidInput
from app.domain.judging.findings import Category
from app.domain.problems import Entry
from app.domain.testgen.mutants.mutants import mutants

SHORTEST, LONGEST = 3, 80  # lines of a program that is read
_WIDEST = 110  # characters of a line that is changed
_MOST_MUTANTS = 400
# Mistakes that nobody makes: they are for suites of tests.
_UNLIKELY = frozenset({"slower", "flow", "branch", "early end", "missing statement"})
_VAGUE = ("foo", "stuff", "thing", "xyz", "blah")
_SHORTEST_NAME = 3  # of shorter ones nobody says that another short one is worse

Change = Callable[[ast.AST], Iterator[ast.AST]]


@dataclass(frozen=True, slots=True)
class Defect:
    """A program with one defect, and the lines, from 1, on which it is seen; `before` is what the first of them was."""

    category: Category
    code: str
    lines: tuple[int, ...]
    before: str
    after: str


def planted(code: str, entry: Entry | None, category: Category) -> list[Defect]:
    """Every defect of a category that a tidied program can be given, in an order that nobody chooses.

    One of logic, security or performance changes a single line, one of naming the same name wherever it stands. Whether
    the program then still does what it did is for its tests to say. Empty where the program is too short or long.
    """
    if not SHORTEST <= code.count("\n") <= LONGEST:
        return []
    match category:
        case Category.LOGIC:
            texts: Iterator[str] = _mistakes(code, entry)
        case Category.NAMING:
            texts = _renamed(code)
        case Category.PERFORMANCE:
            texts = _changed(code, _slower)
        case Category.SECURITY:
            texts = _changed(code, _trusting(_given(code, entry)))
    found = [defect for text in texts if (defect := _defect(code, text, category)) is not None]
    if category is Category.LOGIC:  # each kind of mistake has had its turn
        return found
    return sorted(found, key=lambda defect: hashlib.sha256(defect.code.encode()).digest())


def _defect(code: str, text: str, category: Category) -> Defect | None:
    old, new = code.splitlines(), text.splitlines()
    if len(old) != len(new):
        return None
    lines = tuple(number for number, pair in enumerate(zip(old, new, strict=True), 1) if pair[0] != pair[1])
    if not lines or (len(lines) > 1 and category is not Category.NAMING):
        return None
    before, after = old[lines[0] - 1], new[lines[0] - 1]
    return None if max(len(before), len(after)) > _WIDEST else Defect(category, text, lines, before, after)


def _mistakes(code: str, entry: Entry | None) -> Iterator[str]:
    seed = int.from_bytes(hashlib.sha256(code.encode()).digest()[:4])
    name = None if entry is None else entry.cls or entry.name
    try:
        made = mutants(code, "python", _MOST_MUTANTS, seed, name)
    except InvalidInput:
        return
    yield from (mutant.code for mutant in made if mutant.operator not in _UNLIKELY)


def _changed(code: str, change: Change) -> Iterator[str]:
    """The program with one of its nodes changed, for each that can be."""
    tree = ast.parse(code)
    for number, node in enumerate(ast.walk(tree)):
        for other in change(node):
            twin = copy.deepcopy(tree)
            at = next(part for place, part in enumerate(ast.walk(twin)) if place == number)
            yield ast.unparse(ast.fix_missing_locations(_Swapped(at, other).visit(twin))) + "\n"


class _Swapped(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def _call(name: str, *given: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])


def _slower(node: ast.AST) -> Iterator[ast.AST]:
    """Copies of a whole collection where one look at it would do."""
    match node:
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[ast.Name() as held]):
            yield ast.Compare(left, [op], [_call("list", held)])
        case ast.Call(func=ast.Name(id="max" | "min" as name), args=[held], keywords=[]) if not isinstance(
            held, ast.Starred
        ):
            place: ast.expr = ast.Constant(0) if name == "min" else ast.UnaryOp(ast.USub(), ast.Constant(1))
            yield ast.Subscript(_call("sorted", held), place, ast.Load())
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[one], keywords=[])
        ):
            longer = ast.BinOp(ast.Name(name, ast.Load()), ast.Add(), ast.List([one], ast.Load()))
            yield ast.Assign([ast.Name(name, ast.Store())], longer)


def _trusting(given: frozenset[str]) -> Change:
    """Input that is evaluated: the text of numbers, or, of a function, the arguments `given`."""

    def change(node: ast.AST) -> Iterator[ast.AST]:
        match node:
            case ast.Call(func=ast.Name(id="int"), args=[text], keywords=[]) if not given:
                yield _call("eval", text)
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="int"), texts], keywords=[]) if not given:
                yield _call("map", ast.Name("eval", ast.Load()), texts)
            case ast.Name(id=name, ctx=ast.Load()) if name in given:
                yield _call("eval", _call("str", ast.Name(name, ast.Load())))

    return change


def _given(code: str, entry: Entry | None) -> frozenset[str]:
    """The arguments of the function that is called, where these are numbers or lists of numbers."""
    if entry is None:
        return frozenset()
    for part in ast.walk(ast.parse(code)):
        if isinstance(part, ast.FunctionDef) and part.name == entry.name:
            names = [each.arg for each in part.args.args][-len(entry.params) :]
            kinds = [param.type for param in entry.params]
            return frozenset(
                name for name, kind in zip(names, kinds, strict=False) if kind.replace("[]", "") in _NUMBERS
            ) or frozenset({""})
    return frozenset({""})


_NUMBERS: Final = frozenset({"integer", "int", "long", "List[int]", "list[int]", "List[List[int]]"})


def _renamed(code: str) -> Iterator[str]:
    """The program with one of its own variables called by a word that says nothing."""
    tree = ast.parse(code)
    parts = list(ast.walk(tree))
    own = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    taken = set(_taken(parts))
    words = [word for word in _VAGUE if word not in own | {part.id for part in parts if isinstance(part, ast.Name)}]
    for name in sorted(own - taken):
        if len(name) < _SHORTEST_NAME or name.startswith("_") or not words:
            continue
        word = random.Random(f"{name}\n{code}").choice(words)  # noqa: S311  # a choice that anybody can repeat
        called = [part for part in parts if isinstance(part, ast.Name) and part.id == name]
        for part in called:
            part.id = word
        text = ast.unparse(tree) + "\n"
        for part in called:
            part.id = name
        yield text


def _taken(parts: Sequence[ast.AST]) -> Iterator[str]:
    """Names that stand for something else, too, or are seen from outside."""
    for part in parts:
        match part:
            case ast.arg(arg=str(name)) | ast.keyword(arg=str(name)) | ast.alias(asname=str(name)):
                yield name
            case ast.alias(name=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
