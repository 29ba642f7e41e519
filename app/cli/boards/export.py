"""`tidemark export TABLE`: what stands behind the boards, as rows anyone can check. Hidden tests never leave.

`tidemark export board NAME` packs one view of a board with its cells and a script that computes it again.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from app.cli.boards.board_options import BoardArguments, with_board_options
from app.cli.files import open_output
from app.cli.parser import State, VerbGroup
from app.db.kernel.session import Session, sessions_on
from app.domain.errors import InvalidInput
from app.domain.exports import ExportTable
from app.services.boards.board_views import CubeStore
from app.services.boards.bundle import bundle
from app.services.boards.export import Format, check_export, write_rows
from app.supervise import open_state

export = VerbGroup("Write the data behind the boards to a file.")

FormatOption = Annotated[Format, typer.Option("--format", help="The file format.")]
Scope = Annotated[str | None, typer.Option(metavar="SLUG", help="Only cells or samples under this protocol.")]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="The file to write; standard output by default.")]


@export.command()
def cells(form: FormatOption = Format.JSONL, protocol: Scope = None, out: Out = None, state: State = None) -> None:
    """Export every cell of the public boards, in a fixed order."""
    _export(ExportTable.CELLS, form, protocol, out, state)


@export.command()
def problems(form: FormatOption = Format.JSONL, protocol: Scope = None, out: Out = None, state: State = None) -> None:
    """Export every problem that boards may show, in a fixed order."""
    _export(ExportTable.PROBLEMS, form, protocol, out, state)


@export.command()
def samples(form: FormatOption = Format.JSONL, protocol: Scope = None, out: Out = None, state: State = None) -> None:
    """Export every answer with its verdict, in a fixed order."""
    _export(ExportTable.SAMPLES, form, protocol, out, state)


@export.command()
def ledger(form: FormatOption = Format.JSONL, out: Out = None, state: State = None) -> None:
    """Export the public ledger: what changed and why, with before and after, oldest first."""
    _export(ExportTable.LEDGER, form, None, out, state)


def _export(table: ExportTable, form: Format, protocol: str | None, out: Path | None, state: Path | None) -> None:
    check_export(table, protocol)
    if form is Format.PARQUET:
        _refuse_terminal(out)
    with _session(state) as (session, _), open_output(out) as stream:
        count = write_rows(session, table, form, stream, protocol)
    if out is not None:
        print(f"tidemark: {count} rows in {out}", file=sys.stderr)


@export.command()
@with_board_options
def board(view: BoardArguments, out: Out = None, state: State = None) -> None:
    """Pack one view of a board as a zip archive, with its cells and a script that recomputes it.

    Examples:
      ./tidemark export board codegen --from 2026-01-01 --out board.zip
    """
    _refuse_terminal(out)
    with _session(state) as (session, cubes):
        archive = bundle(session, view.query, cubes, view.reference)
    with open_output(out) as stream:
        stream.write(archive)
    if out is not None:
        print(f"tidemark: {len(archive)} bytes in {out}", file=sys.stderr)


@contextmanager
def _session(state: Path | None) -> Iterator[tuple[Session, CubeStore]]:
    with (
        open_state(state, begun=True) as settings,
        sessions_on(settings.database_url) as sessions,
        sessions() as session,
    ):
        yield session, CubeStore(settings.state_dir / "cubes")


def _refuse_terminal(out: Path | None) -> None:
    if out is None and sys.stdout.isatty():
        raise InvalidInput("a binary file is not printed to a terminal; name a file with --out")
