"""CG items: a description and code with blanks. Expected values are those of the complete code for the file's input.

The file holds inputs of functions in both of its columns: if `input` lacks arguments, `expected_output` may be the
missing ones. For a class, `input` names the calls and `expected_output` holds their arguments.
"""

import ast
import re
from typing import Any, Final

from app.domain.imports import ImportedProgram, TestsSource
from app.domain.problems import Entry, Form, Method, Param, Test, are_calls
from scrapers.suites._coco import python
from scrapers.suites._coco.compiled_languages import find_called
from scrapers.suites._coco.item import CocoItem
from scrapers.suites._coco.understanding import claim
from scrapers.suites._coco.values import arguments, literal
from scrapers.suites._common import fields
from scrapers.suites._common.missing_packages import parse_source

_BLANK: Final = re.compile(r"(?<!\w)_{3,}(?!\w)")


def completion(row: fields.Row, language: str) -> CocoItem:
    """Read a CG item. Raises ValueError if it lacks its code."""
    blank, whole = fields.text(row, "incomplete_code").strip(), fields.text(row, "complete_code").strip()
    programs = [ImportedProgram("complete_code", language, whole + "\n")]
    if _BLANK.search(blank):
        programs.append(ImportedProgram("incomplete_code", language, blank + "\n", reference=False))
    plain = CocoItem(blank, programs=tuple(programs))
    try:
        entry, test, note = _test(whole, row) if language == "python" else _compiled(whole, row)
    except SyntaxError as broken:
        return _unfit_item(plain, f"its code is no Python: {broken.msg}")
    except ValueError as reason:
        return _unfit_item(plain, str(reason))
    return CocoItem(
        blank,
        Form.FUNCTION if entry.name else Form.CLASS,
        entry,
        (test,),
        TestsSource.RUN,
        programs=plain.programs,
        notes=(note,) if note else (),
    )


def _unfit_item(item: CocoItem, reason: str) -> CocoItem:
    return CocoItem(item.starter, programs=item.programs, unfit=reason)


def _test(code: str, row: fields.Row) -> tuple[Entry, Test, str]:
    """Return (what is called, the test, a note).

    Raises ValueError if the row does not say, SyntaxError if the code is no Python.
    """
    value, expected = row.get("input"), row.get("expected_output")
    calls = _calls(value, expected)
    if calls is not None:
        return (*_class(code, calls), "")
    function = python.find_called(code)
    params, needed = function.entry.params, function.needed
    try:
        return function.entry, Test(arguments(value, params, needed).values, claim(expected)), ""
    except ValueError as fault:
        try:
            first, second = literal(value), literal(expected)
        except ValueError:
            raise fault from None
        if needed != 2 or isinstance(first, dict):
            raise
        return (
            function.entry,
            Test([first, second], None),
            "its expected_output is read as the argument that input lacks",
        )


def _compiled(code: str, row: fields.Row) -> tuple[Entry, Test, str]:
    """Return (what is called, the test, a note) for C++ and Java, of which only functions are called. Raises
    ValueError."""
    if _calls(row.get("input"), row.get("expected_output")) is not None:
        raise ValueError("the calls of a class are judged in Python only")
    entry, values = find_called(code, row.get("input"))
    return entry, Test(values, claim(row.get("expected_output"))), ""


def _calls(names: Any, rows: Any) -> list[Any] | None:
    """Return the calls of a class that the two columns hold together; None if they hold none."""
    try:
        names, rows = literal(names), literal(rows)
    except ValueError:
        return None
    if not isinstance(rows, list) or not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    rows = [row if isinstance(row, list) else [row] for row in rows]
    return [names, rows] if names and are_calls([names, rows]) else None


def _class(code: str, calls: list[Any]) -> tuple[Entry, Test]:
    """Return the class that the first call names, in any case, and a test of its calls."""
    names, rows = calls
    node = next(
        (
            node
            for node in parse_source(code).body
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
