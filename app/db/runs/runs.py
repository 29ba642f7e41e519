"""Models, protocols and runs: found or created by their natural keys."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.runs import endpoints, protocol_revisions, sample_failures
from app.db.tables import (
    DirtyCell,
    Endpoint,
    ImportedResult,
    Model,
    Organisation,
    Problem,
    ProtocolRow,
    Run,
    Sample,
    Submission,
)
from app.domain.asking.configuration import normalise_value
from app.domain.asking.protocols import Protocol, ProtocolScope, Sampling
from app.domain.imports import ImportedModel, RecordedAnswer
from app.domain.known_models import identity_of
from app.domain.scenarios import unranked_scenarios
from app.domain.slugs import assign_slugs, candidate_slugs
from app.domain.states import RunOrigin, RunState, SampleState, SubmissionState


def ensure_protocol(session: Session, protocol: Protocol) -> ProtocolRow:
    """Return the row of a protocol, with this version's title and coverage.

    If the row of that slug asks or judges otherwise, it becomes an earlier revision (`revisions`).
    """
    by_name = select(ProtocolRow).where(ProtocolRow.slug == protocol.slug)
    before, row = session.scalar(by_name), None
    if before is not None and read_protocol(before.body).fingerprint == protocol.fingerprint:
        row = before
    elif before is not None:
        protocol_revisions.archive_protocol(session, before)
        row = protocol_revisions.restore_protocol(session, protocol.slug, protocol.fingerprint)
    if row is None:
        add_protocols(session, (protocol,))
        row = session.scalars(by_name).one()
    body = protocol.body()
    if before is not None:
        row.orderable = before.orderable
    if before is not None and (before is not row or row.body != body):
        row.title, row.fingerprint, row.body = protocol.title, protocol.fingerprint, body
        protocol_revisions.move_submissions(session, before, row)
        revision.mark_axes_changed(session)
    return row


def add_protocols(session: Session, protocols: Iterable[Protocol]) -> None:
    """Add those of these protocols whose slug is free."""
    new = [
        {"slug": protocol.slug, "title": protocol.title, "fingerprint": protocol.fingerprint, "body": protocol.body()}
        for protocol in protocols
    ]
    if new:
        session.execute(insert(ProtocolRow).values(new).on_conflict_do_nothing())


def read_protocol(body: Mapping[str, Any]) -> Protocol:
    """Return a protocol stored by ensure_protocol; fields of older versions are ignored."""
    values = {field.name: body[field.name] for field in fields(Protocol) if field.name in body}
    covers = {name: tuple(names) for name, names in body["covers"].items()}
    sampling = {
        field.name: body["sampling"][field.name] for field in fields(Sampling) if field.name in body["sampling"]
    }
    sampling |= {"stop": tuple(sampling.get("stop", ()))}
    return Protocol(**values | {"sampling": Sampling(**sampling), "covers": ProtocolScope(**covers)})


def asked_protocols(session: Session) -> list[ProtocolRow]:
    """Return every protocol without earlier revisions, oldest first."""
    return list(session.scalars(select(ProtocolRow).where(ProtocolRow.revision_of.is_(None)).order_by(ProtocolRow.id)))


def protocol_by_slug(session: Session, slug: str) -> ProtocolRow | None:
    """Return the protocol with that slug, earlier revisions included."""
    return session.scalar(select(ProtocolRow).where(ProtocolRow.slug == slug))


def protocols_of_model(session: Session, model_id: int) -> set[int]:
    """Return the protocols under which a model has runs."""
    return set(session.scalars(select(Run.protocol_id).where(Run.model_id == model_id).distinct()))


def protocols_of_runs(session: Session, runs: Collection[int]) -> set[int]:
    """Return the protocols of these runs."""
    return set(session.scalars(select(Run.protocol_id).where(Run.id.in_(runs)).distinct()))


def is_ranked() -> ColumnElement[bool]:
    """Return the condition that a protocol's runs are on boards and pages: its scenario is ranked, and it counts."""
    scenario: ColumnElement[str] = ProtocolRow.body["scenario"].astext
    return and_(scenario.not_in(unranked_scenarios()), ~is_practice())


def is_practice() -> ColumnElement[bool]:
    """Return the condition that a protocol is for practice, so that its runs count nowhere."""
    marked: ColumnElement[bool] = ProtocolRow.body.has_key("practice")
    return marked


def ensure_organisation(session: Session, slug: str, name: str) -> Organisation:
    """Return the organisation with that slug, created if needed."""
    session.execute(insert(Organisation).values(slug=slug, name=name).on_conflict_do_nothing())
    return session.scalars(select(Organisation).where(Organisation.slug == slug)).one()


def slugs_here(session: Session, names: Mapping[str, str]) -> dict[str, str]:
    """Return the slugs here of a file's models, by their slugs in the file; `names` has their names.

    A model with a new slug is matched by another spelling of its name; two models of one file stay two.
    """
    possible_slugs = {candidate for slug, name in names.items() for candidate in candidate_slugs(slug, name)}
    rows = session.execute(select(Model.slug, Model.name).where(Model.slug.in_(possible_slugs)))
    known_names = {row.slug: row.name for row in rows}
    slugs = assign_slugs(names, known_names)
    taken = set(slugs.values())
    others = {identity_of(name): slug for slug, name in reversed(list(names_of_unregistered_models(session).items()))}
    for slug, name in names.items():
        other = others.get(identity_of(name))
        if slugs[slug] not in known_names and other is not None and other not in taken:
            slugs[slug] = other
            taken.add(other)
    return slugs


def slugs_in_use(session: Session, slugs: Iterable[str]) -> set[str]:
    """Return those of these slugs that a model has."""
    return set(session.scalars(select(Model.slug).where(Model.slug.in_(list(slugs)))))


def names_of_unregistered_models(session: Session) -> dict[str, str]:
    """Return the names of models that no vendor registered, by slug, oldest first."""
    rows = session.execute(
        select(Model.slug, Model.name).where(Model.organisation_id.is_(None), Model.demo.is_(False)).order_by(Model.id)
    )
    return {row.slug: row.name for row in rows}


def ensure_model(session: Session, entry: ImportedModel, now: datetime, *, demo: bool = False) -> Model:
    """Return the model with that slug, created if needed.

    A file sets the organisation of a model that has none; other facts stay as they are.
    """
    new = insert(Model).values(demo=demo, **_model_values(entry, now))
    unnamed = and_(Model.organisation_name == "", Model.organisation_id.is_(None), new.excluded.organisation_name != "")
    session.execute(
        new.on_conflict_do_update(
            index_elements=["slug"], set_={"organisation_name": new.excluded.organisation_name}, where=unnamed
        )
    )
    return session.scalars(
        select(Model).where(Model.slug == entry.slug), execution_options={"populate_existing": True}
    ).one()


def add_model(
    session: Session, entry: ImportedModel, now: datetime, organisation_id: int | None = None
) -> Model | None:
    """Add a model, or return None if its slug is taken, even by a concurrent transaction."""
    new = insert(Model).values(organisation_id=organisation_id, **_model_values(entry, now))
    return session.scalar(new.on_conflict_do_nothing(index_elements=["slug"]).returning(Model))


def _model_values(entry: ImportedModel, now: datetime) -> dict[str, Any]:
    return {
        "slug": entry.slug,
        "name": entry.name,
        "organisation_name": entry.organisation,
        "released_on": entry.released_on,
        "cutoff_on": entry.cutoff_on,
        "cutoff_evidence": entry.cutoff_evidence,
        "link": entry.link,
        "open_weights": entry.open_weights,
        "size_b": entry.size_b,
        "created_at": now,
    }


def ensure_endpoint(session: Session, model_id: int, values: Mapping[str, Any]) -> Endpoint:
    """Return the endpoint of (model, backend, remote name), updated to `values` and no longer resting."""
    keys = ("backend", "remote_name")
    changed: dict[str, Any] = {name: value for name, value in values.items() if name not in keys}
    changed["lease_until"] = case((Endpoint.lease_token.is_not(None), Endpoint.lease_until))
    return session.scalars(
        insert(Endpoint)
        .values(model_id=model_id, **values)
        .on_conflict_do_update(index_elements=["model_id", *keys], set_=changed)
        .returning(Endpoint),
        execution_options={"populate_existing": True},
    ).one()


def configuration_key(configuration: Mapping[str, Any]) -> str:
    """Return the canonical text of a configuration; empty for the default one."""
    return json.dumps(normalise_value(configuration), sort_keys=True, ensure_ascii=False) if configuration else ""


def ensure_run(
    session: Session, model_id: int, endpoint_id: int, protocol_id: int, configuration: Mapping[str, Any],
    *, trial: int = 1, public: bool = True,
) -> Run:  # fmt: skip
    """Return the run of (model, configuration, protocol, trial), active if new."""
    key = configuration_key(configuration)
    session.execute(
        insert(Run)
        .values(
            model_id=model_id,
            endpoint_id=endpoint_id,
            protocol_id=protocol_id,
            configuration=dict(configuration),
            configuration_key=key,
            trial=trial,
            state=RunState.ACTIVE,
            origin=RunOrigin.OWN,
            public=public,
        )
        .on_conflict_do_nothing()
    )
    return session.scalars(
        select(Run).where(
            Run.model_id == model_id,
            Run.protocol_id == protocol_id,
            Run.configuration_key == key,
            Run.trial == trial,
        )
    ).one()


def add_trial(
    session: Session, model_id: int, endpoint_id: int, protocol_id: int, configuration: Mapping[str, Any]
) -> Run:
    """Add a private run of (model, configuration, protocol) with the next free trial number."""
    session.get_one(Model, model_id, with_for_update=True)  # two concurrent submissions get different numbers
    last = session.scalar(select(func.max(Run.trial)).where(*_run_key(model_id, protocol_id, configuration)))
    return ensure_run(session, model_id, endpoint_id, protocol_id, configuration, trial=(last or 0) + 1, public=False)


def answered_runs(session: Session, run_ids: Collection[int]) -> set[int]:
    """Return those of these runs that have an answer."""
    has = select(Sample.id).where(Sample.run_id == Run.id, Sample.answered_at.is_not(None)).exists()
    return set(session.scalars(select(Run.id).where(Run.id.in_(run_ids), has)))


def note_sent(session: Session, run_ids: Collection[int], now: datetime) -> None:
    """Record when the first prompt of each of these runs was sent."""
    session.execute(update(Run).where(Run.id.in_(run_ids), Run.sent_at.is_(None)).values(sent_at=now))


def note_answered(session: Session, endpoint_id: int, run_ids: Collection[int], now: datetime) -> None:
    """Record the first answer of each of these runs, and of their endpoint.

    If a run has other trials, boards choose again which of them stands. From its first answer on, what the endpoint is
    sent counts as served, with all that this run was sent.
    """
    bound = (
        update(Run)
        .where(Run.id.in_(run_ids), Run.bound_at.is_(None))
        .values(bound_at=now)
        .returning(Run.id, Run.sent_at)
    )
    first_sent = {run: sent_at or now for run, sent_at in session.execute(bound)}
    if not first_sent:
        return
    began = endpoints.note_answering(session, endpoint_id, min(first_sent.values()))
    other = aliased(Run)
    same = (other.model_id == Run.model_id, other.protocol_id == Run.protocol_id, other.id != Run.id)
    if began or session.scalar(select(Run.id).join(other, and_(*same)).where(Run.id.in_(first_sent)).limit(1)):
        revision.mark_axes_changed(session)


def standing_run(session: Session, model_id: int, protocol_id: int, configuration: Mapping[str, Any]) -> Run | None:
    """Return the newest run of (model, configuration, protocol) that maintainers began and did not cancel."""
    session.get_one(Model, model_id, with_for_update=True)
    ordered = select(Submission.run_id).where(Submission.run_id.is_not(None))
    query = select(Run).where(*_run_key(model_id, protocol_id, configuration), Run.endpoint_id.is_not(None))
    ours = query.where(Run.state != RunState.RETIRED, Run.id.not_in(ordered))
    return session.scalar(ours.order_by(Run.trial.desc()).limit(1))


def _run_key(model_id: int, protocol_id: int, configuration: Mapping[str, Any]) -> tuple[ColumnElement[bool], ...]:
    key = configuration_key(configuration)
    return Run.model_id == model_id, Run.protocol_id == protocol_id, Run.configuration_key == key


def ensure_file_run(
    session: Session, model_id: int, protocol_id: int, origin: RunOrigin, state: RunState, provenance: dict[str, Any]
) -> Run:
    """Return the run of a file's rows: found by the file's digest, else created as the model's next trial."""
    same = select(Run).where(Run.model_id == model_id, Run.protocol_id == protocol_id)
    run = session.scalar(same.where(Run.provenance["sha256"].astext == provenance["sha256"]))
    if run is not None:
        return run
    last = session.scalar(select(func.max(Run.trial)).where(Run.model_id == model_id, Run.protocol_id == protocol_id))
    run = Run(
        model_id=model_id,
        protocol_id=protocol_id,
        trial=(last or 0) + 1,
        state=state,
        origin=origin,
        provenance=provenance,
    )
    session.add(run)
    session.flush()
    return run


def add_imported_results(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add cells of a file; existing rows stay as they are."""
    for start in range(0, len(rows), 5000):
        session.execute(insert(ImportedResult).on_conflict_do_nothing(), list(rows[start : start + 5000]))


def add_recorded_sample(
    session: Session, run_id: int, problem: Problem, answer: RecordedAnswer, file_sha256: str
) -> None:
    """Add a recorded answer as an answered sample, to be graded like any other."""
    session.execute(
        insert(Sample)
        .values(
            run_id=run_id,
            problem_id=problem.id,
            problem_version_id=problem.current_version_id,
            item=0,
            ordinal=answer.ordinal,
            state=SampleState.ANSWERED,
            response=answer.response,
            answer=answer.answer,
            followed_format=answer.answer is not None,
            provenance={
                "file_sha256": file_sha256,
                "row": answer.row_number,
                "date": answer.source_date,
                "recorded_passed": answer.recorded_passed,
                "recorded_error": answer.recorded_error,
            },
        )
        .on_conflict_do_nothing()
    )
    session.add(DirtyCell(run_id=run_id, problem_id=problem.id, item=0))


def organisation(session: Session, organisation_id: int) -> Organisation:
    """Return an organisation that exists."""
    return session.get_one(Organisation, organisation_id)


def pause(session: Session, run_id: int, reason: str) -> None:
    """Stop extending a run and keep its answers; a run that a budget paused no longer resumes by itself."""
    session.flush()
    run = session.get_one(Run, run_id, with_for_update=True, populate_existing=True)  # it may be cancelled just now
    if run.state == RunState.ACTIVE or run.needs_usd is not None:
        run.state, run.state_reason, run.needs_usd = RunState.PAUSED, reason, None


def fail(session: Session, run_id: int, reason: str) -> None:
    """End a run whose requests are refused as they are; its answers stay."""
    session.flush()
    run = session.get_one(Run, run_id, with_for_update=True, populate_existing=True)
    if run.state == RunState.ACTIVE:
        run.state, run.state_reason = RunState.FAILED, reason


def revive(session: Session, endpoint_id: int) -> None:
    """Resume the failed runs of a repaired endpoint; runs of failed submissions stay failed."""
    ordered = select(Submission.run_id).where(
        Submission.state == SubmissionState.FAILED, Submission.run_id.is_not(None)
    )
    failed = select(Run.id).where(Run.endpoint_id == endpoint_id, Run.state == RunState.FAILED, Run.id.not_in(ordered))
    for run_id in session.scalars(failed).all():
        resume(session, run_id)


def resume(session: Session, run_id: int) -> None:
    """Resume a run, unless it was cancelled meanwhile. Raises Conflict if its protocol has a later revision."""
    session.flush()
    sample_failures.reset_patience_of_run(session, run_id)  # before the run is locked, in the order of claims
    run = session.get_one(Run, run_id, with_for_update=True, populate_existing=True)
    protocol_revisions.check_asked(session, run.protocol_id)
    if run.state != RunState.RETIRED:
        run.state, run.state_reason, run.needs_usd = RunState.ACTIVE, None, None
        session.flush()
