"""A problem with its tests and all answers to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from app.db.boards.trials import configuration_label
from app.db.evidence import profiles
from app.db.evidence.profiles import ProtocolResult
from app.db.kernel.session import Session
from app.db.problems import disputes
from app.db.runs import results as store
from app.db.runs.results import ProblemRow
from app.domain.boards.named_boards import board_place
from app.domain.composites.ease import EASE_SCALE_PREFIX
from app.domain.consensus.summary import ConsensusSummary, read_summary
from app.domain.cutoffs import cutoff_of
from app.domain.errors import NotFound, UnknownName
from app.domain.problems import Level, Limits, TestsOrigin, effective_limits
from app.domain.publishing.bands import Rating, level_of, rating_of
from app.domain.publishing.tags import split_tags
from app.services.problems.publishing import SUITE_FACTS
from app.services.runs.result_views import AnswerMark, check_name, text_values


@dataclass(frozen=True, slots=True)
class AnswersView:
    """Answers of one run to a problem; cells of a file have counts and no answers."""

    model: str
    name: str
    configuration: str
    protocol: str
    protocol_title: str
    demo: bool
    imported: bool
    cutoff_on: date
    n: int
    c: int
    median_cpu_ms: float | None
    dots: tuple[AnswerMark, ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """A reader's report about a problem, with its answer if there is one."""

    id: int
    at: datetime
    body: str
    state: str
    answer: str | None
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class ProblemView:
    """A problem: metadata always, its text only if the source's policy shows it."""

    source: str
    source_name: str
    external_id: str
    title: str
    titles: Mapping[str, str]
    url: str | None
    state: str
    demo: bool
    contest: str | None
    contest_url: str | None
    released_on: datetime | None
    tags: tuple[str, ...]
    topics: tuple[str, ...]
    other_tags: tuple[str, ...]
    flags: tuple[str, ...]
    level: Level | None
    rating: Rating | None
    difficulties: tuple[tuple[str, float, datetime], ...]
    eases: tuple[tuple[str, float, datetime], ...]
    form: str | None
    time_ms: int | None
    memory_mb: int | None
    judged: Limits  # the site's two if known, else ours
    statements: Mapping[str, str]
    tests: int | None
    tests_origin: TestsOrigin | None
    setters: tuple[str, ...]
    suite: ConsensusSummary | None  # set for a consensus
    rejected: tuple[int, int] | None  # (rejected, tried) wrong programs, from when they were made
    proof: str | None
    checker: str | None
    quarantined: str | None
    reports: tuple["ReportView", ...]
    answers: tuple[AnswersView, ...]


@dataclass(frozen=True, slots=True)
class AnsweredProblem:
    """A problem with the answers under one protocol, `shown`; None if there are no answers.

    `protocols` are all that have answers to it, in the order of the boards.
    """

    view: ProblemView
    protocols: tuple[ProtocolResult, ...]
    shown: ProtocolResult | None


def problem_results(session: Session, source: str, external_id: str, protocol: str | None) -> AnsweredProblem:
    """Return a problem with the answers under a protocol, by default the first board's.

    Raises NotFound for an unknown problem, and UnknownName for a protocol without answers to it.
    """
    row = find_problem(session, source, external_id)
    results = sorted(
        profiles.protocol_results(session, row.problem.id),
        key=lambda result: (*board_place(result.protocol.protocol), result.protocol.id),
    )
    if protocol is None:
        shown = next(iter(results), None)
    else:
        shown = next((result for result in results if result.protocol.slug == protocol), None)
        if shown is None:
            slugs = [result.protocol.slug for result in results]
            raise UnknownName("protocol", protocol, slugs, where="with answers to this problem")
    view = _view(session, row, None if shown is None else shown.protocol.slug)
    return AnsweredProblem(view, tuple(results), shown)


def find_problem(session: Session, source: str, external_id: str) -> ProblemRow:
    """Return the problem of a page. Raises NotFound."""
    row = store.problem_by_name(session, check_name(source), check_name(external_id))
    if row is None:
        raise NotFound(f"there is no problem {source}/{external_id}")
    return row


def problem(session: Session, source: str, external_id: str) -> ProblemView:
    """Return a problem with all answers to it. Raises NotFound."""
    return _view(session, find_problem(session, source, external_id), None)


def _view(session: Session, row: ProblemRow, protocol: str | None) -> ProblemView:
    problem, version, tests = row.problem, row.version, row.test_set
    suite_facts = tests.proof_detail.get(SUITE_FACTS) or {} if tests else {}
    rows = store.difficulties(session, problem.id)
    newest = {row.scale: row.value for row in reversed(rows)}
    return ProblemView(
        source=row.source.slug,
        source_name=row.source.name,
        external_id=problem.external_id,
        title=problem.title,
        titles=text_values(problem.titles),
        url=problem.url if problem.url and problem.url.startswith(("https://", "http://")) else None,
        state=problem.state,
        demo=row.source.demo,
        contest=row.contest.title if row.contest else None,
        contest_url=row.contest.url if row.contest else None,
        released_on=problem.released_on,
        tags=tuple(problem.tags),
        topics=tuple(problem.topics),
        other_tags=split_tags(problem.tags).others if problem.topics else tuple(problem.tags),
        flags=tuple(problem.flags),
        level=level_of(newest, row.source.slug),
        rating=rating_of(newest),
        difficulties=tuple(
            (row.scale, row.value, row.observed_at) for row in rows if not row.scale.startswith(EASE_SCALE_PREFIX)
        ),
        eases=tuple(
            (row.scale.removeprefix(EASE_SCALE_PREFIX), row.value, row.observed_at)
            for row in rows
            if row.scale.startswith(EASE_SCALE_PREFIX)
        ),
        form=version.form if version else None,
        time_ms=version.time_ms if version else None,
        memory_mb=version.memory_mb if version else None,
        judged=effective_limits(version.time_ms, version.memory_mb, version.output_kb) if version else Limits(),
        statements=store.statements(session, problem.id) if row.source.show_statements else {},
        tests=store.test_count(session, tests.id) if tests else None,
        tests_origin=TestsOrigin(tests.origin) if tests else None,
        setters=tuple(tests.setters) if tests else (),
        suite=read_summary(suite_facts) if tests and tests.origin == TestsOrigin.CONSENSUS else None,
        rejected=_rejected(suite_facts) if tests else None,
        proof=tests.proof if tests else None,
        checker=("interactor" if tests.interactor else tests.checker_kind) if tests else None,
        quarantined=problem.hold_reason,
        reports=tuple(
            ReportView(dispute.id, dispute.at, dispute.body, dispute.state, dispute.answer, dispute.answered_at)
            for dispute in disputes.of_problem(session, problem.id)
        ),
        answers=tuple(_answers(store.answers_to(session, problem.id, protocol))),
    )


def _rejected(suite_facts: Mapping[str, Any]) -> tuple[int, int] | None:
    rejected, passed = (len(suite_facts.get(name) or ()) for name in ("killed", "survived"))
    return (rejected, rejected + passed) if rejected + passed else None


def _answers(lines: Sequence[store.ProblemAnswer]) -> Iterable[AnswersView]:
    groups: dict[int, list[store.ProblemAnswer]] = {}
    for line in lines:
        groups.setdefault(line.run_id, []).append(line)
    for group in groups.values():
        first = group[0]
        judged = [line for line in group if line.verdict is not None and line.verdict != "judge_error"]
        times = sorted(line.cpu_ms for line in judged if line.cpu_ms is not None)
        yield AnswersView(
            model=first.model,
            name=first.name,
            configuration=configuration_label(first.configuration),
            protocol=first.protocol,
            protocol_title=first.protocol_title,
            demo=first.demo,
            imported=first.imported,
            cutoff_on=cutoff_of(first.cutoff_on, first.released_on, first.registered_at).on,
            n=(first.n or 0) if first.imported else len(judged),
            c=(first.c or 0) if first.imported else sum(line.verdict == "accepted" for line in judged),
            median_cpu_ms=times[len(times) // 2] if times else None,
            dots=tuple(AnswerMark(line.sample_id, line.verdict) for line in group if line.sample_id is not None),
        )
