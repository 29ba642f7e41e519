"""Files in other people's formats, with contents of our own."""

import gzip
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch
from scrapers.suite import find_suite, read_file

Cell = tuple[str, str, float]  # model, problem, pass@1

# When the files of the tests are read: no day in them may lie more than a year later.
READ_AT = datetime(2026, 11, 21, tzinfo=UTC)


def stored_date(day: date) -> int:
    """A contest's day as board files store it: 24 hours later, in milliseconds."""
    return int((datetime.combine(day, datetime.min.time(), UTC) + timedelta(hours=24)).timestamp() * 1000)


def board_row(model: str, problem: str, share: Any, **changes: Any) -> dict[str, Any]:
    """One row of a board file."""
    return {
        "question_id": problem,
        "model": model,
        "date": stored_date(date(2026, 2, 1)),
        "difficulty": "easy",
        "pass@1": share,
        "platform": "leetcode",
    } | changes


def board_text(rows: Iterable[Mapping[str, Any]], **fields: Any) -> str:
    """A board file, written one field a line."""
    return json.dumps({"performances": list(rows), "models": [], "date_marks": []} | fields, indent=4)


def dataset_row(slug: str, **changes: Any) -> dict[str, Any]:
    """One problem of a LeetCodeDataset file: add the numbers of a list."""
    return {
        "task_id": slug,
        "question_id": "9001",
        "difficulty": "Easy",
        "tags": ["Array"],
        "problem_description": f"Add all numbers ({slug}).\n\nExample 1:\nInput: nums = [1,2]\nOutput: 3\n",
        "starter_code": "class Solution:\n    def total(self, nums: List[int]) -> int:\n        ",
        "estimated_date": "2026-02-01",
        "prompt": "from typing import *",
        "completion": "class Solution:\n    def total(self, nums: List[int]) -> int:\n        return sum(nums)\n",
        "entry_point": "Solution().total",
        "test": "def check(candidate):\n    assert candidate(nums = [1, 2]) == 3\n"
        "    assert candidate(nums = []) == 0\n    assert candidate(nums = [-5, 5, 7]) == 7\n",
    } | changes


def contest_row(slug: str, test: str, **changes: Any) -> dict[str, Any]:
    """One problem of a DeepSeek contest file."""
    return {
        "task_id": f"weekly-contest-900-{slug}",
        "title": slug,
        "meta": {"title": slug.title(), "difficulty": "Medium"},
        "prompt": f'"""\nDo it ({slug}).\n\nExample 1:\n"""\n'
        "class Solution:\n    def run(self, nums: List[int]) -> int:\n",
        "test": test,
        "start_time": int(datetime(2026, 2, 7, 2, 30, tzinfo=UTC).timestamp()),
    } | changes


def answer_row(slug: str, *codes: str | None, **changes: Any) -> dict[str, Any]:
    """One problem of a submission file with recorded answers."""
    return {
        "question_title": slug,
        "question_id": "9001",
        "platform": "leetcode",
        "contest_date": "2026-02-01T00:00:00",
        "code_list": list(codes),
        "output_list": [f"```python\n{code}\n```" for code in codes],
        "graded_list": [True] * len(codes),
        "metadata": ["{}"] * len(codes),
    } | changes


def lines(*rows: Mapping[str, Any]) -> str:
    """JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def write(folder: Path, name: str, text: str | bytes) -> Path:
    """A file; gzip where its name says so."""
    body = text.encode() if isinstance(text, str) else text
    path = folder / name
    path.write_bytes(gzip.compress(body, mtime=0) if name.endswith(".gz") else body)
    return path


def bad_rows(kind: str, path: Path, **options: str) -> tuple[BadRow, ...]:
    """The bad rows of a file that has good ones beside them."""
    batch = read(kind, path, **options)
    assert batch.problems or batch.cells or batch.answers or batch.external, "a bad row costs no other one"
    return batch.bad_rows


def read(kind: str, path: Path, **options: str) -> ImportBatch:
    """What the importer of a kind makes of a file."""
    return find_suite(kind).read(read_file(path), options, READ_AT)
