"""CM items: code with a bug and its correction. Their tests are made here, of the statement and of both programs."""

import re
from typing import Final

from app.domain.imports import ImportedProgram, TestsFrom
from scrapers.suites._coco import python
from scrapers.suites._coco.constraints import CONSTRAINTS
from scrapers.suites._coco.item import Judged
from scrapers.suites._shared import fields

_HEADING: Final = re.compile(r"\bcon?s?traints?\s*:\s*", re.IGNORECASE)


def modification(row: fields.Row, language: str) -> Judged:
    """How a CM item is judged. Raises ValueError where it lacks one of its programs."""
    bug, fixed = fields.text(row, "bug_code").strip(), fields.text(row, "corrected_code").strip()
    programs = (
        ImportedProgram("corrected_code", language, fixed + "\n"),
        ImportedProgram("bug_code", language, bug + "\n", reference=False),
    )
    if language != "python":
        return Judged(bug, programs=programs, unfit="inputs are made for Python only")
    try:
        entry = python.called(fixed).entry
    except SyntaxError as broken:
        return Judged(bug, programs=programs, unfit=f"its code is no Python: {broken.msg}")
    except ValueError as unfit:
        return Judged(bug, programs=programs, unfit=str(unfit))
    constraints = CONSTRAINTS.get(entry.name) or _stated(fields.text(row, "description"))
    if not constraints:
        return Judged(bug, entry=entry, programs=programs, unfit="which inputs are legal is not known")
    return Judged(bug, entry=entry, tests_from=TestsFrom.MADE, constraints=constraints, programs=programs)


def _stated(description: str) -> str:
    """The constraints that a description ends with; empty where it states none."""
    headings = list(_HEADING.finditer(description))
    return description[headings[-1].end() :].strip() if headings else ""
