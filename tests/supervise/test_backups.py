"""What was backed up is restored whole, into what was empty; anything else is refused and left as it is."""

import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import World
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.pool import NullPool
from support.commands import tidemark
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser
from app.cli.operations.backup import check_backup
from app.config import Settings, settings_for_state
from app.db.kernel import blobs
from app.db.kernel.server import create_database, tool_connection
from app.db.kernel.session import sessions_on
from app.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from app.supervise import open_state
from app.supervise.postgres import find_postgres
from app.supervise.state_folders import StateFolders


def filled(url: str) -> None:
    """A few rows of many tables, and bytes."""
    with sessions_on(url) as sessions, sessions.begin() as session:
        world = World(session)
        world.answer(world.run("orion"), world.problem("a", statement="Zwei Zahlen, 两个数.\n"))
        world.count()
        blobs.store_blob(session, bytes(range(256)))


def stored(url: str) -> dict[str, list[str]]:
    """Every row of every table, as text."""
    with create_engine(url, poolclass=NullPool).connect() as connection:
        names = connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all()
        return {name: sorted(connection.scalars(text(f'SELECT t::text FROM "{name}" t'))) for name in sorted(names)}


@pytest.fixture
def empty(settings: Settings) -> Iterator[Settings]:
    """The settings of a database without tables."""
    name = f"{make_url(settings.database_url).database}_restored"
    create_database(settings.database_url, name)
    url = make_url(settings.database_url).set(database=name).render_as_string(hide_password=False)
    yield settings.model_copy(update={"database_url": url})
    engine = create_engine(settings.database_url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'DROP DATABASE "{name}"'))


@pytest.fixture
def file(settings: Settings, tmp_path: Path) -> Path:
    """A backup of what `filled` makes."""
    filled(settings.database_url)
    made = tmp_path / "of today.dump"
    result = tidemark(settings, "backup", made)
    assert result.exception is None, repr(result.exception)
    assert result.stdout.startswith(f"{made}: ")
    assert str(settings.secret_key_file) in result.stdout
    return made


def test_everything_comes_back_and_nobody_else_reads_the_file(settings: Settings, empty: Settings, file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir() if path.suffix in (".dump", ".part")] == [file.name]
    before = stored(settings.database_url)
    cube = empty.state_dir / "cubes" / "16384-1" / "1"
    cube.mkdir(parents=True)
    result = tidemark(empty, "restore", file)
    assert not cube.exists(), "a database of before may have had the same number"
    assert result.exception is None, repr(result.exception)
    after = stored(empty.database_url)
    lines, [trace] = after.pop("audit_log"), before.pop("audit_log")
    assert f'backup,"{file.name}"' in trace, "which `doctor` counts the age from"
    assert len(lines) == 1, "it was not written when the copy was taken"
    assert f'restore,"{file.name}"' in lines[-1]
    assert after == before
    assert len(before["samples"]) == len(before["blobs"]) == 1
    again = tidemark(empty, "restore", file)
    assert isinstance(again.exception, Conflict)
    assert "restore into an empty one" in str(again.exception)


def test_a_backup_is_read_to_its_end(file: Path) -> None:
    """One whose end a disk has lost is none, and one whose middle it has changed."""
    check_backup(file)
    body = file.read_bytes()
    for number, damaged in enumerate((body[:-100], body[: len(body) // 2] + bytes(64) + body[len(body) // 2 + 64 :])):
        other = file.with_name(f"damaged-{number}")
        other.write_bytes(damaged)
        with pytest.raises(Unavailable, match="cannot be read back"):
            check_backup(other)


def test_a_file_that_is_there_is_not_written_over(settings: Settings, file: Path) -> None:
    body = file.read_bytes()
    again = tidemark(settings, "backup", file)
    assert isinstance(again.exception, Conflict)
    assert file.read_bytes() == body


def test_a_folder_that_is_not_there_is_told(settings: Settings, tmp_path: Path) -> None:
    result = tidemark(settings, "backup", tmp_path / "nowhere" / "a.dump")
    assert isinstance(result.exception, Unavailable)
    assert "No such file or directory" in str(result.exception)


def test_what_is_no_whole_backup_leaves_nothing(settings: Settings, empty: Settings, file: Path) -> None:
    cut, other, page = (file.with_name(name) for name in ("cut", "other", "page"))
    cut.write_bytes(file.read_bytes()[:-100])
    page.write_text("<html>")
    dump = find_postgres()["pg_dump"]
    url = make_url(empty.database_url).set(drivername="postgresql").render_as_string(hide_password=False)
    subprocess.run([dump, "--format=custom", f"--file={other}", f"--dbname={url}"], check=True)
    for given, words, failure in (
        (cut, "pg_restore: ", Unavailable), (page, "is not a backup of Tidemark", InvalidInput),
        (other, "it belongs to another database", InvalidInput), (file.with_name("none"), "there is no file", NotFound),
    ):  # fmt: skip
        result = tidemark(empty, "restore", given)
        assert isinstance(result.exception, failure), (given, result.exception)
        assert words in str(result.exception)
        assert stored(empty.database_url) == {}


def test_a_password_is_on_no_command_line() -> None:
    address, variables = tool_connection("postgresql+psycopg://me:a%40b@host:5433/here?sslmode=require")
    assert address == "postgresql://me@host:5433/here?sslmode=require"
    assert variables == {"PGPASSWORD": "a@b"}
    assert tool_connection("postgresql+psycopg://me@/here?host=/run/x") == ("postgresql://me@/here?host=%2Frun%2Fx", {})


def test_a_state_is_restored_into_a_new_folder_and_into_no_other(
    settings: Settings, file: Path, tmp_path: Path
) -> None:
    """Its servers run for as long as the verb does; where the file is no good there is no database afterwards."""

    def restored(given: Path, state: Path) -> Result:
        return CliRunner().invoke(build_parser(["restore"]), ["restore", str(given), "--state", str(state)])

    cut = file.with_name("cut")
    cut.write_bytes(file.read_bytes()[:-100])
    state = tmp_path / "new"
    assert isinstance(restored(cut, state).exception, Unavailable)
    assert not (state / "postgres").exists()
    result = restored(file, state)
    assert result.exception is None, repr(result.exception)
    assert result.stdout == f"restored {file}; start it with ./tidemark up --state {state}\n"
    assert StateFolders.of(settings_for_state(state)).leftovers() == {}
    with open_state(state, begun=True) as there:
        assert stored(there.database_url)["samples"] == stored(settings.database_url)["samples"]
    again = restored(file, state)
    assert isinstance(again.exception, Conflict)
    assert "already holds a database" in str(again.exception)
