"""BigCodeBench's tasks, one JSON object a line: a function to write, checked by tests written for unittest.

task_id, complete_prompt, instruct_prompt, canonical_solution, code_prompt, test, entry_point and libs are read;
doc_struct repeats the prompts in pieces. Both prompts are kept: instruct_prompt is the statement, complete_prompt the
starter code. Programs run behind code_prompt with an empty body, as in the set's own harness ("calibrated"), so that
imports and constants that a model omits are there. code_prompt with canonical_solution is the reference, code_prompt
with an empty body a known-wrong program.

Many tasks import packages outside the standard library. Proving the tests shows which of them the judge lacks; until
then such a task is held, since every program would be judged wrong.

No task states a limit: limits follow from the reference's time.
"""

import ast
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from app.domain.imports import ImportBatch, ImportedProblem, ImportedProgram, ImportedStatement
from app.domain.judging.speed import CEILING_MS
from app.domain.problems import Entry, Form, Limits, Test
from scrapers.suite import SourceFile, Suite
from scrapers.suites._common import fields
from scrapers.suites._common.bigcode import RELEASED, SOURCE
from scrapers.suites._common.missing_packages import missing_packages
from scrapers.suites._common.rows import ProblemAndNote, problems_reader

LIMITS: Final = Limits(time_ms=CEILING_MS, memory_mb=2048, output_kb=16384)
_HARD: Final = ("level", 3.0)  # boards of Hard are those of this difficulty
_KEYS: Final = frozenset(
    {"task_id", "complete_prompt", "instruct_prompt", "canonical_solution", "code_prompt", "test", "entry_point",
     "doc_struct", "libs"}
)  # fmt: skip
_EMPTY_BODY: Final = "\n    pass\n"


def _problem(row: fields.Row, _now: datetime) -> ProblemAndNote:
    full = fields.label(row, "task_id")
    name = full.removeprefix("BigCodeBench/")
    head, test = fields.text(row, "code_prompt"), fields.text(row, "test")
    entry = Entry(_identifier(row, "entry_point"), preamble=head.rstrip() + _EMPTY_BODY)
    reference = f"{head.rstrip()}\n{fields.text(row, 'canonical_solution')}"
    sources = {"code_prompt": entry.preamble, "canonical_solution": reference, "test": test}
    needs = sorted({package for field, source in sources.items() for package in _needs(field, source)})
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=name,
        title=f"BigCodeBench/{name}",
        released_on=RELEASED,
        aliases=(full,) if full != name else (),
        tags=_libraries(row),
        statements={
            "en": ImportedStatement(
                f"BigCodeBench/{name}",
                fields.text(row, "instruct_prompt"),
                {"python": fields.text(row, "complete_prompt")},
            )
        },
        form=Form.UNITTEST,
        entry=entry,
        limits=LIMITS,
        tests=(Test(test, None),),
        programs=(
            ImportedProgram("canonical_solution", "python", reference),
            ImportedProgram("stub", "python", entry.preamble, reference=False),
        ),
    )
    return problem, f"needs {', '.join(needs)}" if needs else ""


def _read(file: SourceFile, options: Mapping[str, str], now: datetime) -> ImportBatch:
    """Read the tasks of a file; those of the published file of Hard, which has the same columns, are marked hard."""
    batch = problems_reader("bigcodebench", (SOURCE,), _problem, _KEYS)(file, options, now)
    if options.get("board") != "hard":
        return batch
    return replace(batch, problems=tuple(replace(problem, difficulty=_HARD) for problem in batch.problems))


def _needs(field: str, source: str) -> tuple[str, ...]:
    try:
        return missing_packages(source)
    except (SyntaxError, ValueError) as wrong:
        raise ValueError(f"{field} is no Python: {getattr(wrong, 'msg', wrong)}") from wrong


def _identifier(row: fields.Row, name: str) -> str:
    value = fields.label(row, name)
    if not value.isidentifier():
        raise ValueError(f"{name} {fields.format_value(value)} is not a function name")
    return value


def _libraries(row: fields.Row) -> tuple[str, ...]:
    """Return the libraries of a task, written as a Python list of names."""
    written = fields.text(row, "libs")
    try:
        names = ast.literal_eval(written)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as broken:
        raise ValueError("libs is not a list of names") from broken
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("libs is not a list of names")
    return tuple(names)


SUITE = Suite("bigcodebench", "BigCodeBench tasks", _read, {"board": ("full", "hard")}, keys=_KEYS)
