"""CM items: code with a bug and its correction. Their tests are made here, from the statement and both programs."""

import re
from typing import Final

from app.domain.imports import ImportedProgram, TestsSource
from scrapers.suites._coco import python
from scrapers.suites._coco.constraints import CONSTRAINTS
from scrapers.suites._coco.item import CocoItem
from scrapers.suites._common import fields

_HEADING: Final = re.compile(r"\bcon?s?traints?\s*:\s*", re.IGNORECASE)


def modification(row: fields.Row, language: str) -> CocoItem:
    """Read a CM item. Raises ValueError if it lacks one of its programs."""
    bug, fixed = fields.text(row, "bug_code").strip(), fields.text(row, "corrected_code").strip()
    programs = (
        ImportedProgram("corrected_code", language, fixed + "\n"),
        ImportedProgram("bug_code", language, bug + "\n", reference=False),
    )
    if language != "python":
        return CocoItem(bug, programs=programs, unfit="inputs are made for Python only")
    try:
        entry = python.find_called(fixed).entry
    except SyntaxError as broken:
        return CocoItem(bug, programs=programs, unfit=f"its code is no Python: {broken.msg}")
    except ValueError as unfit:
        return CocoItem(bug, programs=programs, unfit=str(unfit))
    constraints = CONSTRAINTS.get(entry.name) or _stated_constraints(fields.text(row, "description"))
    if not constraints:
        return CocoItem(bug, entry=entry, programs=programs, unfit="which inputs are legal is not known")
    return CocoItem(bug, entry=entry, tests_from=TestsSource.MADE, constraints=constraints, programs=programs)


def _stated_constraints(description: str) -> str:
    """Return the constraints at the end of a description; empty if it states none."""
    headings = list(_HEADING.finditer(description))
    return description[headings[-1].end() :].strip() if headings else ""
