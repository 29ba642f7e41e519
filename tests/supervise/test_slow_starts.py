"""A database of years starts slowly: after a loss of power, and by a new version's migrations. Both are waited for."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.waiting import until

from app.config import socket_database_url
from app.db.kernel.server import wait_until_ready
from app.domain.errors import Unavailable
from app.supervise.polling import throttle_check
from app.supervise.up import wait_until_prepared

REFUSAL = b"SFATAL\0VFATAL\0C57P03\0M%s\0\0"


@contextmanager
def refusing(folder: Path, words: bytes) -> Iterator[socket.socket]:
    """What says these words to whoever connects, as PostgreSQL does before it takes connections."""
    body = REFUSAL % words
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(folder / ".s.PGSQL.5432"))
        door.listen()

        def serve() -> None:
            while True:
                try:
                    client, _ = door.accept()
                except OSError:
                    return
                with client:
                    client.recv(4096)
                    client.sendall(b"E" + (len(body) + 4).to_bytes(4, "big") + body)

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield door
        finally:
            door.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("s")


def test_a_server_that_says_that_it_starts_up_is_waited_for(folder: Path) -> None:
    class EnoughError(Exception):
        """The test has seen enough."""

    refused: list[int] = []

    def check() -> None:
        refused.append(1)
        if len(refused) == 10:
            raise EnoughError

    with refusing(folder, b"the database system is starting up"), pytest.raises(EnoughError):
        wait_until_ready(socket_database_url(folder, "postgres"), 0.0, check)


def test_a_server_that_refuses_otherwise_is_not(folder: Path) -> None:
    words = "sorry, too many clients already"
    with refusing(folder, words.encode()), pytest.raises(Unavailable, match=words):
        wait_until_ready(socket_database_url(folder, "postgres"), 0.0)


def begun(seconds: float) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({seconds})"], text=True)


def test_migrations_are_waited_for_and_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    with begun(1.0) as steps:
        wait_until_prepared(steps, lambda: None, threading.Event(), long_s=0.1)
        assert steps.returncode == 0
    said = "".join(capsys.readouterr())
    assert said.count("preparing the database") == 1


def test_nobody_who_is_told_to_stop_waits_for_them(capsys: pytest.CaptureFixture[str]) -> None:
    stop = threading.Event()
    with begun(60.0) as steps:
        threading.Timer(0.2, stop.set).start()
        with pytest.raises(Unavailable, match="told to stop"):
            wait_until_prepared(steps, lambda: None, stop)
        steps.kill()
    assert "prepared" not in "".join(capsys.readouterr()), "a short wait is no news"


def test_who_waits_asks_other_processes_now_and_then() -> None:
    asked: list[int] = []
    look = throttle_check(lambda: asked.append(1))
    look()
    assert asked == [1], "at once"

    def again() -> bool:
        look()
        return len(asked) > 1

    until(again, "another look")
    looks = len(asked)
    for _ in range(1000):
        look()
    assert len(asked) < looks + 500
