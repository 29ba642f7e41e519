"""A site of loopback in the place of the real one, and what a visit leaves behind."""

import json
from typing import Any

from sqlalchemy import delete, update
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.tables import Contest, Difficulty, ExpectedDataRow, Problem, ProblemVersion, Source
from app.source_settings import SourceSettings
from workers.context import Context, context, leave, make_context, use

FACTS = (Contest, Problem, ProblemVersion, Difficulty)


def over(settings: Settings, url: str, **changes: Any) -> Context:
    """A context whose AtCoder is the fake one."""
    site = SourceSettings(base_url=url, pace_s=0.0, **changes)
    given = settings.model_copy(update={"sources": {"atcoder": site}, "contact": "operator@example.test"})
    return use(make_context(given))


def ask_everything_again(ctx: Context) -> None:
    """Put the cursor back and forget what is done, so that every page is asked for again."""
    with ctx.sessions.begin() as session:
        session.execute(update(Source).values(cursor={}))
        session.execute(delete(ExpectedDataRow))


def replay(settings: Settings) -> dict[str, int]:
    """`tidemark replay atcoder --json` over the test's own servers."""
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
             "TIDEMARK_STATE": str(settings.state_dir)}  # fmt: skip
    before = context()
    done = CliRunner(env=names).invoke(build_parser(["replay"]), ["replay", "atcoder", "--json"])
    leave()
    use(before)  # the verb works over a context of its own
    assert done.exit_code == 0, done.output
    counts: dict[str, int] = json.loads(done.stdout)
    return counts
