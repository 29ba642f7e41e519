"""LiveCodeBench's board files: results of other people's runs, kept as what they are.

The stored date is the contest's date plus exactly 24 hours for every row; n is not stored, and is taken
as the smallest of 1, 2, 5, 10 that makes every count of a model whole.

Files of test output and of execution name no platform, for all their problems are LeetCode's, and have a row for each
item of a problem: those of execution name it, those of test output give a model's in the order of the problem's tests.
Execution was asked in two ways, whose results stand in one row, -1 where a model was not asked so.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import mode
from typing import Any

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedCell, ImportedModel, ImportedProblem, ImportedSource
from app.domain.slugs import model_slugs
from scrapers.suite import SourceFile, Suite, check_storable, one_json, refusal, refuse
from scrapers.suites._shared import fields
from scrapers.suites._shared.lcb import PLATFORMS
from scrapers.suites._shared.lcb_vendors import organisation_of

_LEVELS = {"easy": 1.0, "medium": 2.0, "hard": 3.0}
_SHIFT = timedelta(hours=24)
_N = (1, 2, 5, 10)  # how many answers a problem the boards were made with; the last is a multiple of all
_MOST = _N[-1]
_NOT_ASKED = -1
Rows = Mapping[int, Mapping[str, Any]]  # by place in the file


@dataclass(frozen=True, slots=True)
class _Board:
    """The form of a board's file: the key of a row's result, and whether rows are of items of LeetCode's problems."""

    protocol: str
    value: str = "pass@1"
    by_item: bool = False


_BOARDS: Mapping[str, _Board] = {
    "codegen": _Board("lcb"),
    "repair": _Board("lcb-repair"),
    "test-output": _Board("lcb-test-output", by_item=True),
    "execution": _Board("lcb-execution", "Pass@1", by_item=True),
    "execution-cot": _Board("lcb-execution-cot", "Pass@1-COT", by_item=True),
}


def _read(file: SourceFile, options: Mapping[str, str], now: datetime) -> ImportBatch:
    data = one_json(file)
    rows: list[Any] = data["performances"] if isinstance(data, dict) and _is_board(data) else []
    if not rows:
        refuse([BadRow(file.name, 1, "no list 'performances': this is not a LiveCodeBench board file")])
    name = options.get("board", "codegen")
    board = _BOARDS[name]
    if not any(isinstance(row, dict) and _is_of(board, row) for row in rows):
        others = [
            other for other, form in _BOARDS.items() if any(isinstance(row, dict) and _is_of(form, row) for row in rows)
        ]
        words = f"no row is one of the board {name}" + (f"; these may be of {' or '.join(others)}" if others else "")
        refuse([BadRow(file.name, 1, words)])
    lines = _lines(file, len(rows))
    faults = [(number, fault) for number, row in enumerate(rows) if (fault := _fault(row, board, now))]
    if not faults:
        asked = {place: row for place, row in enumerate(rows) if row[board.value] != _NOT_ASKED}
        items, faults = _items(asked, board)
    if not faults:
        distinct = {place: rows[place] for place in items}
        counts, faults = _counts(distinct, items, board)
    refuse([BadRow(file.name, lines[number], f"row {number + 1}: {fault}") for number, fault in faults])
    slugs = model_slugs(counts)
    try:
        models = tuple(_model(name, slugs[name], data.get("models") or [], now) for name in counts)
    except ValueError as unfit:
        raise refusal(BadRow(file.name, 1, str(unfit))) from unfit
    problems, notes = _problems(distinct.values())
    return ImportBatch(
        kind="lcb-board",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=tuple(ImportedSource(slug, name) for slug, name in PLATFORMS.items()),
        problems=problems,
        models=models,
        cells=tuple(
            _cell(place, row, board, items[place], counts[row["model"]], slugs[row["model"]])
            for place, row in distinct.items()
        ),
        protocol=board.protocol,
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


def _is_of(board: _Board, row: Mapping[str, Any]) -> bool:
    return board.value in row and ("platform" not in row) == board.by_item


def _fault(row: Any, board: _Board, now: datetime) -> str | None:
    try:
        entry = fields.as_object(row)
        fields.identifier(entry, "question_id")
        fields.label(entry, "model")
        if not board.by_item:
            fields.one_of(entry, "platform", PLATFORMS)
        if "difficulty" in entry or not board.by_item:
            fields.one_of(entry, "difficulty", _LEVELS)
        if board.value != "pass@1":
            fields.identifier(entry, "sample_id")
        if not (board.by_item and entry.get(board.value) == _NOT_ASKED):
            fields.number(entry, board.value, 0, 100, "a number from 0 to 100")
        fields.epoch(entry, "date", now, per_second=1000)
    except ValueError as unfit:
        return str(unfit)
    return None


def _items(rows: Rows, board: _Board) -> tuple[dict[int, int], list[tuple[int, str]]]:
    """The item of each row by its place, without rows that repeat others: files list some models twice."""
    if board.value != "pass@1":
        names: dict[str, dict[str, int]] = defaultdict(dict)  # by problem
        of_row = {
            place: names[str(row["question_id"])].setdefault(str(row["sample_id"]), len(names[str(row["question_id"])]))
            for place, row in rows.items()
        }
        return {place: of_row[place] for place in _distinct(rows)}, []
    if not board.by_item:
        return dict.fromkeys(_distinct(rows), 0), []
    return _in_turn(rows)


def _distinct(rows: Rows) -> list[int]:
    """The places of the rows, each once."""
    places: dict[str, int] = {}
    for place, row in rows.items():
        places.setdefault(json.dumps(row, sort_keys=True), place)
    return list(places.values())


def _in_turn(rows: Rows) -> tuple[dict[int, int], list[tuple[int, str]]]:
    """Items that nothing names, in the order of each model's rows. A problem has as many as most models have rows."""
    places: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, row in rows.items():
        places[str(row["question_id"])][row["model"]].append(place)
    items: dict[int, int] = {}
    faults = []
    for problem, of_model in places.items():
        usual = mode(map(len, of_model.values()))
        for model, own in of_model.items():
            values = [json.dumps(rows[place], sort_keys=True) for place in own]
            if len(own) > usual and values != (values[:usual] * (len(own) // usual + 1))[: len(own)]:
                faults.append((own[usual], f"{model} has {len(own)} items of {problem}, others have {usual}"))
            items.update({place: item for item, place in enumerate(own[:usual])})
    return dict(sorted(items.items())), faults


def _counts(rows: Rows, items: Mapping[int, int], board: _Board) -> tuple[dict[str, int], list[tuple[int, str]]]:
    """n of each model, in file order; (row, fault) where no n fits or a cell comes twice."""
    values: dict[str, list[float]] = defaultdict(list)
    cells: set[tuple[str, str, str, int]] = set()
    bad = []
    for place, row in rows.items():
        model, problem = row["model"], str(row["question_id"])
        cell = model, _platform(row), problem, items[place]
        if cell in cells:
            bad.append((place, f"{model} on {problem} appears twice, with other facts"))
        elif not _whole(row[board.value] * _MOST / 100):
            bad.append((place, f"no n of {', '.join(map(str, _N))} makes the count of {model} whole"))
        cells.add(cell)
        values[model].append(row[board.value])
    if bad:
        return {}, bad
    return {
        model: next(n for n in _N if n == _MOST or all(_whole(share * n / 100) for share in shares))
        for model, shares in values.items()
    }, bad


def _platform(row: Mapping[str, Any]) -> str:
    return str(row.get("platform", "leetcode"))


def _whole(count: float) -> bool:
    return math.isclose(count, round(count), abs_tol=1e-6)


def _problems(rows: Iterable[Mapping[str, Any]]) -> tuple[tuple[ImportedProblem, ...], tuple[str, ...]]:
    dates: dict[tuple[str, str], set[int]] = defaultdict(set)
    levels: dict[tuple[str, str], str] = {}
    for row in rows:
        key = (_platform(row), str(row["question_id"]))
        dates[key].add(int(row["date"]))
        if "difficulty" in row:
            levels.setdefault(key, row["difficulty"])
    problems = tuple(
        ImportedProblem(
            source=platform,
            external_id=name,
            title=name,
            released_on=contest_date(min(stored)),
            catalogued=True,
            difficulty=("level", _LEVELS[levels[platform, name]]) if (platform, name) in levels else None,
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


def _cell(place: int, row: Mapping[str, Any], board: _Board, item: int, n: int, slug: str) -> ImportedCell:
    value = row[board.value]
    return ImportedCell(
        model=slug,
        source=_platform(row),
        problem=str(row["question_id"]),
        n=n,
        c=round(value * n / 100),
        value=repr(value),
        source_date=str(row["date"]),
        source_clock="milliseconds, contest date + 24 h",
        row_number=place + 1,
        item=item,
    )


SUITE = Suite("lcb-board", "LiveCodeBench board file", _read, {"board": tuple(_BOARDS)})
