"""A site that nothing knows of but one file, the guide's own: visited, published, asked under `fresh`, on the board."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import model_server
from fakes.fake_site import fake_site
from fakes.model_server import Asked, ModelServer, Say
from pipeline.test_import_command import run
from pipeline.visiting import NOW, Hasty
from sqlalchemy import select
from support.packages import as_folder, dmoj
from support.snippets import plug_in, plugged

from app.config import Settings, SourceSettings
from app.db.tables import Endpoint, Problem, ProtocolRow, Run, Sample, ScrapeRun, Source
from app.domain.asking.protocols import FRESH
from app.domain.boards.board import BoardQuery
from app.domain.imports import ImportedModel
from app.domain.publishing.holds import CONTEST_MARGIN
from app.domain.sources.kinds import SourceKind
from app.domain.states import ProblemState
from app.services.boards import board_views
from app.services.runs import plan
from workers import tasks
from workers.context import Context, leave, make_context, use
from workers.grading.answering_judge import AnsweringJudge
from workers.readiness import Readiness
from workers.sites import Sites

CONTESTS = [
    {"id": 8, "title": "To come", "starts": "2026-07-01T10:00:00Z", "ends": "2026-07-01T12:00:00Z"},
    {"id": 7, "title": "Seventh", "starts": "2026-06-10T10:00:00Z", "ends": "2026-06-10T12:00:00Z"},
]
LISTED = {"id": 7, "tasks": [{"id": "eggs", "letter": "A", "title": "Eggs"}]}
TASK = b"""<!DOCTYPE html><html><head><title>Eggs</title></head><body><article id="task" data-id="eggs" data-contest="7"
data-letter="A"><h1>Eggs</h1><p id="limits">Limits: 2 s, 256 MB</p><div id="statement"><p>Hen k lays k * k eggs.
How many does each of n hens lay?</p></div><pre>3</pre><pre>1 4 9</pre></article></body></html>"""
PAGES = {
    "/api/contests": json.dumps({"contests": CONTESTS}).encode(),
    "/api/contests/7": json.dumps(LISTED).encode(),
    "/tasks/eggs": TASK,
}


@pytest.fixture
def ctx(settings: Settings, tmp_path: Path) -> Iterator[Context]:
    """A worker that has the guide's file beside the sites that are shipped, and a dozen.example on loopback."""
    folder = tmp_path / "plugged"
    folder.mkdir()
    with plugged(plug_in("adding-a-site.md"), folder), fake_site(PAGES, robots="User-agent: *\nAllow: /\n") as site:
        source = SourceSettings(base_url=site.url, pace_s=0.0)
        given = settings.model_copy(update={"sources": {"dozen": source}, "contact": "o@example.test"})
        made = use(replace(make_context(given), clock=lambda: NOW))
        made.parts[Sites] = Hasty(made)
        yield made
        leave()
        made.close()


def on_the_board(ctx: Context) -> tuple[int, list[tuple[str, int, int]]]:
    with ctx.sessions() as session:
        shown = board_views.board_json(
            board_views.board(session, BoardQuery(board="codegen", protocol="fresh"), ctx.cubes)
        )
        return shown["problems"], [(row["model"], row["n_problems"], row["score"]) for row in shown["rows"]]


def right(asked: Asked) -> Say:
    assert "squares" in asked.last_message
    return model_server.message("```python\nprint(*(k * k for k in range(1, int(input()) + 1)))\n```\n")


@pytest.mark.sandbox
def test_a_new_site_is_one_file(ctx: Context, tested_judge: AnsweringJudge, tmp_path: Path) -> None:
    ctx.parts[Readiness] = Readiness(ctx, tested_judge)
    run_id = tasks.scrape("dozen")
    with ctx.sessions() as session:
        visit = session.get_one(ScrapeRun, run_id)
        assert (visit.state, visit.reason, visit.counts["problems"]) == ("succeeded", None, 1)
        problem = session.scalars(select(Problem)).one()
        assert problem.released_on is not None
        assert problem.released_on + CONTEST_MARGIN < NOW
        assert problem.hold_reason == "no full tests: 1 public samples only"

    package = as_folder(tmp_path, "squares", dmoj())
    done = run(
        ctx.settings,
        "package",
        package,
        "--source",
        "dozen",
        "--problem",
        "eggs",
        "--no-wait",
        "--force",
        "--reason",
        "squares",
    )
    assert done.exit_code == 0, done.output
    use(ctx)
    tasks.prove_tests()
    with ctx.sessions() as session:
        assert session.scalars(select(Problem.state)).all() == [ProblemState.PUBLISHED]

    with ModelServer(right) as server:
        offer = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
        ctx.commit(plan.register_demo, (offer,), FRESH, NOW)
        tasks.plan_runs()
        with ctx.sessions() as session:
            endpoint = session.scalars(select(Endpoint.id)).one()
        tasks.infer_slice(endpoint)
        tasks.grade_answers()
        tasks.aggregate()
        assert len(server.asked) == 1
    with ctx.sessions() as session:
        asked = session.execute(
            select(ProtocolRow.slug, Source.slug, Source.kind, Sample.state)
            .join(Run, Run.protocol_id == ProtocolRow.id)
            .join(Sample, Sample.run_id == Run.id)
            .join(Problem, Problem.id == Sample.problem_id)
            .join(Source, Source.id == Problem.source_id)
        ).all()
    assert [tuple(row) for row in asked] == [("fresh", "dozen", "site", "graded")]
    assert on_the_board(ctx) == (1, [("tern", 1, 100.0)])


def test_a_suite_that_gets_a_site_of_its_name_is_a_site_from_its_first_visit_on(ctx: Context) -> None:
    with ctx.sessions.begin() as session:
        session.add(Source(slug="dozen", name="Another's word", kind=SourceKind.SUITE, demo=True))
    tasks.scrape("dozen")
    with ctx.sessions() as session:
        [source] = session.scalars(select(Source))
    assert (source.kind, source.name, source.demo) == (SourceKind.SITE, "Dozen", False), "a file named it, and said so"
    assert source.base_url is not None
