"""A worker that is killed in the middle of a visit: the next one goes on where it stopped, and nothing is lost."""

import signal
from dataclasses import replace
from functools import partial

import pytest
from fakes.fake_site import Asked, Reply
from fakes.sites.live import Answer
from pipeline.visiting import NOW, Visits, fake, small_world, visits
from sqlalchemy import select
from support.forked import Forked, forked
from support.waiting import until

from app.config import Settings
from app.db.tables import ScrapeRun
from app.domain.states import ScrapeState
from workers import tasks
from workers.context import make_context, use


def worker(made: Visits) -> int:
    """A visit in a process of its own, over a context of its own, at the world's time."""
    use(replace(make_context(made.ctx.settings), clock=lambda: NOW))
    tasks.scrape(made.name)
    return 0


def killing(answer: Answer, after: int, running: list[Forked]) -> Answer:
    """The answers of a site at whose n-th page the asking process is killed before it has it."""
    left = iter(range(after, -1, -1))

    def fatal(asked: Asked) -> Reply:
        if asked.path != "/robots.txt" and next(left) == 0:
            until(lambda: running)
            running[0].tell(signal.SIGKILL)
            until(running[0].is_over)
            return Reply(drop=True)
        return answer(asked)

    return fatal


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("atcoder"),
        pytest.param("codeforces", marks=pytest.mark.slow),
        pytest.param("leetcode", marks=pytest.mark.slow),
    ],
)
def test_a_killed_visit_is_followed_by_one_that_goes_on(settings: Settings, name: str) -> None:
    running: list[Forked] = []
    with visits(settings, name, small_world(name, contests=3)) as made:
        clean = fake(name, made.world)
        lists = {"atcoder": 3, "codeforces": 1, "leetcode": 2}[name]
        # The first contest and its two problems, then the second one and its first problem; at the next page it dies.
        made.serve(killing(clean, lists + 3 + 2, running))
        with forked(partial(worker, made)) as child:
            running.append(child)
            assert child.ended() == -signal.SIGKILL
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
