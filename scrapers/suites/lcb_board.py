"""LiveCodeBench's board files: results of other people's runs, kept as what they are.

The stored date is the contest's date plus exactly 24 hours for every row; n is not stored. The boards were made with up
to 10 answers a problem, so n is the smallest number up to 10 that makes every count of a model whole. For some problems
files hold fewer answers than for the others: if no number fits all rows of a model, n is the one that fits most, and
for each other row the smallest that makes its own count whole.

Files of test output and of execution name no platform, for all their problems are LeetCode's, and have a row for each
item of a problem. Those of execution name the item; those of test output list a model's items in the order of the
problem's tests. Execution was asked in two ways, whose results stand in one row, -1 if a model was not asked that way.

Files list some models twice. Rows that repeat each other count once. If a model has equally many rows for each item,
over several problems, and they give other values, it was evaluated that many times: the answers of all count, as in the
site's own mean. Of rows that contradict each other otherwise none counts. A bad row costs no other one.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import multimode
from typing import Any, NamedTuple

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedCell, ImportedProblem, ImportedSource
from app.domain.slugs import model_slugs
from scrapers.suite import SourceFile, Suite, check_not_empty, read_json, refuse_bad_rows
from scrapers.suites._common import fields
from scrapers.suites._common.lcb import PLATFORMS
from scrapers.suites._common.lcb_models import read_models

_LEVELS = {"easy": 1.0, "medium": 2.0, "hard": 3.0}
_DATE_SHIFT = timedelta(hours=24)
_MAX_ANSWERS = 10  # to one problem; the boards were made with at most so many
_NOT_ASKED = -1
_KEYS = ("performances", "models", "date_marks")
_ROW_KEYS = ("question_id", "sample_id", "model", "date", "difficulty", "platform", "pass@1", "Pass@1", "Pass@1-COT")
_MODEL_KEYS = ("model_name", "model_repr", "model_style", "release_date", "link")
_FACTS = ("platform", "difficulty", "date")  # of a problem, the same in every evaluation
Rows = Mapping[int, Mapping[str, Any]]  # by place in the file


@dataclass(frozen=True, slots=True)
class _Board:
    """Form of a board's file: the key of a row's result, and whether rows are of items of LeetCode's problems."""

    protocol: str
    value: str = "pass@1"
    by_item: bool = False

    @property
    def names_items(self) -> bool:
        """True if rows name their item."""
        return self.value != "pass@1"


_BOARDS: Mapping[str, _Board] = {
    "codegen": _Board("lcb"),
    "repair": _Board("lcb-repair"),
    "test-output": _Board("lcb-test-output", by_item=True),
    "execution": _Board("lcb-execution", "Pass@1", by_item=True),
    "execution-cot": _Board("lcb-execution-cot", "Pass@1-COT", by_item=True),
}


def _read(file: SourceFile, options: Mapping[str, str], now: datetime) -> ImportBatch:
    data = read_json(file)
    if not (isinstance(data, dict) and _is_board(data)):
        refuse_bad_rows([BadRow(file.name, 1, "no list 'performances': this is not a LiveCodeBench board file")])
    rows: list[Any] = data["performances"]
    if not rows:
        refuse_bad_rows([BadRow(file.name, 1, "the list 'performances' is empty: there is nothing to import")])
    name = options.get("board", "codegen")
    board = _BOARDS[name]
    if not any(isinstance(row, dict) and _is_of(board, row) for row in rows):
        others = [
            other for other, form in _BOARDS.items() if any(isinstance(row, dict) and _is_of(form, row) for row in rows)
        ]
        words = f"no row is one of the board {name}" + (f"; these may be of {' or '.join(others)}" if others else "")
        refuse_bad_rows([BadRow(file.name, 1, words)])
    faults = {place: fault for place, row in enumerate(rows) if (fault := _fault(row, board, now))}
    asked = {
        place: row
        for place, row in enumerate(rows)
        if (place not in faults or _is_placed(row, board)) and row.get(board.value) != _NOT_ASKED
    }
    if not (asked or faults):
        words = f"every {board.value} is {_NOT_ASKED}: no model was asked so; there is nothing to import"
        refuse_bad_rows([BadRow(file.name, 1, words)])
    listed = _choose_rows(asked, board, faults)
    counts = _counts(rows, listed.cells, board)
    faults |= listed.faults | counts.faults
    cells = {key: good for key, places in listed.cells.items() if (good := [at for at in places if at in counts.n])}
    lines = _lines(file, len(rows))
    bad = [BadRow(file.name, lines[place], f"row {place + 1}: {fault}") for place, fault in sorted(faults.items())]
    check_not_empty(cells, bad, file, "the file holds no result")
    names = dict.fromkeys(key.model for key in cells)
    slugs = model_slugs(names)
    models, unfit = read_models(file, data.get("models") or [], {name: slugs[name] for name in names}, now)
    problems, notes = _problems(rows[places[0]] for places in cells.values())
    return ImportBatch(
        kind="lcb-board",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=tuple(ImportedSource(slug, name) for slug, name in PLATFORMS.items()),
        problems=problems,
        models=models,
        cells=tuple(_cell(key, places, rows, board, counts.n, slugs[key.model]) for key, places in cells.items()),
        protocol=board.protocol,
        bad_rows=(*bad, *unfit),
        notes=(*_unknown_keys(file, data, lines), *listed.notes, *counts.notes, *notes),
    )


def _unknown_keys(file: SourceFile, data: Mapping[str, Any], lines: Sequence[int]) -> Iterator[str]:
    """Yield notes on the keys of the file, of its results and of its models that are not known."""
    of_file, of_rows, of_models = (fields.UnknownKeys(known) for known in (_KEYS, _ROW_KEYS, _MODEL_KEYS))
    of_file.note_keys(f"{file.name}:1", data)
    for line, row in zip(lines, data["performances"], strict=True):
        if isinstance(row, dict):
            of_rows.note_keys(f"{file.name}:{line}", row)
    for row in data.get("models") or []:
        if isinstance(row, dict):
            of_models.note_keys(f"{file.name}:1", row)
    for unknown in (of_file, of_rows, of_models):
        yield from unknown.notes


def _is_board(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("performances"), list) and isinstance(data.get("models", []), list)


def _lines(file: SourceFile, rows: int) -> Sequence[int]:
    """Return the line of each row's question if every row has a line of its own, else the first line for all."""
    starts = [number for number, line in enumerate(file.text.split("\n"), 1) if '"question_id"' in line]
    return starts if len(starts) == rows else [1] * rows


def _is_of(board: _Board, row: Mapping[str, Any]) -> bool:
    return board.value in row and ("platform" not in row) == board.by_item


def _fault(row: Any, board: _Board, now: datetime) -> str | None:
    try:
        entry = fields.as_object(row)
        _check_key(entry, board)
        if "difficulty" in entry or not board.by_item:
            fields.one_of(entry, "difficulty", _LEVELS)
        if not (board.by_item and entry.get(board.value) == _NOT_ASKED):
            fields.number(entry, board.value, 0, 100, "a number from 0 to 100")
        fields.epoch(entry, "date", now, per_second=1000)
    except ValueError as unfit:
        return str(unfit)
    return None


def _check_key(entry: fields.Row, board: _Board) -> None:
    """Raise InvalidField if a row does not say what it is a result of."""
    fields.identifier(entry, "question_id")
    fields.label(entry, "model")
    if not board.by_item:
        fields.one_of(entry, "platform", PLATFORMS)
    if board.names_items:
        fields.identifier(entry, "sample_id")


def _is_placed(row: Any, board: _Board) -> bool:
    """Return whether a bad row says what it is a result of: it then keeps its place among the rows of its model."""
    try:
        _check_key(fields.as_object(row), board)
    except ValueError:
        return False
    return True


class _Key(NamedTuple):
    """Identity of one result; problems of two platforms may have one name."""

    model: str
    platform: str
    problem: str
    item: int


Cells = Mapping[_Key, Sequence[int]]  # the places of a cell's rows
Faults = dict[int, str]  # by place in the file


class _ChosenRows(NamedTuple):
    """Rows that count, the cells in the order of their first rows, and notes for the person who imports them."""

    cells: Cells
    notes: Sequence[str]
    faults: Faults


def _cells(rows: Rows, board: _Board) -> Cells:
    """Return all rows of each cell. Unnamed items are in the order of a model's rows."""
    cells: dict[_Key, list[int]] = defaultdict(list)
    samples: dict[str, dict[str, int]] = defaultdict(dict)  # by problem
    usual = _usual_items(rows) if board.by_item and not board.names_items else {}
    before: Counter[tuple[str, str]] = Counter()
    for place, row in rows.items():
        model, problem = row["model"], str(row["question_id"])
        item = 0
        if board.names_items:
            item = samples[problem].setdefault(str(row["sample_id"]), len(samples[problem]))
        elif board.by_item:
            item = before[model, problem] % usual[problem]
            before[model, problem] += 1
        cells[_Key(model, _platform(row), problem, item)].append(place)
    return cells


def _usual_items(rows: Rows) -> Mapping[str, int]:
    """Return how many items each problem has: as many as most models have rows of it."""
    return {problem: min(multimode(counts.values())) for problem, counts in _row_counts(rows).items()}


def _row_counts(rows: Rows) -> Mapping[str, Mapping[str, int]]:
    """Return problem -> model -> number of the model's rows of it, in file order."""
    of_problem: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows.values():
        of_problem[str(row["question_id"])][row["model"]] += 1
    return of_problem


def _uneven_models(rows: Rows) -> Iterator[tuple[set[str], str, int, str]]:
    """Yield (models, problem, first row, fault) of models with more rows of a problem than its items, and no multiple
    of them: it is unknown which row is of which item. If equally many models have another number, that holds for all of
    them."""
    usual = _usual_items(rows)
    for problem, counts in _row_counts(rows).items():
        right = usual[problem]
        first = next(model for model, count in counts.items() if count == right)
        tied = multimode(counts.values())
        for model, count in counts.items():
            if count > right and count % right:
                place = next(
                    place for place, row in rows.items() if (str(row["question_id"]), row["model"]) == (problem, model)
                )
                doubt = "; which is right cannot be told" if len(tied) > 1 else ""
                models = {model, *(other for other in counts if len(tied) > 1 and counts[other] in tied)}
                yield models, problem, place, f"{model} has {count} items of {problem}, {first} has {right}{doubt}"


def _choose_rows(rows: Rows, board: _Board, bad: Collection[int]) -> _ChosenRows:
    """Return the rows that count: the first of those that repeat each other, and all of a model that was evaluated
    twice.

    Rows that are bad for another reason only keep their places among those of their model.
    """
    faults: Faults = {}
    if board.by_item and not board.names_items:
        ambiguous = set[tuple[str, str]]()
        for models, problem, place, fault in _uneven_models(rows):
            ambiguous |= {(model, problem) for model in models}
            faults[place] = fault
        rows = {place: row for place, row in rows.items() if (row["model"], str(row["question_id"])) not in ambiguous}
    by_model: dict[str, dict[_Key, Sequence[int]]] = defaultdict(dict)
    for key, places in _cells(rows, board).items():
        by_model[key.model][key] = places
    chosen: dict[_Key, Sequence[int]] = {}
    notes = []
    for model, all_places in by_model.items():
        times = set(map(len, all_places.values()))
        own = {key: good for key, places in all_places.items() if (good := [at for at in places if at not in bad])}
        different = {key: other for key, places in own.items() if (other := _first_different(rows, places)) is not None}
        has_several_problems = len({(key.platform, key.problem) for key in all_places}) > 1
        if (
            len(times) == 1
            and has_several_problems
            and different
            and not any(_first_different(rows, places, _FACTS) for places in own.values())
        ):
            chosen |= own
            notes.append(f"{model} is listed {max(times)} times with other values; the answers of all count")
        else:
            chosen |= {key: places[:1] for key, places in own.items() if key not in different}
            faults |= {other: _describe_duplicate(key, own, board) for key, other in different.items()}
    return _ChosenRows(dict(sorted(chosen.items(), key=lambda cell: cell[1][0])), notes, faults)


def _first_different(rows: Rows, places: Sequence[int], names: Collection[str] | None = None) -> int | None:
    """Return the first row that differs from the first one, in the facts of `names` or in any."""

    def facts(place: int) -> str:
        return json.dumps({name: value for name, value in rows[place].items() if names is None or name in names},
                          sort_keys=True)  # fmt: skip

    return next((place for place in places if facts(place) != facts(places[0])), None)


def _describe_duplicate(key: _Key, own: Cells, board: _Board) -> str:
    if board.by_item and not board.names_items:
        of_problem = [places for other, places in own.items() if other.problem == key.problem]
        count = sum(map(len, of_problem))
        return f"{key.model} has {count} items of {key.problem}, others have {len(of_problem)}"
    return f"{key.model} on {key.problem} appears twice, with other facts"


class _Counts(NamedTuple):
    """Number of answers behind each row, by its place; notes on models whose rows differ in it; and the rows that no
    number fits."""

    n: Mapping[int, int]
    notes: Sequence[str]
    faults: Faults


def _counts(rows: Sequence[Any], cells: Cells, board: _Board) -> _Counts:
    fits: dict[str, dict[int, list[int]]] = defaultdict(dict)  # model -> place -> the numbers that fit its row
    for key, places in cells.items():
        for place in places:
            value = rows[place][board.value]
            fits[key.model][place] = [n for n in range(1, _MAX_ANSWERS + 1) if _is_share(value, n)]
    counts: dict[int, int] = {}
    notes, faults = [], Faults()
    for model, by_place in fits.items():
        votes = Counter(n for numbers in by_place.values() for n in numbers)
        usual = max(range(1, _MAX_ANSWERS + 1), key=lambda n: (votes[n], -n))
        odd = Counter[int]()
        for place, numbers in by_place.items():
            if not numbers:
                faults[place] = f"no n up to {_MAX_ANSWERS} makes the count of {model} whole"
                continue
            counts[place] = usual if usual in numbers else numbers[0]
            odd[counts[place]] += counts[place] != usual
        if +odd:
            others = ", ".join(f"{number} of {n}" for n, number in sorted((+odd).items()))
            notes.append(f"{model}: its rows are of {usual} answers, but for {others}")
    return _Counts(counts, notes, faults)


def _platform(row: Mapping[str, Any]) -> str:
    return str(row.get("platform", "leetcode"))


def _is_share(percent: float, n: int) -> bool:
    """Return whether a percentage is a share of n answers, at the precision it is written with: 22.2 is two of 9."""
    c = round(percent * n / 100)
    decimals = len(repr(float(percent)).partition(".")[2])
    return math.isclose(percent * n / 100, c, abs_tol=1e-6) or round(100 * c / n, decimals) == percent


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
    """Return the contest's instant behind a stored date."""
    return datetime.fromtimestamp(stored_ms / 1000, UTC) - _DATE_SHIFT


def _cell(
    key: _Key, places: Sequence[int], rows: Sequence[Any], board: _Board, n: Mapping[int, int], slug: str
) -> ImportedCell:
    values = [rows[place][board.value] for place in places]
    return ImportedCell(
        model=slug,
        source=key.platform,
        problem=key.problem,
        n=sum(n[place] for place in places),
        c=sum(round(value * n[place] / 100) for place, value in zip(places, values, strict=True)),
        value=", ".join(map(repr, values)),
        source_date=str(rows[places[0]]["date"]),
        source_clock="milliseconds, contest date + 24 h",
        row_number=places[0] + 1,
        item=key.item,
    )


SUITE = Suite("lcb-board", "LiveCodeBench board file", _read, {"board": tuple(_BOARDS)})
