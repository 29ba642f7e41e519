"""With the demo on, a real site works beside it: both are visited, each has its models, setters and board."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fakes.fake_site import fake_site
from pipeline.test_new_site import TASK, renamed
from sqlalchemy import select
from support.live_demo import FIRST_S, MARGIN_S, STARTED, Demo, live_demo
from support.live_league import SLUG
from support.snippets import plug_in, plugged

from app.config import Settings
from app.db.tables import ConsensusRow, Model, Problem, ProtocolRow, Run, Sample, Setter, Source
from app.domain.asking.protocols import FRESH
from app.domain.imports import ImportedModel
from app.domain.publishing.holds import CONTEST_MARGIN
from app.domain.sources.kinds import DEMO_SITE
from app.domain.sources.schedule import PROBLEMS
from app.services.runs import plan
from app.services.runs.consensus import setters
from app.services.runs.consensus.setters import NewSetter
from app.services.runs.control.endpoints import NewEndpoint
from app.source_settings import SourceSettings
from workers import tasks
from workers.inference.backends import check_run

OVER = STARTED - timedelta(hours=1)  # when the real site's contest ended
CONTESTS = [{"slug": "seventh", "title": "Seventh", "begins": (OVER - timedelta(hours=2)).isoformat(),
             "ends": OVER.isoformat()}]  # fmt: skip
LISTED = b"""<!DOCTYPE html><html><head><title>Seventh</title></head><body><table class="tasks" data-contest="seventh">
<tr><th>A</th><td><a href="/tasks/eggs">Eggs</a></td></tr></table></body></html>"""
PAGES = {
    "/api/calendar.json": json.dumps({"contests": CONTESTS}).encode(),
    "/api/difficulties.json": json.dumps({"levels": {"eggs": "easy"}}).encode(),
    "/contests/seventh": LISTED,
    "/tasks/eggs": TASK,
}


@pytest.fixture
def demo(settings: Settings, tmp_path: Path) -> Iterator[Demo]:
    """A fresh installation with the demo on, to which an operator has added a site."""
    folder = tmp_path / "plugged"
    folder.mkdir()
    with (
        plugged(renamed(plug_in("adding-a-site.md")), folder),
        fake_site(PAGES, robots="User-agent: *\nAllow: /\n") as site,
    ):
        source = SourceSettings(base_url=site.url, pace_s=0.0)
        off = {name: SourceSettings(enabled=False) for name in ("atcoder", "codeforces", "leetcode")}
        with live_demo(settings, tmp_path, contact="o@example.test", sources={"dozen": source, **off}) as made:
            yield made


def test_a_real_site_is_visited_asked_and_set_beside_the_demo(demo: Demo) -> None:
    tasks.seed()
    mine = plan.BundledModel(ImportedModel("tern", "Tern", "Mine"), "https://api.example.com/v1")
    demo.ctx.commit(plan.register_demo, (mine,), FRESH, STARTED)
    with demo.ctx.sessions.begin() as session:
        for model in session.scalars(select(Model).where(Model.slug == "tern")):
            model.demo = False  # an operator's own
        for name, vendor in (("orion", "Acme"), ("wren", "Birds")):
            endpoint = NewEndpoint(name, "openai_chat", name, f"https://{name}.example.com/v1")
            setters.add(session, NewSetter(name, vendor, endpoint, "mine"), STARTED, demo.ctx.vault, check_run)
    assert sorted(demo.due()) == [("dozen", PROBLEMS), (DEMO_SITE, PROBLEMS)]
    for source, purpose in demo.due():
        tasks.visit(source, purpose)
    assert OVER + CONTEST_MARGIN < STARTED
    demo.move(FIRST_S + MARGIN_S)
    assert demo.due() == [(DEMO_SITE, PROBLEMS)]
    tasks.visit(DEMO_SITE, PROBLEMS)
    tasks.plan_runs()
    with demo.ctx.sessions() as session:
        sources = {source.slug: source.demo for source in session.scalars(select(Source))}
        assert {name: sources[name] for name in ("dozen", DEMO_SITE, "house")} == {
            "dozen": False, DEMO_SITE: True, "house": True,
        }  # fmt: skip
        asked = session.execute(
            select(ProtocolRow.slug, Model.slug, Source.slug, Problem.external_id)
            .join(Run, Run.protocol_id == ProtocolRow.id).join(Model, Model.id == Run.model_id)
            .join(Sample, Sample.run_id == Run.id).join(Problem, Problem.id == Sample.problem_id)
            .join(Source, Source.id == Problem.source_id)
            .where(Run.id.not_in(select(Setter.run_id)), ProtocolRow.slug.in_(("fresh", "house")))
            .distinct()
        ).all()  # fmt: skip
        assert sorted(map(tuple, asked)) == [
            ("fresh", "tern", "dozen", "eggs"),
            ("house", "pipit-mini", DEMO_SITE, SLUG),
            ("house", "pipit-mini", "house", "ferry-split"),
        ]
        drawn = session.execute(
            select(Problem.external_id, ConsensusRow.drawn).join(Problem, Problem.id == ConsensusRow.problem_id)
        ).all()
        vendors = {name: set(pair) for name, pair in drawn}
        assert vendors["eggs"] == {"acme", "birds"}
        assert vendors[SLUG] < {"alder", "birch", "cedar"}
