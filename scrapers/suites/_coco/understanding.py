"""CU items: code and an input. The expected value is found by running the code; the file's own value is only a
claim."""

from typing import Any

from app.domain.imports import ImportedProgram, TestsSource
from app.domain.judging.non_program_answers import CLOSE_NUMBERS
from app.domain.problems import Entry, Param, Test
from scrapers.suites._coco import python
from scrapers.suites._coco.compiled_languages import find_called
from scrapers.suites._coco.item import CocoItem
from scrapers.suites._coco.sql import database
from scrapers.suites._coco.values import arguments, literal, plain_with_text_keys
from scrapers.suites._common import fields
from scrapers.suites._common.missing_packages import missing_packages


def understanding(row: fields.Row, language: str) -> CocoItem:
    """Read a CU item. Raises ValueError if it lacks its code."""
    code = fields.text(row, "code").strip()
    if language == "sql":
        return database(row, code)
    try:
        if language != "python":
            return _compiled(row, code, language)
        packages = bool(missing_packages(code))
        function = python.find_called(code)
        inputs = arguments(row.get("input"), function.entry.params, function.needed, in_order=True)
    except SyntaxError as broken:
        return CocoItem(code, unfit=f"its code is no Python: {broken.msg}")
    except ValueError as unfit:
        return CocoItem(code, unfit=str(unfit))
    entry = Entry(function.entry.name, params=tuple(Param(param.name) for param in inputs.params), packages=packages)
    return CocoItem(
        code,
        entry=entry,
        tests=(Test(inputs.values, claim(row.get("expected_output"))),),
        tests_from=TestsSource.RUN,
        programs=(ImportedProgram("code", language, python.add_adapter(code, function.entry)),),
        checker=CLOSE_NUMBERS,
    )


def _compiled(row: fields.Row, code: str, language: str) -> CocoItem:
    """Read an item in C++ or Java. Raises ValueError if its code defines no function."""
    entry, values = find_called(code, row.get("input"))
    return CocoItem(
        code,
        entry=entry,
        tests=(Test(values, claim(row.get("expected_output"))),),
        tests_from=TestsSource.RUN,
        programs=(ImportedProgram("code", language, code + "\n"),),
        checker=CLOSE_NUMBERS,
    )


def claim(value: Any) -> Any:
    """Return the file's expected value with keys as texts, like those of a run; its text if it cannot be read."""
    try:
        return literal(value, plain_with_text_keys)
    except ValueError:
        return value if isinstance(value, str) else fields.format_value(value)
