"""`tidemark run watch`: a line for each change, until nothing more happens."""

import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from pipeline.flow import answer_all, judge_one, standing
from sqlalchemy import select, update
from support.batches import batch, problem
from support.rules import ROOT
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser
from app.config import Settings
from app.db.kernel.session import Session
from app.db.tables import Endpoint, Run
from app.domain.reasons import Reason
from app.services.runs import imports
from workers.context import Context, now


def names(settings: Settings) -> dict[str, str]:
    return {
        "TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
        "TIDEMARK_STATE": str(settings.state_dir), "TIDEMARK_SECRET_KEY_FILE": str(settings.secret_key_file),
    }  # fmt: skip


def watch(settings: Settings, *words: str) -> Result:
    return CliRunner(env=names(settings)).invoke(build_parser(["run"]), ["run", "watch", *words])


def seen_in_a_terminal(settings: Settings, *words: str, until: str, then: Callable[[], object]) -> tuple[str, str]:
    """What a terminal of a hundred columns shows until something stands there, which makes something happen, and
    afterwards."""
    near, far = pty.openpty()
    command = [sys.executable, "-m", "app.cli", "run", "watch", *words]
    environment = {**os.environ, **names(settings), "TERM": "xterm", "COLUMNS": "100", "PYTHONPATH": str(ROOT)}
    shown, before = b"", None
    with subprocess.Popen(command, stdout=far, stdin=far, stderr=far, env=environment, cwd=ROOT):
        os.close(far)
        with suppress(OSError):  # so a terminal says that nobody writes to it any more
            while piece := os.read(near, 4096):
                shown += piece
                if before is None and until.encode() in shown:
                    before, _, shown = shown.partition(until.encode())
                    then()
    os.close(near)
    return (before or b"").decode(), shown.decode()


def stand(ctx: Context) -> str:
    ctx.commit(imports.store_batch, batch(problem(0), problem(1)), now())
    ctx.commit(standing, "tern")
    with ctx.sessions.begin() as session:
        session.execute(update(Endpoint).values(price_input=1, price_output=1))
        return str(session.scalars(select(Run.id)).one())


def test_a_run_is_watched_until_all_is_judged(ctx: Context) -> None:
    run = stand(ctx)
    assert watch(ctx.settings, run, "--once").stdout == f"run {run} tern house, 0/2 answered, 0 judged, $0.00 spent\n"

    def work(session: Session) -> None:
        answer_all(session)
        while judge_one(session):
            pass

    thread = threading.Timer(2.0, lambda: ctx.commit(work))
    thread.start()
    done = watch(ctx.settings, run, "--json")
    thread.join()
    assert done.exit_code == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["waiting"], line["judged"], line["over"]) for line in lines] == [(2, 0, False), (0, 2, True)]
    assert lines[-1]["spent_usd"] == 0.00006


def test_a_terminal_shows_a_bar_that_grows(ctx: Context) -> None:
    run = stand(ctx)

    def work(session: Session) -> None:
        answer_all(session)
        while judge_one(session):
            pass

    words = f"run {run} tern house, 0/2 answered"
    none, done = seen_in_a_terminal(ctx.settings, run, until=words, then=lambda: ctx.commit(work))
    assert "0/2" in none
    assert none.count("━") == 40, "as wide when it is empty"
    assert "2/2" in done
    assert "2 judged" in done


def test_a_run_that_was_paused_ends_the_watching_with_its_reason(ctx: Context) -> None:
    run = stand(ctx)
    with ctx.sessions.begin() as session:
        session.execute(update(Run).values(state="paused", state_reason="by hand\x1b[2J"))
    said = watch(ctx.settings, run)
    assert said.exit_code == 1
    assert said.stdout == f"run {run} tern house, 0/2 answered, 0 judged, $0.00 spent, paused: by hand[2J\n"
    assert watch(ctx.settings, "999").exit_code != 0


def test_a_run_whose_endpoint_was_stopped_ends_the_watching_with_its_reason(ctx: Context) -> None:
    run = stand(ctx)
    with ctx.sessions.begin() as session:
        session.execute(
            update(Endpoint).values(stopped_at=now(), stopped_reason=Reason("answered_with", {"n": 402}, "pay first"))
        )
    said = watch(ctx.settings, run)
    assert said.exit_code == 1
    assert said.stdout.endswith(", $0.00 spent, paused: answered 402: pay first\n")
