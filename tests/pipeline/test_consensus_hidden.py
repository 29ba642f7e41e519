"""What setters answer is judged, ranked, shown and exported nowhere, before and after their problem is published."""

from collections.abc import Iterator

import pytest
from factories import World
from pipeline.flow import LANGUAGES, LEASE, NOW
from sqlalchemy import Connection, select
from support.consensus import add_setter, asked, fresh, ranked, samples_of, says, settle
from support.servers import Servers, rolled_back

from app.db.kernel.session import Session
from app.db.operations import status
from app.db.tables import CellRow, Model, Problem, ProtocolRow, Run, Sample
from app.domain.boards.named_boards import boards
from app.domain.errors import NotFound
from app.domain.states import ProblemState, SampleState
from app.services.boards import board_views
from app.services.evidence import problem_views
from app.services.rejudging import grading_queue
from app.services.runs import cell_updates, result_views, sample_views


def answer(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    add_setter(session, "first", "a")
    add_setter(session, "second", "b")
    settle(session, problem)
    asked(session, says)


@pytest.fixture(scope="module")
def answered(servers: Servers) -> Iterator[Connection]:
    """A problem that setters of two vendors and a ranked model have answered."""
    with servers.arranged(answer) as connection:
        yield connection


@pytest.fixture
def session(answered: Connection) -> Iterator[Session]:
    with rolled_back(answered) as sessions, sessions() as made:
        yield made


@pytest.fixture
def problem(session: Session) -> Problem:
    """That problem."""
    return session.scalars(select(Problem)).one()


def publish(session: Session, problem: Problem) -> None:
    problem.current_test_set_id = World(session, now=NOW).tests(problem, 2).id
    session.flush()
    problem.state = ProblemState.PUBLISHED
    session.flush()


def of_setters(session: Session) -> list[int]:
    rows = (
        select(Sample.id)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(ProtocolRow.slug.like("setting-%"))
    )
    return list(session.scalars(rows))


def test_no_setters_answer_is_judged(session: Session, problem: Problem) -> None:
    publish(session, problem)
    claimed = []
    while (job := grading_queue.claim(session, NOW, LEASE, LANGUAGES)) is not None:
        claimed.append(job.sample_id)
    assert len(claimed) == 1, "the ranked model's answer alone"
    assert not set(claimed) & set(of_setters(session))


def test_what_setters_answered_waits_for_no_judge(session: Session, problem: Problem) -> None:
    """It would stand on the status page, and grow older there, for ever."""
    waiting = {depth.state: depth.count for depth in status.depths(session)}[SampleState.ANSWERED]
    assert len(of_setters(session)) > 1
    assert waiting == 1, "the ranked model's answer alone"


@pytest.mark.parametrize("published", [False, True])
def test_setters_answers_are_shown_nowhere(session: Session, problem: Problem, published: bool) -> None:
    if published:
        publish(session, problem)
    while cell_updates.update_changed_cells(session):
        pass
    assert len(of_setters(session)) > 2
    for sample_id in of_setters(session):
        with pytest.raises(NotFound):
            sample_views.sample(session, sample_id)
    for slug in session.scalars(select(Model.slug).where(Model.slug.like("setter-%"))):
        with pytest.raises(NotFound):
            result_views.model(session, slug, result_views.CellFilter())
    if published:
        assert [line.model for line in problem_views.problem(session, "atcoder", "best").answers] == ["tern"]
    else:
        with pytest.raises(NotFound):
            problem_views.problem(session, "atcoder", "best")
        with pytest.raises(NotFound):
            sample_views.sample(session, samples_of(session, problem)[0].id)
    assert "setting" not in boards()
    assert not any(slug.startswith("setting") for slug, shown in board_views.protocols(session).items() if shown)
    counted = session.scalars(select(CellRow).join(Run, Run.id == CellRow.run_id).where(~Run.public)).all()
    assert all((cell.n, cell.c) == (0, 0) for cell in counted)
