"""The servers under the tests themselves."""

import threading
from pathlib import Path

from redis import Redis
from sqlalchemy import create_engine, inspect, text
from support.servers import Sharing

from app.config import Settings
from app.db.kernel.session import Session, SessionMaker


def test_a_session_sees_the_migrated_schema(session: Session) -> None:
    assert "samples" in inspect(session.connection()).get_table_names()


def test_commits_of_a_door_are_rolled_back_after_the_test(sessions: SessionMaker) -> None:
    for _ in range(2):
        with sessions.begin() as first:
            first.execute(text("CREATE TABLE IF NOT EXISTS left_behind (n int)"))
        with sessions.begin() as second:
            assert second.scalar(text("SELECT count(*) FROM left_behind")) == 0


def test_nothing_was_left_behind(session: Session) -> None:
    assert "left_behind" not in inspect(session.connection()).get_table_names()


def test_a_fresh_database_and_broker_are_this_tests_own(settings: Settings, database: str) -> None:
    assert settings.database_url != database
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE mine (n int)"))
    engine.dispose()
    with Redis.from_url(settings.plain_redis_url()) as client:
        assert client.dbsize() == 0
        client.set("mine", 1)


def test_who_comes_when_the_servers_have_been_stopped_starts_others(tmp_path: Path) -> None:
    started: list[str] = []

    def start() -> Path:
        started.append(str(len(started)))
        return tmp_path / started[-1]

    first, second, late = Sharing(tmp_path), Sharing(tmp_path), Sharing(tmp_path)
    assert first.join(start) == second.join(start) == tmp_path / "0"
    ending = threading.Thread(target=first.outlast)
    ending.start()
    ending.join(0.3)
    assert ending.is_alive()
    second.close()
    ending.join(10)
    assert not ending.is_alive()
    first.close()
    assert late.join(start) == tmp_path / "1"
    late.close()
