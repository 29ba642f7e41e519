"""LiveCodeBench's board files: results of other people's runs, kept as what they are.

The stored date is the contest's date plus exactly 24 hours for every row; n is not stored, and is taken
as the smallest of 1, 2, 5, 10 that makes every count of a model whole.
"""

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedCell, ImportedModel, ImportedProblem, ImportedSource
from app.domain.slugs import model_slugs
from scrapers.suite import SourceFile, Suite, check_storable, one_json, refusal, refuse
from scrapers.suites._shared import fields
from scrapers.suites._shared.lcb import PLATFORMS
from scrapers.suites._shared.lcb_vendors import organisation_of

_LEVELS = {"easy": 1.0, "medium": 2.0, "hard": 3.0}
_PROTOCOLS = {"codegen": "lcb", "repair": "lcb-repair"}
_SHIFT = timedelta(hours=24)
_N = (1, 2, 5, 10)  # how many answers a problem the boards were made with; the last is a multiple of all
_MOST = _N[-1]


def _read(file: SourceFile, options: Mapping[str, str], now: datetime) -> ImportBatch:
    data = one_json(file)
    rows: list[Any] = data["performances"] if isinstance(data, dict) and _is_board(data) else []
    if not rows:
        refuse([BadRow(file.name, 1, "no list 'performances': this is not a LiveCodeBench board file")])
    if not any(isinstance(row, dict) and "platform" in row for row in rows):
        words = "no row names a platform: boards of test output and of execution are not imported"
        refuse([BadRow(file.name, 1, words)])
    lines = _lines(file, len(rows))
    faults = [(number, fault) for number, row in enumerate(rows) if (fault := _fault(row, now))]
    if not faults:
        distinct = _distinct(rows)
        counts, faults = _counts(distinct)
    refuse([BadRow(file.name, lines[number], f"row {number + 1}: {fault}") for number, fault in faults])
    slugs = model_slugs(counts)
    try:
        models = tuple(_model(name, slugs[name], data.get("models") or [], now) for name in counts)
    except ValueError as unfit:
        raise refusal(BadRow(file.name, 1, str(unfit))) from unfit
    problems, notes = _problems(rows)
    return ImportBatch(
        kind="lcb-board",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=tuple(ImportedSource(slug, name) for slug, name in PLATFORMS.items()),
        problems=problems,
        models=models,
        cells=tuple(_cell(number + 1, row, counts, slugs) for number, row in distinct.items()),
        protocol=_PROTOCOLS[options.get("board", "codegen")],
        notes=notes,
    )


def _is_board(data: Mapping[str, Any]) -> bool:
    try:
        check_storable(data.get("models"))
    except ValueError:
        return False
    return isinstance(data.get("performances"), list) and isinstance(data.get("models", []), list)


def _lines(file: SourceFile, rows: int) -> Sequence[int]:
    """The line of each row's question, where every row has one of its own; else the first line for all."""
    starts = [number for number, line in enumerate(file.text.split("\n"), 1) if '"question_id"' in line]
    return starts if len(starts) == rows else [1] * rows


def _fault(row: Any, now: datetime) -> str | None:
    try:
        entry = fields.as_object(row)
        fields.identifier(entry, "question_id")
        fields.label(entry, "model")
        fields.one_of(entry, "platform", PLATFORMS)
        fields.one_of(entry, "difficulty", _LEVELS)
        fields.number(entry, "pass@1", 0, 100, "a number from 0 to 100")
        fields.epoch(entry, "date", now, per_second=1000)
    except ValueError as unfit:
        return str(unfit)
    return None


def _distinct(rows: list[Mapping[str, Any]]) -> dict[int, Mapping[str, Any]]:
    """The rows by their place, each once: files that list a model twice repeat its rows."""
    places: dict[str, int] = {}
    for place, row in enumerate(rows):
        places.setdefault(json.dumps(row, sort_keys=True), place)
    return {place: rows[place] for place in places.values()}


def _counts(rows: Mapping[int, Mapping[str, Any]]) -> tuple[dict[str, int], list[tuple[int, str]]]:
    """n of each model, in file order; (row, fault) where no n fits or a cell comes twice."""
    values: dict[str, list[float]] = defaultdict(list)
    cells: set[tuple[str, str, str]] = set()
    bad = []
    for number, row in rows.items():
        model, problem = row["model"], str(row["question_id"])
        if (model, row["platform"], problem) in cells:
            bad.append((number, f"{model} on {problem} appears twice, with other facts"))
        elif not _whole(row["pass@1"] * _MOST / 100):
            bad.append((number, f"no n of {', '.join(map(str, _N))} makes the count of {model} whole"))
        cells.add((model, row["platform"], problem))
        values[model].append(row["pass@1"])
    if bad:
        return {}, bad
    return {
        model: next(n for n in _N if n == _MOST or all(_whole(share * n / 100) for share in shares))
        for model, shares in values.items()
    }, bad


def _whole(count: float) -> bool:
    return math.isclose(count, round(count), abs_tol=1e-6)


def _problems(rows: list[Mapping[str, Any]]) -> tuple[tuple[ImportedProblem, ...], tuple[str, ...]]:
    dates: dict[tuple[str, str], set[int]] = defaultdict(set)
    levels: dict[tuple[str, str], str] = {}
    for row in rows:
        key = (row["platform"], str(row["question_id"]))
        dates[key].add(int(row["date"]))
        levels.setdefault(key, row["difficulty"])
    problems = tuple(
        ImportedProblem(
            source=platform,
            external_id=name,
            title=name,
            released_on=contest_date(min(stored)),
            catalogued=True,
            difficulty=("level", _LEVELS[levels[platform, name]]),
        )
        for (platform, name), stored in dates.items()
    )
    notes = tuple(
        f"{platform}/{name}: rows disagree on the date ({len(stored)} dates); the earliest is used"
        for (platform, name), stored in dates.items()
        if len(stored) > 1
    )
    return problems, notes


def contest_date(stored_ms: int) -> datetime:
    """The contest's instant behind a stored date."""
    return datetime.fromtimestamp(stored_ms / 1000, UTC) - _SHIFT


def _model(name: str, slug: str, entries: list[Any], now: datetime) -> ImportedModel:
    facts: Mapping[str, Any] = next(
        (entry for entry in entries if isinstance(entry, dict) and entry.get("model_repr") == name), {}
    )
    listed_on = fields.epoch(facts, "release_date", now, per_second=1000).date() if facts.get("release_date") else None
    return ImportedModel(
        slug=slug,
        name=name,
        organisation=_organisation(facts),
        link=_link(facts.get("link")),
        n_inferred=True,
        slug_of_name=True,
        listed_on=listed_on,
    )


def _organisation(facts: Mapping[str, Any]) -> str:
    name, style = facts.get("model_name"), facts.get("model_style")
    return organisation_of(name, style) if isinstance(name, str) and isinstance(style, str) else ""


def _link(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None


def _cell(number: int, row: Mapping[str, Any], counts: Mapping[str, int], slugs: Mapping[str, str]) -> ImportedCell:
    n = counts[row["model"]]
    return ImportedCell(
        model=slugs[row["model"]],
        source=row["platform"],
        problem=str(row["question_id"]),
        n=n,
        c=round(row["pass@1"] * n / 100),
        value=repr(row["pass@1"]),
        source_date=str(row["date"]),
        source_clock="milliseconds, contest date + 24 h",
        row_number=number,
    )


SUITE = Suite("lcb-board", "LiveCodeBench board file", _read, {"board": tuple(_PROTOCOLS)})
