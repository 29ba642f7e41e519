"""Scores of models on a benchmark of others: they stand beside our scores and are on no board.

A CSV file of `model,score` in percent, or with a task a line and a model a column. It is named by --board, or as the
file is.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePath

from app.domain.errors import BadRow
from app.domain.imports import ExternalScore, ExternalTable, ImportBatch
from app.domain.slugs import slugify
from scrapers.suite import SourceFile, Suite, refusal, refuse
from scrapers.suites._shared import fields
from scrapers.suites._shared.numbers import number, read_table

_TASK = "task"  # the first column of a table with a task a line


def _read(file: SourceFile, options: Mapping[str, str], _now: datetime) -> ImportBatch:
    by_task = file.text.partition("\n")[0].partition(",")[0].strip().strip('"') == _TASK
    scores = _by_task(file) if by_task else _by_model(file)
    try:
        for score in scores:
            _name(score.model)
    except ValueError as unfit:
        raise refusal(BadRow(file.name, 1, str(unfit))) from unfit
    if not scores:
        refuse([BadRow(file.name, 1, "the file holds no score")])
    name = slugify(options.get("board") or PurePath(file.name).name.partition(".")[0])
    return ImportBatch(
        kind="external-scores",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=(),
        external=ExternalTable(name, tuple(scores)),
    )


def _by_model(file: SourceFile) -> list[ExternalScore]:
    seen = set[str]()

    def row(cells: dict[str, str]) -> ExternalScore:
        return ExternalScore(_once(_name(cells["model"]), seen), number("score", cells["score"], 0, 100), None)

    return read_table(file, ("model", "score"), row)


def _once(name: str, seen: set[str]) -> str:
    """Raises ValueError for what was named before: nobody knows which line is meant."""
    if name in seen:
        raise ValueError(f"{fields.shown(name)} appears twice")
    seen.add(name)
    return name


def _name(model: str) -> str:
    """Raises ValueError for what is no name."""
    return fields.label({"model": model}, "model")


def _by_task(file: SourceFile) -> list[ExternalScore]:
    seen = set[str]()

    def row(cells: dict[str, str]) -> dict[str, float]:
        _once(cells[_TASK], seen)
        return {model: number(model, rate, 0, 1) for model, rate in cells.items() if model != _TASK}

    rows = read_table(file, (_TASK,), row)
    return [
        ExternalScore(model, 100 * sum(rates[model] for rates in rows) / len(rows), len(rows))
        for model in (rows[0] if rows else {})
    ]


SUITE = Suite("external-scores", "Scores on a benchmark of others", _read, {"board": ()})
