"""Pages that a person saved: stored as a visit would, read again to the same, and nothing of what cannot be read."""

import json
from pathlib import Path

import pytest
from fakes.fake_site import Asked
from fakes.sites import codeforces
from fakes.world import FakeContest
from pipeline.visiting import NOW, small_world
from sqlalchemy import select
from support.scraping import FACTS, over
from support.tables import rows_of
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.tables import AuditEntry, Capture, Problem, ProblemVersion
from workers import tasks
from workers.context import Context, leave


@pytest.fixture
def world() -> tuple[FakeContest, ...]:
    return small_world("codeforces", 1, 1)


def keep(settings: Settings, file: Path, *more: str, kind: str = "problem") -> tuple[int, str]:
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
             "TIDEMARK_STATE": str(settings.state_dir)}  # fmt: skip
    call = ["parse", "codeforces", kind, str(file), "--keep", *more]
    done = CliRunner(env=names).invoke(build_parser(["parse"]), call)
    return done.exit_code, done.output


def test_a_saved_page_is_stored_and_read_again_to_the_same(
    settings: Settings, world: tuple[FakeContest, ...], tmp_path: Path
) -> None:
    site = codeforces.Codeforces(world, lambda: NOW, noai=True)
    (contest,) = world
    index = contest.problems[0].index
    path = f"/contest/{contest.external_id}/problem/{index}"
    file = tmp_path / "saved.html"
    file.write_bytes(site(Asked("GET", path, {}, b"", 0.0)).body)
    url = f"https://codeforces.com{path}"
    assert keep(settings, file, "--url", url)[0] == 0
    ctx = over(settings, "http://127.0.0.1:1")
    with ctx.sessions() as session:
        kept = session.scalars(select(Capture)).one()
        assert (kept.url, kept.kind, kept.classification, kept.http_status) == (url, "problem", "ok", None)
        problem = session.scalars(select(Problem)).one()
        assert problem.external_id == f"{contest.external_id}/{index}"
        assert problem.hold_reason == "no release date", "its contest is dated by the site's own interface"
        assert session.scalars(select(ProblemVersion.statement)).one()
        assert session.scalars(select(AuditEntry.action)).all()[-1] == "capture.kept"
    before = rows_of(ctx.sessions, *FACTS)
    assert keep(settings, file, "--url", url)[0] == 0, "the same again is no news"
    ctx = over(settings, "http://127.0.0.1:1")
    assert rows_of(ctx.sessions, *FACTS) == before
    assert tasks.replay("codeforces") == {"captures": 1, "ok": 1, "records": 1, "reclassified": 0, "changed": 0}
    assert rows_of(ctx.sessions, *FACTS) == before
    leave()


def test_what_cannot_be_read_is_not_kept(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "saved.html"
    file.write_bytes(b"<html><head><title>Just a moment...</title></head><body>_cf_chl_opt</body></html>")
    code, out = keep(settings, file)
    assert code == 3
    assert json.loads(out)["class"] == "blocked"
    ctx: Context = over(settings, "http://127.0.0.1:1")
    with ctx.sessions() as session:
        assert session.scalars(select(Capture)).all() == []
    leave()
