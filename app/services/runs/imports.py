"""Storing an imported batch: whole or not at all, and the same file twice changes nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime

from app.db.boards import aggregation
from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.problems import difficulties, texts
from app.db.problems import problems as store
from app.db.runs import runs as run_store
from app.db.sources import contests
from app.db.tables import Problem, Proof, Run, Source
from app.domain.asking.protocols import BUILT_IN
from app.domain.errors import InvalidImport
from app.domain.imports import (
    ImportBatch,
    ImportedModel,
    ImportedProblem,
    ImportedStatement,
    ImportSummary,
)
from app.domain.publishing.holds import LIMITS, statement_sha256
from app.domain.sources.flags import Word
from app.domain.sources.kinds import SourceKind
from app.domain.states import ContestState, ProblemState, RunOrigin, RunState
from app.services.problems import publish
from app.services.runs import announce, results
from app.services.runs.infer import without_nul
from app.services.sources import people


def store_batch(session: Session, batch: ImportBatch, now: datetime, actor: str = "operator") -> ImportSummary:
    """Write everything the batch brings. Raises InvalidImport, having written nothing, when a row is bad."""
    if batch.bad_rows:
        raise InvalidImport(f"{batch.file_name}: {len(batch.bad_rows)} bad rows; nothing was imported", batch.bad_rows)
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
        _store_problem(session, sources[problem.source], problem, batch.kind, now)
        for problem in batch.problems
        if not problem.catalogued
    ]
    last = announce.last_run(session)
    runs = _store_runs(session, batch, now)
    announce.announce_runs(session, (run.id for run in runs.values() if run.id > last), f"imported: {batch.kind}", now)
    _store_cells(session, batch, runs, problems)
    unmatched = _store_answers(session, batch, runs, sources)
    before += people.keep(session, batch, now)
    revision.axes_changed(session)
    logs.audit(session, now, actor, f"import.{batch.kind}", batch.file_name, f"sha256 {batch.file_sha256}")
    return ImportSummary(
        protocol=batch.protocol,
        models=len(batch.models),
        problems=len(batch.problems),
        rows=before,
        unmatched=unmatched,
        notes=(*batch.notes, *_dated_otherwise(session, batch, runs)),
        test_sets=tuple(test_set for test_set in offered if test_set is not None),
        runs=tuple(run.id for run in runs.values()),
    )


def store_once(session: Session, batch: ImportBatch, now: datetime) -> bool:
    """Store a batch of our own, unless these very contents were stored before; returns whether it was new."""
    if logs.was_done(session, f"import.{batch.kind}", f"sha256 {batch.file_sha256}"):
        return False
    store_batch(session, batch, now, actor="system")
    return True


def _store_catalogued(
    session: Session, sources: Mapping[str, Source], batch: ImportBatch, now: datetime
) -> dict[tuple[str, str], int]:
    """Problems known by name and date only, in bulk: there are thousands; their ids by (source, name)."""
    ids: dict[tuple[str, str], int] = {}
    for slug, source in sources.items():
        problems = [problem for problem in batch.problems if problem.catalogued and problem.source == slug]
        ids_by_name = store.catalogue(
            session,
            source.id,
            [store.Catalogued(problem.external_id, problem.title, problem.released_on) for problem in problems],
        )
        ids |= {(slug, name): problem_id for name, problem_id in ids_by_name.items()}
        for scale in {problem.difficulty[0] for problem in problems if problem.difficulty}:
            values = {ids_by_name[problem.external_id]: problem.difficulty[1] for problem in problems
                      if problem.difficulty and problem.difficulty[0] == scale}  # fmt: skip
            difficulties.add_first(session, scale, values, now)
    return ids


def _store_problem(session: Session, source: Source, record: ImportedProblem, kind: str, now: datetime) -> int | None:
    """Write a problem down; the test set that it was offered, where it came with tests."""
    problem = store.find(session, source.id, record.external_id)
    if problem is None:
        problem = store.add_problem(session, source.id, record.external_id, record.title, ProblemState.FOUND)
    elif problem.state == ProblemState.CATALOGUED:
        store.move(session, problem, ProblemState.FOUND)
    for alias in record.aliases:
        store.add_alias(session, source.id, alias, problem.id)
    _store_facts(session, source, problem, record, kind, now)
    test_set_id = _store_checks(session, problem, record, kind, now)
    people.relate(session, problem.id, record)
    if record.unstated and source.kind == SourceKind.SUITE and LIMITS not in problem.waived:
        problem.waived = [*problem.waived, LIMITS]  # whoever imported it was told by which it is judged
    publish.settle(session, problem, now)
    return test_set_id


def _store_facts(
    session: Session, source: Source, problem: Problem, record: ImportedProblem, kind: str, now: datetime
) -> None:
    problem.title = record.title
    problem.titles = dict(record.titles) or problem.titles
    problem.url = record.url or problem.url
    problem.tags = list(record.tags) or problem.tags
    store.hear(problem, Word("import", now, bool(record.statements), record.flags))
    problem.canary = record.canary
    store.date_by(session, problem, record.released_on, f"imported from {kind}", now)
    if record.contest is not None:
        contest = contests.upsert(
            session,
            source.id,
            record.contest.external_id,
            {
                "title": record.contest.title,
                "division": record.contest.division,
                "url": record.contest.url,
                "starts_at": record.contest.starts_at,
                "ends_at": record.contest.ends_at,
                "state": ContestState.ENDED,
            },
        )
        problem.contest_id = contest.id
    if record.difficulty is not None:
        scale, value = record.difficulty
        difficulties.add(session, problem.id, scale, value, now)
    session.flush()


def _store_checks(session: Session, problem: Problem, record: ImportedProblem, kind: str, now: datetime) -> int | None:
    versions = {
        locale: _store_version(session, problem.id, locale, statement, record)
        for locale, statement in record.statements.items()
    }
    publish.use_texts(session, problem, versions, f"imported from {kind}", now)
    publish.add_programs(session, problem, record.programs, kind)
    if not record.tests:
        return None
    references = any(program.reference for program in record.programs)
    proof = Proof.SHIPPED if record.shipped_proof else Proof.WAITING if references else Proof.UNPROVEN
    test_set_id, _new = store.add_test_set(
        session,
        problem.id,
        record.spec,
        {
            "origin": record.tests_origin or kind,
            "proof": proof,
            "proof_detail": dict(record.shipped_proof or {}),
        },
    )
    publish.offer_test_set(session, problem, test_set_id, f"imported from {kind}", now)
    return test_set_id


def _store_version(
    session: Session, problem_id: int, locale: str, statement: ImportedStatement, record: ImportedProblem
) -> int:
    visible = [{"input": test.input, "expected": test.expected} for test in record.tests if test.visible]
    limits = {
        name: None if name in record.unstated else value
        for name, value in (("time_ms", record.limits.time_ms), ("memory_mb", record.limits.memory_mb))
    }
    version_id = texts.add(
        session,
        problem_id,
        locale,
        statement_sha256(statement.title, statement.text, statement.starter_code),
        {
            "title": statement.title,
            "statement": statement.text,
            "form": record.form,
            "entry": asdict(record.entry) if record.entry else None,
            "starter_code": dict(statement.starter_code),
            "examples": visible,
            "output_kb": record.limits.output_kb,
            **limits,
        },
    )
    texts.state_limits(session, version_id, limits)
    return version_id


def _store_runs(session: Session, batch: ImportBatch, now: datetime) -> dict[str, Run]:
    """A run per model of the file. A file already imported finds its runs; another file makes a new trial."""
    if batch.runs:
        return results.store_runs(session, batch, now)
    if batch.protocol is None:
        return {}
    protocol = run_store.ensure_protocol(
        session, next(protocol for protocol in BUILT_IN if protocol.slug == batch.protocol)
    )
    origin = RunOrigin.IMPORTED if batch.cells else RunOrigin.OWN
    return {model.slug: _store_run(session, batch, model, protocol.id, origin, now) for model in batch.models}


def _dated_otherwise(session: Session, batch: ImportBatch, runs: Mapping[str, Run]) -> Iterator[str]:
    """Models whose cutoff is another here than in the file."""
    for model in batch.models:
        cutoff = run_store.cutoff_of(session, runs[model.slug].model_id) if model.slug in runs else None
        if cutoff is not None and model.cutoff_on is not None and cutoff != model.cutoff_on:
            words = f"its cutoff here stays {cutoff}; LiveCodeBench's rules take the file's, {model.cutoff_on}"
            yield f"{model.slug}: {words}"


def _store_run(
    session: Session, batch: ImportBatch, entry: ImportedModel, protocol_id: int, origin: RunOrigin, now: datetime
) -> Run:
    model = run_store.ensure_model(session, entry, now)
    provenance = {
        "kind": batch.kind,
        "file": batch.file_name,
        "sha256": batch.file_sha256,
        "n_inferred": entry.n_inferred,
        "name_in_file": entry.name,
        "cutoff_in_file": None if entry.cutoff_on is None else entry.cutoff_on.isoformat(),
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
        aggregation.mark_run(session, run.id)


def _store_answers(
    session: Session, batch: ImportBatch, runs: dict[str, Run], sources: dict[str, Source]
) -> tuple[str, ...]:
    """Samples for the answers whose problem is here with tests; the others are counted by run, and named."""
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
