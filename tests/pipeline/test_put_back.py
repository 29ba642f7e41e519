"""Samples that a slice puts back or hands back: what is left of their tries and of the patience with them."""

import pytest
from pipeline.flow import LEASE, NOW, prepared
from pipeline.test_claims import MOMENT, change, first
from sqlalchemy import select

from app.db.kernel.leases import new_lease
from app.db.kernel.session import Session
from app.db.runs import samples
from app.db.tables import Endpoint, Sample
from app.domain.states import MAX_INFERENCE_ATTEMPTS, SampleState


def test_what_is_put_back_was_not_tried_then_and_keeps_the_patience_it_had_used(session: Session) -> None:
    prepared(session, problems=2)
    row = first(session)
    endpoint = session.scalars(select(Endpoint.id)).one()
    for before, moment in ((None, NOW), (NOW, NOW + 2 * MOMENT)):
        change(session, Sample, row.id, first_tried_at=before, reserved_usd=5)
        taken = samples.claim_for_inference(session, endpoint, new_lease(moment, LEASE), moment, 10)
        assert row.id in {sample.id for sample in taken}
        session.expire_all()
        assert (row.first_tried_at, row.reserved_usd) == (before or moment, None), "an earlier call's money is not its"
        samples.undo_claim(session, [sample.id for sample in taken], moment)
        session.expire_all()
        assert (row.state, row.first_tried_at, row.inference_attempts) == (SampleState.PENDING, before, 0)


@pytest.mark.parametrize("counts", [True, False])
def test_what_a_slice_hands_back_had_its_try_only_where_that_counts(session: Session, counts: bool) -> None:
    prepared(session, problems=2)
    row, lease = first(session), new_lease(NOW, LEASE)
    change(session, Sample, row.id, inference_attempts=MAX_INFERENCE_ATTEMPTS - 1)
    endpoint = session.scalars(select(Endpoint.id)).one()
    assert len(samples.claim_for_inference(session, endpoint, lease, NOW, 10)) == 2
    samples.return_slice(session, "another token", counts=counts)
    assert first(session).state == SampleState.INFERRING
    samples.return_slice(session, lease.token, counts=counts)
    session.expire_all()
    found = session.execute(select(Sample.state, Sample.inference_attempts, Sample.requests).order_by(Sample.id)).all()
    assert [tuple(each) for each in found] == (
        [(SampleState.GAVE_UP, MAX_INFERENCE_ATTEMPTS, 1), (SampleState.PENDING, 1, 1)]
        if counts
        else [(SampleState.PENDING, MAX_INFERENCE_ATTEMPTS - 1, 0), (SampleState.PENDING, 0, 0)]
    )
