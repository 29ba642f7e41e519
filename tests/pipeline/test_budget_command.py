"""`tidemark budget`: set, listed and lifted by an operator."""

import json

from pipeline.flow import standing
from sqlalchemy import select
from support.batches import batch, problem
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.tables import AuditEntry, BudgetRow, Run
from app.services.runs import imports
from workers.context import Context, now


def call(settings: Settings, *words: str) -> Result:
    names = {
        "TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
        "TIDEMARK_STATE": str(settings.state_dir), "TIDEMARK_SECRET_KEY_FILE": str(settings.secret_key_file),
    }  # fmt: skip
    return CliRunner(env=names).invoke(build_parser(["budget"]), ["budget", *words])


def test_budgets_are_set_listed_and_lifted(ctx: Context) -> None:
    ctx.commit(imports.store_batch, batch(problem(0)), now())
    with ctx.sessions.begin() as session:
        standing(session, "tern")
        [run] = session.scalars(select(Run.id))
    because = ("--reason", "a test")
    for words, said in (
        (["set", "50", "--daily"], "everything, daily: $50.00"),
        (["set", "$12.5", "--run", str(run)], f"run {run}: $12.50"),
        (["set", "7", "--organisation", "Demo"], "Demo: $7.00"),
        (["set", "8", "--organisation", "Demo"], "Demo: $8.00"),
    ):
        done = call(ctx.settings, *words, *because)
        assert (done.exit_code, done.stdout) == (0, f"{said}\n"), done.stderr
    listed = json.loads(call(ctx.settings, "list", "--json").stdout)["budgets"]
    assert [(line["run"], line["organisation"], line["daily"], line["usd"], line["spent"]) for line in listed] == [
        (None, None, True, 50.0, 0.0), (None, "Demo", False, 8.0, 0.0), (run, None, False, 12.5, 0.0),
    ]  # fmt: skip
    assert "everything, daily  $50.00  $0.00" in call(ctx.settings, "list").stdout
    assert call(ctx.settings, "lift", "--run", str(run), *because).exit_code == 0
    assert call(ctx.settings, "lift", "--run", str(run), *because).exit_code != 0
    assert call(ctx.settings, "set", "much", *because).exit_code != 0
    with ctx.sessions() as session:
        assert len(session.scalars(select(BudgetRow)).all()) == 2
        assert (
            session.scalars(select(AuditEntry.action).where(AuditEntry.reason == "a test")).all()
            == ["budget.changed"] * 5
        )
