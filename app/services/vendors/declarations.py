"""Declarations of vendors about their models' dates: each waits until a maintainer has checked its evidence."""

from dataclasses import dataclass
from datetime import date, datetime

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import models as runs
from app.db.tables import Declaration, Model
from app.db.vendors import declarations as store
from app.db.vendors import submissions, webhooks
from app.domain.cutoffs import Cutoff, is_public_url
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.imports import is_plausible
from app.domain.reasons import Reason
from app.domain.states import DeclarationState
from app.domain.vendors.webhooks import OtherEvent
from app.domain.windows import midnight
from app.services.runs import cutoffs
from app.services.runs.models import refuse_own_model


@dataclass(frozen=True, slots=True)
class DeclaredDates:
    """Declared dates: the last day of the training data, the day of release, and the page with the evidence."""

    cutoff_on: date | None = None
    released_on: date | None = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class DeclarationToReview:
    """A declaration that waits for a maintainer, beside the cutoff that counts until then.

    `yours` is True if the viewer belongs to the model's organisation, and so may not decide.
    """

    id: int
    model: str
    name: str
    organisation: str
    declared: DeclaredDates
    counts: Cutoff
    made_at: datetime
    has_evidence: bool
    yours: bool


def check(declared: DeclaredDates, now: datetime) -> None:
    """Raise InvalidInput for impossible days."""
    for day, pointer in ((declared.released_on, "/released_on"), (declared.cutoff_on, "/cutoff/date")):
        if day is not None and not is_plausible(midnight(day), now):
            raise InvalidInput("dates must lie between the year 2000 and a year from now", pointer=pointer)


def store_declaration(session: Session, model: Model, declared: DeclaredDates, now: datetime) -> None:
    """Store a vendor's declaration about its model; earlier ones that still wait are dropped.

    One without dates is ignored.
    """
    if declared.cutoff_on is None and declared.released_on is None:
        return
    runs.lock_model(session, model.slug)  # of two at once the later one waits, and its declaration stays
    row = Declaration(
        model_id=model.id,
        cutoff_on=declared.cutoff_on,
        released_on=declared.released_on,
        evidence=declared.evidence,
        state=DeclarationState.WAITING,
        made_at=now,
    )
    store.replace_pending(session, row, now)
    logs.write_audit(
        session, now, f"org:{model.organisation_id}", "cutoff.declared", model.slug, Reason("vendor_api"),
        before=cutoffs.cutoff_record(model), after=_dates_record(row),
    )  # fmt: skip


def declare(session: Session, organisation_id: int, slug: str, declared: DeclaredDates, now: datetime) -> Model:
    """Let a vendor declare the dates of its own model. Raises NotFound for other models, InvalidInput."""
    model = submissions.own_model(session, organisation_id, slug)
    if model is None:
        raise NotFound(f"you have no model {slug}")
    check(declared, now)
    store_declaration(session, model, declared, now)
    return model


def waiting_for_model(session: Session, model_id: int) -> DeclaredDates | None:
    """Return the waiting declaration of a model."""
    row = store.pending_of_model(session, model_id)
    return None if row is None else DeclaredDates(row.cutoff_on, row.released_on, row.evidence)


def waiting_for_slug(session: Session, slug: str) -> DeclaredDates | None:
    """Return the waiting declaration of the model of that slug."""
    model = runs.by_slug(session, slug)
    return None if model is None else waiting_for_model(session, model.id)


def declarations_to_review(session: Session, email: str) -> list[DeclarationToReview]:
    """Return every waiting declaration, oldest first, for this viewer."""
    return [
        DeclarationToReview(
            row.id,
            model.slug,
            model.name,
            organisation.name,
            DeclaredDates(row.cutoff_on, row.released_on, row.evidence),
            cutoffs.effective_cutoff(model),
            row.made_at,
            is_public_url(row.evidence),
            runs.is_own_model(session, model, email),
        )
        for row, model, organisation in store.pending_declarations(session)
    ]


def decide_declaration(session: Session, number: int, reason: str, now: datetime, email: str, *, accept: bool) -> None:
    """Accept a declaration, which counts from now on, or refuse it.

    Raises NotFound, and Conflict if it was decided, if the person belongs to the model's organisation, or if there is
    no evidence to accept.
    """
    pair = store.lock_declaration(session, number)
    if pair is None:
        raise NotFound(f"there is no declaration {number}")
    row, model = pair
    if row.state != DeclarationState.WAITING:
        raise Conflict(f"the declaration of {model.slug} has already been decided")
    refuse_own_model(session, model, email)
    if accept and not is_public_url(row.evidence):
        raise Conflict(f"{model.slug} has no public evidence that could be accepted")
    row.state = DeclarationState.ACCEPTED if accept else DeclarationState.REFUSED
    row.decided_at, row.decided_by, row.reason = now, email, reason
    action = "cutoff.accepted" if accept else "cutoff.refused"
    logs.write_audit(
        session, now, email, action, model.slug, reason, before=cutoffs.cutoff_record(model), after=_dates_record(row)
    )
    assert model.organisation_id is not None  # it declared the dates
    webhooks.record_event(
        session, model.organisation_id, OtherEvent.CUTOFF_DECIDED, f"{OtherEvent.CUTOFF_DECIDED}:{row.id}",
        {"object": "model", "slug": model.slug, "accepted": accept}, now,
    )  # fmt: skip
    if accept:
        new = cutoffs.CutoffFacts(row.cutoff_on, row.evidence, row.released_on)
        try:
            cutoffs.change_cutoff(session, model, new, reason, now, email)
        except Conflict:
            return  # a maintainer has entered the same dates before


def _dates_record(row: Declaration) -> dict[str, str | None]:
    cutoff, released = (None if day is None else day.isoformat() for day in (row.cutoff_on, row.released_on))
    return {"date": cutoff, "released_on": released, "evidence": row.evidence}
