"""Whatever a provider or a worker does to requests: a verdict is only ever about an answer that was given."""

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from fakes import model_server
from fakes.model_server import USED, Asked, ModelServer, Say, said, streamed
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pipeline.flow import judge_one, offer
from sqlalchemy import select, update
from support import virtual
from support.batches import batch, problem
from support.fleet import Fleet

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Run, Sample, VerdictRow
from app.domain.asking.protocols import HOUSE
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunState, SampleState
from app.services.runs import imports, plan
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


class World:
    """One model at an endpoint that says these in turn, and what it gave."""

    def __init__(self, ctx: Context, says: Sequence[str]) -> None:
        self.ctx, self.says, self.slug = ctx, says, f"model-{next(NUMBERS)}"
        self.given: list[Say] = []
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

    def register(self) -> None:
        """Eight samples of two problems, and nothing else to ask."""
        protocol = replace(HOUSE, slug="four", sampling=replace(HOUSE.sampling, n=4))
        with self.ctx.sessions.begin() as session:
            session.execute(update(Run).values(state=RunState.RETIRED))
            imports.store_batch(session, batch(problem(0), problem(1)), virtual.now())
            made = replace(offer(self.slug), base_url=self.server.url)
            plan.register_demo(session, (made,), protocol, virtual.now())
            session.execute(update(Endpoint).values(trusted=False, max_concurrency=3, timeout_s=20.0))
            plan.plan(session, virtual.now())

    async def run(self) -> None:
        """For a quarter of an hour at most; each sweep mends what a person would, and judges."""
        async with self.server.within():
            self.register()
            fleet = Fleet(self.ctx, lambda: self.over(fleet), lease=timedelta(seconds=90))
            await fleet.work()

    async def over(self, fleet: Fleet) -> bool:
        if self.dies.is_set():
            self.dies.clear()
            await fleet.die()
        with self.ctx.sessions.begin() as session:
            session.execute(update(Endpoint).values(stopped_at=None, stopped_reason=None))
            session.execute(update(Run).where(Run.state == RunState.FAILED).values(state=RunState.ACTIVE))
            while judge_one(session, Verdict.WRONG_ANSWER, virtual.now()):
                pass
            states = {sample.state for sample in self.samples(session)}
        ended = states <= {SampleState.GRADED, SampleState.GAVE_UP}
        return ended or asyncio.get_running_loop().time() > 900

    def samples(self, session: Session) -> Sequence[Sample]:
        """All that was planned."""
        rows = select(Sample).join(Run, Run.id == Sample.run_id).join(Endpoint, Endpoint.id == Run.endpoint_id)
        return session.scalars(rows.where(Endpoint.remote_name == self.slug)).all()

    def check(self) -> None:
        """Each verdict is about an answer that was given, and each answer is one sample's."""
        texts = Counter(given_text(say) for say in self.given)
        with self.ctx.sessions() as session:
            samples = self.samples(session)
            verdicts = Counter(
                session.scalars(
                    select(VerdictRow.sample_id).where(VerdictRow.sample_id.in_([row.id for row in samples]))
                )
            )
            assert len(samples) == 8
            for row in samples:
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


def given_text(say: Say) -> str:
    return json.loads(say.body)["choices"][0]["message"]["content"] or ""


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(says=st.lists(st.sampled_from(SAYS), min_size=3, max_size=16))
@example(says=[*FAILURES, *ANSWERS, DEATH])
@example(says=["500"])
@example(says=[DEATH])
def test_a_failure_is_never_a_verdict(ctx: Context, says: list[str]) -> None:
    """Not even where it is the vendor's own: what was not answered is missing."""

    async def work() -> World:
        world = World(ctx, says)
        await world.run()
        return world

    virtual.run(work()).check()
