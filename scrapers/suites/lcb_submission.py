"""LiveCodeBench submissions: a model's recorded answers with that board's own verdicts, to be graded here."""

from collections.abc import Mapping
from typing import Any

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedModel, ImportedSource, RecordedAnswer
from scrapers.suite import SourceFile, Suite, check_storable, one_json, refuse, slugify
from scrapers.suites._lcb import PLATFORMS


def _read(file: SourceFile, options: Mapping[str, str]) -> ImportBatch:
    rows = one_json(file)
    if not isinstance(rows, list) or not rows:
        refuse([BadRow(file.name, 1, "not a list of answered problems: this is no LiveCodeBench submission")])
    name = options.get("model") or _model_name(file.name)
    answers: list[RecordedAnswer] = []
    bad: list[BadRow] = []
    for number, row in enumerate(rows, start=1):
        try:
            answers.extend(_answers(slugify(name), number, row))
        except (KeyError, TypeError, ValueError, AttributeError) as broken:
            reason = f"{broken.args[0]} is missing" if isinstance(broken, KeyError) else str(broken)
            bad.append(BadRow(file.name, _line(file, number, len(rows)), f"row {number}: {reason}"))
    refuse(bad)
    return ImportBatch(
        kind="lcb-submission",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=tuple(ImportedSource(slug, title) for slug, title in PLATFORMS.items()),
        models=(ImportedModel(slugify(name), name),),
        answers=tuple(answers),
        protocol="lcb-recorded",
    )


def _line(file: SourceFile, number: int, rows: int) -> int:
    """The line of a row's title, where every row has one of its own; else the first."""
    starts = [line for line, text in enumerate(file.text.split("\n"), 1) if '"question_title"' in text]
    return starts[number - 1] if len(starts) == rows else 1


def _model_name(file_name: str) -> str:
    """The model's name from a file named `submission_NAME_N1_scenario_...`, else the file's own."""
    stem = file_name.split(".json")[0].removeprefix("submission_")
    head, mark, _ = stem.partition("_N")
    return head if mark else stem


def _answers(model: str, number: int, row: Any) -> list[RecordedAnswer]:
    platform = row["platform"]
    if platform not in PLATFORMS:
        raise ValueError(f"platform {platform!r} is not known")
    # LeetCode's titles here are slugs already; the other sites' ids name the problem.
    key = slugify(row["question_title"]) if platform == "leetcode" else str(row["question_id"])
    check_storable([key, str(row["contest_date"])])
    codes, texts, verdicts = row["code_list"], row["output_list"], row["graded_list"]
    if not len(codes) == len(texts) == len(verdicts):
        raise ValueError("code_list, output_list and graded_list differ in length")
    if not all(isinstance(passed, bool) for passed in verdicts):
        raise ValueError("graded_list holds something other than true and false")
    notes = row.get("metadata") or [""] * len(codes)
    return [
        RecordedAnswer(
            model=model,
            source=platform,
            problem=key,
            ordinal=ordinal,
            response=str(text),
            answer=str(code) if code else None,
            recorded_passed=bool(passed),
            row_number=number,
            source_date=str(row["contest_date"]),
            title=str(row["question_title"]),
            recorded_error=str(note)[:500],
        )
        for ordinal, (code, text, passed, note) in enumerate(zip(codes, texts, verdicts, notes, strict=True))
    ]


SUITE = Suite("lcb-submission", "LiveCodeBench submission", _read, {"model": ()})
