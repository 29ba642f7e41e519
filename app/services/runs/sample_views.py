"""One answer: the exact prompt, the response, the program in it, and its verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.db.boards.trials import configuration_label
from app.db.kernel.session import Session
from app.db.runs import results as store
from app.db.runs.child_samples import CARRIED_OVER_FROM
from app.db.runs.runs import read_protocol
from app.db.tables import Sample
from app.domain.asking.completions import Message, public_reason
from app.domain.asking.protocols import Protocol
from app.domain.errors import InvalidInput, NotFound
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import Need, prompt_sha256, scenarios
from app.services.runs.items import PromptBuilder
from app.services.runs.result_views import text_values

# PostgreSQL's bigint; no larger id exists.
_LARGEST_ID = 2**63 - 1
_ACCEPTED = Verdict.ACCEPTED.short


@dataclass(frozen=True, slots=True)
class VerdictView:
    """One verdict on an answer. `first_failing` counts tests from 1; a hidden test is only a number."""

    verdict: str
    passed: int
    total: int
    first_failing: int | None
    cpu_ms: float
    wall_ms: float
    memory_kb: int
    limit_mode: str
    slowness: float | None
    checker_failed: bool
    in_process: bool
    grader_revision: str
    judged_at: datetime
    current: bool
    message: str | None
    rejudged_for: str | None


@dataclass(frozen=True, slots=True)
class PromptView:
    """The exact messages, rendered again; `matches` is True if their digest is the one stored with the answer."""

    messages: tuple[Message, ...]
    sha256: str
    matches: bool | None


@dataclass(frozen=True, slots=True)
class SampleView:
    """One answer; `continues` are those it goes on from, the first one first."""

    id: int
    continues: tuple[int, ...]
    state: str
    error: str | None
    error_owner: str | None
    model: str
    name: str
    organisation: str
    configuration: str
    demo: bool
    protocol: str
    protocol_title: str
    recorded: bool
    source: str
    external_id: str
    title: str
    problem_demo: bool
    language: str
    ordinal: int
    prompt: PromptView | None
    prompt_withheld: bool
    response: str | None
    reasoning: str | None
    answer: str | None
    unanswered: bool
    followed_format: bool | None
    finish_reason: str | None
    served_model: str | None
    fingerprint: str | None
    answered_at: datetime | None
    latency_ms: float | None
    first_token_ms: float | None
    tokens: Mapping[str, int | None]
    cost_usd: float | None
    provenance: Mapping[str, str]
    verdicts: tuple[VerdictView, ...]


def sample(session: Session, sample_id: int) -> SampleView:
    """Return an answer's page. Raises NotFound."""
    row = store.sample_by_id(session, sample_id) if 0 < sample_id <= _LARGEST_ID else None
    if row is None:
        raise NotFound(f"there is no sample {sample_id}")
    sample, scope = row.sample, read_protocol(row.protocol.body)
    scenario = scenarios().get(scope.scenario)
    # Items made of tests or reference programs may show hidden ones; derived items show none.
    public = row.source.show_statements and not (scenario is not None and scenario.needs - {Need.DERIVED})
    return SampleView(
        id=sample.id,
        continues=_earlier_samples(session, sample),
        state=sample.state,
        error=None if sample.error is None else public_reason(sample.error, sample.error_owner),
        error_owner=sample.error_owner,
        model=row.model.slug,
        name=row.model.name,
        organisation=row.model.organisation_name,
        configuration=configuration_label(row.run.configuration),
        demo=row.model.demo,
        protocol=row.protocol.slug,
        protocol_title=row.protocol.title,
        recorded=scope.recorded,
        source=row.source.slug,
        external_id=row.problem.external_id,
        title=row.problem.title,
        problem_demo=row.source.demo,
        language=PromptBuilder(session).language(scope, sample),
        ordinal=sample.ordinal,
        prompt=_prompt(session, row, scope) if public and not scope.recorded else None,
        prompt_withheld=not public and not scope.recorded,
        response=sample.response,
        reasoning=sample.reasoning,
        answer=sample.answer,
        unanswered=sample.unanswered,
        followed_format=sample.followed_format,
        finish_reason=sample.finish_reason,
        served_model=sample.served_model,
        fingerprint=sample.fingerprint,
        answered_at=sample.answered_at,
        latency_ms=sample.latency_ms,
        first_token_ms=sample.first_token_ms,
        tokens={
            "input": sample.tokens_input,
            "cached": sample.tokens_cached,
            "reasoning": sample.tokens_reasoning,
            "answer": sample.tokens_answer,
        },
        cost_usd=None if sample.cost_usd is None else float(sample.cost_usd),
        provenance=text_values(sample.provenance),
        verdicts=tuple(
            _verdict(verdict) for verdict in store.verdicts_of(session, sample.id, row.problem.current_test_set_id)
        ),
    )


def _earlier_samples(session: Session, sample: Sample) -> tuple[int, ...]:
    if sample.parent_id is None:
        return ()
    parent = session.get_one(Sample, sample.parent_id)
    return (*_earlier_samples(session, parent), parent.id)


def _prompt(session: Session, row: store.SampleRow, scope: Protocol) -> PromptView | None:
    if CARRIED_OVER_FROM in row.sample.provenance:  # nothing was asked
        return None
    try:
        prompt = PromptBuilder(session).prompt(scope, row.sample)
    except InvalidInput:  # this version no longer asks it
        return None
    digest, sample_digest = prompt_sha256(prompt), row.sample.prompt_sha256
    return PromptView(prompt.messages, digest, None if sample_digest is None else sample_digest == digest)


def _verdict(line: store.VerdictLine) -> VerdictView:
    row = line.verdict
    failed = [number for number, (short, *_usage) in enumerate(row.outcomes, start=1) if short != _ACCEPTED]
    return VerdictView(
        verdict=row.verdict,
        passed=row.passed,
        total=row.total,
        first_failing=failed[0] if failed else None,
        cpu_ms=row.cpu_ms,
        wall_ms=row.wall_ms,
        memory_kb=row.memory_kb,
        limit_mode=row.limit_mode,
        slowness=row.slowness,
        checker_failed=row.checker_failed,
        in_process=row.in_process,
        grader_revision=row.grader_revision,
        judged_at=row.judged_at,
        current=line.current,
        # Only a compiler's message: others may reveal hidden tests.
        message=row.message if row.verdict == Verdict.COMPILE_ERROR else None,
        rejudged_for=line.rejudged_for,
    )
