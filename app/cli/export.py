"""`tidemark export TABLE`: what stands behind the boards, as rows anyone can check. Hidden tests never leave."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from app.db.session import make_engine, make_sessionmaker
from app.domain.errors import NotFound, Unavailable
from app.domain.exports import Table
from app.services.export import Format, check, lines
from app.supervise import attached


def export(
    table: Annotated[Table, typer.Argument(help="What to export.")],
    form: Annotated[Format, typer.Option("--format", help="How rows are written.")] = Format.JSONL,
    protocol: Annotated[str | None, typer.Option(help="Only cells or samples under this protocol.")] = None,
    out: Annotated[Path | None, typer.Option(help="A file to write; standard output when not given.")] = None,
    state: Annotated[Path | None, typer.Option("--state", help="State folder.")] = None,
) -> None:
    """Write the rows in a fixed order. A file appears whole, or not at all."""
    check(table, form, protocol)
    with attached(state, begun=True) as settings:
        engine = make_engine(settings.database_url, pool_size=1)
        try:
            with make_sessionmaker(engine)() as session, _opened(out) as written:
                count = sum(written.write(line) > 0 for line in lines(session, table, form, protocol))
        finally:
            engine.dispose()
    if out is not None:
        rows = count - (form is Format.CSV)
        print(f"tidemark: {rows} rows in {out}", file=sys.stderr)


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that takes its name when it is whole. Raises NotFound or Unavailable."""
    if out is None:
        try:
            yield sys.stdout
            sys.stdout.flush()
        except BrokenPipeError:  # who reads has enough, as `head` does; what is left goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as written:
            yield written
        part.replace(out)
    except FileNotFoundError as absent:
        raise NotFound(f"{out.parent}: no such folder") from absent
    except OSError as broken:
        raise Unavailable(f"{out}: cannot be written: {broken.strerror or broken}") from broken
    finally:
        part.unlink(missing_ok=True)
