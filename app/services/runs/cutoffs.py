"""Cutoffs of models: the one that counts, its public changes, and the table of known models."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.operations import ledger as ledger_store
from app.db.runs import models as store
from app.db.runs import results
from app.db.runs import runs as run_store
from app.db.tables import Model, Run
from app.domain import known_models
from app.domain.cutoffs import SHIPPED_EVIDENCE, Cutoff, cutoff_of, read_evidence
from app.domain.errors import Conflict
from app.domain.imports import ImportedModel
from app.domain.reasons import Reason


@dataclass(frozen=True, slots=True)
class CutoffFacts:
    """Dates of a model: the last day of its training data with its evidence, and its release.

    None leaves a date as it is.
    """

    cutoff_on: date | None = None
    evidence: str | None = None
    released_on: date | None = None


@dataclass(frozen=True, slots=True)
class CutoffChange:
    """One edit of a cutoff."""

    at: datetime
    old: date | None
    new: date | None
    basis: str
    evidence: str | None
    actor: str


def edits(session: Session, model: Model) -> list[CutoffChange]:
    """Return every change of a model's cutoff, as stored."""
    return [
        CutoffChange(row.at, row.old_on, row.new_on, row.new_basis, read_evidence(row.evidence), row.actor)
        for row in results.cutoff_edits(session, model.id)
    ]


def ensure_model(
    session: Session, entry: ImportedModel, now: datetime, actor: str, reason: str, *, demo: bool = False
) -> Model:
    """Return the model of a file or of ours, with dates from the table of known models if it has none.

    A vendor's model stays as it is.
    """
    existing = store.lock_model(session, entry.slug)
    entry = entry if demo else known_models.with_known_dates(entry)
    model = run_store.ensure_model(session, entry, now, demo=demo)
    if existing is None:
        logs.write_audit(session, now, actor, "model.created", model.slug, reason, after=cutoff_record(model))
    elif not demo and model.organisation_id is None:
        is_known = known_models.find_known_model(entry.name) is not None
        on = entry.cutoff_on if is_known and not model.cutoff_on else None
        new = CutoffFacts(on, entry.cutoff_evidence if on else None, None if model.released_on else entry.released_on)
        if new != CutoffFacts():
            change_cutoff(session, model, new, Reason("known_table") if is_known else reason, now, actor)
        _add_facts(session, model, entry, reason, now, actor)
    return model


def _add_facts(session: Session, model: Model, entry: ImportedModel, reason: str, now: datetime, actor: str) -> None:
    """Store a file's facts of a model's weights, and its link, if they are not known yet."""
    new = {
        name: value
        for name in ("open_weights", "size_b", "link")
        if getattr(model, name) is None and (value := getattr(entry, name)) is not None
    }
    if not new:
        return
    before = dict.fromkeys(new)
    for name, value in new.items():
        setattr(model, name, value)
    logs.write_audit(session, now, actor, "model.weights", model.slug, reason, before, new)


def change_cutoff(session: Session, model: Model, new: CutoffFacts, reason: str, now: datetime, actor: str) -> None:
    """Apply new dates to a locked model. Raises Conflict when nothing would change."""
    before, old, released = cutoff_record(model), effective_cutoff(model), model.released_on
    if new.cutoff_on is not None:
        model.cutoff_on, model.cutoff_evidence = new.cutoff_on, new.evidence
    model.released_on = new.released_on or model.released_on
    after = cutoff_record(model)
    if before == after and model.released_on == released:
        raise Conflict(f"{model.slug} already has this cutoff")
    logs.write_audit(session, now, actor, "model.cutoff", model.slug, reason, before, after)
    if before == after:
        return
    store.add_cutoff_edit(session, model.id, old, effective_cutoff(model), new.evidence, actor, now)
    if ledger_store.has_public_run(session, model.id):  # a model that is not public yet has no public lines
        logs.write_ledger(session, now, "model.cutoff", model.slug, reason, before, after)
    revision.mark_axes_changed(session)
    revision.request_reports(session, run_store.protocols_of_model(session, model.id))


def effective_cutoff(model: Model) -> Cutoff:
    """Return the cutoff that counts."""
    return cutoff_of(model.cutoff_on, model.released_on, model.created_at)


def cutoff_record(model: Model) -> dict[str, Any]:
    """Return the cutoff that counts, as logs store it."""
    on, basis = effective_cutoff(model)
    return {"date": on.isoformat(), "basis": str(basis), "evidence": model.cutoff_evidence}


def notes(session: Session, runs: Iterable[Run]) -> Iterator[str]:
    """Yield notes on models whose cutoff here differs from their file's."""
    for run, model in store.of_runs(session, [run.id for run in runs]):
        on, listed = effective_cutoff(model).on, run.provenance.get("cutoff_in_file")
        if listed not in (None, on.isoformat()):
            yield f"{model.slug}: its cutoff here stays {on}; LiveCodeBench's rules take the file's, {listed}"


def unverified_dates(session: Session, runs: Iterable[Run], models: Iterable[ImportedModel]) -> Iterator[str]:
    """Yield notes on models whose dates come from a file alone.

    Its evidence is unchecked, and the table of known models does not have them.
    """
    model_by_slug = {model.slug: model for _, model in store.of_runs(session, [run.id for run in runs])}
    released = []
    for entry in models:
        model = model_by_slug.get(entry.slug)
        if model is None or model.organisation_id is not None or known_models.find_known_model(entry.name) is not None:
            continue
        if entry.cutoff_evidence == SHIPPED_EVIDENCE:
            continue
        if entry.cutoff_on is not None and entry.cutoff_on == model.cutoff_on:
            yield f"{model.slug}: its cutoff {entry.cutoff_on} is the file's word, so look at {entry.cutoff_evidence}"
        elif entry.released_on is not None and (None, entry.released_on) == (model.cutoff_on, model.released_on):
            released.append(model.slug)
    if released:
        yield f"when they came out is the file's word: {', '.join(sorted(released))}"


def models_without_cutoff(session: Session, runs: Iterable[Run]) -> Iterator[str]:
    """Yield models of a file without an accepted cutoff that are not in the table of known models either."""
    for _, model in store.of_runs(session, [run.id for run in runs]):
        if model.cutoff_on is None and known_models.find_known_model(model.name) is None:
            yield model.slug
