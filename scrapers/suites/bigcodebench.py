"""BigCodeBench's tasks, one JSON object a line: a function to write, checked by tests written for unittest.

Read are task_id, complete_prompt, instruct_prompt, canonical_solution, code_prompt, test, entry_point and libs;
doc_struct says in pieces what the prompts say. Both prompts are kept: instruct_prompt is the statement,
complete_prompt the starter code. Programs run behind code_prompt with an empty body, as the set's own harness has
it ("calibrated"), so that imports and constants a model leaves out are there. code_prompt with canonical_solution is
the reference, code_prompt with an empty body a known-wrong program.

A task whose program or tests import what the sandbox does not have comes without tests and with a flag `needs:NAME`
for each: it is held, since every program would be judged wrong.
"""

import ast
from datetime import UTC, datetime
from typing import Final

from app.domain.imports import ImportedProblem, ImportedProgram, ImportedSource, ImportedStatement
from app.domain.problems import Entry, Form, Limits, Test
from scrapers.suite import Suite
from scrapers.suites._shared import fields
from scrapers.suites._shared.needs import flags_of, missing, note_of
from scrapers.suites._shared.rows import Made, problems_reader

SOURCE: Final = ImportedSource(
    "bigcodebench", "BigCodeBench", kind="suite", base_url="https://github.com/bigcode-project/bigcodebench"
)
# No task has a date of its own: all were out on the day of the set's first release.
RELEASED: Final = datetime(2024, 6, 18, tzinfo=UTC)
# The set gives a program minutes. Its references take tenths of a second, so this is generous too.
LIMITS: Final = Limits(time_ms=10_000, memory_mb=1024, output_kb=16384)
_EMPTY_BODY: Final = "\n    pass\n"


def _problem(row: fields.Row, _now: datetime) -> Made:
    full = fields.label(row, "task_id")
    name = full.removeprefix("BigCodeBench/")
    head, test = fields.text(row, "code_prompt"), fields.text(row, "test")
    entry = Entry(_identifier(row, "entry_point"), preamble=head.rstrip() + _EMPTY_BODY)
    reference = f"{head.rstrip()}\n{fields.text(row, 'canonical_solution')}"
    needs = missing(entry.preamble, reference, test)
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=name,
        title=f"BigCodeBench/{name}",
        released_on=RELEASED,
        aliases=(full,) if full != name else (),
        tags=_libraries(row),
        flags=flags_of(needs),
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
        tests=() if needs else (Test(test, None),),
        programs=(
            ImportedProgram("canonical_solution", "python", reference),
            ImportedProgram("stub", "python", entry.preamble, reference=False),
        ),
    )
    return problem, note_of(needs)


def _identifier(row: fields.Row, name: str) -> str:
    value = fields.label(row, name)
    if not value.isidentifier():
        raise ValueError(f"{name} {fields.shown(value)} is not a function name")
    return value


def _libraries(row: fields.Row) -> tuple[str, ...]:
    """The libraries of a task, written as Python writes a list of names."""
    try:
        names = ast.literal_eval(fields.text(row, "libs"))
    except (SyntaxError, MemoryError, RecursionError) as broken:
        raise ValueError("libs is not a list of names") from broken
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("libs is not a list of names")
    return tuple(names)


SUITE = Suite("bigcodebench", "BigCodeBench tasks", problems_reader("bigcodebench", (SOURCE,), _problem), {})
