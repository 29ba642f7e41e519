"""PostgreSQL and Valkey: started once a session, by whichever worker needs them first, for all workers."""

import atexit
import fcntl
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

import psycopg
import pytest
from redis import Redis
from sqlalchemy import Connection, make_url

from app.config import Settings, socket_database_url, socket_redis_url
from app.db.kernel.migrate import upgrade
from app.db.kernel.session import Engine, Session, SessionMaker, make_engine, make_sessionmaker
from app.services.runs.endpoint_secrets import new_key
from app.supervise.embedded_servers import start_postgres, start_valkey
from support.sandboxes import sandbox_root
from workers.context import leave

_TEMPLATE = "tidemark"  # migrated, and never connected to afterwards
_VALKEY_DATABASES = 128
_MEMORY = Path("/dev/shm")
_ROOM_BYTES = 3 << 30
_FORGOTTEN_S = 6 * 3600
_STARTED = "TIDEMARK_TEST_SERVERS"  # set for a test run within a test: the folder of the servers that run already
_numbers = count()
_AT_THE_END = pytest.StashKey[ExitStack]()


@dataclass(frozen=True)
class Servers:
    """The session's servers; databases are made and dropped by name."""

    folder: Path

    def database_url(self, name: str) -> str:
        """The address of a database."""
        return socket_database_url(self.folder, name)

    def valkey_url(self) -> str:
        """The address of this worker's broker database, as Celery spells it."""
        return socket_redis_url(self.folder / "valkey.sock", self.valkey_number)

    @property
    def valkey_number(self) -> int:
        """Which of the broker's databases is this worker's."""
        return int("0" + re.sub(r"\D", "", _worker())) + 1

    @contextmanager
    def database(self, like: str | None = None, name: str | None = None) -> Iterator[str]:
        """A migrated database of its own, dropped at the end: an empty one, or a copy of that address's, which nobody
        may be connected to any more. Of a given name there is one at a time."""
        name, template = f"tm_{_worker()}_{os.getpid()}_{name or next(_numbers)}", like and make_url(like).database
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template or _TEMPLATE} STRATEGY FILE_COPY")
        try:
            yield self.database_url(name)
        finally:
            self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def arranged(self, arrange: Callable[[Session], object]) -> Iterator[Connection]:
        """A connection to a database of its own, where something was arranged; who begins there rolls back to that."""
        with self.database() as url:
            engine = make_engine(url)
            with engine.connect() as connection, rolled_back(connection) as maker:
                with maker.begin() as session:
                    arrange(session)
                yield connection
            engine.dispose()

    def _execute(self, statement: str) -> None:
        _maintenance(self.folder).execute(statement.encode())


@cache
def _maintenance(folder: Path) -> psycopg.Connection:
    """This process's connection for making and dropping databases: two more for each would cost a third of that."""
    made = psycopg.connect(host=str(folder), user="tidemark", dbname="postgres", autocommit=True)
    atexit.register(made.close)
    return made


def _worker() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


def _roomy_memory() -> Path | None:
    """A folder in memory that holds the servers' data: a database is hundreds of files, which cost a disk dearly."""
    if not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < _ROOM_BYTES:
        return None
    for left in _MEMORY.glob("tm-tests-*"):  # by a run that was killed
        if time.time() - left.stat().st_mtime > _FORGOTTEN_S:
            shutil.rmtree(left, ignore_errors=True)
    return _MEMORY


@contextmanager
def _running_servers() -> Iterator[Path]:
    # A short path, as unix sockets need.
    folder = Path(tempfile.mkdtemp(prefix="tm-tests-", dir=_roomy_memory()))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        (folder / "valkey").mkdir()
        postgres = start_postgres(folder / "postgres", folder, folder / "postgres.log", durable=False)
        stack.callback(postgres.stop)
        valkey = start_valkey(
            folder / "valkey", folder, folder / "valkey.log", durable=False, databases=_VALKEY_DATABASES
        )
        stack.callback(valkey.stop)
        upgrade(socket_database_url(folder, _TEMPLATE))
        yield folder


class Sharing:
    """Who uses the session's servers: the folder is told in a file, and every user holds a lock."""

    def __init__(self, folder: Path) -> None:
        self._told = folder / "servers.json"
        self._users = (folder / "servers.users").open("a")
        self._turn = (folder / "servers.lock").open("a")

    def join(self, start: Callable[[], Path]) -> Path:
        """The folder of the running servers, which are started by the first to ask; from now on they stay."""
        fcntl.flock(self._turn, fcntl.LOCK_EX)
        try:
            if not self._told.exists():
                self._told.write_text(json.dumps(str(start())))
            fcntl.flock(self._users, fcntl.LOCK_SH)
            return Path(json.loads(self._told.read_text()))
        finally:
            fcntl.flock(self._turn, fcntl.LOCK_UN)

    def outlast(self) -> None:
        """Wait until nobody else uses them; who asks afterwards starts servers anew."""
        while True:
            fcntl.flock(self._users, fcntl.LOCK_EX)
            fcntl.flock(self._users, fcntl.LOCK_UN)  # somebody who has the turn may be waiting for it
            fcntl.flock(self._turn, fcntl.LOCK_EX)
            try:
                fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            else:
                self._told.unlink()
                return
            finally:
                fcntl.flock(self._turn, fcntl.LOCK_UN)

    def close(self) -> None:
        """Use them no more."""
        self._users.close()
        self._turn.close()


def pytest_configure(config: pytest.Config) -> None:
    """What is to be done at the end is kept until then."""
    config.stash[_AT_THE_END] = ExitStack()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Who started the servers stops them, after everybody else has finished: that wait is no test's, as its time is."""
    session.config.stash[_AT_THE_END].close()


@pytest.fixture(scope="session")
def servers(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Servers:
    """The running servers: those of the tests that started this process, or the session's own."""
    if _STARTED in os.environ:
        return Servers(Path(os.environ[_STARTED]))
    base = tmp_path_factory.getbasetemp()
    sharing = Sharing(base if _worker() == "main" else base.parent)
    stack = pytestconfig.stash[_AT_THE_END]
    stack.callback(sharing.close)

    def start() -> Path:
        folder = stack.enter_context(_running_servers())
        stack.callback(sharing.outlast)
        return folder

    return Servers(sharing.join(start))


@pytest.fixture(scope="session")
def postgres_url(servers: Servers) -> str:
    """The server itself, by its maintenance database."""
    return servers.database_url("postgres")


@pytest.fixture(scope="session")
def database(servers: Servers) -> Iterator[str]:
    """The address of this worker's migrated database; tests leave it as they found it."""
    with servers.database() as url:
        yield url


@pytest.fixture(scope="session")
def engine(database: str) -> Iterator[Engine]:
    """An engine on this worker's database."""
    made = make_engine(database)
    yield made
    made.dispose()


@contextmanager
def rolled_back(connection: Connection) -> Iterator[SessionMaker]:
    """Sessions over a connection that may commit; at the end there is what was there at the beginning.

    Within another such block: what that one made is the beginning of every test that opens one of its own.
    """
    with connection.begin_nested() if connection.in_transaction() else connection.begin() as outer:
        maker = make_sessionmaker(connection.engine)
        maker.configure(bind=connection, join_transaction_mode="create_savepoint")
        yield maker
        outer.rollback()


@pytest.fixture
def sessions(engine: Engine) -> Iterator[SessionMaker]:
    """Sessions for doors that run in this process: they may commit, and all is rolled back after the test."""
    with engine.connect() as connection, rolled_back(connection) as maker:
        yield maker


@pytest.fixture
def session(sessions: SessionMaker) -> Iterator[Session]:
    """One session, rolled back after the test."""
    with sessions() as made:
        yield made


@pytest.fixture
def fresh_database(servers: Servers) -> Iterator[str]:
    """The address of a migrated database for this test alone, whose processes may commit."""
    with servers.database() as url:
        yield url


@pytest.fixture
def valkey_url(servers: Servers) -> str:
    """The address of an empty broker database of this worker, as Celery spells it."""
    path = servers.folder / "valkey.sock"
    with Redis(unix_socket_path=str(path), db=servers.valkey_number) as client:
        client.flushdb()
    return servers.valkey_url()


@pytest.fixture
def settings(fresh_database: str, valkey_url: str, tmp_path: Path) -> Iterator[Settings]:
    """Settings of a whole installation of this test's own; nothing of the developer's leaks in.

    A context over them ends with the test: its clock would be the next one's.
    """
    key = tmp_path / "secret.key"
    key.write_bytes(new_key())
    yield Settings(
        _env_file=None,
        state_dir=tmp_path,
        database_url=fresh_database,
        redis_url=valkey_url,
        secret_key_file=key,
        sandbox_root=sandbox_root(),
        scratch_dir=tmp_path / "scratch",
    )
    leave()
