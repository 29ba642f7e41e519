"""LiveCodeBench submissions: a model's recorded answers with that board's own verdicts, to be graded here."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedModel, ImportedSource, RecordedAnswer
from app.domain.slugs import model_slug, slugify
from scrapers.suite import SourceFile, Suite, check_not_empty, read_json, refusal, refuse_bad_rows
from scrapers.suites._common import fields
from scrapers.suites._common.lcb import PLATFORMS

# question_content, contest_id, starter_code, difficulty and pass@1 are not read: the problem's own are the same.
_KEYS = frozenset(
    {"question_title", "question_content", "platform", "question_id", "contest_id", "contest_date", "starter_code",
     "difficulty", "output_list", "code_list", "graded_list", "pass@1", "metadata"}
)  # fmt: skip


def _read(file: SourceFile, options: Mapping[str, str], now: datetime) -> ImportBatch:
    rows = read_json(file)
    if not isinstance(rows, list) or not rows:
        refuse_bad_rows([BadRow(file.name, 1, "not a list of answered problems: this is no LiveCodeBench submission")])
    name = _model_name(file, options)
    slug = model_slug(name)
    answers: list[RecordedAnswer] = []
    bad: list[BadRow] = []
    numbers: dict[tuple[str, str], int] = {}
    unknown = fields.UnknownKeys(_KEYS)
    lines = _lines(file, len(rows))
    for number, row in enumerate(rows, start=1):
        try:
            unknown.note_keys(f"{file.name}:{lines[number - 1]}", fields.as_object(row))
            key = _problem(row)
            problem_answers = _answers(slug, number, row, key, now)
            first = numbers.setdefault(key, number)
            if first != number:
                raise ValueError(f"{key[1]} appears twice; first in row {first}")
            answers.extend(problem_answers)
        except ValueError as broken:
            bad.append(BadRow(file.name, lines[number - 1], f"row {number}: {broken}"))
    check_not_empty(answers, bad, file, "the list holds no answer")
    return ImportBatch(
        kind="lcb-submission",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=tuple(ImportedSource(slug, title) for slug, title in PLATFORMS.items()),
        models=(ImportedModel(slug, name, slug_of_name=True),),
        answers=tuple(answers),
        protocol="lcb-recorded",
        bad_rows=tuple(bad),
        notes=unknown.notes,
    )


def _lines(file: SourceFile, rows: int) -> list[int]:
    """Return the line of each row's title if every row has a line of its own, else the first line for all."""
    starts = [line for line, text in enumerate(file.text.split("\n"), 1) if '"question_title"' in text]
    return starts if len(starts) == rows else [1] * rows


def _model_name(file: SourceFile, options: Mapping[str, str]) -> str:
    """Return the given name, else that in a file named `submission_NAME_N1_scenario_...`, else the file's own."""
    stem = file.name.split(".json")[0].removeprefix("submission_")
    head, mark, _ = stem.partition("_N")
    name = options.get("model") or (head if mark else stem)
    try:
        return fields.label({"the model's name": name}, "the model's name")
    except ValueError as unfit:
        raise refusal(BadRow(file.name, 1, str(unfit))) from unfit


def _problem(row: fields.Row) -> tuple[str, str]:
    platform = fields.one_of(row, "platform", {name: name for name in PLATFORMS})
    # LeetCode's titles here are slugs already; the other sites' ids name the problem.
    if platform == "leetcode":
        return platform, slugify(fields.label(row, "question_title"))
    return platform, fields.identifier(row, "question_id")


def _answers(model: str, number: int, row: fields.Row, key: tuple[str, str], now: datetime) -> list[RecordedAnswer]:
    title = fields.label(row, "question_title")
    fields.instant(row, "contest_date", now)
    codes, texts, verdicts = (
        fields.texts(row, "code_list"), fields.texts(row, "output_list"), fields.flags(row, "graded_list"),
    )  # fmt: skip
    notes = fields.items(row, "metadata") if row.get("metadata") else [""] * len(codes)
    if not codes:
        raise ValueError("code_list is empty")
    if not len(codes) == len(texts) == len(verdicts) == len(notes):
        raise ValueError("code_list, output_list, graded_list and metadata differ in length")
    return [
        RecordedAnswer(
            model=model,
            source=key[0],
            problem=key[1],
            ordinal=ordinal,
            response=text or "",
            answer=code or None,
            recorded_passed=passed,
            row_number=number,
            source_date=row["contest_date"],
            title=title,
            recorded_error=_note(note),
        )
        for ordinal, (code, text, passed, note) in enumerate(zip(codes, texts, verdicts, notes, strict=True))
    ]


def _note(value: Any) -> str:
    return (value if isinstance(value, str) else json.dumps(value))[:500]


SUITE = Suite("lcb-submission", "LiveCodeBench submission", _read, {"model": ()})
