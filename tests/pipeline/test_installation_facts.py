"""What `doctor` reads of an installation: each planted fault is found, and the bundled demo mends none of them."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime
from pathlib import Path

import pytest
from factories import World
from pipeline.flow import NOW, VAULT
from sqlalchemy import delete, update
from support.consensus import add_setter

from app.cli.operations.installation_checks import (
    CheckState,
    Observations,
    SandboxReport,
    check_installation,
)
from app.config import Settings
from app.db.kernel import blobs, logs
from app.db.kernel.session import Session
from app.db.runs.runs import ensure_endpoint
from app.db.tables import Alert, BudgetRow, Capture, Endpoint, Run, ScrapeRun, Setter
from app.domain.judging.verdicts import Verdict
from app.domain.reasons import Reason
from app.domain.sources.kinds import DEMO_SITE, SourceKind
from app.domain.states import SampleState
from app.services.operations.installation import BACKUP_ACTION, installation_facts
from app.services.runs.consensus import setters
from app.services.runs.consensus.setters import NewSetter
from app.services.runs.control.endpoints import NewEndpoint

SANDBOX = SandboxReport(None, 13, {"python": "3.13", "cpp": "14"}, {}, limit_mode=None, is_live=True)


@pytest.fixture
def well(session: Session) -> World:
    """An installation that lacks nothing."""
    return whole(session, backup_at=NOW)


def whole(session: Session, backup_at: datetime | None) -> World:
    """An installation that lacks nothing but perhaps a backup."""
    world = World(session)
    world.workers()
    visited(world, "atcoder", timedelta())
    for name in ("acme", "birds"):
        add_setter(session, f"of-{name}", name)
    model = world.model("gull")
    model.demo = False
    ensure_endpoint(session, model.id, {"backend": "openai_chat", "remote_name": "gull", "max_concurrency": 1,
                                        "base_url": "https://api.example.com/v1"})  # fmt: skip
    run = world.run(model)
    run.endpoint_id = session.query(Endpoint.id).filter(Endpoint.model_id == model.id).scalar()
    problem = world.problem("a")
    answered = world.answer(run, problem, None, state=SampleState.GRADED)
    world.verdict(answered, problem, Verdict.ACCEPTED, limit_mode="cgroup")
    session.add(BudgetRow(run_id=None, organisation=None, daily=True, usd=Decimal(10)))
    if backup_at is not None:
        logs.write_audit(session, backup_at, "operator", BACKUP_ACTION, "a.dump", "daily")
    session.flush()
    return world


def visited(world: World, slug: str, ahead: timedelta, *, state: str = "succeeded") -> None:
    """A site that was visited now, whose clock is so far ahead."""
    source = world.source(slug, demo=slug == DEMO_SITE)
    source.kind = SourceKind.SITE
    headers = {"date": format_datetime((NOW + ahead).astimezone(UTC), usegmt=True)}
    world.session.add(ScrapeRun(source_id=source.id, state=state, started_at=NOW, finished_at=NOW,
                                reason=None if state == "succeeded" else "its words"))  # fmt: skip
    url = f"https://{slug}.example/{state}/{ahead}"
    world.session.add(Capture(source_id=source.id, url=url, kind="contest_list", http_status=200, classification="ok",
                              records=1, fetched_at=NOW, headers=headers,
                              body_sha256=blobs.store_blob(world.session, b"x")))  # fmt: skip
    world.session.flush()


def not_ok(session: Session, tmp_path: Path) -> Mapping[str, str]:
    """The checks that are not ok, with their states, of an installation with all settings."""
    settings = Settings(
        _env_file=None, state_dir=tmp_path, contact="o@example.test", public_url="https://board.example.test"
    )
    seen = Observations(
        NOW, settings, is_served=True, facts=installation_facts(session, NOW, VAULT), trouble=None, sandbox=SANDBOX,
        free_mb={"/srv": 50_000}, clock_error=None, posts_alerts=True,
    )  # fmt: skip
    return {check.name: str(check.state) for check in check_installation(seen) if check.state is not CheckState.OK}


def test_nothing_is_missing_from_a_whole_installation(well: World, tmp_path: Path) -> None:
    assert not_ok(well.session, tmp_path) == {}


def without_a_vendor(world: World) -> None:
    setters.remove(world.session, "of-birds", "it left", NOW)


def with_a_stopped_setter(world: World) -> None:
    add_setter(world.session, "third", "third")
    row = world.session.query(Setter).filter_by(name="third").one()
    world.session.execute(update(Run).where(Run.id == row.run_id).values(state="paused", state_reason="it refused"))


def with_a_stopped_endpoint(world: World) -> None:
    gull = Endpoint.base_url == "https://api.example.com/v1"
    world.session.execute(update(Endpoint).where(gull).values(stopped_reason=Reason("text", cause="402 pay first")))


def with_a_silent_endpoint(world: World) -> None:
    world.session.execute(
        update(Endpoint).where(Endpoint.base_url == "https://api.example.com/v1").values(silent_slices=3)
    )


def without_a_budget(world: World) -> None:
    world.session.execute(delete(BudgetRow))


def with_a_budget_of_one_organisation(world: World) -> None:
    world.session.execute(update(BudgetRow).values(organisation="acme"))


def with_a_model_that_is_paused(world: World) -> None:
    world.session.execute(update(Run).where(Run.public).values(state="paused", state_reason="a pause"))


def judged_under_rlimits(world: World) -> None:
    run = world.session.query(Run).filter(Run.public).one()
    world.answer(run, world.problem("b"), Verdict.ACCEPTED)


def with_an_alert(world: World) -> None:
    world.session.add(
        Alert(key="stale:atcoder", message=Reason("stale", {"what": "AtCoder", "at": "now"}), raised_at=NOW)
    )


def blocked(world: World) -> None:
    visited(world, "atcoder", timedelta(), state="blocked")


def never_visited(world: World) -> None:
    world.session.execute(delete(ScrapeRun))


def ahead_of_a_site(world: World) -> None:
    visited(world, "atcoder", timedelta(minutes=-2))


FAULTS: Mapping[Callable[[World], None], Mapping[str, str]] = {
    without_a_vendor: {"setters": "missing"},
    with_a_stopped_setter: {"setters": "warning"},
    with_a_stopped_endpoint: {"endpoints": "missing"},
    with_a_silent_endpoint: {"endpoints": "missing"},
    without_a_budget: {"budget": "missing"},
    with_a_budget_of_one_organisation: {"budget": "warning"},
    with_a_model_that_is_paused: {"model": "missing"},
    judged_under_rlimits: {"cgroup": "warning"},
    with_an_alert: {"alerts": "warning"},
    blocked: {"site": "warning"},
    never_visited: {"site": "missing"},
    ahead_of_a_site: {"clock": "missing"},
}


@pytest.mark.parametrize("plant", FAULTS, ids=lambda each: each.__name__)
def test_a_planted_fault_is_found_in_what_is_stored(
    well: World, tmp_path: Path, plant: Callable[[World], None]
) -> None:
    plant(well)
    well.session.flush()
    well.session.expire_all()
    assert not_ok(well.session, tmp_path) == FAULTS[plant]


@pytest.mark.parametrize(("days", "state"), [(None, "missing"), (8, "warning")])
def test_a_backup_is_missed_when_there_is_none_or_an_old_one(
    session: Session, tmp_path: Path, days: int | None, state: str
) -> None:
    whole(session, None if days is None else NOW - timedelta(days=days))
    assert not_ok(session, tmp_path) == {"backup": state}


def test_the_demo_mends_nothing(session: Session, tmp_path: Path) -> None:
    """Its setters make tests of its own site alone, its models are ranked for show, and its clock is this machine's."""
    world = World(session)
    visited(world, DEMO_SITE, timedelta(hours=1))
    world.answer(world.run(world.model("tern", demo=True)), world.problem("a"), Verdict.ACCEPTED)
    for name in ("alder", "birch", "cedar"):
        endpoint = NewEndpoint(name, "setters_replay", name, "file:///a#sha256=1")
        setters.add(session, NewSetter(name, name, endpoint, "bundled", demo=True), NOW, VAULT, lambda *_: None)
    assert not_ok(session, tmp_path) == {
        "site": "missing", "setters": "missing", "model": "missing", "budget": "missing", "backup": "missing",
        "cgroup": "warning",
    }  # fmt: skip
