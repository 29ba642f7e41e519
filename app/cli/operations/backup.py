"""`tidemark backup` and `tidemark restore`: all stored data as one PostgreSQL archive."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from app.cli.parser import State
from app.config import Settings, inherited_environment, settings_for_state
from app.db.boards import cube_files
from app.db.kernel.logs import write_audit
from app.db.kernel.migrate import upgrade
from app.db.kernel.server import holds_tables, tool_connection
from app.db.kernel.session import sessions_on
from app.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from app.services.operations.installation import BACKUP_ACTION
from app.services.runs import endpoint_secrets
from app.services.runs.endpoint_secrets import Vault
from app.supervise import open_state
from app.supervise.embedded_servers import start_postgres
from app.supervise.postgres import find_postgres, last_line
from app.supervise.state_folders import StateFolders, prepare
from app.supervise.status_lines import print_status
from workers.context import now


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")], state: State = None
) -> None:
    """Write everything stored to one file, while `up` runs or not.

    The file gets its name once it is on the disk and was read back whole, and the audit log then gets a line. It does
    not contain the key that encrypts endpoint secrets: keep a separate copy of secret.key. Restore with
    ./tidemark restore FILE --state DIR.
    """
    if file.exists():
        raise Conflict(f"{file} already exists: name another file, or remove it")
    temporary = file.with_name(file.name + ".part")
    with open_state(state, begun=True) as settings:
        try:
            os.close(os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
            _run_tool(settings, "pg_dump", "--format=custom", f"--file={temporary}")
            flush_to_disk(temporary)
            check_backup(temporary)
            temporary.rename(file)
            flush_to_disk(file.parent)
            with sessions_on(settings.database_url) as sessions, sessions.begin() as session:
                write_audit(session, now(), "operator", BACKUP_ACTION, file.name, "written and read back whole")
        except OSError as error:
            raise Unavailable(f"cannot write {file}: {error.strerror}") from error
        finally:
            temporary.unlink(missing_ok=True)
        print(
            f"{file}: {file.stat().st_size / 1e6:,.1f} MB; keep {settings.secret_key_file} too: it is not in the backup"
        )


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` wrote.")], state: State = None
) -> None:
    """Fill a new state folder, or an empty database elsewhere, from a backup.

    Existing data is never replaced. Put the old secret.key into the folder before you start `up`.
    """
    settings = settings_for_state(state)
    if not file.is_file():
        raise NotFound(f"there is no file {file}")
    _check_archive(file)
    with _empty_database(settings):
        # Cube files are named by the database's OID, which an earlier database here may have had too.
        cube_files.clear(settings.state_dir / "cubes")
        # Roles and privileges belong to the server; `up` grants them again.
        _run_tool(settings, "pg_restore", "--single-transaction", "--no-owner", "--no-privileges", str(file))
        upgrade(settings.database_url)
        with sessions_on(settings.database_url) as sessions, sessions.begin() as session:
            write_audit(session, now(), "operator", "restore", file.name, "restored from a backup", None, None)
            lost = endpoint_secrets.find_lost(session, Vault(settings.key_or_none()))
    if lost is not None:
        print_status(lost.reason)
    print(f"restored {file}; start it with ./tidemark up" + ("" if state is None else f" --state {state}"))


def flush_to_disk(path: Path) -> None:
    """Write a file, or the names in a folder, to the disk. Raises OSError on failure."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_backup(file: Path) -> None:
    """Read a backup to its end, as a restore would. Raises Unavailable if that fails."""
    process = subprocess.run(
        [find_postgres()["pg_restore"], f"--file={os.devnull}", str(file)], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    if process.returncode:
        raise Unavailable(f"the backup cannot be read back: {last_line(process.stderr)}")


def _check_archive(file: Path) -> None:
    """Raise InvalidInput if a file is no backup of Tidemark."""
    process = subprocess.run(
        [find_postgres()["pg_restore"], "--list", str(file)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", check=False,
    )  # fmt: skip
    if process.returncode or " alembic_version " not in process.stdout:
        detail = last_line(process.stderr) if process.returncode else "it belongs to another database"
        raise InvalidInput(f"{file} is not a backup of Tidemark: {detail}")


@contextmanager
def _empty_database(settings: Settings) -> Iterator[None]:
    """Provide a database without tables; our own one is served meanwhile, and removed again if the block fails."""
    if not settings.embeds_database():
        if holds_tables(settings.database_url):
            raise Conflict("the database already has tables: restore into an empty one")
        yield
        return
    place = StateFolders.of(settings)
    if place.postgres.exists():
        raise Conflict(f"{place.state} already holds a database: name another folder with --state, or move it away")
    place.make()
    with ExitStack() as stack:
        stack.enter_context(place.lock("restore"))
        prepare(settings)
        try:
            server = start_postgres(place.postgres, place.runtime, place.logs / "postgres.log")
            try:
                yield
            finally:
                server.stop()
        except BaseException:
            shutil.rmtree(place.postgres, ignore_errors=True)
            raise


def _run_tool(settings: Settings, program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs on the database. Raises Unavailable with the last line of its output."""
    address, variables = tool_connection(settings.database_url)
    process = subprocess.run(
        [find_postgres()[program], f"--dbname={address}", *arguments], stdin=subprocess.DEVNULL, capture_output=True,
        text=True, errors="replace", check=False, env={**inherited_environment(), **variables},
    )  # fmt: skip
    if process.returncode:
        raise Unavailable(f"{program}: {last_line(process.stderr)}")
