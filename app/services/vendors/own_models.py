"""A vendor's own models: read, changed, deleted before the first order, withdrawn after the first prompt."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.runs import models as model_store
from app.db.runs import runs as run_store
from app.db.tables import Model
from app.db.vendors import own_registrations as store
from app.db.vendors import submissions as order_store
from app.domain.audit_reason import check_reason
from app.domain.cursors import read_cursor, write_cursor
from app.domain.errors import Conflict, NotFound
from app.domain.etags import check_etag, etag_of
from app.domain.reasons import Reason
from app.domain.states import ENDED_SUBMISSIONS, RunState, SubmissionState
from app.services.runs import announcements, cutoffs
from app.services.vendors import names
from app.services.vendors.registrations import ModelAnswer, view_model

_CURSOR = "models"
MODEL_WITHDRAWN = "model.withdrawn"


@dataclass(frozen=True, slots=True)
class OwnModelPage:
    """Your models, newest first."""

    data: list[ModelAnswer]
    next_cursor: Annotated[str | None, Field(description="the cursor of the next page; null on the last one")]


@dataclass(frozen=True, slots=True)
class ModelChange:
    """New facts of a model; None leaves a fact as it is."""

    slug: str | None = None
    name: str | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class DeletedModel:
    """A model that is gone with its endpoints."""

    object: Literal["model"]
    slug: str
    deleted: Literal[True]


def list_models(
    session: Session, organisation_id: int, cursor: str | None, limit: int, *, withdrawn: bool | None = None
) -> OwnModelPage:
    """Return a page of an organisation's models. Raises InvalidInput for a cursor of another list."""
    before = None if cursor is None else read_cursor(_CURSOR, cursor)
    rows = store.list_models(session, organisation_id, before, limit + 1, withdrawn=withdrawn)
    more = write_cursor(_CURSOR, rows[limit - 1].id) if len(rows) > limit else None
    return OwnModelPage([view_model(session, row) for row in rows[:limit]], more)


def get_model(session: Session, organisation_id: int, slug: str) -> ModelAnswer:
    """Return a model of this organisation. Raises NotFound."""
    model = order_store.own_model(session, organisation_id, slug) if slug.isprintable() else None
    if model is None:
        raise NotFound(f"you have no model {slug}")
    return view_model(session, model)


def update_model(
    session: Session, organisation_id: int, slug: str, change: ModelChange, if_match: str | None, now: datetime
) -> ModelAnswer:
    """Change a model. Raises NotFound, PreconditionMissing or PreconditionFailed, and Conflict.

    Its slug and its name can change until the first prompt: from then on boards, links and the ledger name it.
    """
    model = _lock(session, organisation_id, slug)
    check_etag(if_match, etag_of(view_model(session, model)))
    before = {"slug": model.slug, "name": model.name, "link": model.link}
    renamed = (change.slug or model.slug, change.name or model.name) != (model.slug, model.name)
    if renamed and store.has_sent(session, model.id):
        raise Conflict(f"{slug} was sent a prompt: its slug and name stay; withdraw it and register another model")
    if change.name is not None and change.name != model.name:
        names.check_model_name(session, run_store.organisation(session, organisation_id), change.name)
        model.name = change.name
    if change.slug is not None and change.slug != model.slug:
        if model_store.by_slug(session, change.slug) is not None:
            raise Conflict(f"the slug {change.slug} is taken")
        model.slug = change.slug
    model.link = change.link or model.link
    session.flush()
    after = {"slug": model.slug, "name": model.name, "link": model.link}
    if after != before:
        logs.write_audit(
            session, now, f"org:{organisation_id}", "model.changed", model.slug, Reason("vendor_api"), before, after
        )
        revision.mark_axes_changed(session)
    return view_model(session, model)


def delete_model(session: Session, organisation_id: int, slug: str, now: datetime) -> DeletedModel:
    """Delete a model of which nothing was ordered. Raises NotFound, and Conflict once something was.

    Every order is counted in public, so a model with orders is withdrawn.
    """
    model = _lock(session, organisation_id, slug)
    if store.has_orders(session, model.id):
        raise Conflict(
            f"{slug} has orders, which are counted in public: rename it before its first prompt, or withdraw it"
        )
    logs.write_audit(
        session, now, f"org:{organisation_id}", "model.deleted", slug, Reason("vendor_api"),
        before=cutoffs.cutoff_record(model),
    )  # fmt: skip
    store.delete_model(session, model)
    return DeletedModel("model", slug, deleted=True)


def withdraw_model(session: Session, organisation_id: int, slug: str, reason: str, now: datetime) -> ModelAnswer:
    """Take a model off the boards for good, with a public tombstone. Raises NotFound, InvalidInput and Conflict.

    Its open orders are cancelled and nothing more is asked. Its public results stay readable; its runs are listed as
    retired and still stand as first trials, so that withdrawing wins no second try.
    """
    model, words = _lock(session, organisation_id, slug), check_reason(reason, public=True)
    if model.withdrawn_at is not None:
        raise Conflict(f"{slug} is already withdrawn")
    if not store.has_orders(session, model.id):
        raise Conflict(f"nothing was ordered of {slug}: delete it")
    why = Reason("model_withdrawn", cause=words)
    name = run_store.organisation(session, organisation_id).name
    model.withdrawn_at, model.withdrawn_by, model.withdrawn_reason = now, name, words
    for order in store.lock_orders_of_model(session, model.id):
        if order.state == SubmissionState.PUBLISHED:
            order_store.move(session, order, SubmissionState.WITHDRAWN, now, state_reason=why, state_deadline=None)
        elif order.state not in ENDED_SUBMISSIONS:
            order_store.move(session, order, SubmissionState.CANCELLED, now, state_reason=why, state_deadline=None)
    runs = 0
    for run, protocol in store.runs_of_model(session, model.id):
        runs += run.sent_at is not None
        if run.state != RunState.RETIRED:
            run.state, run.state_reason, run.needs_usd = RunState.RETIRED, why, None
            session.flush()
            announcements.announce_withdrawal(session, run, protocol, why, now)
    logs.write_audit(session, now, f"org:{organisation_id}", "model.withdrawn", slug, words)
    if runs:  # a model that was sent prompts is public, whether its results were or not
        logs.write_ledger(session, now, MODEL_WITHDRAWN, slug, words, after={"by": name, "runs": runs})
    revision.mark_axes_changed(session)
    session.flush()
    return view_model(session, model)


def _lock(session: Session, organisation_id: int, slug: str) -> Model:
    model = store.lock_own_model(session, organisation_id, slug) if slug.isprintable() else None
    if model is None:
        raise NotFound(f"you have no model {slug}")
    return model
