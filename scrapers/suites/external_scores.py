"""Scores of models on a benchmark of others, which are shown beside our scores and are on no board.

A CSV file of `model,score` in percent, or with a task a line and a model a column. It is named by --board, or after the
file. Bad lines are left out; that of a task is left out for all models, so that all are scored on the same tasks.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePath

from app.domain.errors import BadRow
from app.domain.imports import ExternalScore, ExternalTable, ImportBatch
from app.domain.slugs import slugify
from scrapers.suite import SourceFile, Suite, check_not_empty
from scrapers.suites._common import fields
from scrapers.suites._common.numbers import number, read_table

_TASK = "task"  # the first column of a table with a task a line


def _read(file: SourceFile, options: Mapping[str, str], _now: datetime) -> ImportBatch:
    by_task = file.text.partition("\n")[0].partition(",")[0].strip().strip('"') == _TASK
    unknown = fields.UnknownKeys(("model", "score"), "column")
    scores, bad = _by_task(file) if by_task else _by_model(file, unknown)
    check_not_empty(scores, bad, file, "the file holds no score")
    name = slugify(options.get("board") or PurePath(file.name).name.partition(".")[0])
    return ImportBatch(
        kind="external-scores",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=(),
        external=ExternalTable(name, tuple(scores)),
        bad_rows=tuple(bad),
        notes=unknown.notes,
    )


Scores = tuple[list[ExternalScore], list[BadRow]]


def _by_model(file: SourceFile, unknown: fields.UnknownKeys) -> Scores:
    names = set[str]()

    def row(cells: dict[str, str]) -> ExternalScore:
        unknown.note_keys(f"{file.name}:1", cells)
        score = number("score", cells["score"], 0, 100)
        return ExternalScore(_check_new(_name(cells["model"]), names), score, None)

    return read_table(file, ("model", "score"), row)


def _check_new(name: str, names: set[str]) -> str:
    """Return the name. Raises ValueError if an earlier line had it."""
    if name in names:
        raise ValueError(f"{fields.format_value(name)} appears twice; its first line counts")
    names.add(name)
    return name


def _name(model: str) -> str:
    """Return a model's name. Raises ValueError for an invalid one."""
    return fields.label({"model": model}, "model")


def _by_task(file: SourceFile) -> Scores:
    names = set[str]()

    def row(cells: dict[str, str]) -> dict[str, float]:
        rates = {model: number(model, rate, 0, 1) for model, rate in cells.items() if model != _TASK}
        _check_new(cells[_TASK], names)
        return rates

    rows, bad = read_table(file, (_TASK,), row)
    scores = list[ExternalScore]()
    for model in rows[0] if rows else ():
        try:
            total = sum(rates[model] for rates in rows)
            scores.append(ExternalScore(_name(model), 100 * total / len(rows), len(rows)))
        except ValueError as unfit:
            bad.append(BadRow(file.name, 1, str(unfit)))
    return scores, bad


SUITE = Suite("external-scores", "Scores on a benchmark of others", _read, {"board": ()})
