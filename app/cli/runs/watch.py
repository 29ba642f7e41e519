"""`tidemark run watch`: the progress of a run and its remaining time."""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from app.cli.parser import State
from app.cli.tables import printable
from app.domain.asking.eta import format_duration
from app.services.operations import progress
from app.services.operations.progress import RunProgress
from app.supervise import open_state
from workers.context import Context, make_context, now, use

_INTERVAL_S = 1.0


def watch(
    number: Annotated[int, typer.Argument(metavar="RUN", help="The number of the run.")],
    state: State = None,
    *,
    once: Annotated[bool, typer.Option("--once", help="Print the progress now, and end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each change as a line of JSON.")] = False,
) -> None:
    """Watch a run until it ends: answers, verdicts, spending and the time left.

    Shows a bar in a terminal, else one line per change. Ctrl-C stops watching, not the run. The exit code is 0 when
    every sample is judged or given up, 1 if the run was paused or failed before that.

    Examples:
      ./tidemark run watch 12
    """
    with open_state(state, begun=True) as settings:
        ctx = use(make_context(settings))
        views = _read_progress(ctx, number, once=once)
        last = _show_bar(views) if sys.stdout.isatty() and not as_json else _print_lines(views, as_json=as_json)
    if not once and (last.waiting or last.judging):
        raise typer.Exit(1)


def _read_progress(ctx: Context, number: int, *, once: bool) -> Iterator[RunProgress]:
    """Yield the run's progress every second until it is over."""
    while True:
        view = ctx.commit(progress.run_progress, number, now())
        yield view
        if view.over or once:
            return
        time.sleep(_INTERVAL_S)


def _print_lines(views: Iterator[RunProgress], *, as_json: bool) -> RunProgress:
    printed, last = "", None
    for view in views:
        counts = (view.state, view.state_reason, view.waiting, view.judging, view.judged, view.total)
        if str(counts) != printed:
            print(json.dumps(asdict(view), ensure_ascii=False) if as_json else progress_line(view), flush=True)
        printed, last = str(counts), view
    assert last is not None  # there is at least one view
    return last


def _show_bar(views: Iterator[RunProgress]) -> RunProgress:
    last = None
    with Live(console=Console(), refresh_per_second=4) as live:
        for last in views:
            grid = Table.grid(padding=(0, 1))
            done = last.total - last.waiting - last.judging
            grid.add_row(ProgressBar(total=max(last.total, 1), completed=done, width=40), f"{done}/{last.total}")
            live.update(_stack(grid, progress_line(last)))
    assert last is not None  # there is at least one view
    return last


def _stack(bar: Table, line: str) -> Table:
    both = Table.grid()
    both.add_row(bar)
    both.add_row(Text(line))
    return both


def progress_line(view: RunProgress) -> str:
    """Return a run's progress as one line."""
    failed = view.failed_vendor + view.failed_ours
    parts = [
        f"run {view.run} {view.model}{f' ({view.configuration})' if view.configuration else ''} {view.protocol}",
        f"{view.total - view.waiting - failed}/{view.total} answered",
        f"{view.judged} judged",
        f"{failed} given up" if failed else "",
        f"{view.answers_per_s:.1f} answers/s" if view.answers_per_s and view.waiting else "",
        f"${view.spent_usd:.2f} spent{f' ({view.unpriced} of unknown cost)' if view.unpriced else ''}",
        f"{format_duration(view.eta_s)} left" if view.eta_s else "",
        f"{view.state}{f': {view.state_reason}' if view.state_reason else ''}" if view.state != "active" else "",
    ]
    return printable(", ".join(part for part in parts if part))
