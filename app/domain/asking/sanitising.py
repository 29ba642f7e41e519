"""What of a Python answer is the program: its imports and definitions, without examples of use, prints and prose. Pure.

Kept are whole lines of the source, as they are written: imports, and those definitions and assignments at the top that
the function asked for needs, directly or through others. Where there is no such function, everything that defines
something is kept. A text that is no Python is cut where it stops being any; what still is none is left as it is.
"""

import ast
import re
import warnings
from collections.abc import Iterable

_LONGEST = 65_536  # characters; Python's parser stays safe there. What is longer is left as it is
_CUTS = 12  # times that a text is cut and read again
_STARTS = re.compile(r"^(?:import |from \w|def |async def |class |@\w)", re.MULTILINE)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def sanitised(code: str, entry: str) -> str:
    """The lines of a program that `entry` needs. Linear in `len(code)` but for a bounded number of readings."""
    if len(code) > _LONGEST:
        return code
    whole = _readable(code) or _from_its_start(code)
    if whole is None:
        return code
    text, module = whole
    kept = _needed(module.body, entry)
    return _lines(text, kept) if kept else code


def program_in(text: str) -> str | None:
    """The program of an answer that is not fenced: from its first line that begins like one; None without any."""
    whole = None if len(text) > _LONGEST else _from_its_start(text)
    defines = whole is not None and any(isinstance(node, _Definition) for node in whole[1].body)
    return whole[0] if whole is not None and defines else None


def _from_its_start(text: str) -> tuple[str, ast.Module] | None:
    begins = _STARTS.search(text)
    return None if begins is None else _readable(text[begins.start() :])


def _readable(code: str) -> tuple[str, ast.Module] | None:
    """The longest beginning of whole lines that a few cuts show to be Python, as text and as a tree."""
    lines = code.split("\n")
    for _ in range(_CUTS):
        text = "\n".join(lines)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an odd escape in a model's string is not our warning
                return text, ast.parse(text)
        except SyntaxError as wrong:
            at = min(wrong.lineno or 1, len(lines)) - 1
        except (ValueError, MemoryError, RecursionError):
            return None
        while at > 0 and (not lines[at] or lines[at][0] in " \t)]}#"):
            at -= 1  # back to the line that begins what cannot be read
        lines = lines[:at]
        if not any(map(str.strip, lines)):
            return None
    return None


def _needed(body: list[ast.stmt], entry: str) -> list[ast.stmt]:
    """Imports, and what `entry` is made of, in the order of the source."""
    imports = [
        node for node in body if isinstance(node, ast.Import | ast.ImportFrom | ast.Try | ast.If) and _imports(node)
    ]
    defining = [node for node in body if _names(node) and node not in imports]
    functions = [node for node in defining if isinstance(node, _Definition)]
    if not any(entry in _names(node) for node in functions):
        return sorted([*imports, *defining], key=lambda node: node.lineno)
    makers: dict[str, list[ast.stmt]] = {}
    for node in defining:
        for name in _names(node):
            makers.setdefault(name, []).append(node)
    kept: dict[int, ast.stmt] = {}
    waiting = [entry]
    seen = {entry}
    while waiting:
        for node in makers.get(waiting.pop(), ()):
            if id(node) not in kept:
                kept[id(node)] = node
                fresh = _mentioned(node) - seen
                seen |= fresh
                waiting += sorted(fresh)
    return sorted([*imports, *kept.values()], key=lambda node: node.lineno)


def _imports(node: ast.stmt) -> bool:
    """Whether it imports: by itself, or as one of several ways to."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    parts = node.body if isinstance(node, ast.Try | ast.If) else []
    return bool(parts) and all(isinstance(part, ast.Import | ast.ImportFrom) for part in parts)


def _names(node: ast.stmt) -> set[str]:
    """The names that a statement at the top defines."""
    if isinstance(node, _Definition):
        return {node.name}
    if isinstance(node, ast.Assign):
        return _stored(node.targets)
    if isinstance(node, ast.AnnAssign | ast.AugAssign):
        return _stored([node.target])
    return set()


def _stored(targets: Iterable[ast.expr]) -> set[str]:
    """Names that are bound, and those whose parts are: a table that is filled belongs to what uses the table."""
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def _mentioned(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _lines(text: str, nodes: Iterable[ast.stmt]) -> str:
    lines, kept, done = text.split("\n"), [], 0
    for node in nodes:
        decorators = node.decorator_list if isinstance(node, _Definition) else []
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        last = node.end_lineno or node.lineno
        kept += lines[max(first - 1, done) : last]
        done = max(done, last)
    return "\n".join(kept) + "\n"
