"""The program part of a Python answer: imports and definitions, without usage examples, prints and prose. Pure.

Whole source lines are kept as written: imports, and the top-level definitions and assignments that the requested
function needs, directly or through others. If there is no such function, every definition is kept. Text that is not
Python is cut at the first invalid line; if nothing valid remains, it stays as it is.
"""

import ast
import re
import warnings
from collections.abc import Iterable

_MAX_PARSED_CHARS = 65_536  # Python's parser is safe up to this length; longer text stays as it is
_MAX_CUTS = 12
_DEFINITION_START = re.compile(r"^(?:import |from \w|def |async def |class |@\w)", re.MULTILINE)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def sanitise_program(code: str, entry: str) -> str:
    """Return the lines of a program that `entry` needs. Linear in `len(code)` times a bounded number of parses."""
    if len(code) > _MAX_PARSED_CHARS:
        return code
    whole = _longest_python_prefix(code) or _parse_from_first_definition(code)
    if whole is None:
        return code
    text, module = whole
    statements = _needed_statements(module.body, entry)
    return _source_lines(text, statements) if statements else code


def extract_bare_program(text: str) -> str | None:
    """Return the unfenced program of an answer, from the first line that begins like one; None if there is none."""
    whole = None if len(text) > _MAX_PARSED_CHARS else _parse_from_first_definition(text)
    defines = whole is not None and any(isinstance(node, _Definition) for node in whole[1].body)
    return whole[0] if whole is not None and defines else None


def _parse_from_first_definition(text: str) -> tuple[str, ast.Module] | None:
    begins = _DEFINITION_START.search(text)
    return None if begins is None else _longest_python_prefix(text[begins.start() :])


def _longest_python_prefix(code: str) -> tuple[str, ast.Module] | None:
    """Return the longest prefix of whole lines that a few cuts show to be Python, as text and tree."""
    lines = code.split("\n")
    for _ in range(_MAX_CUTS):
        text = "\n".join(lines)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # invalid escapes in a model's string are not our warnings
                return text, ast.parse(text)
        except SyntaxError as wrong:
            at = min(wrong.lineno or 1, len(lines)) - 1
        except (ValueError, MemoryError, RecursionError):
            return None
        while at > 0 and (not lines[at] or lines[at][0] in " \t)]}#"):
            at -= 1  # back to the first line of the invalid statement
        lines = lines[:at]
        if not any(map(str.strip, lines)):
            return None
    return None


def _needed_statements(body: list[ast.stmt], entry: str) -> list[ast.stmt]:
    """Return imports and the statements that `entry` needs, in source order."""
    imports = [
        node for node in body if isinstance(node, ast.Import | ast.ImportFrom | ast.Try | ast.If) and _is_import(node)
    ]
    defining = [node for node in body if _defined_names(node) and node not in imports]
    functions = [node for node in defining if isinstance(node, _Definition)]
    if not any(entry in _defined_names(node) for node in functions):
        return sorted([*imports, *defining], key=lambda node: node.lineno)
    makers: dict[str, list[ast.stmt]] = {}
    for node in defining:
        for name in _defined_names(node):
            makers.setdefault(name, []).append(node)
    needed: dict[int, ast.stmt] = {}
    waiting = [entry]
    seen = {entry}
    while waiting:
        for node in makers.get(waiting.pop(), ()):
            if id(node) not in needed:
                needed[id(node)] = node
                fresh = _used_names(node) - seen
                seen |= fresh
                waiting += sorted(fresh)
    return sorted([*imports, *needed.values()], key=lambda node: node.lineno)


def _is_import(node: ast.stmt) -> bool:
    """Return whether a statement imports, directly or as one of several alternatives."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    parts = node.body if isinstance(node, ast.Try | ast.If) else []
    return bool(parts) and all(isinstance(part, ast.Import | ast.ImportFrom) for part in parts)


def _defined_names(node: ast.stmt) -> set[str]:
    """Return the names that a top-level statement defines."""
    if isinstance(node, _Definition):
        return {node.name}
    if isinstance(node, ast.Assign):
        return _bound_names(node.targets)
    if isinstance(node, ast.AnnAssign | ast.AugAssign):
        return _bound_names([node.target])
    return set()


def _bound_names(targets: Iterable[ast.expr]) -> set[str]:
    """Return the names that are bound, and those whose elements are: filling a table belongs to the table."""
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def _used_names(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _source_lines(text: str, nodes: Iterable[ast.stmt]) -> str:
    lines, selected, done = text.split("\n"), [], 0
    for node in nodes:
        decorators = node.decorator_list if isinstance(node, _Definition) else []
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        last = node.end_lineno or node.lineno
        selected += lines[max(first - 1, done) : last]
        done = max(done, last)
    return "\n".join(selected) + "\n"
