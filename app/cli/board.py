"""`tidemark board NAME`: the same rows as the site, as a table or as JSON."""

import json
import unicodedata
from pathlib import Path
from typing import Annotated

import typer

from app.cli import board_filters as filters
from app.db.session import make_engine, make_sessionmaker
from app.domain.boards import Board, BoardRow
from app.domain.problems import Level
from app.services.boards import CubeStore, board_json
from app.services.boards import board as ask
from app.supervise import attached

_LETTERS = {Level.EASY: "E", Level.MEDIUM: "M", Level.HARD: "H", Level.EXPERT: "X", Level.EXTREME: "XX"}
_RIGHT = frozenset({"pass@1", *_LETTERS.values(), "n", "cover"})


def board(
    name: filters.Name,
    protocol: filters.Protocol = None,
    rules: filters.Rules = None,
    exposure: filters.Exposure = None,
    start: filters.Start = None,
    end: filters.End = None,
    cutoff_before: filters.CutoffBefore = None,
    platform: filters.Platform = None,
    difficulty: filters.Difficulty = None,
    language: filters.Language = None,
    model: filters.Model = None,
    ref: filters.Reference = None,
    state: Annotated[Path | None, typer.Option("--state", help="State folder.")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Print a board over any window of release dates."""
    query, reference = filters.read(name, locals())
    with attached(state, begun=True) as settings:
        engine = make_engine(settings.database_url, pool_size=1)
        try:
            with make_sessionmaker(engine)() as session:
                found = ask(session, query, CubeStore(settings.state_dir / "cubes"), reference)
        finally:
            engine.dispose()
    print(json.dumps(board_json(found), indent=2, ensure_ascii=False) if as_json else as_table(found))


def as_table(found: Board) -> str:
    """A board for a terminal: ranked rows by tier, then the others, then what is hidden."""
    levels = [_LETTERS[level] for level in found.by_level]
    headings = ["rank", "model", "pass@1", "95 % interval", *levels, "n", "cover", "cutoff"]
    headings += ["difference"] if any(row.difference for row in found.rows) else []
    rows = [dict(zip(headings, _cells(row), strict=False)) for row in found.rows]
    widths = {each: max(_width(each), *(_width(row.get(each, "")) for row in rows), 1) for each in headings}
    lines = [_line({each: each for each in headings}, widths), "  ".join("-" * widths[each] for each in headings)]
    tier: int | None = None
    for row, shown in zip(found.rows, rows, strict=True):
        if lines[2:] and row.tier != tier:
            lines.append("")
        tier = row.tier
        lines.append(_line(shown, widths))
    query = found.query
    window = f"{query.window.start or 'the first'} until {query.window.end or 'now'}"
    lines += ["", f"{found.problems} problems from {found.clusters} contests, released {window}; {query.protocol}."]
    if found.resolution is not None:
        lines.append(f"Scores closer than about {found.resolution:.1f} points cannot be told apart at 95 %.")
    if not found.rows:
        lines.append("No row: nothing is judged on these problems yet, or the filters hide every model.")
    lines += [f"hidden: {_name(each.model, each.configuration)} ({each.reason})" for each in found.hidden]
    return "\n".join(lines)


def _cells(row: BoardRow) -> list[str]:
    rank = "-" if row.rank is None else f"{row.rank} ({row.rank_lo}-{row.rank_hi})"
    marks = [
        text
        for text, holds in (
            ("demo", row.demo),
            ("imported", row.imported),
            ("provisional", row.provisional),
            (f"may have seen {row.exposed}", row.exposed > 0),
        )
        if holds
    ]
    name = _name(row.name, row.configuration) + (f" [{', '.join(marks)}]" if marks else "")
    interval = "-" if row.ci_lo is None or row.ci_hi is None else f"{row.ci_lo:5.1f} - {row.ci_hi:5.1f}"
    cells = [
        rank,
        name,
        _points(row.score),
        interval,
        *(_points(each.score) for each in row.by_difficulty.values()),
        str(row.n_problems),
        f"{int(row.coverage * 100)}%",
        f"{row.cutoff_on or '-'} {row.cutoff_basis}",
    ]
    if row.difference is not None:
        mean, low, high, _p = row.difference
        cells.append(f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]")
    return cells


def _name(model: str, configuration: str) -> str:
    return f"{model} ({configuration})" if configuration else model


def _points(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _line(cells: dict[str, str], widths: dict[str, int]) -> str:
    parts = []
    for each, width in widths.items():
        text = "".join(sign for sign in cells.get(each, "") if sign.isprintable())
        space = " " * (width - _width(text))
        parts.append(space + text if each in _RIGHT else text + space)
    return "  ".join(parts).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
