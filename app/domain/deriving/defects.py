"""Planted defects in right programs, one at a time, with their lines and category. Programs are only parsed."""

import ast
import copy
import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.errors import InvalidInput
from app.domain.judging.defects import Category
from app.domain.problems import Entry
from app.domain.testgen.mutants.mutants import mutants

MIN_PROGRAM_LINES, MAX_PROGRAM_LINES = 3, 80  # lines of a program
_MAX_LINE_CHARS = 110  # of a changed line
_MAX_MUTANTS = 400
# Mutations unlike any human mistake; they only serve to measure test suites.
_UNLIKELY_MUTATIONS = frozenset({"slower", "flow", "branch", "early end", "missing statement"})
_VAGUE_NAMES = ("foo", "stuff", "thing", "xyz", "blah")
_MIN_NAME_CHARS = 3  # a worse name for a shorter one is a matter of opinion

Change = Callable[[ast.AST], Iterator[ast.AST]]


@dataclass(frozen=True, slots=True)
class Defect:
    """A program with one defect, and its lines, from 1; `before` and `after` are the first of them."""

    category: Category
    code: str
    lines: tuple[int, ...]
    before: str
    after: str


def plant_defects(code: str, entry: Entry | None, category: Category) -> list[Defect]:
    """Return every defect of a category that a tidied program can be given, in a fixed pseudorandom order.

    Defects of logic, security and performance change a single line; a naming defect changes one name everywhere. Tests
    decide whether the program's behaviour changes. Empty if the program is too short or long.
    """
    if not MIN_PROGRAM_LINES <= code.count("\n") <= MAX_PROGRAM_LINES:
        return []
    match category:
        case Category.LOGIC:
            texts: Iterator[str] = _mistaken_programs(code, entry)
        case Category.NAMING:
            texts = _renamed_programs(code)
        case Category.PERFORMANCE:
            texts = _changed_programs(code, _slower_nodes)
        case Category.SECURITY:
            texts = _changed_programs(code, _evaluating_input(_numeric_arguments(code, entry)))
    defects = [defect for text in texts if (defect := _defect(code, text, category)) is not None]
    if category is Category.LOGIC:  # kinds of mistakes are already mixed
        return defects
    return sorted(defects, key=lambda defect: hashlib.sha256(defect.code.encode()).digest())


def _defect(code: str, text: str, category: Category) -> Defect | None:
    old, new = code.splitlines(), text.splitlines()
    if len(old) != len(new):
        return None
    lines = tuple(number for number, pair in enumerate(zip(old, new, strict=True), 1) if pair[0] != pair[1])
    if not lines or (len(lines) > 1 and category is not Category.NAMING):
        return None
    before, after = old[lines[0] - 1], new[lines[0] - 1]
    return None if max(len(before), len(after)) > _MAX_LINE_CHARS else Defect(category, text, lines, before, after)


def _mistaken_programs(code: str, entry: Entry | None) -> Iterator[str]:
    seed = int.from_bytes(hashlib.sha256(code.encode()).digest()[:4])
    name = None if entry is None else entry.cls or entry.name
    try:
        mutated = mutants(code, "python", _MAX_MUTANTS, seed, name)
    except InvalidInput:
        return
    yield from (mutant.code for mutant in mutated if mutant.operator not in _UNLIKELY_MUTATIONS)


def _changed_programs(code: str, change: Change) -> Iterator[str]:
    """Yield the program with one node changed, for each node that can be."""
    tree = ast.parse(code)
    for number, node in enumerate(ast.walk(tree)):
        for other in change(node):
            twin = copy.deepcopy(tree)
            at = next(part for place, part in enumerate(ast.walk(twin)) if place == number)
            yield ast.unparse(ast.fix_missing_locations(_NodeSwap(at, other).visit(twin))) + "\n"


class _NodeSwap(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _slower_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield replacements that copy a whole collection for a single look at it."""
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


def _evaluating_input(arguments: frozenset[str]) -> Change:
    """Return a change that evaluates input: the text of numbers or, in a function, its `arguments`."""

    def change(node: ast.AST) -> Iterator[ast.AST]:
        match node:
            case ast.Call(func=ast.Name(id="int"), args=[text], keywords=[]) if not arguments:
                yield _call("eval", text)
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="int"), texts], keywords=[]) if not arguments:
                yield _call("map", ast.Name("eval", ast.Load()), texts)
            case ast.Name(id=name, ctx=ast.Load()) if name in arguments:
                yield _call("eval", _call("str", ast.Name(name, ast.Load())))

    return change


def _numeric_arguments(code: str, entry: Entry | None) -> frozenset[str]:
    """Return the arguments of the called function that are numbers or lists of numbers."""
    if entry is None:
        return frozenset()
    for part in ast.walk(ast.parse(code)):
        if isinstance(part, ast.FunctionDef) and part.name == entry.name:
            names = [argument.arg for argument in part.args.args][-len(entry.params) :]
            kinds = [param.type for param in entry.params]
            return frozenset(
                name for name, kind in zip(names, kinds, strict=False) if kind.replace("[]", "") in _NUMERIC_TYPES
            ) or frozenset({""})
    return frozenset({""})


_NUMERIC_TYPES: Final = frozenset({"integer", "int", "long", "List[int]", "list[int]", "List[List[int]]"})


def _renamed_programs(code: str) -> Iterator[str]:
    """Yield the program with one of its own variables renamed to a meaningless word."""
    tree = ast.parse(code)
    parts = list(ast.walk(tree))
    own = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    unavailable = set(_taken_names(parts))
    words = [
        word for word in _VAGUE_NAMES if word not in own | {part.id for part in parts if isinstance(part, ast.Name)}
    ]
    for name in sorted(own - unavailable):
        if len(name) < _MIN_NAME_CHARS or name.startswith("_") or not words:
            continue
        word = random.Random(f"{name}\n{code}").choice(words)  # noqa: S311  # a reproducible choice
        called = [part for part in parts if isinstance(part, ast.Name) and part.id == name]
        for part in called:
            part.id = word
        text = ast.unparse(tree) + "\n"
        for part in called:
            part.id = name
        yield text


def _taken_names(parts: Sequence[ast.AST]) -> Iterator[str]:
    """Yield names that also stand for something else, or are visible from outside."""
    for part in parts:
        match part:
            case ast.arg(arg=str(name)) | ast.keyword(arg=str(name)) | ast.alias(asname=str(name)):
                yield name
            case ast.alias(name=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
