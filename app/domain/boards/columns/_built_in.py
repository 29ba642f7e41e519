"""The columns that boards began with, in the order of a row's JSON."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from app.domain.boards.board import Board, BoardRow, LevelScore, ScoreInterval
from app.domain.boards.columns._column import (
    CatalogueText,
    Column,
    ColumnText,
    FileColumn,
    ShownColumn,
    ShownFor,
    SortKind,
)
from app.domain.boards.columns._formats import decimal, percent, ratio, usd, whole
from app.domain.boards.named_boards import columns_shown, extra_values
from app.domain.boards.pass_at import KS, shown_ks
from app.domain.cube.facts import CutoffBasis
from app.domain.exports import ColumnKind
from app.domain.judging.speed import MIN_PROBLEMS
from app.domain.problems import Level

_LEVEL_LETTERS: Final = {Level.EASY: "E", Level.MEDIUM: "M", Level.HARD: "H", Level.EXPERT: "X", Level.EXTREME: "XX"}
_BASIS_MARKS: Final = {CutoffBasis.RELEASED: "*", CutoffBasis.REGISTERED: "+", CutoffBasis.LISTED: "~"}
# A narrow terminal leaves out the highest first; a board's own columns one by one, the last first.
_DROP_COVERAGE, _DROP_OWN, _DROP_CUTOFF, _DROP_LEVELS, _DROP_PASS_AT = range(1, 6)

_Files = Callable[[Mapping[str, Any]], Iterable[FileColumn]]


def _parts(name: str, **parts: tuple[str, ColumnKind]) -> _Files:
    """Return the columns in files of a value with parts, each named by the key that it has in JSON."""
    listed = tuple(FileColumn(column, kind, (name, key)) for column, (key, kind) in parts.items())
    return lambda _body: listed


def _interval_json(interval: ScoreInterval | None) -> dict[str, float] | None:
    return None if interval is None else {"score": interval.score, "ci_lo": interval.lo, "ci_hi": interval.hi}


def _split_json(split: tuple[LevelScore, LevelScore] | None) -> dict[str, Any] | None:
    if split is None:
        return None
    return {name: part._asdict() for name, part in zip(("clean", "exposed"), split, strict=True)}


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _write_rank(row: BoardRow) -> str:
    return "-" if row.rank is None else f"{row.rank} ({row.rank_lo}-{row.rank_hi})"


def _write_name(row: BoardRow) -> str:
    return f"{row.fact.name} ({row.configuration})" if row.configuration else row.fact.name


def _write_interval(row: BoardRow) -> str:
    return "-" if row.ci_lo is None or row.ci_hi is None else f"{row.ci_lo:5.1f} - {row.ci_hi:5.1f}"


def _write_cutoff(row: BoardRow) -> str:
    return "-" if row.fact.cutoff_on is None else f"{row.fact.cutoff_on}{cutoff_mark(row)}"


def cutoff_mark(row: BoardRow) -> str:
    """Return the mark behind a row's cutoff on a terminal: what the date is, if it is no cutoff by evidence."""
    return "" if row.fact.cutoff_on is None else _BASIS_MARKS.get(row.fact.cutoff_basis, "")


def _pass_at_json(row: BoardRow) -> dict[str, float | None]:
    return {"1": row.score, **{str(k): value for k, value in zip(KS, row.pass_at, strict=True)}}


def _pass_at_of(place: int) -> Callable[[BoardRow], float | None]:
    return lambda row: row.pass_at[place]


def _pass_at_columns(board: Board) -> Iterator[ShownColumn]:
    for k, place in shown_ks(board.rows).items():
        title = CatalogueText("col.pass_at", {"k": k})
        yield ShownColumn(
            title=title,
            cell="part",
            of=_pass_at_of(place),
            heading=f"pass@{k}",
            drop=(_DROP_PASS_AT, 0),
            sorts=SortKind.NUMBER,
            sort_name=f"pass_at_{k}",
        )


def _level_columns(board: Board) -> Iterator[ShownColumn]:
    by_run: dict[int, Mapping[Level, LevelScore]] = {}

    def score(level: Level) -> Callable[[BoardRow], float | None]:
        def of(row: BoardRow) -> float | None:
            if row.run not in by_run:  # a row makes all of them at once
                by_run[row.run] = row.by_difficulty
            return by_run[row.run][level].score

        return of

    for level, problems in board.by_level.items():
        name = f"level.{level}"
        yield ShownColumn(
            title=f"level.short.{level}",
            meaning=(name, "sentence.comma", CatalogueText("level.n", {"n": problems})),
            label=name,
            css="num c-level",
            cell="level",
            key=level,
            of=score(level),
            heading=_LEVEL_LETTERS[level],
            drop=(_DROP_LEVELS, 0),
            sorts=SortKind.NUMBER,
            sort_name=level.value,
        )


def _level_files(body: Mapping[str, Any]) -> Iterator[FileColumn]:
    for level in Level:
        if level in body["by_difficulty"]:
            yield FileColumn(level.value, ColumnKind.NUMBER, ("by_difficulty", level.value, "score"))


def _own_columns(board: Board) -> Iterator[ShownColumn]:
    """Yield the columns that only this board has."""
    by_run = {row.run: values for row, values in zip(board.rows, extra_values(board), strict=True)}

    def value(name: str) -> Callable[[BoardRow], float | None]:
        return lambda row: by_run[row.run][name]

    def interval(name: str) -> Callable[[BoardRow], tuple[float, float] | None]:
        def ends(row: BoardRow) -> tuple[float, float] | None:
            lo, hi = (by_run[row.run][f"{name}{end}"] for end in ("_lo", "_hi"))
            return None if lo is None or hi is None else (lo, hi)

        return ends

    for place, column in enumerate(columns_shown(board)):
        yield ShownColumn(
            title=column.titles,
            cell="part",
            of=value(column.name),
            ends=interval(column.name) if column.is_gap else None,
            heading=column.titles["en"],
            drop=(_DROP_OWN, place),
            sorts=SortKind.NUMBER,
            sort_name=column.name,
        )


def _own_files(body: Mapping[str, Any]) -> Iterator[FileColumn]:
    for row in body["rows"][:1]:
        for name in row.get("columns", ()):
            yield FileColumn(name, ColumnKind.NUMBER, ("columns", name))


def _coverage_note(row: BoardRow) -> tuple[ColumnText, ...]:
    if row.coverage >= 1 and not row.pending and not row.judge_errors:
        return ()
    judged = CatalogueText("coverage.long", {"graded": row.n_problems, "wanted": row.wanted})
    if row.pending or row.judge_errors:
        return judged, CatalogueText("coverage.progress", {"pending": row.pending, "errors": row.judge_errors})
    return (judged, "coverage.answers") if row.n_problems == row.wanted else (judged,)


def _answer_tokens(row: BoardRow) -> float | None:
    tokens = row.usage.tokens
    return None if tokens.answer is None else tokens.answer + (tokens.reasoning or 0.0)


def _tokens_json(row: BoardRow) -> dict[str, float | None]:
    tokens = row.usage.tokens
    return {"input": tokens.input, "cached": tokens.cached, "reasoning": tokens.reasoning, "answer": tokens.answer}


def _tokens_note(row: BoardRow) -> tuple[ColumnText, ...]:
    spent = {kind: "—" if value is None else whole(value) for kind, value in _tokens_json(row).items()}
    return (CatalogueText("usage.tokens.long", spent),)


def _speed_note(row: BoardRow) -> tuple[ColumnText, ...]:
    compared, problems = row.usage.speed
    key = "usage.speed.few" if compared is None else "usage.speed.over"
    return (CatalogueText(key, {"n": problems, "least": MIN_PROBLEMS}),)


def _usage(name: str, write: Callable[[Any], str], **more: Any) -> ShownColumn:
    """Return a column of the page about what answers took: never ranked by."""
    title = f"usage.{name}"
    return ShownColumn(title=title, meaning=(f"{title}.title",), format=write, needs_values=True, **more)


def _low_first(name: str, write: Callable[[Any], str], **more: Any) -> ShownColumn:
    """Return such a column of the table: it sorts from the least up."""
    return _usage(name, write, sorts=SortKind.NUMBER, low_first=True, **more)


_INTEGER, _NUMBER, _TEXT, _FLAG = ColumnKind.INTEGER, ColumnKind.NUMBER, ColumnKind.TEXT, ColumnKind.FLAG

BUILT_IN: Final = (
    Column(
        name="model", kind=_TEXT, file_place=20, place=20,
        shown=ShownColumn(
            title="col.model", css="c-model", cell="model", heading="model", text=_write_name, min_width=24,
            sorts=SortKind.TEXT, sort_of=_write_name, low_first=True,
        ),
    ),
    Column(name="name", of="fact.name"),
    Column(name="organisation", of="fact.organisation", kind=_TEXT, file_place=21),
    Column(name="configuration", kind=_TEXT, file_place=20),
    Column(name="run"),
    Column(name="trials"),
    Column(
        name="rank", kind=_INTEGER, file_place=10, place=10,
        shown=ShownColumn(
            title="col.rank", css="c-rank", cell="rank", heading="rank", text=_write_rank,
            sorts=SortKind.NUMBER, low_first=True,
        ),
    ),
    Column(name="rank_lo", kind=_INTEGER, file_place=10),
    Column(name="rank_hi", kind=_INTEGER, file_place=10),
    Column(name="tier", kind=_INTEGER, file_place=10),
    Column(
        name="score", kind=_NUMBER, file_place=30, place=30,
        shown=ShownColumn(title="col.score", css="num c-score", cell="score", heading="pass@1", sorts=SortKind.NUMBER),
    ),
    Column(  # the interval shows both ends
        name="ci_lo", kind=_NUMBER, file_place=30, place=40,
        shown=ShownColumn(
            title="col.ci", css="c-ci", cell="interval", heading="95 % interval", text=_write_interval
        ),
    ),
    Column(name="ci_hi", kind=_NUMBER, file_place=30),
    Column(
        name="pass_at", of=_pass_at_json, file_place=110, place=50,
        files=_parts("pass_at", **{f"pass_at_{k}": (str(k), _NUMBER) for k in KS}),
        shown=_pass_at_columns,
    ),
    Column(
        name="n_problems", kind=_INTEGER, file_place=30, place=80,
        shown=ShownColumn(
            title="col.n", meaning=("col.n.long",), label="col.n.label", format=str, heading="n",
            shown_for=ShownFor.OPENED,
        ),
    ),
    Column(name="wanted", kind=_INTEGER, file_place=30),
    Column(
        name="coverage", kind=_NUMBER, file_place=30, place=90,
        shown=ShownColumn(
            title="col.coverage", format=percent, note=_coverage_note, shown_for=ShownFor.OPENED,
            heading="cover", text=lambda row: f"{int(row.coverage * 100)}%", drop=(_DROP_COVERAGE, 0),
        ),
    ),
    Column(name="pending"),
    Column(name="judge_errors"),
    Column(name="exposed", kind=_INTEGER, file_place=30),
    Column(name="served", kind=_INTEGER, file_place=90),
    Column(name="prospective", kind=_FLAG, file_place=90),
    Column(name="started_by", of="fact.started_by", kind=_TEXT, file_place=90),
    Column(
        name="registered_at", kind=_TEXT, file_place=90,
        of=lambda row: None if row.fact.registered_at is None else row.fact.registered_at.isoformat(),
    ),
    Column(
        name="by_difficulty", file_place=40, place=60, files=_level_files, shown=_level_columns,
        of=lambda row: {str(level): {"score": part.score, "n": part.n} for level, part in row.by_difficulty.items()},
    ),
    Column(name="split", of=lambda row: _split_json(row.split)),
    Column(
        name="cutoff", file_place=50, place=100,
        of=lambda row: {"date": _iso(row.fact.cutoff_on), "basis": row.fact.cutoff_basis},
        files=_parts("cutoff", cutoff_date=("date", _TEXT), cutoff_basis=("basis", _TEXT)),
        shown=ShownColumn(
            title="col.cutoff", css="c-day", cell="cutoff", heading="cutoff", text=_write_cutoff,
            drop=(_DROP_CUTOFF, 0), sorts=SortKind.DAY, sort_of=lambda row: row.fact.cutoff_on, needs_values=True,
        ),
    ),
    Column(  # a fact of the model, which JSON has at the model
        name="released", of="fact.released_on", in_json=False, place=105,
        shown=ShownColumn(
            title="col.released", css="c-day", format=date.isoformat, cell="day", sorts=SortKind.DAY, needs_values=True
        ),
    ),
    Column(name="provisional", kind=_FLAG, file_place=50),
    Column(name="unranked"),
    Column(
        name="estimate", of=lambda row: _interval_json(row.estimate), file_place=50,
        files=_parts(
            "estimate",
            estimate=("score", _NUMBER), estimate_lo=("ci_lo", _NUMBER), estimate_hi=("ci_hi", _NUMBER),
        ),
    ),
    Column(name="demo", of="fact.demo", kind=_FLAG, file_place=53),
    Column(name="imported", of="fact.imported", kind=_FLAG, file_place=52),
    Column(name="n_inferred", of="fact.n_inferred", kind=_FLAG, file_place=51),
    Column(name="unknown_model", of="fact.unknown_model"),
    Column(
        name="tokens", of=_tokens_json, file_place=60, place=66,
        files=_parts("tokens", **{
            f"tokens_{kind}": (kind, _NUMBER) for kind in ("input", "cached", "reasoning", "answer")
        }),
        shown=_low_first("tokens", whole, of=_answer_tokens, note=_tokens_note),
    ),
    Column(
        name="seconds_per_problem", of="usage.seconds_per_problem", kind=_NUMBER, file_place=60,
        place=67, shown=_low_first("seconds", decimal),
    ),
    Column(
        name="cost_per_solve", kind=_NUMBER, file_place=60, place=65,
        shown=_low_first("cost", usd),
    ),
    Column(
        name="speed_vs_reference", of="usage.speed.ratio", kind=_NUMBER, file_place=60, place=160,
        shown=_usage("speed", ratio, note=_speed_note, shown_for=ShownFor.OPENED),
    ),
    Column(name="speed_problems", of="usage.speed.problems", kind=_INTEGER, file_place=60),
    Column(
        name="lag_days", of="usage.lag_days", kind=_NUMBER, file_place=100, place=140,
        shown=_usage("lag", decimal, shown_for=ShownFor.OPENED),
    ),
    # Only if known, so that old permanent links keep their bytes.
    Column(name="languages", of=lambda row: dict(row.usage.languages), optional=True),
    Column(name="weights", of="fact.weights", optional=True),
    Column(name="tuned_from", of="fact.tuned_from", optional=True),
    Column(name="unpublished_variants"),
    Column(name="unmatched", of="fact.unmatched"),
    Column(
        name="difference", of=lambda row: None if row.difference is None else row.difference._asdict(), place=45,
        shown=ShownColumn(
            title="col.difference", css="num c-diff", cell="difference", shown_for=ShownFor.REFERENCE,
            sorts=SortKind.NUMBER, sort_of=lambda row: None if row.difference is None else row.difference.mean,
        ),
    ),
    Column(
        name="without_own", of=lambda row: None if row.without_own is None else row.without_own._asdict(),
        file_place=80, files=_parts("without_own", without_own=("score", _NUMBER), without_own_n=("n", _INTEGER)),
    ),
    Column(name="without_own_reason", kind=_TEXT, file_place=80),
    Column(name="p_first", of="first_chance", kind=_NUMBER, file_place=120),
    Column(name="rank_overlap", of=lambda row: None if row.overlap is None else row.overlap._asdict()),
    # Named boards compute these from whole boards; JSON has them under `columns` of each row.
    Column(name="columns", in_json=False, file_place=900, place=70, files=_own_files, shown=_own_columns),
)  # fmt: skip
