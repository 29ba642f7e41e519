"""Exports as Parquet: the same rows as JSON lines, a group at a time, and back again."""

import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pytest
from pipeline.flow import NOW, drain
from pipeline.test_export import exported, rows, shown
from pyarrow import parquet
from support.files import READ_AT
from support.rules import PACKAGES, sources
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.kernel.session import Session
from app.domain.errors import InvalidImport
from app.domain.exports import COLUMNS, ColumnKind, ExportTable
from app.services.boards.export import Format, write_rows
from app.services.boards.parquet import GROUP_CHARS, GROUP_ROWS, group_rows
from app.services.runs import imports
from scrapers.suite import find_suite


def as_parquet(session: Session, table: ExportTable) -> bytes:
    out = io.BytesIO()
    assert write_rows(session, table, Format.PARQUET, out) == len(rows(exported(session, table)))
    return out.getvalue()


def store(session: Session, path: Path) -> str | None:
    suite = find_suite("results")
    summary = imports.store_batch(session, suite.read(suite.load(path), {}, READ_AT), NOW)
    drain(session)
    return summary.protocol


@pytest.mark.parametrize("table", list(ExportTable))
def test_parquet_has_the_same_rows_as_json_lines(house: Session, table: ExportTable) -> None:
    found = parquet.read_table(pyarrow.BufferReader(as_parquet(house, table)))
    assert found.column_names == list(COLUMNS[table])
    assert found.to_pylist() == rows(exported(house, table))


def test_it_comes_back_as_the_same_board(house: Session, session: Session, tmp_path: Path) -> None:
    before, path = shown(house, "house", tmp_path / "1"), tmp_path / "cells.parquet"
    path.write_bytes(as_parquet(house, ExportTable.CELLS))
    assert store(session, path) == "house-imported"
    assert shown(session, "house-imported", tmp_path / "2") == before


def test_what_only_begins_like_parquet_is_refused(house: Session, tmp_path: Path) -> None:
    path, whole = tmp_path / "cells.parquet", as_parquet(house, ExportTable.CELLS)
    for body in (b"PAR1", b"PAR1" * 9, whole[:-9], whole[:40] + b"\xff" * 40 + whole[80:]):
        path.write_bytes(body)
        with pytest.raises(InvalidImport, match="nothing was imported"):
            store(house, path)
    parquet.write_table(pyarrow.table({"model": [b"\xff"]}), path)
    with pytest.raises(InvalidImport, match="no Parquet file of ours"):
        store(house, path)
    with pytest.raises(InvalidImport, match="no such file"):
        find_suite("results").load(tmp_path / "nothing.parquet")


LOADS = """
import resource, sys
from pathlib import Path
from scrapers.suite import find_suite
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
find_suite("results").load(Path(sys.argv[1]))
"""


def test_a_few_bytes_that_mean_gigabytes_fill_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "cells.parquet"
    often = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * 4000, pyarrow.int32()), pyarrow.array(["x" * (1 << 20)])
    )
    parquet.write_table(pyarrow.table({"model": often}), path, compression="zstd")
    assert path.stat().st_size < 2000
    done = subprocess.run([sys.executable, "-c", LOADS, path], capture_output=True, text=True, check=False)
    assert "InvalidImport: cells.parquet:1: no Parquet file of ours: the file holds more than" in done.stderr
    for kind in (pyarrow.binary(), pyarrow.list_(pyarrow.string())):
        parquet.write_table(pyarrow.table({"model": pyarrow.nulls(1, kind)}), path)
        with pytest.raises(InvalidImport, match="which no export of cells has"):
            find_suite("results").load(path)


def test_groups_are_closed_before_they_fill_the_memory() -> None:
    taken = 0

    def many(text: str) -> Iterator[dict[str, str]]:
        nonlocal taken
        while True:
            taken += 1
            yield {"a": text}

    assert len(next(group_rows({"a": ColumnKind.TEXT}, many("")))[0]) == taken == GROUP_ROWS
    taken = 0
    assert len(next(group_rows({"a": ColumnKind.TEXT}, many("x" * (GROUP_CHARS // 4))))[0]) == taken == 4
    assert list(group_rows({"a": ColumnKind.TEXT}, [])) == []


def test_the_command_writes_it_to_a_file_and_to_standard_output(settings: Settings, tmp_path: Path) -> None:
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url}
    out = tmp_path / "problems.parquet"
    arguments = ["export", "problems", "--format", "parquet"]
    done = CliRunner(env=names).invoke(build_parser(["export"]), [*arguments, "--out", str(out)])
    assert (done.exit_code, done.stdout) == (0, "")
    assert parquet.read_table(out).column_names == list(COLUMNS[ExportTable.PROBLEMS])
    assert CliRunner(env=names).invoke(build_parser(["export"]), arguments).stdout_bytes == out.read_bytes()


def test_nothing_imports_pyarrow_before_it_is_needed() -> None:
    """It takes half a second and 40 MB of every process that starts."""
    early = re.compile(r"^(?:import|from) pyarrow", re.M)
    assert [path for path, source in sources(*PACKAGES, "migrations") if early.search(source)] == []
