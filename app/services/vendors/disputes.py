"""Disputes of organisations about verdicts, cutoffs and exposures of their models, and the public answers."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import ledger
from app.db.problems import disputes as store
from app.db.tables import Dispute, DisputeState, DisputeSubject, Model, Run, Sample
from app.db.vendors import submissions, webhooks
from app.domain.cursors import read_cursor, write_cursor
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.reasons import Reason
from app.domain.vendors.webhooks import OtherEvent
from app.services.problems import quarantine
from app.services.runs.models import refuse_own_model

MAX_OPEN_DISPUTES = 20  # of an organisation: each waits for a maintainer
DISPUTE_ANSWERED = "model.dispute"  # kind of a ledger line
_DISPUTES = "disputes"  # the list, in its cursors


@dataclass(frozen=True, slots=True)
class NewDispute:
    """A dispute to be opened: about a sample's verdict, or about the cutoff or the exposures of a model."""

    about: str
    text: str
    model: str | None = None
    sample: int | None = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class DisputeAnswer:
    """A dispute of yours, and what maintainers answered."""

    object: Literal["dispute"]
    id: str
    about: Annotated[str, Field(description="verdict, cutoff or exposure")]
    model: str
    sample: Annotated[int | None, Field(description="the sample whose verdict is disputed; null for the others")]
    text: str
    evidence_url: str | None
    state: Annotated[str, Field(description="open until a maintainer answers; then upheld or rejected")]
    opened_at: datetime
    answer: str | None
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class DisputePage:
    """Your disputes, newest first."""

    data: list[DisputeAnswer]
    next_cursor: Annotated[str | None, Field(description="the cursor of the next page; null on the last one")]


def open_dispute(session: Session, organisation_id: int, new: NewDispute, now: datetime) -> DisputeAnswer:
    """Open a dispute, which a maintainer answers in public.

    Raises InvalidInput if it names not exactly the subject that it is about, NotFound for a model or a judged sample
    that is not the organisation's, and Conflict if too many are open.
    """
    about = DisputeSubject(new.about)
    named = {"/sample": new.sample is not None, "/model": new.model is not None}
    wanted = "/sample" if about is DisputeSubject.VERDICT else "/model"
    for pointer, is_named in named.items():
        if is_named != (pointer == wanted):
            raise InvalidInput(f"a dispute about the {new.about} names {wanted[1:]} and nothing else", pointer=pointer)
    model = _disputed_model(session, organisation_id, new)
    if store.count_open_of(session, organisation_id) >= MAX_OPEN_DISPUTES:
        raise Conflict(f"{MAX_OPEN_DISPUTES} of your disputes are open: wait until one is answered")
    row = Dispute(
        public_id=f"dsp_{secrets.token_hex(12)}",
        subject=about,
        organisation_id=organisation_id,
        model_id=model.id,
        sample_id=new.sample,
        at=now,
        body=new.text.strip(),
        evidence=new.evidence,
    )
    session.add(row)
    session.flush()
    session.refresh(row)
    logs.write_audit(session, now, f"org:{organisation_id}", "dispute.opened", str(row.id), Reason("vendor_api"))
    return _dispute_answer(row, model.slug)


def list_disputes(session: Session, organisation_id: int, cursor: str | None, limit: int) -> DisputePage:
    """Return an organisation's disputes, newest first."""
    before = None if cursor is None else read_cursor(_DISPUTES, cursor)
    found = store.of_organisation(session, organisation_id, before, limit + 1)
    page, more = found[:limit], len(found) > limit
    following = write_cursor(_DISPUTES, page[-1][0].id) if more else None
    return DisputePage([_dispute_answer(*each) for each in page], following)


def get_dispute(session: Session, organisation_id: int, public_id: str) -> DisputeAnswer:
    """Return a dispute. Raises NotFound."""
    found = store.own_dispute(session, organisation_id, public_id) if public_id.isprintable() else None
    if found is None:
        raise NotFound(f"you have no dispute {public_id}")
    return _dispute_answer(*found)


def answer_dispute(session: Session, number: int, actor: str, answer: str, now: datetime, *, upheld: bool) -> None:
    """Answer a reader's report or an organisation's dispute, in public if what it is about is public.

    Raises NotFound, and Conflict if it was answered, or if the person belongs to the model's organisation.
    """
    dispute = quarantine.answer_dispute(session, number, actor, answer, now, upheld=upheld)
    if dispute.organisation_id is None or dispute.model_id is None:
        return  # a reader's report: the problem's page shows it
    model = session.get_one(Model, dispute.model_id)
    refuse_own_model(session, model, actor)
    data = {"object": "dispute", "id": dispute.public_id, "state": dispute.state}
    key = f"{OtherEvent.DISPUTE_ANSWERED}:{dispute.public_id}"
    webhooks.record_event(session, dispute.organisation_id, OtherEvent.DISPUTE_ANSWERED, key, data, now)
    if _is_public(session, dispute):
        before = {"about": dispute.subject, "sample": dispute.sample_id, "text": dispute.body}
        after = {"state": DisputeState(dispute.state).value}
        logs.write_ledger(session, now, DISPUTE_ANSWERED, model.slug, answer, before, after)


def _is_public(session: Session, dispute: Dispute) -> bool:
    assert dispute.model_id is not None  # an organisation's
    if dispute.sample_id is None:
        return ledger.has_public_run(session, dispute.model_id)
    sample = session.get_one(Sample, dispute.sample_id)
    return session.get_one(Run, sample.run_id).public


def _disputed_model(session: Session, organisation_id: int, new: NewDispute) -> Model:
    if new.sample is not None:
        model = store.model_of_own_sample(session, organisation_id, new.sample)
        if model is None:
            raise NotFound(f"you have no judged sample {new.sample}")
        return model
    assert new.model is not None  # checked before
    model = submissions.own_model(session, organisation_id, new.model)
    if model is None:
        raise NotFound(f"you have no model {new.model}")
    return model


def _dispute_answer(row: Dispute, model: str) -> DisputeAnswer:
    assert row.public_id is not None  # an organisation's
    return DisputeAnswer(
        "dispute", row.public_id, row.subject, model, row.sample_id, row.body, row.evidence, row.state, row.at,
        row.answer, row.answered_at,
    )  # fmt: skip
