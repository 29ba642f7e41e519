"""Common shape of CoCo-Bench's items, whatever their task: what is shown, what judges an answer, and why it cannot
be."""

from dataclasses import dataclass

from app.domain.imports import ImportedProgram, TestsSource
from app.domain.problems import Checker, Entry, Form, Test


@dataclass(frozen=True, slots=True)
class CocoItem:
    """An item as it is asked and judged; `unfit` says why it cannot be, `notes` are for the person who imports it."""

    starter: str
    form: Form = Form.FUNCTION
    entry: Entry | None = None
    tests: tuple[Test, ...] = ()
    tests_from: TestsSource = TestsSource.FILE
    constraints: str = ""
    programs: tuple[ImportedProgram, ...] = ()
    checker: Checker = Checker()
    unfit: str = ""
    notes: tuple[str, ...] = ()
