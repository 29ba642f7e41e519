"""`tidemark board NAME`: the same rows as the site, as a table or as JSON."""

import json
import unicodedata
from pathlib import Path
from typing import Annotated

import typer

from app.db.session import make_engine, make_sessionmaker
from app.domain.boards import Board, BoardRow
from app.domain.errors import InvalidInput
from app.domain.problems import Level
from app.services.boards import BOARDS, CubeStore, board_json, parse_query, parse_reference
from app.services.boards import board as ask
from app.supervise import attached

_LETTERS = {Level.EASY: "E", Level.MEDIUM: "M", Level.HARD: "H", Level.EXPERT: "X", Level.EXTREME: "XX"}
_RIGHT = frozenset({"pass@1", *_LETTERS.values(), "n", "cover"})


def board(
    name: Annotated[str, typer.Argument(help="A board, such as codegen.")],
    protocol: Annotated[str | None, typer.Option(help="Whose rows; the board's own when not given.")] = None,
    rules: Annotated[str | None, typer.Option(help="tidemark or lcb.")] = None,
    exposure: Annotated[str | None, typer.Option(help="unrank, hide or split.")] = None,
    start: Annotated[str | None, typer.Option("--from", help="First release day.")] = None,
    end: Annotated[str | None, typer.Option("--to", help="The day after the last release day.")] = None,
    cutoff_before: Annotated[str | None, typer.Option(help="Only models with a cutoff before this day.")] = None,
    platform: Annotated[list[str] | None, typer.Option(help="May be given often.")] = None,
    difficulty: Annotated[
        list[str] | None, typer.Option(help="easy, medium, hard, expert, extreme; may be given often.")
    ] = None,
    language: Annotated[list[str] | None, typer.Option(help="May be given often.")] = None,
    model: Annotated[list[str] | None, typer.Option(help="May be given often.")] = None,
    ref: Annotated[str | None, typer.Option(help="Compare with this row: model or model:configuration.")] = None,
    state: Annotated[Path | None, typer.Option("--state", help="State folder.")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Print a board over any window of release dates."""
    single = {
        "protocol": protocol, "rules": rules, "exposure": exposure, "from": start, "to": end,
        "cutoff_before": cutoff_before, "ref": ref,
    }  # fmt: skip
    many = {"platform": platform, "difficulty": difficulty, "language": language, "model": model}
    pairs = [(key, value) for key, value in single.items() if value is not None]
    pairs += [(key, value) for key, values in many.items() for value in values or ()]
    if name not in BOARDS:
        raise InvalidInput(f"there is no board {name!r}; there are {', '.join(BOARDS)}")
    query, reference = parse_query(pairs, name), parse_reference(pairs)
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
