"""A vendor's own order at an endpoint that answers some requests, and refuses others: what anybody sees of these."""

import httpx
import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import LANGUAGES, LEASE, result
from served import NO_AUTHORITIES
from sqlalchemy import select
from support.batches import batch, problem
from support.vendors import Vendor, infer, right

from app.db.tables import CellRow, Run, Sample, VerdictRow
from app.domain.judging.verdicts import Verdict
from app.services.runs import grade, imports
from workers import tasks
from workers.context import Context, now

pytestmark = pytest.mark.usefixtures("published")


def judge_as_the_judge(ctx: Context) -> None:
    """Who gives no program is judged without one."""
    while True:
        job = ctx.commit(grade.claim, now(), LEASE, LANGUAGES)
        if job is None:
            return
        verdict = Verdict.ACCEPTED if job.answer else Verdict.NO_ANSWER
        ctx.commit(grade.record, job, result(verdict), now())


def picky(asked: Asked) -> Say:
    """Refuses one prompt in three for good."""
    if asked.number == 1:
        return model_server.error(400, "I would rather not", code="context_length_exceeded")
    return right(asked)


def test_it_counts_as_wrong_is_labelled_and_stays_when_new_tests_come(ctx: Context, vendor: Vendor, url: str) -> None:
    with ModelServer(picky) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        tasks.sweep()
        infer(ctx, endpoint)
        tasks.sweep()
    progress = vendor.state(order)["progress"]
    assert (progress["no_answer"], progress["failed_vendor"], progress["failed_ours"]) == (1, 0, 0)
    assert vendor.state(order)["failure"]["owner"] == "vendor"
    judge_as_the_judge(ctx)
    # Its tests are replaced: it is judged by the new ones, and nothing is asked.
    given = [problem(each, source="atcoder", count=5) for each in range(3)]
    ctx.commit(imports.store_batch, batch(*given, source="atcoder"), now())
    judge_as_the_judge(ctx)
    tasks.aggregate()
    tasks.sweep()
    assert vendor.state(order)["state"] == "published"
    with ctx.sessions() as session:
        none = session.scalars(select(Sample).where(Sample.unanswered)).one()
        cells = {row.problem_id: (row.n, row.c, row.pending) for row in session.scalars(select(CellRow))}
        run = session.scalars(select(Run)).one().id
    assert cells.pop(none.problem_id) == (1, 0, 0)
    assert set(cells.values()) == {(1, 1, 0)}
    with httpx.Client(base_url=url, verify=NO_AUTHORITIES, timeout=60) as reader:
        page = reader.get(f"/en/samples/{none.id}").text
        assert reader.get(f"/api/v1/runs/{run}").json()["no_answer"] == 1
    assert "counted as no answer" in page
    assert "I would rather not" in page
    with ctx.sessions() as session:
        kinds = session.scalars(select(VerdictRow.verdict).where(VerdictRow.sample_id == none.id)).all()
        after = session.get_one(Sample, none.id)
        assert (kinds, after.state, after.error) == ([Verdict.NO_ANSWER] * 2, "graded", none.error)
