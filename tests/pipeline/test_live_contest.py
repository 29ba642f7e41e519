"""A contest of the bundled site comes to the board: announced, over, visited, asked, set, proven, published, ranked."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uvicorn
from sqlalchemy import select
from support.live_league import SLUG, live_league
from support.setters import TITLE
from support.waiting import until

from app.config import Settings
from app.db.tables import ConsensusRow, Model, Problem, Run, Sample, Setter, Source
from app.domain.boards.board import BoardQuery
from app.domain.sources.kinds import DEMO_SITE
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ConsensusState, ProblemState, SampleState
from app.services.boards import board_views
from app.services.operations import contest_progress
from app.services.sources import schedule
from app.source_settings import SourceSettings
from scrapers.suites.house import date_contests, load_demo_models, load_league
from workers import tasks
from workers.context import Context, leave, make_context, use
from workers.demo.server import DemoServer
from workers.grading.answering_judge import AnsweringJudge
from workers.readiness import Readiness
from workers.sites import Sites

STARTED = datetime(2026, 12, 1, 9, tzinfo=UTC)
FIRST_S, MARGIN_S = 180.0, 5.0


@dataclass
class Demo:
    """A worker beside the demo process, both by a clock that the test sets."""

    ctx: Context
    instant: list[datetime]

    def move(self, seconds: float) -> None:
        """It is so many seconds after the first start."""
        self.instant[0] = STARTED + timedelta(seconds=seconds)

    def due(self) -> list[tuple[str, str]]:
        """The visits that are due."""
        sites = self.ctx.part(Sites)
        return self.ctx.commit(schedule.due_visits, sites.polling_intervals(), self.instant[0])

    def work(self) -> None:
        """Do all that the workers are woken for, until nothing is left."""
        tasks.plan_runs()
        for _turn in range(40):
            tasks.infer_slice()
            tasks.build_suites()
            tasks.prove_tests()
            tasks.grade_answers()
            tasks.plan_runs()
            if not self.open_samples():
                break
        tasks.aggregate()

    def open_samples(self) -> int:
        """How many answers are still to come or to be judged, of who is asked at all."""
        ended = (SampleState.GRADED, SampleState.GAVE_UP, SampleState.STUCK)
        ranked = select(Run.id).where(Run.id.not_in(select(Setter.run_id)))
        still_open = select(Sample.id).where(Sample.state.not_in(ended), Sample.run_id.in_(ranked))
        with self.ctx.sessions() as session:
            return len(session.scalars(still_open).all())


@contextmanager
def served(app: DemoServer) -> Iterator[str]:
    """The address of the demo process, in a thread."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started, "the demo process")
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)


@pytest.fixture
def demo(settings: Settings, tmp_path: Path, tested_judge: AnsweringJudge) -> Iterator[Demo]:
    """A fresh installation with the demo on, and nobody's contact."""
    folder, instant = live_league(tmp_path / "league"), [STARTED]
    league = load_league(folder, STARTED)
    contests = date_contests(league.live, STARTED + timedelta(seconds=FIRST_S), timedelta(hours=1))
    with served(DemoServer(league, load_demo_models(folder), contests, lambda: instant[0])) as url:
        given = settings.model_copy(
            update={
                "league_dir": folder, "demo_url": url, "demo_started_at": STARTED, "contact": None,
                "sources": {DEMO_SITE: SourceSettings(pace_s=0.0)},
            }
        )  # fmt: skip
        made = use(replace(make_context(given), clock=lambda: instant[0]))
        made.parts[Readiness] = Readiness(made, tested_judge)
        yield Demo(made, instant)
        leave()
        made.close()


@pytest.mark.sandbox
def test_a_contest_of_the_bundled_site_comes_to_the_board_by_itself(demo: Demo) -> None:
    tasks.seed()
    assert demo.due() == [(DEMO_SITE, PROBLEMS)], "its calendar"
    tasks.visit(DEMO_SITE, PROBLEMS)
    assert demo.due() == []
    with demo.ctx.sessions() as session:
        source = session.scalars(select(Source).where(Source.slug == DEMO_SITE)).one()
        assert (source.demo, source.show_statements, source.margin) == (True, True, timedelta(seconds=MARGIN_S))
        assert session.scalars(select(Problem.id).where(Problem.source_id == source.id)).all() == []
        setters = select(Setter.vendor, Model.demo).join(Run, Run.id == Setter.run_id).join(Model)
        vendors = sorted(tuple(row) for row in session.execute(setters))
        assert vendors == [("alder", True), ("birch", True), ("cedar", True)]
        assert contest_progress.newest_contest(session, demo.instant[0]) is None
    demo.move(FIRST_S + MARGIN_S - 1)
    assert demo.due() == []
    demo.move(FIRST_S + MARGIN_S)
    assert demo.due() == [(DEMO_SITE, PROBLEMS)]
    tasks.visit(DEMO_SITE, PROBLEMS)
    demo.work()
    with demo.ctx.sessions() as session:
        problem = session.scalars(select(Problem).where(Problem.external_id == SLUG)).one()
        consensus = session.scalars(select(ConsensusRow)).one()
        assert (problem.title, problem.state, problem.hold_reason) == (TITLE, ProblemState.PUBLISHED, None)
        assert (consensus.state, consensus.reason, len(consensus.drawn)) == (ConsensusState.STORED, None, 2)
        news = contest_progress.newest_contest(session, demo.instant[0])
        assert news is not None
        assert (news.contest, news.title, news.demo) == ("slack-water", "Slack Water", True)
        assert (news.ended_at, news.listed, news.read, news.published, news.held) == (
            STARTED + timedelta(seconds=FIRST_S), 1, 1, 1, 0,
        )  # fmt: skip
        [way] = contest_progress.contests(session, demo.instant[0])
        assert [taken.step.value for taken in way.steps][-1] == "board"
        query = BoardQuery(board="codegen", protocol="house")
        board = board_views.board_json(board_views.board(session, query, demo.ctx.cubes))
    assert board["problems"] == 2
    assert [(row["model"], row["n_problems"]) for row in board["rows"]] == [("pipit-mini", 2)]


def test_without_the_demo_nothing_of_it_is_asked_or_visited(demo: Demo) -> None:
    off = demo.ctx.settings.model_copy(update={"demo": False})
    made = use(make_context(off))
    assert made.part(Sites).polling_intervals() == []
    assert tasks.scrape(DEMO_SITE) is None
