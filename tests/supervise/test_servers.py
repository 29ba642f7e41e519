"""The embedded servers, the folders they live in, and verbs that attach to them."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text
from support.missing import missing
from support.rules import ROOT
from support.waiting import until
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings, settings_for_state
from app.domain.errors import Conflict, NotFound, Unavailable
from app.services.runs.endpoint_secrets import Vault, new_key
from app.supervise import open_state, postgres, valkey
from app.supervise.embedded_servers import start_postgres, start_valkey
from app.supervise.state_access import link_to
from app.supervise.state_folders import StateFolders, describe_os_error, prepare


def _tables(settings: Settings) -> list[str]:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        found = inspect(connection).get_table_names()
    engine.dispose()
    return found


@pytest.fixture
def place(tmp_path: Path) -> Iterator[StateFolders]:
    made = StateFolders.of(settings_for_state(tmp_path / "state"))
    made.make()
    yield made
    shutil.rmtree(made.runtime, ignore_errors=True)  # it lies beside the state, in a folder for short-lived files


@pytest.fixture(scope="module")
def attached_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state that one verb has worked on, after an attempt that was interrupted while PostgreSQL made its files.

    It has a migrated database and a key, and nothing in them.
    """
    state = tmp_path_factory.mktemp("once") / "state"
    (state / "postgres.new").mkdir(parents=True)
    (state / "postgres.new" / "half").touch()
    with open_state(state):
        pass
    return state


def _copied(folder: Path, to: Path) -> Path:
    subprocess.run(["cp", "-a", str(folder), str(to)], check=True)  # PostgreSQL's files may be another user's
    return to


@pytest.fixture
def state(attached_once: Path, tmp_path: Path) -> Path:
    """A copy of it, of the test's own."""
    return _copied(attached_once, tmp_path / "state")


def test_a_verb_without_an_up_brings_its_own_servers_and_takes_them_along(state: Path) -> None:
    with open_state(state) as settings:
        assert "samples" in _tables(settings)
        assert not settings.is_served
        assert len(settings.secret_key_bytes()) == 44
        assert set(StateFolders.of(settings).leftovers()) == {"postgres", "valkey"}
        assert StateFolders.of(settings).state.stat().st_mode & 0o777 == 0o700
        assert settings.secret_key_file.stat().st_mode & 0o777 == 0o600
        engine = create_engine(settings.database_url)
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE kept AS SELECT 1 AS n"))
        engine.dispose()
    assert StateFolders.of(settings).leftovers() == {}
    with open_state(state) as again:
        assert "kept" in _tables(again)


HOLDS = """
import sys, time
from pathlib import Path
from app.supervise import open_state
with open_state(Path(sys.argv[1])):
    Path(sys.argv[2]).touch()
    time.sleep(600)
"""


def _with_secret(settings: Settings) -> None:
    sealed = Vault(settings.secret_key_bytes()).seal("a secret")
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO models (slug, name) VALUES ('a', 'a')"))
        connection.execute(
            text(
                "INSERT INTO endpoints (model_id, backend, remote_name, base_url, max_concurrency, secret_encrypted,"
                " public_id) SELECT id, 'b', 'r', 'u', 1, :sealed, 'ep_a' FROM models"
            ),
            {"sealed": sealed},
        )
    engine.dispose()


def test_a_lost_key_is_never_replaced_while_something_is_sealed_with_it(
    state: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    key = (state / "secret.key").read_bytes()
    (state / "secret.key").unlink()
    with open_state(state) as settings:
        assert settings.secret_key_bytes() != key, "nothing was sealed with the first"
        _with_secret(settings)
    kept = settings.secret_key_file.rename(tmp_path / "backup")
    capfd.readouterr()
    with open_state(state) as settings:
        assert not settings.secret_key_file.exists()
        assert "put secret.key (or TIDEMARK_SECRET_KEY) back from a backup" in capfd.readouterr().err
    settings.secret_key_file.write_bytes(new_key())
    with open_state(state):
        assert "is not the one that they were sealed with" in capfd.readouterr().err
    kept.replace(settings.secret_key_file)
    with open_state(state):
        assert capfd.readouterr().err == ""


@pytest.mark.parametrize("damage", [b"", bytes(44), b"\xff\x00 no key"])
def test_a_file_that_is_no_key_is_replaced_only_while_nothing_is_sealed(
    state: Path, capfd: pytest.CaptureFixture[str], damage: bytes
) -> None:
    """As after a loss of power: else no vendor could ever register, and nobody would be told why."""
    (state / "secret.key").write_bytes(damage)
    with open_state(state) as settings:
        assert Vault(settings.secret_key_bytes()).has_key
        assert "secret.key held no valid key" in capfd.readouterr().err
        assert (state / "secret.key.damaged").read_bytes() == damage
        _with_secret(settings)
    settings.secret_key_file.write_bytes(damage)
    with open_state(state):
        assert settings.secret_key_file.read_bytes() == damage
        assert "is missing or damaged" in capfd.readouterr().err


@pytest.mark.parametrize("spoilt", [False, True])
def test_secrets_are_given_up_in_words_and_a_new_key_is_made_then(state: Path, *, spoilt: bool) -> None:
    with open_state(state) as settings:
        _with_secret(settings)
    door = ("alarm", "forget-secrets", "--reason", "the backup burnt", "--state", str(state))
    if not spoilt:
        refused = CliRunner().invoke(build_parser(door[:1]), door)
        assert isinstance(refused.exception, NotFound)
        assert "every endpoint secret can be opened" in str(refused.exception)
    settings.secret_key_file.write_bytes(b"") if spoilt else settings.secret_key_file.unlink()
    done = CliRunner().invoke(build_parser(door[:1]), door)
    assert (done.exit_code, done.stdout) == (0, "forgot the secrets of 1 endpoints; restart to get a new key\n")
    with open_state(state) as settings:
        assert len(settings.secret_key_bytes()) == 44
        engine = create_engine(settings.database_url)
        with engine.connect() as connection:
            [row] = connection.execute(text("SELECT secret_encrypted, stopped_reason FROM endpoints"))
            assert (row[0], row[1]) == (None, {"code": "secret_lost"})
            assert connection.scalar(text("SELECT reason FROM audit_log")) == "the backup burnt"
        engine.dispose()


def test_a_killed_verb_leaves_nothing_that_the_next_cannot_clear(state: Path, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    holder = subprocess.Popen([sys.executable, "-c", HOLDS, str(state), str(ready)], cwd=ROOT)
    until(ready.exists, "the state's use")
    place = StateFolders.of(settings_for_state(state))
    assert set(place.leftovers()) == {"postgres", "valkey"}
    with pytest.raises(Conflict, match=str(holder.pid)), place.lock("up"):
        pytest.fail("the state was free")
    holder.kill()
    holder.wait()
    with open_state(state) as settings:
        assert "samples" in _tables(settings)
    assert place.leftovers() == {}


def test_a_database_of_ones_own_is_used_and_none_is_started(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDEMARK_DATABASE_URL", settings.database_url)
    with open_state(settings.state_dir / "other") as given:
        assert given.database_url == settings.database_url
        assert given.is_served
    assert not (settings.state_dir / "other").exists()


def test_data_of_another_major_version_is_refused(place: StateFolders) -> None:
    place.postgres.mkdir()
    (place.postgres / "PG_VERSION").write_text("16\n")
    with pytest.raises(Conflict, match=r"made by PostgreSQL 16, this is \d+"):
        postgres.initialise(postgres.find_postgres(), place.postgres)


def test_an_interrupted_initdb_starts_over(attached_once: Path) -> None:
    assert (attached_once / "postgres" / "PG_VERSION").exists()
    assert not (attached_once / "postgres" / "half").exists()
    assert not (attached_once / "postgres.new").exists()


def test_a_lock_file_whose_process_is_somebody_else_is_dropped(place: StateFolders, attached_once: Path) -> None:
    _copied(attached_once / "postgres", place.postgres)
    # This test's own pid, said to have started long before this test did.
    (place.postgres / "postmaster.pid").write_text(f"{os.getpid()}\n{place.postgres}\n1000000000\n5432\n")
    server = start_postgres(place.postgres, place.runtime, place.logs / "postgres.log", durable=False)
    server.stop()


def test_a_server_that_cannot_start_says_why(place: StateFolders, attached_once: Path) -> None:
    _copied(attached_once / "postgres", place.postgres)
    (place.postgres / "global" / "pg_control").unlink()
    with pytest.raises(Unavailable, match=r"postgres did not start: .*pg_control"):
        start_postgres(place.postgres, place.runtime, place.logs / "postgres.log")
    assert place.leftovers() == {}


def test_valkey_keeps_what_it_was_told_over_a_restart(place: StateFolders) -> None:
    path = place.runtime / "valkey.sock"
    for command in (b"SET tide high\r\n", b"GET tide\r\n"):
        server = start_valkey(place.valkey, place.runtime, place.logs / "valkey.log")
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            client.sendall(command)
            answer = client.recv(64)
        server.stop()
    assert b"high" in answer
    assert not valkey.is_ready(path)


def break_files(data: Path) -> None:
    """Overwrite the middle of everything a broker kept."""
    files = [file for file in data.rglob("*") if file.is_file()]
    assert files
    for file in files:
        file.write_bytes(b"\xff" * 100 + file.read_bytes()[100:])


def test_a_broker_that_cannot_read_its_files_starts_without_them(
    place: StateFolders, capfd: pytest.CaptureFixture[str]
) -> None:
    log, path = place.logs / "valkey.log", place.runtime / "valkey.sock"
    start_valkey(place.valkey, place.runtime, log).stop()
    (place.state / "valkey.damaged").write_text("in its way")
    for turn in range(2):
        break_files(place.valkey)
        server = start_valkey(place.valkey, place.runtime, log)
        assert valkey.is_ready(path), turn
        server.stop()
        assert list((place.state / "valkey.damaged").rglob("*.manifest")), "the files are kept for whoever looks"
        assert "the broker could not read its files" in capfd.readouterr().err
    log.write_text("")
    (place.valkey / "appendonlydir").rename(place.state / "elsewhere")
    start_valkey(place.valkey, place.runtime, log).stop()


def test_a_link_says_where_nothing_runs(capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(_env_file=None, public_url="https://bench.example/")
    assert link_to(settings, "/login") == "https://bench.example/login"
    assert "tidemark: nothing is running there now; start it with `./tidemark up`" in capsys.readouterr().err
    link_to(settings.model_copy(update={"is_served": True}), "/login")
    assert capsys.readouterr().err == ""


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(Unavailable, match="not a folder of this user"):
        StateFolders(tmp_path / "state", tmp_path / "link").make()


def test_a_socket_path_that_is_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="too long for unix sockets"):
        StateFolders(tmp_path / "state", tmp_path / ("x" * 80)).make()


def test_an_open_state_folder_is_closed(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    prepare(settings_for_state(tmp_path / "state", runtime_dir=tmp_path / "r", sandbox_root=tmp_path / "s"))
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "s").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    ("number", "words"), [(28, "the disk is full"), (30, "the disk is read-only"), (13, "Permission denied")]
)
def test_a_disk_that_refuses_is_told_in_words(number: int, words: str) -> None:
    assert describe_os_error(OSError(number, os.strerror(number), "/x"), Path("/y")) == f"/x cannot be written: {words}"


@pytest.mark.parametrize(
    ("options", "reason"),
    [("size=1m", "left on its disk"), ("size=4k,nr_inodes=2", "disk"), ("ro", "read-only")],
    ids=["small", "full", "read-only"],
)
def test_up_on_a_bad_disk_is_one_line_and_leaves_nothing(options: str, reason: str, tmp_path: Path) -> None:
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        missing("mounts of our own", "run as root where mount namespaces are allowed")
    disk = tmp_path / "disk"
    disk.mkdir()
    verb = f'exec {sys.executable} -m app.cli up --port 0 --no-system-packages --state "$1/state"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o {options} tmpfs "$1" && {verb}', "sh", str(disk)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 1
    assert reason in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    left = StateFolders.of(settings_for_state(disk / "state"))
    assert (left.leftovers(), left.runtime.exists()) == ({}, False)
