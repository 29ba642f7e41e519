"""Storage of an imported batch in one transaction; the same file twice changes nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from app.db.boards import cell_counts
from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.problems import difficulties, proofs, texts
from app.db.problems import problems as store
from app.db.runs import runs as run_store
from app.db.sources import contests
from app.db.tables import Contest, Problem, ProofState, Run, Source
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS
from app.domain.imports import (
    ImportBatch,
    ImportedContest,
    ImportedModel,
    ImportedProblem,
    ImportedStatement,
    ImportSummary,
)
from app.domain.known_models import identity_of, known_models
from app.domain.model_names import nearest_names
from app.domain.problems import TestsOrigin
from app.domain.publishing.holds import LIMITS_WAIVER
from app.domain.publishing.origins import Origin, Sighting
from app.domain.reasons import Reason
from app.domain.slugs import candidate_slugs, model_slug
from app.domain.sources.flags import FlagReport
from app.domain.sources.kinds import SourceKind
from app.domain.states import ContestState, ProblemState, RunOrigin, RunState
from app.services.problems import publishing
from app.services.runs import announcements, cutoffs, imported_runs, package_identity
from app.services.runs.inference import without_nul
from app.services.sources import people


def store_batch(
    session: Session, batch: ImportBatch, now: datetime, actor: str = "operator", *, force: str | None = None
) -> ImportSummary:
    """Store the whole batch; the summary lists its bad rows, which are not in it.

    Raises InvalidImport, having stored nothing, for a package that differs from the site's problem that it is imported
    as, unless `force` gives a reason.
    """
    if batch.origin is Origin.PACKAGE:
        package_identity.check_packages(session, batch, force, actor, now)
    before = len(batch.cells) + len(batch.answers)
    sources = {
        source.slug: store.upsert_source(
            session,
            source.slug,
            {
                "name": source.name,
                "kind": SourceKind(source.kind),
                "base_url": source.base_url,
                "show_statements": source.show_statements,
                "demo": source.demo,
            },
        )
        for source in batch.sources
    }
    problems = _store_catalogued(session, sources, batch, now)
    offered = [
        _store_problem(session, sources[problem.source], problem, batch.kind, batch.origin, now)
        for problem in batch.problems
        if not problem.catalogued
    ]
    last = announcements.last_run(session)
    models = _models_here(session, batch)
    runs = _store_runs(session, batch, models, now, actor)
    new = (run.id for run in runs.values() if run.id > last)
    announcements.announce_runs(session, new, Reason("imported", {"what": batch.kind}), now, of_file=True)
    _store_cells(session, batch, runs, problems)
    unmatched = _store_answers(session, batch, runs, sources)
    before += people.store_people(session, batch, now)
    revision.mark_axes_changed(session)
    revision.request_reports(session, {run.protocol_id for run in runs.values()})
    logs.write_audit(session, now, actor, f"import.{batch.kind}", batch.file_name, f"sha256 {batch.file_sha256}")
    return ImportSummary(
        protocol=batch.protocol,
        models=len(batch.models),
        problems=len(batch.problems),
        rows=before,
        bad_rows=batch.bad_rows,
        unmatched=unmatched,
        notes=(
            *_renamed_models(batch, models),
            *batch.notes,
            *cutoffs.notes(session, runs.values()),
            *cutoffs.unverified_dates(session, runs.values(), models.values()),
        ),
        unknown_models=(unknown := tuple(dict.fromkeys(cutoffs.models_without_cutoff(session, runs.values())))),
        unmatched_models=(unmatched_models := tuple(_unmatched_models(session, batch))),
        nearest=_nearest(session, unknown, unmatched_models),
        test_sets=tuple(test_set for test_set in offered if test_set is not None),
        runs=tuple(run.id for run in runs.values()),
    )


def store_once(session: Session, batch: ImportBatch, now: datetime) -> bool:
    """Store a batch of our own, unless the same contents were stored before; return True if it was new."""
    if logs.has_audit_entry(session, f"import.{batch.kind}", f"sha256 {batch.file_sha256}"):
        return False
    store_batch(session, batch, now, actor="system")
    return True


def _store_catalogued(
    session: Session, sources: Mapping[str, Source], batch: ImportBatch, now: datetime
) -> dict[tuple[str, str], int]:
    """Store problems known by name and date only, in bulk: there are thousands; return ids by (source, name)."""
    ids: dict[tuple[str, str], int] = {}
    for slug, source in sources.items():
        problems = [problem for problem in batch.problems if problem.catalogued and problem.source == slug]
        ids_by_name = store.catalogue(
            session,
            source.id,
            [store.CataloguedProblem(problem.external_id, problem.title, problem.released_on) for problem in problems],
        )
        ids |= {(slug, name): problem_id for name, problem_id in ids_by_name.items()}
        for scale in {problem.difficulty[0] for problem in problems if problem.difficulty}:
            values = {ids_by_name[problem.external_id]: problem.difficulty[1] for problem in problems
                      if problem.difficulty and problem.difficulty[0] == scale}  # fmt: skip
            difficulties.add_first(session, scale, values, now)
    return ids


def _store_problem(
    session: Session, source: Source, record: ImportedProblem, kind: str, origin: Origin, now: datetime
) -> int | None:
    """Store a problem; return the test set that it was offered, if it came with tests."""
    problem = store.find(session, source.id, record.external_id)
    if problem is None:
        problem = store.add_problem(session, source.id, record.external_id, record.title, ProblemState.FOUND, origin)
    elif problem.state == ProblemState.CATALOGUED:
        store.move(session, problem, ProblemState.FOUND)
    for alias in record.aliases:
        store.add_alias(session, source.id, alias, problem.id)
    site = None if record.read_at is None else store.source_by_slug(session, record.read_at)
    if site is not None:
        store.add_alias(session, site.id, record.external_id, problem.id)
    _store_facts(session, source, problem, record, kind, origin, now)
    test_set_id = _store_checks(session, problem, record, kind, origin, now)
    people.link_rewrite(session, problem.id, record)
    if record.unstated and source.kind == SourceKind.SUITE and LIMITS_WAIVER not in problem.waived:
        problem.waived = [*problem.waived, LIMITS_WAIVER]  # the importer was told which limits judge it
    publishing.update_state(session, problem, now)
    return test_set_id


def _store_facts(
    session: Session,
    source: Source,
    problem: Problem,
    record: ImportedProblem,
    kind: str,
    origin: Origin,
    now: datetime,
) -> None:
    names = store.take_names(problem, origin)
    # First, because this query would flush earlier changes of the problem.
    if record.contest is not None and (names or problem.contest_id is None):
        problem.contest_id = _contest(session, source, record.contest, origin).id
    if names:
        problem.title = record.title
    for name in ("titles", "url", "tags"):
        if names or not getattr(problem, name):
            setattr(problem, name, getattr(record, name) or getattr(problem, name))
    store.update_flags(problem, FlagReport.from_import(origin, now, bool(record.statements), record.flags))
    problem.canary = record.canary
    store.date_by(session, problem, record.released_on, Reason("imported_from", {"what": kind}), now)
    if record.difficulty is not None:
        scale, value = record.difficulty
        difficulties.add(session, problem.id, scale, value, now)
    session.flush()


def _contest(session: Session, source: Source, imported: ImportedContest, origin: Origin) -> Contest:
    """Return the contest with the import's facts; a copy in a fixed set does not change one that its site has dated."""
    is_copy = origin is Origin.SUITE and source.kind == SourceKind.SITE
    existing = contests.find(session, source.id, imported.external_id) if is_copy else None
    if existing is not None and existing.starts_at is not None:
        return existing
    facts = contests.ContestFacts(
        imported.title,
        division=imported.division,
        url=imported.url,
        starts_at=imported.starts_at,
        ends_at=imported.ends_at,
        state=ContestState.ENDED,
    )
    return contests.upsert(session, source.id, imported.external_id, facts)


def _store_checks(
    session: Session, problem: Problem, record: ImportedProblem, kind: str, origin: Origin, now: datetime
) -> int | None:
    for locale, statement in record.statements.items():
        _store_version(session, problem.id, locale, statement, record, Sighting(origin, now))
    publishing.use_texts(session, problem, Reason("imported_from", {"what": kind}), now)
    with_more = publishing.add_programs(session, problem, record.programs, kind)
    if record.validator is not None:
        publishing.add_validator(session, problem, record.validator, kind)
    package_stays = problem.named_by == Origin.PACKAGE != origin and problem.current_test_set_id is not None
    if not record.tests or package_stays:  # a package's tests belong to its text
        return None
    provable = record.spec.decided_by_program or any(program.reference for program in record.programs)
    proof = ProofState.SHIPPED if record.shipped_proof else ProofState.WAITING if provable else ProofState.UNPROVEN
    test_set_id, new = store.add_test_set(
        session,
        problem.id,
        record.spec,
        {
            "origin": TestsOrigin.PACKAGE,
            "brought_by": record.tests_made_by or kind,
            "proof": proof,
            "proof_detail": dict(record.shipped_proof or {}),
        },
    )
    if with_more and not new:
        proofs.prove_again(session, test_set_id)
    publishing.offer_test_set(session, problem, test_set_id, Reason("imported_from", {"what": kind}), now)
    return test_set_id


def _store_version(
    session: Session,
    problem_id: int,
    locale: str,
    statement: ImportedStatement,
    record: ImportedProblem,
    sighting: Sighting,
) -> None:
    text = texts.NewText(
        statement.title,
        statement.text,
        statement.starter_code,
        record.form,
        record.entry,
        [test for test in record.tests if test.visible],
        None if "time_ms" in record.unstated else record.limits.time_ms,
        None if "memory_mb" in record.unstated else record.limits.memory_mb,
        record.limits.output_kb,
    )
    corrections = ("form", "entry", "examples", "time_ms", "memory_mb", "output_kb")
    texts.record_sighting(session, problem_id, locale, text, sighting, corrections)


def _models_here(session: Session, batch: ImportBatch) -> dict[str, ImportedModel]:
    """Return the models of a file with the slugs that they have here, by those of the file."""
    slugs = run_store.slugs_here(session, {model.slug: model.name for model in batch.models if model.slug_of_name})
    return {model.slug: replace(model, slug=slugs.get(model.slug, model.slug)) for model in batch.models}


def _renamed_models(batch: ImportBatch, models: Mapping[str, ImportedModel]) -> Iterator[str]:
    """Yield notes on models that are here under another spelling of their names."""
    for model in batch.models:
        if models[model.slug].slug not in candidate_slugs(model.slug, model.name):
            yield f"{model.name} is the model {models[model.slug].slug} here"


def _unmatched_models(session: Session, batch: ImportBatch) -> Iterator[str]:
    """Yield the names in an external table that no model here has, in any spelling."""
    if batch.external is None:
        return
    slugs = {model_slug(score.model): score.model for score in batch.external.scores}
    used_slugs = run_store.slugs_in_use(session, slugs)
    known_names = set(map(identity_of, run_store.names_of_unregistered_models(session).values()))
    yield from (name for slug, name in slugs.items() if slug not in used_slugs and identity_of(name) not in known_names)


def _nearest(session: Session, unknown: Sequence[str], unmatched: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the known names nearest to unknown ones: from the table of known models, and from the models here."""
    names_here = run_store.names_of_unregistered_models(session) if unmatched else {}
    table = [name for model in known_models() for name in model.names]
    by_name = {name: nearest_names(name, table) for name in unknown}
    return by_name | {name: nearest_names(name, [*names_here.values()]) for name in unmatched}


def _store_runs(
    session: Session, batch: ImportBatch, models: Mapping[str, ImportedModel], now: datetime, actor: str
) -> dict[str, Run]:
    """Return a run per model of the file. A file already imported finds its runs; another file makes a new trial."""
    if batch.runs:
        return imported_runs.store_runs(session, batch, models, now, actor)
    if batch.protocol is None:
        return {}
    protocol = run_store.ensure_protocol(
        session, next(protocol for protocol in BUILT_IN_PROTOCOLS if protocol.slug == batch.protocol)
    )
    origin = RunOrigin.IMPORTED if batch.cells else RunOrigin.OWN
    return {slug: _store_run(session, batch, model, protocol.id, origin, now, actor) for slug, model in models.items()}


def _store_run(
    session: Session,
    batch: ImportBatch,
    entry: ImportedModel,
    protocol_id: int,
    origin: RunOrigin,
    now: datetime,
    actor: str,
) -> Run:
    model = cutoffs.ensure_model(session, entry, now, actor, Reason("imported", {"what": batch.kind}))
    provenance = {
        "kind": batch.kind,
        "file": batch.file_name,
        "sha256": batch.file_sha256,
        "n_inferred": entry.n_inferred,
        "name_in_file": entry.name,
        "cutoff_in_file": None if entry.listed_on is None else entry.listed_on.isoformat(),
    }
    return run_store.ensure_file_run(session, model.id, protocol_id, origin, RunState.ACTIVE, provenance)


def _store_cells(
    session: Session,
    batch: ImportBatch,
    runs: dict[str, Run],
    problems: Mapping[tuple[str, str], int],
) -> None:
    if not batch.cells:
        return
    run_store.add_imported_results(
        session,
        [
            {
                "run_id": runs[cell.model].id,
                "problem_id": problems[cell.source, cell.problem],
                "item": cell.item,
                "n": cell.n,
                "c": cell.c,
                "pending": cell.pending,
                "judge_errors": cell.judge_errors,
                "value": cell.value,
                "source_date": cell.source_date,
                "source_clock": cell.source_clock,
                "row_number": cell.row_number,
                "file_sha256": batch.file_sha256,
            }
            for cell in batch.cells
        ],
    )
    for run in runs.values():
        cell_counts.mark_run(session, run.id)


def _store_answers(
    session: Session, batch: ImportBatch, runs: dict[str, Run], sources: dict[str, Source]
) -> tuple[str, ...]:
    """Store samples for the answers whose problem has tests here; count the others by run, and return their names."""
    unmatched: list[str] = []
    missing = Counter[str]()
    for answer in batch.answers:
        problem = store.find(session, sources[answer.source].id, answer.problem)
        if problem is None or problem.current_version_id is None or problem.current_test_set_id is None:
            unmatched.append(f"{answer.source}/{answer.problem}")
            missing[answer.model] += 1
            continue
        storable = replace(
            answer,
            response=without_nul(answer.response),
            answer=None if answer.answer is None else without_nul(answer.answer),
            recorded_error=without_nul(answer.recorded_error),
        )
        run_store.add_recorded_sample(session, runs[answer.model].id, problem, storable, batch.file_sha256)
    for model, run in runs.items():
        if missing[model] != run.provenance.get("unmatched", 0):
            run.provenance = {**run.provenance, "unmatched": missing[model]}
    return tuple(unmatched)
