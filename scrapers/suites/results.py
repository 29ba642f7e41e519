"""Cells that `tidemark export cells` wrote, as JSON lines, CSV or Parquet: results of runs that were judged elsewhere.

Every column of the export is read. The cells become imported runs: under the protocol they had if they were imported
there, too, else under its `-imported` counterpart, whose problems are those of the files, known by name, day and level.
A cell without a verdict (n is 0) is kept too: its problem was wanted, so it counts in the run's coverage. Rows must
agree on the facts of one model, run, source or problem.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from app.domain.asking.protocols import Protocol
from app.domain.cube.facts import CutoffBasis
from app.domain.cutoffs import SHIPPED_EVIDENCE, is_public_url
from app.domain.errors import BadRow
from app.domain.exports import COLUMNS, IMPORTED_SUFFIX, ExportTable, as_imported, from_csv_cell, known_protocol
from app.domain.imports import (
    ImportBatch,
    ImportedCell,
    ImportedModel,
    ImportedProblem,
    ImportedRun,
    ImportedSource,
)
from app.domain.problems import Level, TestsOrigin
from app.domain.states import RunState
from scrapers.suite import SourceFile, Suite, check_not_empty, check_storable, json_lines, refuse_constant
from scrapers.suites._common import fields
from scrapers.suites._common.leetcode import ROW_ERRORS, bad_row
from scrapers.suites._common.numbers import csv_lines
from scrapers.suites._common.parquet import read_rows

_COLUMNS: Final = COLUMNS[ExportTable.CELLS]
_LEVELS: Final = {level: float(place) for place, level in enumerate(Level, 1)}
# Columns that older exports lack.
_OPTIONAL_COLUMNS: Final = frozenset({"tests_origin", "cutoff_in_file", "cluster", "open_weights", "size_b"})
_MAX_COUNT: Final = 65_535  # answers to one problem, as boards count them, and trials of one run


class _ImportedFacts:
    """Models, runs, sources and problems of the rows so far, which later rows must not contradict."""

    def __init__(self) -> None:
        self.models: dict[str, ImportedModel] = {}
        self.runs: dict[str, ImportedRun] = {}
        self.sources: dict[str, ImportedSource] = {}
        self.problems: dict[tuple[str, str], ImportedProblem] = {}
        self.problems_of_others: dict[tuple[str, str], ImportedProblem] = {}  # as imported results show them
        self.cells: dict[tuple[str, str, str, int], ImportedCell] = {}

    def read(self, line: int, row: fields.Row, now: datetime) -> None:
        """Add a row. Raises ValueError if it is invalid or contradicts another."""
        if missing := [name for name in _COLUMNS if name not in row and name not in _OPTIONAL_COLUMNS]:
            raise fields.InvalidField(
                f"the columns {', '.join(missing[:5])} are missing: this is not an export of cells"
            )
        check_storable(row)
        model, run, source, problem = _model(row, now), _run(row, now), _source(row), _problem(row, now)
        n = _whole(row, "n", 0)
        cell = ImportedCell(
            model=run.key,
            source=source.slug,
            problem=problem.external_id,
            n=n,
            c=_whole(row, "c", 0, n),
            value=f"{row['c']}/{row['n']}",
            source_date=fields.text(row, "released_on"),
            source_clock="release date, UTC",
            row_number=line,
            item=_whole(row, "item", 0),
            pending=_whole(row, "pending", 0),
            judge_errors=_whole(row, "judge_errors", 0),
        )
        key = (run.key, cell.source, cell.problem, cell.item)
        if key in self.cells:
            raise fields.InvalidField(f"this cell appears twice; first in line {self.cells[key].row_number}")
        known = self.models.get(model.slug, model)
        if known.registered_on and model.registered_on:  # a vendor's model is registered anew with each submission
            model = replace(model, registered_on=max(known.registered_on, model.registered_on))
            known = replace(known, registered_on=model.registered_on)
        name = (source.slug, problem.external_id)
        own, others = self.problems, self.problems_of_others
        if run.protocol.slug == row["protocol"]:
            own, others = others, own
        _check_same(model.slug, known, model)
        _check_same(run.key, self.runs.get(run.key, run), run)
        _check_same(source.slug, self.sources.get(source.slug, source), source)
        _check_same("/".join(name), own.get(name, problem), problem)
        _check_same("/".join(name), _without_tests(others.get(name, problem)), _without_tests(problem))
        # Only after all checks, so that nothing of a refused row stays.
        self.models[model.slug], self.runs[run.key], self.sources[source.slug] = model, run, source
        own[name], self.cells[key] = problem, cell


def _without_tests(problem: ImportedProblem) -> ImportedProblem:
    """Return a problem without the origin of its tests and its contest, which results of others are shown without."""
    return replace(problem, tests_origin=None, cluster=None)


def _check_same(name: str, known: object, value: object) -> None:
    if known != value:
        raise fields.InvalidField(f"the facts about {name} contradict an earlier row")


def _read(file: SourceFile, _options: Mapping[str, str], now: datetime) -> ImportBatch:
    tables = _ImportedFacts()
    unknown = fields.UnknownKeys(_COLUMNS, "column")
    bad: list[BadRow] = []
    for line, row in _rows(file, unknown):
        try:
            if isinstance(row, Exception):
                raise row
            unknown.note_keys(f"{file.name}:{line}", fields.as_object(row))
            tables.read(line, row, now)
        except ROW_ERRORS as broken:
            bad.append(bad_row(file.name, line, broken))
    check_not_empty(tables.cells, bad, file, "the file holds no cell")
    protocols = {run.protocol.slug for run in tables.runs.values()}
    return ImportBatch(
        kind="results",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=tuple(tables.sources.values()),
        problems=tuple({**tables.problems_of_others, **tables.problems}.values()),
        models=tuple(tables.models.values()),
        runs=tuple(tables.runs.values()),
        cells=tuple(tables.cells.values()),
        protocol=protocols.pop() if len(protocols) == 1 else None,
        bad_rows=tuple(bad),
        notes=unknown.notes,
    )


def _rows(file: SourceFile, unknown: fields.UnknownKeys) -> Iterator[tuple[int, Any]]:
    """Yield (line, row) of each row, or the error in its place; of CSV only the known columns."""
    if file.text.lstrip().startswith("{"):
        yield from json_lines(file)
        return
    names: list[str] | None = None
    for line, cells in csv_lines(io.StringIO(file.text, newline=""), strict=True):
        if isinstance(cells, csv.Error):  # a quote that never ends, a field longer than any of ours
            yield line, ValueError(f"no CSV: {cells}")
        elif names is None:
            names = cells
            unknown.note_keys(f"{file.name}:{line}", dict.fromkeys(names))
        else:
            yield line, _csv_row(names, cells)


def _csv_row(names: list[str], cells: list[str]) -> dict[str, Any] | ValueError:
    if len(cells) != len(names):
        return ValueError(f"{len(cells)} cells under {len(names)} columns")
    try:
        return {name: from_csv_cell(_COLUMNS[name], cell) for name, cell in zip(names, cells, strict=True)
                if name in _COLUMNS}  # fmt: skip
    except (ValueError, RecursionError) as unfit:
        return ValueError(str(unfit))


_BILLIONS: Final = "billions of parameters"
# Names in files of earlier versions; an estimate is a date that another results file listed.
_CUTOFF_BASES = {member.value: member for member in CutoffBasis} | {
    "release_date": CutoffBasis.RELEASED, "estimated": CutoffBasis.UNKNOWN,
}  # fmt: skip


def _model(row: fields.Row, now: datetime) -> ImportedModel:
    basis, on = fields.one_of(row, "cutoff_basis", _CUTOFF_BASES), _date(row, "cutoff_on", now)
    evidence = _optional(row, "cutoff_evidence")
    declared = basis is CutoffBasis.DECLARED and (
        is_public_url(evidence) or (evidence == SHIPPED_EVIDENCE and _flag(row, "demo"))
    )
    return ImportedModel(
        slug=fields.slug(row, "model"),
        name=fields.label(row, "model_name"),
        organisation=_optional(row, "organisation") or "",
        released_on=_date(row, "model_released_on", now),
        cutoff_on=on if declared else None,
        cutoff_evidence=evidence if declared and on else None,
        link=_link(_optional(row, "link")),
        registered_on=on if basis is CutoffBasis.REGISTERED else None,
        open_weights=None if row.get("open_weights") is None else _flag(row, "open_weights"),
        size_b=None if row.get("size_b") is None else fields.number(row, "size_b", 1e-6, 1e5, _BILLIONS),
    )


def _date(row: fields.Row, name: str, now: datetime) -> date | None:
    return fields.instant(row, name, now).date() if row.get(name) else None


def _link(url: str | None) -> str | None:
    return url if url is not None and url.startswith(("https://", "http://")) else None


def _run(row: fields.Row, now: datetime) -> ImportedRun:
    protocol, configuration = _protocol(row), _configuration(row)
    model, trial = fields.slug(row, "model"), _whole(row, "trial", 1)
    # An export of an installation that imported its own export holds both runs, under one protocol.
    again = ["again"] if row["protocol"].endswith(IMPORTED_SUFFIX) else []
    return ImportedRun(
        key=" ".join((protocol.slug, model, row["configuration"] or "-", str(trial), *again)),
        model=model,
        protocol=protocol,
        configuration=configuration,
        trial=trial,
        state=fields.one_of(row, "run_state", {member.value: member for member in RunState}),
        origin=fields.label(row, "origin"),
        demo=_flag(row, "demo"),
        n_inferred=_flag(row, "n_inferred"),
        listed_on=_date(row, "cutoff_on" if row["cutoff_basis"] == "estimated" else "cutoff_in_file", now),
    )


def _protocol(row: fields.Row) -> Protocol:
    slug = fields.slug(row, "protocol")
    protocol = known_protocol(slug, fields.label(row, "protocol_fingerprint"))
    if protocol is None:
        raise fields.InvalidField(
            f"protocol {slug} is not known here in this form; `export cells --protocol` writes another's cells alone"
        )
    return as_imported(protocol)


def _configuration(row: fields.Row) -> Mapping[str, object]:
    text = _optional(row, "configuration")
    if not text:
        return {}
    value = fields.as_object(json.loads(text, parse_constant=refuse_constant))
    check_storable(value)
    if not value or json.dumps(value, sort_keys=True, ensure_ascii=False) != text:
        raise fields.InvalidField("configuration is not written as an export writes it")
    return value


def _source(row: fields.Row) -> ImportedSource:
    return ImportedSource(
        slug=fields.slug(row, "source"),
        name=fields.label(row, "source_name"),
        kind=fields.one_of(row, "source_kind", {"site": "site", "suite": "suite"}),
        demo=_flag(row, "source_demo"),
    )


def _problem(row: fields.Row, now: datetime) -> ImportedProblem:
    level = fields.one_of(row, "level", {member.value: member for member in Level}) if row["level"] else None
    origins = {member.value: member for member in TestsOrigin}
    return ImportedProblem(
        source=fields.slug(row, "source"),
        external_id=fields.label(row, "external_id"),
        title=fields.label(row, "title", 1000),
        released_on=fields.instant(row, "released_on", now),
        catalogued=True,
        difficulty=("level", _LEVELS[level]) if level else None,
        tests_origin=fields.one_of(row, "tests_origin", origins) if row.get("tests_origin") else None,
        cluster=fields.label(row, "cluster") if row.get("cluster") else None,
    )


def _optional(row: fields.Row, name: str) -> str | None:
    return None if row[name] is None else fields.text(row, name)


def _flag(row: fields.Row, name: str) -> bool:
    value = row[name]
    if not isinstance(value, bool):
        raise fields.InvalidField(f"{name} is {fields.format_value(value)}, neither true nor false")
    return value


def _whole(row: fields.Row, name: str, lowest: int, highest: int = _MAX_COUNT) -> int:
    value = row[name]
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise fields.InvalidField(
            f"{name} is {fields.format_value(value)}, not a whole number from {lowest} to {highest}"
        )
    return value


SUITE = Suite("results", "Cells of our own export", _read, {}, load=read_rows)
