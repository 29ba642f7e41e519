"""CG items: a description and code with blanks. Values are those that the whole code gives for the file's input.

The file holds inputs of functions in both of its columns: where `input` lacks arguments, `expected_output` may be the
ones that are missing. Of a class, `input` names the calls and `expected_output` holds their arguments.
"""

import ast
import re
from typing import Any, Final

from app.domain.imports import ImportedProgram, TestsFrom
from app.domain.problems import Entry, Form, Method, Param, Test, are_calls
from scrapers.suites._coco import python
from scrapers.suites._coco.compiled import called
from scrapers.suites._coco.item import Judged
from scrapers.suites._coco.understanding import claim
from scrapers.suites._coco.values import arguments, literal
from scrapers.suites._shared import fields
from scrapers.suites._shared.needs import parsed

_BLANK: Final = re.compile(r"(?<!\w)_{3,}(?!\w)")


def completion(row: fields.Row, language: str) -> Judged:
    """How a CG item is judged. Raises ValueError where it lacks its code."""
    blank, whole = fields.text(row, "incomplete_code").strip(), fields.text(row, "complete_code").strip()
    programs = [ImportedProgram("complete_code", language, whole + "\n")]
    if _BLANK.search(blank):
        programs.append(ImportedProgram("incomplete_code", language, blank + "\n", reference=False))
    plain = Judged(blank, programs=tuple(programs))
    try:
        entry, test, note = _test(whole, row) if language == "python" else _compiled(whole, row)
    except SyntaxError as broken:
        return _unfit(plain, f"its code is no Python: {broken.msg}")
    except ValueError as reason:
        return _unfit(plain, str(reason))
    return Judged(
        blank,
        Form.FUNCTION if entry.name else Form.CLASS,
        entry,
        (test,),
        TestsFrom.RUN,
        programs=plain.programs,
        notes=(note,) if note else (),
    )


def _unfit(item: Judged, reason: str) -> Judged:
    return Judged(item.starter, programs=item.programs, unfit=reason)


def _test(code: str, row: fields.Row) -> tuple[Entry, Test, str]:
    """What is called, with what, and a note.

    Raises ValueError where the row does not say, SyntaxError where the code is no Python.
    """
    value, said = row.get("input"), row.get("expected_output")
    calls = _calls(value, said)
    if calls is not None:
        return (*_class(code, calls), "")
    found = python.called(code)
    params, needed = found.entry.params, found.needed
    try:
        return found.entry, Test(arguments(value, params, needed).values, claim(said)), ""
    except ValueError as lacking:
        try:
            one, other = literal(value), literal(said)
        except ValueError:
            raise lacking from None
        if needed != 2 or isinstance(one, dict):
            raise
        return found.entry, Test([one, other], None), "its expected_output is read as the argument that input lacks"


def _compiled(code: str, row: fields.Row) -> tuple[Entry, Test, str]:
    """The same, of C++ and Java, of which only functions are called. Raises ValueError."""
    if _calls(row.get("input"), row.get("expected_output")) is not None:
        raise ValueError("the calls of a class are judged in Python only")
    entry, given = called(code, row.get("input"))
    return entry, Test(given, claim(row.get("expected_output"))), ""


def _calls(names: Any, rows: Any) -> list[Any] | None:
    """The calls of a class that the two columns hold together; None where they hold none."""
    try:
        names, rows = literal(names), literal(rows)
    except ValueError:
        return None
    if not isinstance(rows, list) or not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    rows = [row if isinstance(row, list) else [row] for row in rows]
    return [names, rows] if names and are_calls([names, rows]) else None


def _class(code: str, calls: list[Any]) -> tuple[Entry, Test]:
    """The class of the code that bears the name of the first call, in whatever case, and the calls of it."""
    names, rows = calls
    node = next(
        (
            node
            for node in parsed(code).body
            if isinstance(node, ast.ClassDef) and node.name.lower() == names[0].lower()
        ),
        None,
    )
    if node is None:
        raise ValueError(f"it defines no class {names[0]}")
    methods = {part.name: _method(part) for part in node.body if isinstance(part, ast.FunctionDef)}
    absent = [name for name in names[1:] if name not in methods]
    if absent:
        raise ValueError(f"its class has no method {absent[0]}")
    params = methods.pop("__init__", Method()).params
    return Entry("", node.name, params, methods=methods), Test([[node.name, *names[1:]], rows], None)


def _method(node: ast.FunctionDef) -> Method:
    spelt = [Param(arg.arg, ast.unparse(arg.annotation) if arg.annotation else "") for arg in node.args.args[1:]]
    return Method(tuple(spelt), ast.unparse(node.returns) if node.returns else "")
