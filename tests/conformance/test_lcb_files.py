"""LiveCodeBench's own table as files: small enough for a browser, and computed again by the script of its bundle."""

import gzip
import io
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from conformance.conftest import LcbBoards

from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery, Exposure, Rules
from app.domain.windows import Window
from app.services.boards import bundle, matrix, reading


@pytest.fixture
def lcb(lcb_boards: LcbBoards) -> Iterator[Session]:
    with lcb_boards.sessions() as session:
        yield session


def test_the_matrix_is_small_and_the_bundle_agrees(lcb: Session, tmp_path: Path) -> None:
    cubes = reading.CubeStore(tmp_path / "cubes")
    packed = matrix.matrix(lcb, BoardQuery(protocol="lcb"), cubes)
    assert len(gzip.compress(packed, 6)) <= 10_000
    for number, query in enumerate(
        (BoardQuery(protocol="lcb"), BoardQuery(protocol="lcb", exposure=Exposure.SPLIT, rules=Rules.LCB))
    ):
        folder = tmp_path / str(number)
        archive = bundle.bundle(lcb, query, cubes)
        assert len(archive) < 100_000
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            files.extractall(folder)
        done = subprocess.run([sys.executable, str(folder / "recompute.py")], capture_output=True, check=False)
        assert done.stdout.endswith(b"16 rows, 0 differences\n"), done.stdout
        assert done.returncode == 0


def test_by_what_vendors_say_nobody_is_clean_over_its_whole_range(lcb: Session, tmp_path: Path) -> None:
    cubes = reading.CubeStore(tmp_path / "cubes")

    def ranked(query: BoardQuery) -> tuple[int, int]:
        rows = reading.board(lcb, query, cubes).rows
        return sum(row.rank is not None for row in rows), len(rows)

    whole = BoardQuery(protocol="lcb")
    window = reading.board(lcb, whole, cubes).clean_window
    assert window == Window(date(2024, 5, 1), None)
    assert ranked(whole) == (0, 16)
    assert ranked(replace(whole, window=window)) == (8, 16), "half of them"
    assert ranked(replace(whole, rules=Rules.LCB)) == (12, 16), "as on the site"
    assert reading.offered(lcb, "lcb", cubes) == ("codegen", window)
