"""A worker that is killed in the middle of a visit: the next one goes on where it stopped, and nothing is lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.fake_site import Asked, Reply
from fakes.sites.live import Answer
from pipeline.visiting import NOW, Visits, fake, small_world, visits
from sqlalchemy import select

from app.config import Settings
from app.db.tables import ScrapeRun
from app.domain.states import ScrapeState
from workers import tasks

ROOT = Path(__file__).resolve().parents[2]
# A worker process: the task over a context of its own, at the world's time.
WORKER = """
import sys
from datetime import datetime
from app.config import Settings
from workers import tasks
from workers.context import make_context, use
ctx = make_context(Settings(_env_file=None))
ctx.clock = lambda: datetime.fromisoformat(sys.argv[2])
use(ctx)
tasks.scrape(sys.argv[1])
"""


def worker(made: Visits) -> "subprocess.Popen[bytes]":
    """A visit in a process of its own."""
    given = made.ctx.settings
    source = f"TIDEMARK_SOURCES__{made.name.upper()}__"
    told = {
        "TIDEMARK_DATABASE_URL": given.database_url, "TIDEMARK_REDIS_URL": given.redis_url,
        "TIDEMARK_STATE": str(given.state_dir),
        "TIDEMARK_CONTACT": "operator@example.test", f"{source}BASE_URL": made.site.url, f"{source}PACE_S": "0",
        f"{source}FETCH_STATEMENTS": "true",
    }  # fmt: skip
    return subprocess.Popen([sys.executable, "-c", WORKER, made.name, NOW.isoformat()], cwd=ROOT, env=os.environ | told)


def killing(answer: Answer, after: int, running: "list[subprocess.Popen[bytes]]") -> Answer:
    """The answers of a site at whose n-th page the asking process is killed before it has it."""
    left = iter(range(after, -1, -1))

    def fatal(asked: Asked) -> Reply:
        if asked.path != "/robots.txt" and next(left) == 0:
            running[0].send_signal(signal.SIGKILL)
            running[0].wait(10)
            return Reply(drop=True)
        return answer(asked)

    return fatal


@pytest.fixture
def running() -> "Iterator[list[subprocess.Popen[bytes]]]":
    """The worker process of a test, gone at its end."""
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for each in found:
        if each.poll() is None:
            each.kill()
            each.wait(10)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("atcoder"),
        pytest.param("codeforces", marks=pytest.mark.slow),
        pytest.param("leetcode", marks=pytest.mark.slow),
    ],
)
def test_a_killed_visit_is_followed_by_one_that_goes_on(
    settings: Settings, running: "list[subprocess.Popen[bytes]]", name: str
) -> None:
    with visits(settings, name, small_world(name, contests=3)) as made:
        clean = fake(name, made.world)
        lists = {"atcoder": 3, "codeforces": 1, "leetcode": 2}[name]
        # The first contest and its two problems, then the second one and its first problem; at the next page it dies.
        made.serve(killing(clean, lists + 3 + 2, running))
        running.append(worker(made))
        assert running[0].wait(60) == -signal.SIGKILL
        before = made.stored()
        assert {key for key, *_ in before} == {
            made.world[0].problems[0].external_id, made.world[0].problems[1].external_id,
            made.world[1].problems[0].external_id,
        }  # fmt: skip
        with made.ctx.sessions() as session:
            assert session.scalars(select(ScrapeRun.state)).all() == [ScrapeState.RUNNING]
        made.serve(clean)
        assert tasks.scrape(name) is None, "until its lease ends, it may still be at work"
        made.ctx.clock = lambda: NOW + 2 * made.ctx.lease
        asked = len(made.site.log)
        again = made.visit()
        assert again.state == ScrapeState.SUCCEEDED, again.reason
        done = made.world[0].external_id
        own = {"atcoder": f"/contests/{done}/", "codeforces": f"contestId={done}", "leetcode": f"/info/{done}/"}[name]
        assert not any(own in each for each in made.asked_for(asked)), "what was done is not asked for again"
        assert made.stored() == made.authored(), "nothing is lost, and nothing is there twice"
        assert set(before) <= set(made.stored())
        assert made.dated() == made.released()
        with made.ctx.sessions() as session:
            states = session.execute(select(ScrapeRun.state, ScrapeRun.reason).order_by(ScrapeRun.id)).all()
        assert [tuple(state) for state in states] == [
            (ScrapeState.FAILED, "its worker died"), (ScrapeState.SUCCEEDED, None),
        ]  # fmt: skip
