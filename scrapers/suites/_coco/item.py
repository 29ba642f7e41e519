"""What one item of CoCo-Bench becomes, whatever its task: what is shown of it, what judges an answer, and why not."""

from dataclasses import dataclass

from app.domain.imports import ImportedProgram, TestsFrom
from app.domain.problems import Checker, Entry, Form, Test


@dataclass(frozen=True, slots=True)
class Judged:
    """How an item is asked and judged; `unfit` says why it cannot be, and `notes` what a person should know."""

    starter: str
    form: Form = Form.FUNCTION
    entry: Entry | None = None
    tests: tuple[Test, ...] = ()
    tests_from: TestsFrom = TestsFrom.FILE
    constraints: str = ""
    programs: tuple[ImportedProgram, ...] = ()
    checker: Checker = Checker()
    unfit: str = ""
    notes: tuple[str, ...] = ()
