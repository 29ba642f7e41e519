"""`tidemark perf [ROOM]`: measured figures, with the bare limit beside each, from the same run."""

import importlib
import json
import os
import platform
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.tables import TableColumn, format_table, terminal_width
from app.cores import usable_cores
from perf.figures import PerfFigure


class PerfRoom(StrEnum):
    """The groups of figures."""

    JUDGE = "judge"
    INFERENCE = "inference"
    BOARDS = "boards"
    WEB = "web"
    VENDORS = "vendors"
    SOAK = "soak"


_DEFAULT_ROOMS = (PerfRoom.JUDGE, PerfRoom.INFERENCE, PerfRoom.BOARDS, PerfRoom.WEB, PerfRoom.VENDORS)


def perf(
    room: Annotated[
        PerfRoom | None,
        typer.Argument(metavar="ROOM", help="judge, inference, boards, web, vendors or soak; all but soak by default."),
    ] = None,
    *,
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="Use this endpoint instead of the mock; inference only.")
    ] = None,
    requests: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help="Requests to send; inference only, 2000 by default.")
    ] = None,
    model: Annotated[str, typer.Option(help="The model's name at the endpoint.")] = "mock",
    weights: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Measure these weights, beside the engine's own benchmark.")
    ] = None,
    engine: Annotated[
        str, typer.Option(help="The engine that serves the weights: vllm, sglang or transformers.")
    ] = "transformers",
    engine_command: Annotated[
        str | None, typer.Option(metavar="CMD", help="The program to run instead of the engine's own.")
    ] = None,
    devices: Annotated[str, typer.Option(help="The devices that serve the weights, such as 0 or 0+1.")] = "cpu",
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure speed on this machine, with the bare limit beside each figure.

    The exit code is 1 when a figure misses its budget. With --endpoint, the bare client sends --requests
    requests to it, and then ours does; its key is read from TIDEMARK_PERF_KEY.

    Examples:
      ./tidemark perf judge
      ./tidemark perf inference --endpoint http://127.0.0.1:8000/v1 --model tiny
      ./tidemark perf inference --weights /data/weights/tiny --requests 100
    """
    if (endpoint or requests or weights) and room is not PerfRoom.INFERENCE:
        raise typer.BadParameter("--endpoint, --weights and --requests apply only to inference")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `up` sets it, before numpy is loaded
    rows: list[PerfFigure] = []
    for name in _DEFAULT_ROOMS if room is None else (room,):
        arguments: dict[str, Any] = {}
        module = f"perf.{name}"
        if name is PerfRoom.INFERENCE:
            arguments = {"endpoint_url": endpoint, "requests": requests or 2000, "model": model}
        if weights is not None:
            device_names = () if devices == "cpu" else tuple(devices.split("+"))
            command = shlex.split(engine_command or "")
            module, arguments = "perf.engine", {"weights": weights, "engine_name": engine, "command": command,
                                                "devices": device_names, "requests": requests or 100}  # fmt: skip
        measured: Sequence[PerfFigure] = importlib.import_module(module).measure(**arguments)
        rows.extend(measured)
        if not as_json:
            print(format_figures(measured, terminal_width()), flush=True)
    machine = {"system": platform.platform(), "python": platform.python_version(), "cores": usable_cores()}
    if as_json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "machine": machine}, indent=2))
    if not all(row.ok for row in rows):
        raise typer.Exit(1)


def format_figures(rows: Sequence[PerfFigure], width: int) -> str:
    """Return the figures of one room as a table."""
    columns = [
        TableColumn("figure", min_width=24),
        TableColumn("value", right=True),
        TableColumn("unit"),
        TableColumn("bare", right=True, drop_order=1),
        TableColumn("budget", right=True),
        TableColumn(""),
    ]
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
    return format_table(columns, cells, width)
