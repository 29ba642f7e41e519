"""A contest of the bundled site comes to the board: announced, over, visited, asked, set, proven, published, ranked."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update
from support.live_demo import FIRST_S, MARGIN_S, STARTED, Demo, live_demo
from support.live_league import SLUG
from support.setters import TITLE

from app.config import Settings
from app.db.tables import (
    AuditEntry,
    Capture,
    ConsensusRow,
    Difficulty,
    Model,
    Problem,
    ProblemVersion,
    Run,
    Sample,
    ScrapeRun,
    Setter,
    Source,
)
from app.domain.boards.board import BoardQuery
from app.domain.sources.kinds import DEMO_SITE
from app.domain.sources.records import Classification
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ConsensusState, ProblemState
from app.services.boards import board_views
from app.services.operations import contest_progress
from app.services.sources import schedule
from workers import tasks
from workers.context import make_context, use
from workers.grading.answering_judge import AnsweringJudge
from workers.readiness import Readiness
from workers.sites import Sites


@pytest.fixture
def demo(settings: Settings, tmp_path: Path, tested_judge: AnsweringJudge) -> Iterator[Demo]:
    """A fresh installation with the demo on, and nobody's contact."""
    with live_demo(settings, tmp_path) as made:
        made.ctx.parts[Readiness] = Readiness(made.ctx, tested_judge)
        yield made


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


def past_facts(demo: Demo) -> tuple[object, ...]:
    """All that a page of the past might change."""
    with demo.ctx.sessions() as session:
        problem = session.scalars(select(Problem).where(Problem.external_id == "ferry-split")).one()
        versions = session.scalars(
            select(ProblemVersion).where(ProblemVersion.problem_id == problem.id).order_by(ProblemVersion.id)
        ).all()
        levels = session.scalars(select(Difficulty.value).where(Difficulty.problem_id == problem.id)).all()
        texts = [(each.id, each.statement_sha256, each.examples, each.in_use, each.origin, each.seen_at)
                 for each in versions]  # fmt: skip
        shown = (problem.title, problem.titles, problem.tags, problem.url, problem.state, problem.contest_id)
        captures = {each.locale: each.capture_id for each in versions}
        assert set(captures) == {"en", "zh"}
        assert captures["zh"] is None
        return captures["en"], (shown, texts, levels, session.scalars(select(Sample.prompt_sha256)).all())


def test_contests_of_the_past_are_read_once_and_confirm_what_was_imported(demo: Demo) -> None:
    def due() -> list[tuple[str, str, str]]:
        sites = demo.ctx.part(Sites)
        return demo.ctx.commit(schedule.due_backfills, sites.polling_intervals(), demo.instant[0])

    tasks.seed()
    tasks.infer_slice()
    tasks.visit(DEMO_SITE, PROBLEMS)
    assert due() == [], "not before a live contest was read"
    demo.move(FIRST_S + MARGIN_S)
    tasks.visit(DEMO_SITE, PROBLEMS)
    capture, before = past_facts(demo)
    assert capture is None
    [job] = due()
    assert job == (DEMO_SITE, "2026-04-11", "2026-04-12")
    tasks.read_copies(*job)
    assert due() == []
    capture, after = past_facts(demo)
    assert after == before
    with demo.ctx.sessions() as session:
        seen = session.get_one(Capture, capture)
        assert (seen.url.rpartition("/")[2], seen.classification) == ("ferry-split", Classification.OK)
        problems = session.scalars(select(Problem.external_id).join(Source).where(Source.slug == DEMO_SITE)).all()
        assert problems == [SLUG], "no second problem for one text"
        [visit] = session.scalars(select(ScrapeRun).where(ScrapeRun.backfill.is_not(None)))
        assert (visit.state, visit.counts["contests"], visit.counts["problems"]) == ("succeeded", 1, 1)
        asked = session.scalars(select(func.count()).select_from(Capture)).one()
    tasks.read_copies(*job)
    tasks.replay(DEMO_SITE)
    with demo.ctx.sessions() as session:
        assert session.scalars(select(func.count()).select_from(Capture)).one() == asked
    assert past_facts(demo) == (capture, before)


def test_a_page_of_the_past_in_other_words_changes_nothing_and_is_told_once(demo: Demo) -> None:
    tasks.seed()
    demo.move(FIRST_S + MARGIN_S)
    tasks.visit(DEMO_SITE, PROBLEMS)
    with demo.ctx.sessions.begin() as session:
        session.execute(update(ProblemVersion).where(ProblemVersion.locale == "en").values(wording="1:another"))
    _, before = past_facts(demo)
    tasks.scrape(DEMO_SITE, "2026-04-11", "2026-04-12")
    tasks.replay(DEMO_SITE)
    assert past_facts(demo) == (None, before)
    with demo.ctx.sessions() as session:
        told = session.scalars(select(AuditEntry).where(AuditEntry.action == "problem.page_differs")).all()
        assert [entry.reason.split()[:2] for entry in told] == [["ferry-split", "en"]]


def test_without_the_demo_nothing_of_it_is_asked_or_visited(demo: Demo) -> None:
    off = demo.ctx.settings.model_copy(update={"demo": False})
    made = use(make_context(off))
    assert made.part(Sites).polling_intervals() == []
    assert tasks.scrape(DEMO_SITE) is None
