"""A context for the tasks of this process, over servers of the test's own and the real judge."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pipeline.flow import a_house
from pipeline.rejudging import Desk, judged_board
from sqlalchemy import Connection
from support.sandboxes import sandbox_root
from support.servers import Servers, rolled_back

from app.config import Settings
from app.db.kernel.session import Session
from workers.context import Context, leave, make_context, use
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.toolchains import known_languages
from workers.readiness import Readiness


@pytest.fixture(scope="session")
def one_judge(tmp_path_factory: pytest.TempPathFactory) -> AnsweringJudge:
    scratch = tmp_path_factory.mktemp("judge") / "scratch"
    return AnsweringJudge(Settings(_env_file=None, sandbox_root=sandbox_root(), scratch_dir=scratch).judge_settings())


@pytest.fixture
def tested_judge(one_judge: AnsweringJudge) -> AnsweringJudge:
    """The real judge, tested for the first who asks or where a sandbox failed since; languages that need no compiler
    are found, the others when they are asked for."""
    if not one_judge.is_ready:
        one_judge.self_test()
        for language in known_languages().values():
            if not language.compile:
                one_judge.find(language.name)
    return one_judge


@pytest.fixture
def ctx(settings: Settings, request: pytest.FixtureRequest) -> Iterator[Context]:
    """What the tasks run over; who judges with it needs no self-test of its own, unless the test clears the parts."""
    made = use(make_context(settings))
    if request.node.get_closest_marker("sandbox") is not None:
        made.parts[Readiness] = Readiness(made, request.getfixturevalue("tested_judge"))
    yield made
    leave()
    made.close()


@pytest.fixture(scope="session")
def judged(servers: Servers) -> Iterator[Connection]:
    """A database in which a board is judged, for tests that begin there and roll back."""
    with servers.arranged(judged_board) as connection:
        yield connection


@pytest.fixture
def desk(judged: Connection, tmp_path: Path) -> Iterator[Desk]:
    """A rejudging of that board."""
    with rolled_back(judged) as maker, maker() as session:
        yield Desk(session, tmp_path)


@pytest.fixture(scope="session")
def housed(servers: Servers) -> Iterator[Connection]:
    """A database with a house in it, for tests that begin there and roll back."""
    with servers.arranged(a_house) as connection:
        yield connection


@pytest.fixture
def house(housed: Connection) -> Iterator[Session]:
    """A session in that house."""
    with rolled_back(housed) as maker, maker() as session:
        yield session
