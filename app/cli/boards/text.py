"""A board for a terminal: the page's table, marks and sentences."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from app.cli.tables import DEFAULT_WIDTH, TableColumn, TextTable, printable, text_width
from app.domain.boards.board import Board, BoardRow, Rules, WithoutOwnReason
from app.domain.boards.columns import ShownColumn, cutoff_mark, table_columns
from app.domain.boards.filters import filters
from app.domain.cube.facts import StartedBy
from app.domain.problems import TestsOrigin

_MARK_TEXTS = {
    "*": "* the release date: no cutoff is known",
    "~": "~ as its file lists it: no evidence",
    "+": "+ the day on which it was added here: nothing else is known of its cutoff",
}
_MAX_HIDDEN_LINES = 6  # up to this many hidden rows get a line each
_HIDDEN_TEXTS = {
    "later_trial": "the first trial stands",
    "older_trial": "another trial is shown",
    "unjudged": "no answer is judged on these problems",
    "retired": "the run is retired",
    "voided": "a maintainer made the run void",
}
_ORIGIN_TEXTS = {
    TestsOrigin.OFFICIAL: "the site's own",
    TestsOrigin.PACKAGE: "given with the problem",
    TestsOrigin.REFERENCES: "made here by reference programs",
    TestsOrigin.CONSENSUS: "made here by models in agreement",
}
_WITHOUT_OWN_TEXTS = {
    WithoutOwnReason.TWO_VENDORS: "its own vendor had a part in all tests by models: only two vendors make them",
    WithoutOwnReason.NOTHING_LEFT: "its own vendor had a part in all tests",
}
_LEFT_OUT_TEXTS = {
    "window": "outside the window",
    "held": "held back",
    "withdrawn": "withdrawn",
    "undated": "without a release date",
}


def format_board(board: Board, reference: str | None = None, width: int = DEFAULT_WIDTH) -> str:
    """Return the board as text: ranked rows by tier, the others, then its uncertainty and what is left out."""
    shown = [column for _declared, column in table_columns(board) if column.heading]
    # Equal ones are left out together.
    order = {drop: place for place, drop in enumerate(sorted({(0, 0), *(column.drop for column in shown)}))}
    columns = [
        TableColumn(column.heading, right=column.is_right, min_width=column.min_width, drop_order=order[column.drop])
        for column in shown
    ]
    rows = [[column.write_plain(row) for column in shown] for row in board.rows]
    table = TextTable(columns, rows, width)
    common = [mark for mark in ("demo", "imported") if board.rows and all(mark in _marks(row) for row in board.rows)]
    beside = board.find_row(reference)
    compared = None if beside is None else beside.run
    lines = table.head()
    tier: int | None = None
    for row, cells in zip(board.rows, rows, strict=True):
        if lines[2:] and row.tier != tier:
            lines.append("")
        tier = row.tier
        own_notes = [note for note in _notes(row, compared) if note not in common]
        notes = printable("; ".join([*own_notes, *_gaps(shown, row)]))
        line = table.line(cells)
        if notes and text_width(line) + 2 + text_width(notes) <= width:
            line, notes = f"{line}  {notes}", ""
        lines += [line, *textwrap.wrap(notes, width, initial_indent="    ", subsequent_indent="    ")]
    marks = set() if "cutoff" in table.left_out else {cutoff_mark(row) for row in board.rows}
    legend = [text for mark, text in _MARK_TEXTS.items() if mark in marks]
    unseen = [] if table.note is None else [f"{table.note} A wider terminal or --json has them."]
    sentences = [*unseen, *legend, *(f"Every row is labelled {mark}." for mark in common), *_sentences(board)]
    lines += ["", *(part for sentence in sentences for part in textwrap.wrap(sentence, width)), *_hidden(board, width)]
    return "\n".join(lines)


def _marks(row: BoardRow) -> list[str]:
    marks = {
        "demo": row.fact.demo,
        "imported": row.fact.imported,
        "provisional": row.provisional,
        f"may have seen {row.exposed}": row.exposed,
        f"served {row.served} before": row.served,
        "not in the table of known models": row.fact.unknown_model,
        "prospective": row.prospective,
        "run by maintainers": row.fact.started_by is StartedBy.MAINTAINERS and not row.fact.demo,
        "eight other configurations came first": row.fact.extra,
        f"{row.fact.weights} weights": row.fact.weights,
    }
    return [text for text, holds in marks.items() if holds]


def _notes(row: BoardRow, compared: int | None) -> Iterator[str]:
    """Yield the marks and estimates of a row; `compared` is the run that the others are compared with."""
    yield from _marks(row)
    if row.first_percent is not None:
        yield f"leads in {row.first_percent} % of resamples"
    if row.estimate is not None:
        yield f"estimate {row.estimate.score:.1f} [{row.estimate.lo:.1f}, {row.estimate.hi:.1f}] on all"
    if row.without_own is not None:
        yield f"{_format_points(row.without_own.score)} on {row.without_own.n} that its own vendor set no tests of"
    elif row.without_own_reason in _WITHOUT_OWN_TEXTS:
        yield _WITHOUT_OWN_TEXTS[row.without_own_reason]
    if row.difference is not None:
        mean, low, high, _p, apart = row.difference
        separation = "" if apart is None else ", told apart" if apart else ", not told apart"
        yield f"{mean:+.1f} [{low:+.1f}, {high:+.1f}] to the reference{separation}"
    elif compared is not None:
        yield "the reference" if row.run == compared else "no problem in common with the reference"
    if row.unpublished_variants:
        yield f"{row.unpublished_variants} more not published"
    if row.fact.unmatched:
        yield f"{row.fact.unmatched} answers to problems not here"


def _gaps(shown: Iterable[ShownColumn], row: BoardRow) -> Iterator[str]:
    """Yield the gaps of a row that have an interval."""
    for column in shown:
        ends = None if column.ends is None else column.ends(row)
        if column.of is not None and ends is not None:
            yield f"{column.heading} {column.of(row):+.1f} [{ends[0]:+.1f}, {ends[1]:+.1f}]"


def _sentences(board: Board) -> Iterator[str]:
    query = board.query
    window = f"{query.window.start or 'the first'} until {query.window.end or 'now'}"
    # Problems of a fixed set have no contest: each is a cluster of its own.
    contests = f" from {board.clusters} contests" if 0 < board.clusters < board.problems else ""
    yield f"{board.problems} problems{contests}, released {window}; {query.protocol}."
    if board.left_out:
        reasons = ", ".join(f"{n} {_reason_text(why, _LEFT_OUT_TEXTS)}" for why, n in board.left_out.items())
        yield f"Left out: {reasons}."
    if board.test_origins:
        yield "Tests: " + ", ".join(f"{n} {_ORIGIN_TEXTS[origin]}" for origin, n in board.test_origins.items()) + "."
    if board.clean_window is not None:
        days = (("--from", board.clean_window.start), ("--to", board.clean_window.end))
        options = " ".join(f"{name} {day}" for name, day in days if day is not None)
        yield f"Most rows may have seen problems of these dates. The longest window in which half are clean: {options}."
    if not board.rows:
        yield "No row: nothing is judged on these problems yet, or the filters hide every model."
        return
    if board.resolution is None:
        lcb = "These are LiveCodeBench's rules: rows are ranked by rounded scores, told apart or not."
        few = "Too few problems or rows here to say how small a difference could be seen."
        yield lcb if query.rules is Rules.LCB else few
    else:
        if board.resolution > 100:
            yield "Too few problems to tell rows apart, however far apart they lie."
        else:
            yield (
                f"Neighbours typically need a gap of {board.resolution:.1f} points to count as different "
                "(95 %, all pairs at once)."
            )
        if board.first_separated is None:
            yield "Any row may be the first one."
        else:
            yield f"Ranks {board.first_separated} and below are clearly behind the leader."
    if board.precision is not None:
        near, half = board.precision.next_half_width, board.precision.half_width
        more = f"about {board.precision.problems_for[near]} problems would give ±{near:g}"
        wider = board.precision.widen_to
        hint = f" (--from {wider} has enough for 5)" if wider is not None else ""
        yield f"Typical margin ±{half:.1f} points; {more}{hint}."
        if board.precision.subsample is not None:
            drawn = f"{board.precision.subsample:.1f} points (standard deviation)"
            yield f"A score over about two thirds of these problems, drawn at random, differs by {drawn}."


def _hidden(board: Board, width: int) -> Iterator[str]:
    """Yield a line for each hidden row, or at most two for each reason if they are many."""
    named = [(row.reason, printable(_row_name(row.model, row.configuration))) for row in board.hidden]
    if len(named) <= _MAX_HIDDEN_LINES:
        for reason, name in named:
            yield from textwrap.wrap(f"hidden: {name} ({reason})", width, subsequent_indent="    ")
        return
    for reason, count in Counter(reason for reason, _name in named).items():
        names = ", ".join(name for cause, name in named if cause == reason)
        text = f"hidden: {count} {reason} ({_reason_text(reason, _HIDDEN_TEXTS)}): {names}"
        yield from textwrap.wrap(text, width, subsequent_indent="    ", max_lines=2, placeholder=" ...")


def _reason_text(reason: str, others: Mapping[str, str]) -> str:
    by_filter = {
        entry.reason_key: entry.excluded or f"left out by --{entry.name.replace('_', '-')}" for entry in filters()
    }
    return others.get(reason) or by_filter.get(reason, reason)


def _row_name(model: str, configuration: str) -> str:
    return f"{model} ({configuration})" if configuration else model


def _format_points(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
