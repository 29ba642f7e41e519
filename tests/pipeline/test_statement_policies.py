"""Whether a source's statements are fetched, shown, and sent to models: three settings, each at its own door."""

import json
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest
from factories import web_app
from fakes import model_server
from fakes.fake_site import Asked as Wanted
from fakes.fake_site import Reply
from fakes.model_server import Asked, ModelServer, Say
from fakes.sites import atcoder
from fakes.sites.live import LiveSite
from pipeline.visiting import NOW as THEN
from pipeline.visiting import Hasty, small_world
from served import NO_AUTHORITIES, served
from sqlalchemy import select
from support.batches import batch, problem

from app.config import Settings
from app.db.tables import Endpoint, ProblemVersion, Sample, Source
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS
from app.domain.exports import ExportTable
from app.domain.imports import ImportedModel
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.export import Format, lines
from app.services.boards.query import parse_query
from app.services.runs import imports, plan
from app.source_settings import SourceSettings
from app.supervise.first_steps import prepare_database
from workers import tasks
from workers.context import Context, leave, make_context, now, use
from workers.sites import Sites

TEXT = "Add two numbers (0)."


def over(settings: Settings, **house: bool) -> Context:
    """A context whose operator has set this of the house league."""
    return use(make_context(settings.model_copy(update={"sources": {"house": SourceSettings(**house)}})))


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def server(asked: list[str]) -> Iterator[ModelServer]:
    def answer(request: Asked) -> Say:
        asked.append(json.dumps(request.json, ensure_ascii=False))
        return model_server.message("```python\nprint(1)\n```")

    with ModelServer(answer) as made:
        yield made


@pytest.mark.parametrize("fetch", [False, True])
def test_a_visit_asks_for_statements_only_where_they_may_be_fetched(settings: Settings, fetch: bool) -> None:
    fake = atcoder.AtCoder(small_world("atcoder", 1, 1), lambda: THEN)
    paths: list[str] = []

    def answer(request: Wanted) -> Reply:
        paths.append(request.path)
        return fake(request)

    with LiveSite(answer, lambda: THEN) as site:
        given = SourceSettings(base_url=site.url, pace_s=0.0, fetch_statements=fetch)
        changed = settings.model_copy(update={"sources": {"atcoder": given}, "contact": "operator@example.test"})
        ctx = use(replace(make_context(changed), clock=lambda: THEN))
        ctx.parts[Sites] = Hasty(ctx)
        tasks.scrape("atcoder")
        with ctx.sessions() as session:
            assert bool(session.scalars(select(ProblemVersion)).all()) is fetch
            assert session.scalars(select(Source.fetch_statements)).one() is fetch
        leave()
    assert any("/tasks" in path for path in paths), "what there is is read from lists"
    assert any("/tasks/" in path for path in paths) is fetch


@pytest.mark.parametrize("show", [False, True])
def test_a_page_shows_a_statement_only_where_it_may_be_shown(settings: Settings, show: bool) -> None:
    ctx = over(settings, show_statements=show)
    ctx.commit(imports.store_batch, batch(problem(0)), now())
    with ctx.sessions.begin() as session:
        session.scalars(select(Source)).one().show_statements = not show
    tasks.plan_runs()
    with (
        served(web_app(ctx.sessions, settings.state_dir)) as url,
        httpx.Client(base_url=url, timeout=120, verify=NO_AUTHORITIES) as client,
    ):
        assert (TEXT in client.get("/en/problems/house/sum-0").text) is show
        assert (TEXT in client.get("/api/v1/problems/house/sum-0").text) is show
    with ctx.sessions() as session:
        assert TEXT not in "".join(line for table in ExportTable for line in lines(session, table, Format.JSONL))
    leave()


def test_models_are_asked_only_what_may_be_sent(settings: Settings, server: ModelServer, asked: list[str]) -> None:
    """Whatever the scenario: nothing is planned, nothing planned before is sent, and no board wants it."""
    ctx = over(settings)
    ctx.commit(imports.store_batch, batch(problem(0), problem(1)), now())
    tern = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
    for protocol in BUILT_IN_PROTOCOLS:
        if not (protocol.imported or protocol.recorded):
            ctx.commit(plan.register_demo, (tern,), protocol, now())
    tasks.plan_runs()
    planned = samples(ctx)
    assert planned > 0
    leave()
    forbidden = over(settings, send_statements=False)
    prepare_database(forbidden.settings)  # as at every start, before any worker
    ask(forbidden)
    tasks.plan_runs()
    ask(forbidden)
    forbidden.commit(imports.store_batch, batch(problem(2)), now())
    tasks.plan_runs()
    ask(forbidden)
    assert (samples(forbidden), asked) == (planned, [])
    assert board(forbidden) == 0
    leave()
    allowed = over(settings)
    tasks.plan_runs()
    ask(allowed)
    assert any(TEXT in text for text in asked)
    leave()


def samples(ctx: Context) -> int:
    with ctx.sessions() as session:
        return len(session.scalars(select(Sample.id)).all())


def ask(ctx: Context) -> None:
    with ctx.sessions() as session:
        endpoints = session.scalars(select(Endpoint.id)).all()
    for endpoint in endpoints:
        tasks.infer_slice(endpoint)


def board(ctx: Context) -> int:
    with ctx.sessions() as session:
        return board_views.board(
            session, parse_query([], "codegen"), CubeStore(ctx.settings.state_dir / "cubes")
        ).problems
