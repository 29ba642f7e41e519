"""The demo's port stays the same from start to start, so that a page of its site is one address."""

import socket
from pathlib import Path

import pytest

from app.config import Settings
from app.supervise.state_folders import StateFolders
from app.supervise.up import choose_ports


@pytest.fixture
def place(tmp_path: Path) -> StateFolders:
    return StateFolders(tmp_path, tmp_path / "runtime")


def chosen(place: StateFolders, **values: object) -> int:
    return choose_ports(Settings(_env_file=None, state_dir=place.state, port=0, **values), place).demo_port  # type: ignore[arg-type]


def test_next_start_has_the_port_of_the_last_one(place: StateFolders) -> None:
    first = chosen(place)
    assert chosen(place) == first == place.last_demo_port()


def test_port_that_is_taken_is_replaced_for_good(place: StateFolders) -> None:
    first = chosen(place)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first))
        taken.listen(1)
        second = chosen(place)
    assert second != first
    assert chosen(place) == second


@pytest.mark.parametrize("text", ["", "x", "-1", "70000", "0"])
def test_damaged_file_is_replaced(place: StateFolders, text: str) -> None:
    (place.state / "demo-port").write_text(text)
    port = chosen(place)
    assert port > 0
    assert place.last_demo_port() == port


def test_port_of_the_settings_is_used_and_not_kept(place: StateFolders) -> None:
    assert chosen(place, demo_port=18322) == 18322
    assert place.last_demo_port() == 0
