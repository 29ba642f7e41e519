"""CoCo-Bench's items, JSON lines or one JSON list; the fields of an item show which of the tasks it is.

| task | recognised by | what judges an answer |
|---|---|---|
| CR, review | issue_categories | the lines of its findings |
| CM, modification | bug_code, corrected_code | tests that are made from the statement and both programs |
| API, modification for a changed API | those and api_change, what changed | the same; old code must fail them here |
| CG, generation | incomplete_code, complete_code | what complete_code gives for the input |
| CU, understanding | code, input, expected_output | what the code gives for the input |

Besides these, task_id, description and metadata (programming_language, difficulty, test_aspect) are read. The set's own
values hold mistakes, so expected values are those of a run of its code; a note names each file value that differs. An
item that cannot be judged is held, by a flag that says why.
"""

from datetime import UTC, datetime
from typing import Final

from app.domain.imports import ImportedProblem, ImportedSource, ImportedStatement
from app.domain.problems import CHANGE
from app.domain.publishing.holds import UNFIT_PREFIX
from scrapers.suite import Suite
from scrapers.suites._coco.completion import completion
from scrapers.suites._coco.item import CocoItem
from scrapers.suites._coco.modification import modification
from scrapers.suites._coco.review import review
from scrapers.suites._coco.understanding import understanding
from scrapers.suites._common import fields
from scrapers.suites._common.leetcode import LEVELS, LIMITS
from scrapers.suites._common.rows import ProblemAndNote, problems_reader

SOURCE: Final = ImportedSource(
    "coco", "CoCo-Bench", kind="suite", base_url="https://github.com/ameliayinn/cocobench_eval"
)
# No item has a date of its own: all were out on the day of the set's release.
RELEASED: Final = datetime(2025, 2, 25, tzinfo=UTC)
_LANGUAGES: Final = {
    "python": "python", "numpy": "python", "pytorch": "python", "tensorflow": "python", "c++": "cpp", "cpp": "cpp",
    "java": "java", "sql": "sql",
}  # fmt: skip
# Keys of all items, and of the items of one task; data_soure is the set's own spelling, and is not read.
_KEYS: Final = frozenset(
    {"task_id", "description", "metadata.programming_language", "metadata.difficulty", "metadata.test_aspect",
     "data_soure", "issue_categories", "bug_code", "corrected_code", "api_change", "incomplete_code", "complete_code",
     "code", "input", "expected_output"}
)  # fmt: skip
# The field that marks an item of a task. The order matters, as tasks share fields.
_MARKING_FIELDS: Final = {
    "CR": "issue_categories", "API": "api_change", "CM": "bug_code", "CG": "incomplete_code", "CU": "code",
}  # fmt: skip


def _problem(row: fields.Row, _now: datetime) -> ProblemAndNote:
    task = _task(row)
    name = f"{task}/{fields.label(row, 'task_id')}"
    metadata = fields.as_object({} if row.get("metadata") is None else row["metadata"])
    language = _language(row, metadata)
    item = _item(task, row, language)
    starter = {language: item.starter} | ({CHANGE: fields.text(row, "api_change").strip()} if task == "API" else {})
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=name,
        title=name,
        released_on=RELEASED,
        tags=tuple(tag for tag in (task, language, metadata.get("test_aspect")) if isinstance(tag, str)),
        flags=(f"{UNFIT_PREFIX}{item.unfit}",) if item.unfit else (),
        difficulty=("level", fields.one_of(metadata, "difficulty", LEVELS)) if "difficulty" in metadata else None,
        statements={"en": ImportedStatement(name, fields.text(row, "description"), starter)},
        form=item.form,
        entry=item.entry,
        limits=LIMITS,
        checker=item.checker,
        tests=item.tests,
        tests_from=item.tests_from,
        constraints=item.constraints,
        programs=item.programs,
    )
    return problem, "; ".join((f"held, {item.unfit}",) if item.unfit else item.notes)


def _task(row: fields.Row) -> str:
    for task, name in _MARKING_FIELDS.items():
        if name in row:
            return task
    raise ValueError("no issue_categories, bug_code, incomplete_code or code: this is not an item of CoCo-Bench")


def _item(task: str, row: fields.Row, language: str) -> CocoItem:
    if task == "CR":
        return review(row)
    return {"API": modification, "CM": modification, "CG": completion, "CU": understanding}[task](row, language)


def _language(row: fields.Row, metadata: fields.Row) -> str:
    """Return the language in the metadata, else in the item's id (`python/1`)."""
    language = metadata.get("programming_language") or fields.label(row, "task_id").partition("/")[0]
    return fields.one_of({"language": str(language).lower()}, "language", _LANGUAGES)


SUITE = Suite("coco", "CoCo-Bench items", problems_reader("coco", (SOURCE,), _problem, _KEYS), {}, keys=_KEYS)
