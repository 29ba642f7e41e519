"""Counter of the branches of a right program that its unittests take. Runs in the sandbox like a judged program.

It imports nothing of ours. A branch is a way out of a statement `if`, `while`, `for` or `case`, as coverage.py counts
them: the condition holds or does not, there is an item or none is left. A constant condition has no branches.
"""

import ast
import sys
import types
import unittest
from typing import Any

_NOTE = "__way_out__"  # the name of the function that the program calls at each branch


def count_branches(code: str, preamble: str, source: str, name: str) -> dict[str, int]:
    """Return the numbers of tests that ran on a program, of its branches, and of branches that the tests took."""
    tree, taken = ast.parse(code), set()
    marker = _BranchMarker()
    tree = ast.fix_missing_locations(marker.visit(tree))

    def note(place: int, held: Any) -> bool:
        taken.add((place, bool(held)))
        return bool(held)

    module = types.ModuleType("solution")
    sys.modules["solution"] = sys.modules["__main__"] = module
    space = module.__dict__
    exec(preamble, space)  # noqa: S102  # in the sandbox, and nowhere else
    space[_NOTE] = note
    exec(compile(tree, "solution.py", "exec"), space)  # noqa: S102  # as above
    before = dict(space)
    exec(compile(source, "tests.py", "exec"), space)  # noqa: S102  # as above
    own = types.ModuleType("tests")
    own.__dict__.update({key: value for key, value in space.items() if before.get(key, before) is not value})
    result, ran = unittest.TestResult(), 0
    unittest.defaultTestLoader.loadTestsFromModule(own).run(result)
    for key, value in vars(own).items():
        if isinstance(value, types.FunctionType) and (key == "check" or key.startswith("test")):
            value(*[space[name]][: value.__code__.co_argcount])
            ran += 1
    return {"tests": ran + result.testsRun, "branches": 2 * marker.places, "taken": len(taken)}


class _BranchMarker(ast.NodeTransformer):
    """Inserts a call of the note function into both branches of each statement; `places` counts these statements."""

    def __init__(self) -> None:
        self.places = 0

    def visit_If(self, node: ast.If | ast.While) -> ast.AST:
        if not isinstance(node.test, ast.Constant):
            node.test = self._call(self._next(), node.test)
        return self.generic_visit(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self.visit_If(node)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        place = self._next()
        node.body.insert(0, ast.Expr(self._call(place, ast.Constant(value=True))))
        node.orelse.insert(0, ast.Expr(self._call(place, ast.Constant(value=False))))
        return self.generic_visit(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AST:
        return self.visit_For(node)

    def visit_Match(self, node: ast.Match) -> ast.AST:
        passed: list[int] = []

        def misses() -> list[ast.stmt]:
            return [ast.Expr(self._call(place, ast.Constant(value=False))) for place in passed]

        for case in node.cases:
            before = misses()
            if not _takes_all(case):
                passed.append(self._next())
                before.append(ast.Expr(self._call(passed[-1], ast.Constant(value=True))))
            case.body[:0] = before
        if not _takes_all(node.cases[-1]):
            node.cases.append(ast.match_case(ast.MatchAs(), body=misses()))
        return self.generic_visit(node)

    def _next(self) -> int:
        self.places += 1
        return self.places

    def _call(self, place: int, value: ast.expr) -> ast.expr:
        return ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant(place), value], [])


def _takes_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
