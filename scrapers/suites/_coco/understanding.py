"""CU items: code and an input. What the code gives for it is found by running it; the file's own value is a claim."""

from typing import Any

from app.domain.imports import ImportedProgram, TestsFrom
from app.domain.judging.answers import CLOSE
from app.domain.problems import Entry, Param, Test
from scrapers.suites._coco import python
from scrapers.suites._coco.compiled import called
from scrapers.suites._coco.item import Judged
from scrapers.suites._coco.sql import database
from scrapers.suites._coco.values import arguments, literal, named
from scrapers.suites._shared import fields
from scrapers.suites._shared.needs import missing


def understanding(row: fields.Row, language: str) -> Judged:
    """How a CU item is judged. Raises ValueError where it lacks its code."""
    code = fields.text(row, "code").strip()
    if language == "sql":
        return database(row, code)
    try:
        if language != "python":
            return _compiled(row, code, language)
        packages = bool(missing(code))
        found = python.called(code)
        given = arguments(row.get("input"), found.entry.params, found.needed, in_order=True)
    except SyntaxError as broken:
        return Judged(code, unfit=f"its code is no Python: {broken.msg}")
    except ValueError as unfit:
        return Judged(code, unfit=str(unfit))
    entry = Entry(found.entry.name, params=tuple(Param(param.name) for param in given.params), packages=packages)
    return Judged(
        code,
        entry=entry,
        tests=(Test(given.values, claim(row.get("expected_output"))),),
        tests_from=TestsFrom.RUN,
        programs=(ImportedProgram("code", language, python.adapted(code, found.entry)),),
        checker=CLOSE,
    )


def _compiled(row: fields.Row, code: str, language: str) -> Judged:
    """Raises ValueError where its code defines no function that the input fits."""
    entry, given = called(code, row.get("input"))
    return Judged(
        code,
        entry=entry,
        tests=(Test(given, claim(row.get("expected_output"))),),
        tests_from=TestsFrom.RUN,
        programs=(ImportedProgram("code", language, code + "\n"),),
        checker=CLOSE,
    )


def claim(value: Any) -> Any:
    """What the file says: a value, its keys as texts like those of a run, or the text of one that cannot be read."""
    try:
        return literal(value, named)
    except ValueError:
        return value if isinstance(value, str) else fields.shown(value)
