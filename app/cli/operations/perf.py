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

from perf.rows import Row


class Room(StrEnum):
    """What can be measured."""

    JUDGE = "judge"
    INFERENCE = "inference"
    BOARDS = "boards"
    SOAK = "soak"


_QUICK = (Room.JUDGE, Room.INFERENCE, Room.BOARDS)


def perf(
    room: Annotated[Room | None, typer.Argument(help="One room; all but the soak by default.")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print rows as JSON.")] = False,
) -> None:
    """Measure speed on this machine. Exit code 1 when a figure misses its budget."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `up` sets it, before numpy is loaded
    rows: list[Row] = []
    for each in _QUICK if room is None else (room,):
        measured: Sequence[Row] = importlib.import_module(f"perf.{each}").measure()
        rows.extend(measured)
        if not as_json:
            _print(measured)
    machine = {"system": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()}
    if as_json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "machine": machine}, indent=2))
    if not all(row.ok for row in rows):
        raise typer.Exit(1)


def _print(rows: Sequence[Row]) -> None:
    for row in rows:
        budget = "" if row.budget is None else f"budget {row.budget:g}"
        bare = "" if row.bare is None else f"bare {row.bare:g}"
        print(
            f"{row.name:<32} {row.value:>12.2f} {row.unit:<10} {bare:<16} {budget:<16} {'ok' if row.ok else 'MISSED'}"
        )
