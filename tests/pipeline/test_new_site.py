"""The guide's file, as one that nothing else knows of: visited, published, asked under `fresh`, on the board."""

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
from support.snippets import Snippet, plug_in, plugged

from app.config import ROOT, Settings
from app.db.tables import Endpoint, Problem, ProtocolRow, Run, Sample, ScrapeRun, Source
from app.domain.asking.protocols import FRESH
from app.domain.boards.board import BoardQuery
from app.domain.imports import ImportedModel
from app.domain.publishing.holds import CONTEST_MARGIN
from app.domain.sources.kinds import SourceKind
from app.domain.states import ProblemState
from app.services.boards import board_views
from app.services.runs import plan
from app.source_settings import SourceSettings
from workers import tasks
from workers.context import Context, leave, make_context, use
from workers.grading.answering_judge import AnsweringJudge
from workers.readiness import Readiness
from workers.sites import Sites

CONTESTS = [
    {"slug": "eighth", "title": "To come", "begins": "2026-07-01T10:00:00Z", "ends": "2026-07-01T12:00:00Z"},
    {"slug": "seventh", "title": "Seventh", "begins": "2026-06-10T10:00:00Z", "ends": "2026-06-10T12:00:00Z"},
]
LISTED = b"""<!DOCTYPE html><html><head><title>Seventh</title></head><body><table class="tasks" data-contest="seventh">
<tr><th>A</th><td><a href="/tasks/eggs">Eggs</a></td></tr></table></body></html>"""
TASK = b"""<!DOCTYPE html><html><head><title>Eggs</title></head><body><main class="task" data-task="eggs"
data-contest="seventh" data-place="A"><h1>Eggs</h1><p class="limits">Time: 2000 ms; memory: 256 MB</p>
<div class="statement"><p>Hen k lays k * k eggs. How many does each of n hens lay?</p></div>
<pre class="input">3</pre><pre class="output">1 4 9</pre></main></body></html>"""
PAGES = {
    "/api/calendar.json": json.dumps({"contests": CONTESTS}).encode(),
    "/api/difficulties.json": json.dumps({"levels": {"eggs": "easy"}}).encode(),
    "/contests/seventh": LISTED,
    "/tasks/eggs": TASK,
}


def renamed(shipped: Snippet) -> Snippet:
    """The guide's file as that of a site that is not shipped."""
    names = ("harbour", "dozen"), ("Harbour Contests", "Dozen")
    text = shipped.text
    for old, new in names:
        text = text.replace(f'"{old}"', f'"{new}"')
    return Snippet(shipped.language, "scrapers/sites/dozen.py", text)


@pytest.fixture
def ctx(settings: Settings, tmp_path: Path) -> Iterator[Context]:
    """A worker that has the guide's file beside the sites that are shipped, and a dozen.example on loopback."""
    folder = tmp_path / "plugged"
    folder.mkdir()
    with (
        plugged(renamed(plug_in("adding-a-site.md")), folder),
        fake_site(PAGES, robots="User-agent: *\nAllow: /\n") as site,
    ):
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


def test_the_guide_builds_the_site_that_is_shipped() -> None:
    shipped = plug_in("adding-a-site.md")
    assert shipped.file == "scrapers/sites/harbour.py"
    assert shipped.text.partition("\n")[2] == (ROOT / shipped.file).read_text(encoding="utf-8")


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
