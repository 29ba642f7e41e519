"""Whatever a provider, a network or a worker does to requests: a verdict is only ever about an answer that was given.

But for one: in a vendor's own order, what its endpoint fails for as long as our patience lasts is no_answer.
"""

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import pytest
from fakes import model_server
from fakes.model_server import USED, Asked, ModelServer, Say, said, streamed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pipeline.flow import LANGUAGES, LEASE, offer, result
from sqlalchemy import select, update
from support import virtual
from support.batches import batch, problem
from support.fleet import Fleet

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model, Organisation, Run, Sample, Submission, VerdictRow
from app.domain.asking.protocols import HOUSE
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunState, SampleState, SubmissionState
from app.services.runs import grade, imports, plan
from workers.context import Context

FAILURES: Mapping[str, Say] = {
    "400": model_server.error(400, "unknown field"),
    "too long": model_server.error(400, "too long", code="context_length_exceeded"),
    "401": model_server.error(401, "wrong key"),
    "402": model_server.error(402, "pay first"),
    "404": model_server.error(404, "no such model"),
    "408": model_server.error(408),
    "429": model_server.rate_limited("-5"),
    "429 in a minute": model_server.rate_limited("60"),
    "quota": model_server.error(429, "spent", code="insufficient_quota"),
    "500": model_server.error(500, "oops"),
    "503": model_server.error(503, headers={"retry-after": "0"}),
    "error with 200": model_server.as_json({"error": {"message": "upstream is down"}}),
    "redirect": model_server.redirect("http://127.0.0.1:1/"),
    "html": model_server.html(),
    "no JSON": Say(b"{not json"),
    "no choice": model_server.as_json({"choices": []}),
    "no text": model_server.message({"no": "text"}),
    "no finish reason": model_server.message("```python\nprint(1)\n```", finish_reason=None),
    "no usage": model_server.message("```python\nprint(1)\n```", usage={}),
    "broken off": model_server.message("```python\nprint(1)\n```", finish_reason="abort"),
    "dropped": Say(drop=True),
    "stalled": Say(stall=True),
    "error inside a stream": streamed(said("```python\n"), {"error": {"message": "engine died"}}, "[DONE]"),
    "cut stream": streamed(said("```python\nprint(1)\n```"), cut=True),
    "stream without end": streamed(said("```python\nprint(1)\n```"), USED),
    "stream without usage": streamed(said("x", finish_reason="stop"), "[DONE]"),
    "another encoding": Say(b"x", headers={"content-encoding": "br"}),
}
ANSWERS = ("program", "words", "nothing", "truncated")
DEATH = "death"  # of the worker that asks
SAYS = (*FAILURES, *ANSWERS, *ANSWERS, *ANSWERS, DEATH)
NUMBERS = itertools.count()


def answer(kind: str, number: int) -> Say:
    """An answer that no other request was given."""
    texts = {
        "program": f"```python\nprint({number})\n```",
        "words": f"I cannot, for {number} reasons.",
        "nothing": None,
    }
    reason = "length" if kind == "truncated" else "stop"
    return model_server.message(texts.get(kind, f"```python\nprint({number}"), finish_reason=reason, delay_s=1.0)


@dataclass
class World:
    """One model at an endpoint that says these in turn, and what it gave.

    `own`: it is asked for its vendor's own order. `network`: what control requests find in turn; None where there are
    none.
    """

    ctx: Context
    says: Sequence[str]
    own: bool = False
    network: Sequence[bool] | None = None
    n: int = 2  # answers to each of two problems
    hours: float = 0.25
    sweep_s: float = 60.0

    def __post_init__(self) -> None:
        self.slug = f"model-{next(NUMBERS)}"
        self.given: list[Say] = []
        self.controls = itertools.cycle(self.network or [])
        self.dies = asyncio.Event()
        self.server = ModelServer(self._say)

    def _say(self, asked: Asked) -> Say:
        kind = self.says[asked.number % len(self.says)]
        if kind == DEATH:
            self.dies.set()
            return Say(stall=True)
        if kind in FAILURES:
            return FAILURES[kind]
        self.given.append(answer(kind, asked.number))
        return self.given[-1]

    def offered(self) -> plan.BundledModel:
        """The model as an installation is told of it."""
        return replace(offer(self.slug), base_url=self.server.url)

    def order(self, session: Session) -> None:
        vendor = Organisation(slug=self.slug, name=self.slug)
        session.add(vendor)
        session.flush()
        session.execute(update(Model).where(Model.slug == self.slug).values(organisation_id=vendor.id))
        model = session.scalars(select(Model.id).where(Model.slug == self.slug)).one()
        run = session.scalars(select(Run).where(Run.model_id == model)).one()
        session.add(
            Submission(
                public_id=f"sub_{self.slug}", organisation_id=vendor.id, run_id=run.id, endpoint_id=run.endpoint_id,
                protocol_id=run.protocol_id, continuous=True, visibility="public", state=SubmissionState.GENERATING,
                state_since=virtual.now(), owner="us", created_at=virtual.now(),
            )
        )  # fmt: skip

    def samples(self, session: Session) -> Sequence[Sample]:
        """All that was planned."""
        rows = select(Sample).join(Run, Run.id == Sample.run_id).join(Endpoint, Endpoint.id == Run.endpoint_id)
        return session.scalars(rows.where(Endpoint.remote_name == self.slug)).all()

    def check(self) -> int:
        """Each verdict is about an answer that was given, and each answer is one sample's.

        Returns how many were judged without one, for their endpoint gave none.
        """
        texts = Counter(given_text(say) for say in self.given)
        with self.ctx.sessions() as session:
            samples = self.samples(session)
            of_these = VerdictRow.sample_id.in_([row.id for row in samples])
            verdicts = Counter(session.scalars(select(VerdictRow.sample_id).where(of_these)))
            assert len(samples) == 2 * self.n
            unanswered = [row for row in samples if row.unanswered]
            for row in unanswered:
                assert self.own, "nobody ordered it"
                assert set(self.says) & set(FAILURES), "nobody failed but us"
                assert self.network is None or any(self.network), "our network failed"
                assert (row.state, row.response, row.raw_sha256) == (SampleState.GRADED, None, None)
                assert (bool(row.error), row.error_owner) == (True, "vendor")
                kinds = session.scalars(select(VerdictRow.verdict).where(VerdictRow.sample_id == row.id))
                assert kinds.all() == [Verdict.NO_ANSWER]
            for row in (row for row in samples if not row.unanswered):
                if row.state in (SampleState.GRADED, SampleState.ANSWERED):
                    assert row.response is not None
                    texts[row.response] -= 1
                    assert texts[row.response] >= 0, "an answer that was not given, or given to another"
                    assert (row.error, row.raw_sha256 is None) == (None, False)
                    assert verdicts[row.id] == (row.state == SampleState.GRADED)
                else:
                    assert (row.response, row.answer, row.answered_at, verdicts[row.id]) == (None, None, None, 0)
                if row.state == SampleState.GAVE_UP:
                    assert row.error
                    assert row.error_owner in ("us", "vendor")
                    assert row.error_owner == "us" or set(self.says) & set(FAILURES), "nobody failed but us"
            return len(unanswered)


def given_text(say: Say) -> str:
    return json.loads(say.body)["choices"][0]["message"]["content"] or ""


@dataclass
class Day:
    """Workers that ask the endpoints of these worlds side by side, each over its network, as long as the first says."""

    worlds: Sequence[World]

    @property
    def ctx(self) -> Context:
        """The installation of them all."""
        return self.worlds[0].ctx

    def register(self) -> None:
        """Two problems for each, and nothing else to ask."""
        protocol = replace(HOUSE, slug="few", sampling=replace(HOUSE.sampling, n=self.worlds[0].n))
        with self.ctx.sessions.begin() as session:
            session.execute(update(Run).values(state=RunState.RETIRED))
            imports.store_batch(session, batch(problem(0), problem(1)), virtual.now())
            offers = tuple(world.offered() for world in self.worlds)
            plan.register_demo(session, offers, protocol, virtual.now())
            session.execute(update(Endpoint).values(trusted=False, max_concurrency=3, timeout_s=20.0))
            plan.plan_samples(session, virtual.now())
            for world in self.worlds:
                if world.own:
                    world.order(session)

    async def run(self) -> None:
        """Until nothing waits, or for `hours`; each sweep mends what a person would, and judges."""
        first = self.worlds[0]
        assert all((each.sweep_s, each.hours) == (first.sweep_s, first.hours) for each in self.worlds)
        networks = {world.slug: world.controls for world in self.worlds}
        async with AsyncExitStack() as stack:
            for world in self.worlds:
                await stack.enter_async_context(world.server.within())
            self.register()
            fleet = Fleet(self.ctx, self.over, lease=timedelta(seconds=90), sweep_s=first.sweep_s, look_s=10.0)
            fleet.control = lambda endpoint: next(networks[endpoint.remote_name], None)
            deaths = asyncio.ensure_future(self._deaths(fleet))
            await fleet.work()
            deaths.cancel()

    async def _deaths(self, fleet: Fleet) -> None:
        """Whoever's request it is that kills a worker, it dies of all."""
        dies = asyncio.Event()
        for world in self.worlds:
            world.dies = dies
        while True:
            await dies.wait()
            dies.clear()
            await fleet.die()

    async def over(self) -> bool:
        with self.ctx.sessions.begin() as session:
            session.execute(update(Endpoint).values(stopped_at=None, stopped_reason=None))
            session.execute(update(Run).where(Run.state == RunState.FAILED).values(state=RunState.ACTIVE))
            while self.judge(session):
                pass
            states = {sample.state for world in self.worlds for sample in world.samples(session)}
        ended = states <= {SampleState.GRADED, SampleState.GAVE_UP}
        return ended or asyncio.get_running_loop().time() > 3600 * self.worlds[0].hours

    def judge(self, session: Session) -> bool:
        """As the judge does, which runs nothing where there is no program."""
        job = grade.claim(session, virtual.now(), LEASE, LANGUAGES)
        if job is None:
            return False
        verdict = Verdict.NO_ANSWER if job.answer is None else Verdict.WRONG_ANSWER
        return grade.record(session, job, result(verdict), virtual.now())


def after(*worlds: World) -> list[int]:
    """What each world's check returns, after a day of them all."""

    async def work() -> None:
        await Day(worlds).run()

    virtual.run(work())
    return [world.check() for world in worlds]


long = partial(World, hours=8, sweep_s=2880.0)
EVERYTHING = [*FAILURES, *ANSWERS, DEATH]
HOSTILE = st.lists(st.sampled_from(SAYS), min_size=3, max_size=16)
NETWORK = st.none() | st.lists(st.booleans(), min_size=1, max_size=6)


def test_a_failure_is_never_a_verdict(ctx: Context) -> None:
    """What was not answered is missing: in a vendor's own order too, unless its own endpoint failed it."""
    worlds = [World(ctx, EVERYTHING, own, hours=8, sweep_s=960.0) for own in (True, False)]
    own, others = after(*worlds)
    assert own > others == 0
    assert all(len(world.server.asked) > len(FAILURES) and world.given for world in worlds), "not everything was said"


def test_nor_is_the_death_of_a_worker(ctx: Context) -> None:
    assert after(long(ctx, [DEATH], own=True, network=[True]), long(ctx, [DEATH])) == [0, 0]


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(says=HOSTILE, network=NETWORK)
def test_nor_is_a_failure_after_any_other(ctx: Context, says: list[str], network: list[bool] | None) -> None:
    assert after(World(ctx, says)) == [0]
    after(World(ctx, says, own=True, network=network, hours=8, sweep_s=960.0))


def test_what_an_endpoint_fails_for_as_long_as_patience_lasts_is_no_answer(ctx: Context) -> None:
    """Where it replied, or another host did; in its vendor's own order, and nowhere else."""
    cases: list[tuple[list[bool] | None, list[str], bool, int | None]] = [
        (None, ["500"], True, 2),
        (None, ["429"], True, None),
        (None, ["stalled"], True, 0),
        (None, ["dropped"], True, 0),
        (None, ["program", "too long"], True, None),
        ([True], ["no JSON"], True, 2),
        ([True], ["stalled"], True, 2),
        ([True], ["500"], False, 0),
        ([False], ["500", "dropped", "stalled"], True, 0),
    ]
    found = after(*(long(ctx, says, own, network, n=1) for network, says, own, _ in cases))
    for count, case in zip(found, cases, strict=True):
        assert count == case[-1] if case[-1] is not None else count > 0, case
