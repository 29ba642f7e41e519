"""`tidemark perf [ROOM]`: figures with the bare limit measured beside each, in the same run."""

import importlib
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from app.cli.tables import Column, table, terminal_width
from perf.rows import Row


class Room(StrEnum):
    """What can be measured."""

    JUDGE = "judge"
    INFERENCE = "inference"
    BOARDS = "boards"
    SOAK = "soak"


_QUICK = (Room.JUDGE, Room.INFERENCE, Room.BOARDS)


def perf(
    room: Annotated[
        Room | None, typer.Argument(metavar="ROOM", help="judge, inference, boards or soak; all but soak by default.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure speed on this machine, with the bare limit beside each figure.

    The exit code is 1 when a figure misses its budget.

    Examples:
      ./tidemark perf judge
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `up` sets it, before numpy is loaded
    rows: list[Row] = []
    for name in _QUICK if room is None else (room,):
        measured: Sequence[Row] = importlib.import_module(f"perf.{name}").measure()
        rows.extend(measured)
        if not as_json:
            print(figures(measured, terminal_width()), flush=True)
    machine = {"system": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()}
    if as_json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "machine": machine}, indent=2))
    if not all(row.ok for row in rows):
        raise typer.Exit(1)


def figures(rows: Sequence[Row], width: int) -> str:
    """The figures of one room as a table."""
    columns = [
        Column("figure", least=24), Column("value", right=True), Column("unit"), Column("bare", right=True, drop=1),
        Column("budget", right=True), Column(""),
    ]  # fmt: skip
    cells = [
        (
            row.name,
            f"{row.value:.2f}",
            row.unit,
            "" if row.bare is None else f"{row.bare:g}",
            "" if row.budget is None else f"{row.budget:g}",
            "ok" if row.ok else "MISSED",
        )
        for row in rows
    ]
    return table(columns, cells, width)
