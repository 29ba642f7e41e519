"""`export` on the command line: a whole file or none, and words for what is not offered."""

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.__main__ import build_parser, main
from app.config import Settings
from app.domain.errors import InvalidInput, NotFound, Unavailable
from app.domain.exports import COLUMNS, ExportTable


def test_a_file_appears_whole_or_not_at_all(settings: Settings, tmp_path: Path) -> None:
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url}
    door = CliRunner(env=names)
    folder = tmp_path / "out"
    folder.mkdir()
    out = folder / "problems.csv"
    done = door.invoke(build_parser(["export"]), ["export", "problems", "--format", "csv", "--out", str(out)])
    assert (done.exit_code, done.stdout) == (0, "")
    assert out.read_bytes() == (",".join(COLUMNS[ExportTable.PROBLEMS]) + "\r\n").encode()
    assert f"0 rows in {out}" in done.stderr
    lost = door.invoke(build_parser(["export"]), ["export", "problems", "--out", str(folder / "no" / "a.csv")])
    assert isinstance(lost.exception, NotFound)
    taken = door.invoke(build_parser(["export"]), ["export", "problems", "--out", str(folder)])
    assert isinstance(taken.exception, Unavailable)
    refused = door.invoke(build_parser(["export"]), ["export", "cells", "--protocol", "x", "--out", str(folder / "b")])
    assert isinstance(refused.exception, NotFound)
    nameless = door.invoke(build_parser(["export"]), ["export", "problems", "--out", ""])
    assert isinstance(nameless.exception, InvalidInput), "as of an unset variable"
    assert [path.name for path in folder.iterdir()] == ["problems.csv"], "no part of a file is left"


def test_a_link_and_what_is_no_file_stay_what_they_are(settings: Settings, tmp_path: Path) -> None:
    door = CliRunner(env={"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url})
    words = ["export", "problems", "--format", "csv", "--out"]
    kept, link, pipe = tmp_path / "kept.csv", tmp_path / "link.csv", tmp_path / "pipe"
    kept.write_text("before")
    link.symlink_to(kept)
    assert door.invoke(build_parser(["export"]), [*words, str(link)]).exit_code == 0
    assert link.is_symlink()
    assert kept.read_text().startswith("source,")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert door.invoke(build_parser(["export"]), [*words, str(pipe)]).exit_code == 0
        assert os.read(reader, 1 << 16) == kept.read_bytes()
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert not list(tmp_path.glob(".*.part"))


def test_the_command_says_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "board", "nothing", "--state", str(tmp_path)]) == 2
    assert main(["export", "problems", "--protocol", "lcb", "--state", str(tmp_path)]) == 2
    assert main(["export", "cells", "--state", str(tmp_path / "nothing")]) == 1
    assert [line.split(":")[0] for line in capsys.readouterr().err.splitlines()] == ["tidemark"] * 3
    assert CliRunner().invoke(build_parser(["export"]), ["export", "everything"]).exit_code == 2
