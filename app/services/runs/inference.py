"""One slice of inference: what to ask an endpoint, and the outcome of each request."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from app.db.evidence import evidence
from app.db.kernel import blobs
from app.db.kernel.leases import Lease, LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.problems import problems
from app.db.runs import endpoint_rotation, sample_failures, samples
from app.db.runs import endpoints as endpoint_store
from app.db.runs import runs as run_store
from app.db.runs.budgets import AnswerCost
from app.db.tables import Endpoint, ProtocolRow, Run
from app.domain.asking import money
from app.domain.asking.completions import (
    AnsweredSample,
    EndpointSpec,
    FailedSample,
    FailureOwner,
    InferenceRequest,
    Prompt,
    Retry,
    RetryNotice,
    SampleKey,
    SampleOutcome,
)
from app.domain.asking.money import PriceChange, Prices
from app.domain.asking.protocols import CHOSEN_LANGUAGE_KEY, Protocol
from app.domain.asking.retry_policy import RETRY_POLICY
from app.domain.consensus.limits import CONSENSUS_LIMITS, ConsensusLimits, ConsensusUsage
from app.domain.errors import InvalidInput, Unavailable
from app.domain.reasons import storable_reason, text_reason
from app.domain.scenarios import prompt_sha256, scenarios
from app.domain.states import SampleState
from app.services.runs import budgets, endpoint_secrets
from app.services.runs.consensus.consensus_budget import TestBudget
from app.services.runs.endpoint_secrets import Vault
from app.services.runs.items import PromptBuilder

# In an answer's provenance: the number of answers of its request, which share its tokens.
ANSWERS_IN_REQUEST = "answers_in_request"
SLICE_SAMPLES = 256
_UNASKABLE_PAUSE = timedelta(hours=1)  # until a sample that cannot be asked is tried again
FIRST_SLICE_SAMPLES = 32  # samples of an endpoint that has not answered yet


@dataclass(frozen=True, slots=True)
class LeasedSlice:
    """Requests leased for one endpoint; outcomes are recorded one by one under its token."""

    endpoint: EndpointSpec
    lease: Lease
    requests: Mapping[int, InferenceRequest]  # by sample
    protocols: Mapping[int, Protocol]  # by sample
    attempts: Mapping[int, int]  # by sample, this one included
    prices: Prices
    reserved: Mapping[int, Decimal] = field(default_factory=dict)  # by sample, in US dollars

    def extend(self, more: "LeasedSlice", over: Collection[int]) -> "LeasedSlice":
        """Return the slice with the samples of `more`, and without those in `over`."""
        names = ("requests", "protocols", "attempts", "reserved")
        remaining = {name: {sample: value for sample, value in getattr(self, name).items() if sample not in over}
                for name in names}  # fmt: skip
        return replace(self, **{name: remaining[name] | getattr(more, name) for name in names})

    @property
    def runs(self) -> dict[int, set[int]]:
        """Samples by run."""
        by_run: dict[int, set[int]] = {}
        for sample_id, request in self.requests.items():
            by_run.setdefault(request.run_id, set()).add(sample_id)
        return by_run


def waiting_endpoints(session: Session, now: datetime, vault: Vault, slots: int) -> list[int]:
    """Return the endpoints that wait to be asked, in order, without those whose secrets the vault does not open."""
    ids = endpoint_rotation.waiting_endpoints(session, now, slots)
    lost = endpoint_secrets.find_lost(session, vault) if ids else None
    return ids if lost is None else [endpoint for endpoint in ids if endpoint not in lost.endpoints]


def open_next_slice(
    session: Session,
    now: datetime,
    duration: timedelta,
    vault: Vault,
    slots: int,
    bounds: ConsensusLimits = CONSENSUS_LIMITS,
) -> LeasedSlice | None:
    """Open a slice of the next waiting endpoint; None when no endpoint waits."""
    for endpoint_id in waiting_endpoints(session, now, vault, slots):
        work = open_slice(session, endpoint_id, now, duration, vault, bounds=bounds)
        if work is not None:
            return work
    return None


def open_slice(
    session: Session, endpoint_id: int, now: datetime, duration: timedelta, vault: Vault, limit: int | None = None,
    bounds: ConsensusLimits = CONSENSUS_LIMITS,
) -> LeasedSlice | None:  # fmt: skip
    """Take the endpoint and its next samples; None when it is taken, stopped, or nothing is due.

    An endpoint that was never served, or whose last slice brought no answer, gets a few samples at first.
    """
    lease = new_lease(now, duration, LeaseKind.SAMPLES, LeaseKind.ENDPOINTS)
    endpoint = endpoint_rotation.claim_endpoint(session, endpoint_id, lease, now)
    if endpoint is None:
        return None
    try:
        spec = spec_of(endpoint, vault)
    except Unavailable:  # our key is lost, which is no fault of this endpoint; an alert tells the operator
        endpoint_rotation.return_endpoint(session, endpoint_id, lease.token)
        return None
    proven = endpoint.served_at is not None and not endpoint.silent_slices
    max_samples = limit or (SLICE_SAMPLES if proven or endpoint.trusted else FIRST_SLICE_SAMPLES)
    work = fill_slice(session, endpoint, spec, lease, now, max_samples, bounds)
    if work is None:
        endpoint_rotation.return_endpoint(session, endpoint_id, lease.token)
    return work


def fill_slice(
    session: Session, endpoint: Endpoint, spec: EndpointSpec, lease: Lease, now: datetime, limit: int,
    bounds: ConsensusLimits = CONSENSUS_LIMITS,
) -> LeasedSlice | None:  # fmt: skip
    """Take the next samples of an endpoint that is free for this slice; None when nothing is due.

    Setters' samples are taken only within the limits of consensus.
    """
    purse = budgets.lock_budgets(session, endpoint.id, now)
    claimed = samples.claim_for_inference(session, endpoint.id, lease, now, limit)
    runs = {run_id: _run(session, run_id) for run_id in {sample.run_id for sample in claimed}}
    desk, prices, till = (
        PromptBuilder(session),
        budgets.prices_of(endpoint),
        TestBudget(session, bounds, lease.token, now),
    )
    answered = run_store.answered_runs(session, runs.keys())
    names = problems.names_of(session, {sample.problem_id for sample in claimed})
    prompts: dict[tuple[int, int, int, int | None], Prompt] = {}
    taken, left, unasked = list[samples.SampleClaim](), list[int](), dict[int, str]()
    requests = {}
    for sample in claimed:
        run, protocol = runs[sample.run_id]
        key = (sample.problem_version_id, run.protocol_id, sample.item, sample.parent_id)
        try:
            if key not in prompts:
                prompts[key] = desk.prompt(protocol, sample)
        except InvalidInput as gone:  # other tests gave the problem other items, or none yet
            unasked[sample.id] = str(gone)
            continue
        usd = money.max_cost(prompts[key], protocol.sampling, prices)
        if scenarios()[protocol.scenario].untested:
            need = ConsensusUsage(1, sum(money.max_call_tokens(prompts[key], protocol.sampling)), usd or Decimal(0))
            if not till.take(sample.id, sample.problem_version_id, need):
                left.append(sample.id)
                continue
        if not purse.reserve(sample.id, run.id, usd):
            left.append(sample.id)
            continue
        taken.append(sample)
        requests[sample.id] = InferenceRequest(
            sample_id=sample.id,
            prompt=prompts[key],
            sampling=protocol.sampling,
            seed=protocol.sampling.seed + 1000 * run.trial + sample.ordinal,
            configuration=run.configuration,
            run_id=run.id,
            run_answered=run.id in answered,
            subject=SampleKey(*names[sample.problem_id], protocol.scenario, sample.item, sample.ordinal),
        )
    samples.undo_claim(session, left, now)
    samples.defer_samples(session, unasked, now, now + _UNASKABLE_PAUSE)
    budgets.save_reservations(session, purse)
    till.save()
    if not taken:
        return None
    counted = (sample.problem_id for sample in taken if not runs[sample.run_id][1].practice)
    evidence.record_sent(session, endpoint, counted, now)
    run_store.note_sent(session, {sample.run_id for sample in taken}, now)
    return LeasedSlice(
        endpoint=spec,
        lease=lease,
        requests=requests,
        protocols={sample.id: runs[sample.run_id][1] for sample in taken},
        attempts={sample.id: sample.attempts for sample in taken},
        prices=Prices(endpoint.price_input, endpoint.price_output, endpoint.price_cached),
        reserved=purse.reservations,
    )


def extend_slice(
    session: Session, work: LeasedSlice, now: datetime, duration: timedelta, bounds: ConsensusLimits = CONSENSUS_LIMITS
) -> LeasedSlice | None:  # fmt: skip
    """Take the next samples of a slice's endpoint, under its own lease; None when nothing is due or it has ended."""
    endpoint = session.get(Endpoint, work.endpoint.id)
    if endpoint is None or endpoint.lease_token != work.lease.token or endpoint.stopped_at is not None:
        return None
    lease = replace(work.lease, until=now + duration)  # it was renewed meanwhile
    return fill_slice(session, endpoint, work.endpoint, lease, now, SLICE_SAMPLES, bounds)


def _run(session: Session, run_id: int) -> tuple[Run, Protocol]:
    run = session.get_one(Run, run_id)
    return run, run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)


def spec_of(row: Endpoint, vault: Vault | None) -> EndpointSpec:
    """Return how to ask an endpoint. Raises Unavailable if its secret cannot be opened."""
    return EndpointSpec(
        id=row.id,
        backend=row.backend,
        base_url=row.base_url,
        remote_name=row.remote_name,
        secret=vault.open(row.secret_encrypted) if vault and row.secret_encrypted else None,
        max_concurrency=row.max_concurrency,
        timeout_s=row.timeout_s,
        extra=row.extra,
        trusted=row.trusted,
    )


def record_all(session: Session, work: LeasedSlice, outcomes: Iterable[SampleOutcome], now: datetime) -> int:
    """Store outcomes that came together; return how many were still under this slice's lease."""
    results = list(outcomes)
    answered = [outcome for outcome in results if isinstance(outcome, AnsweredSample)]
    failed = [outcome for outcome in results if isinstance(outcome, FailedSample)]
    raw = blobs.put_all(session, [outcome.completion.raw for outcome in answered])
    history = endpoint_store.prices(session, work.endpoint.id) if answered else []
    moves = {
        outcome.sample_id: (SampleState.ANSWERED, _answer(work, outcome, digest, now, history))
        for outcome, digest in zip(answered, raw, strict=True)
    } | {outcome.sample_id: _failure(work, outcome, now) for outcome in failed}
    recorded = samples.record_all(session, work.lease.token, SampleState.INFERRING, moves)
    if first := {work.requests[sample].run_id for sample in _sample_ids(answered) & recorded}:
        run_store.note_answered(session, work.endpoint.id, first, now)
    if failed:
        _attribute_failures(session, [outcome for outcome in failed if outcome.sample_id in recorded], moves, now)
    _spend(session, work, {sample: moves[sample][1]["cost_usd"] for sample in _sample_ids(answered) & recorded}, now)
    for outcome in failed:
        if outcome.sample_id not in recorded:
            continue
        if outcome.retry is Retry.STOP:
            _stop_endpoint(session, work.endpoint.id, outcome.reason, now)
        elif outcome.retry is Retry.RUN:
            run_store.fail(session, work.requests[outcome.sample_id].run_id, storable_reason(outcome.reason, 500))
    return len(recorded)


def _attribute_failures(
    session: Session, failed: Iterable[FailedSample], moves: Mapping[int, tuple[SampleState, Any]], now: datetime
) -> None:
    """Count failures as the endpoint's own or not; a sample given up for its own may be the model's failure."""
    by_own = {own: {outcome.sample_id for outcome in failed if outcome.own is own} for own in (True, False)}
    sample_failures.count_failures(session, by_own[True], by_own[False])
    refused = {outcome.sample_id for outcome in failed if outcome.own and outcome.retry is Retry.NEVER}
    given_up = {sample for sample in by_own[True] if moves[sample][0] is SampleState.GAVE_UP}
    sample_failures.judge_own_failures(session, given_up, refused, now)


def _sample_ids(answered: Iterable[AnsweredSample]) -> set[int]:
    return {outcome.sample_id for outcome in answered}


def _spend(session: Session, work: LeasedSlice, costs: Mapping[int, Decimal | None], now: datetime) -> None:
    needs: dict[int, Decimal] = {}  # the most that one call may cost, by run
    for sample_id, usd in work.reserved.items():
        run_id = work.requests[sample_id].run_id
        needs[run_id] = min(usd, needs.get(run_id, usd))
    dearer = any(usd is not None and usd > work.reserved.get(sample_id, 0) for sample_id, usd in costs.items())
    by_run = [
        AnswerCost(work.requests[sample_id].run_id, usd, work.reserved.get(sample_id, Decimal(0)))
        for sample_id, usd in costs.items()
    ]
    budgets.record_spending(session, by_run, needs, now, dearer=dearer)


def record(session: Session, work: LeasedSlice, outcome: SampleOutcome, now: datetime) -> bool:
    """Store one outcome; False, with nothing stored, when the lease no longer holds."""
    return record_all(session, work, [outcome], now) == 1


def _answer(
    work: LeasedSlice, outcome: AnsweredSample, raw_sha256: str, now: datetime, history: Sequence[PriceChange]
) -> dict[str, Any]:
    completion = outcome.completion
    sent_at = now - timedelta(milliseconds=completion.latency_ms)
    protocol = work.protocols[outcome.sample_id]
    shared: dict[str, Any] = {} if completion.answers == 1 else {"provenance": {ANSWERS_IN_REQUEST: completion.answers}}
    extraction = scenarios()[protocol.scenario].extract(completion.text, protocol)
    return {
        "prompt_sha256": prompt_sha256(work.requests[outcome.sample_id].prompt),
        "raw_sha256": raw_sha256,
        "response": without_nul(completion.text),
        "reasoning": without_nul(completion.reasoning),
        "answer": None if extraction.code is None else without_nul(extraction.code),
        "followed_format": extraction.followed_format,
        **({} if extraction.language is None else {"provenance": {CHOSEN_LANGUAGE_KEY: extraction.language}}),
        "finish_reason": completion.finish_reason,
        "tokens_input": completion.usage.input,
        "tokens_cached": completion.usage.cached,
        "tokens_reasoning": completion.usage.reasoning,
        "tokens_answer": completion.usage.answer,
        "cost_usd": money.cost(completion.usage, money.prices_at(history, sent_at, work.prices)),
        "latency_ms": completion.latency_ms,
        "first_token_ms": completion.first_token_ms,
        "served_model": without_nul(completion.served_model),
        "fingerprint": without_nul(completion.fingerprint) or None,
        "answered_at": now,
        "requests": outcome.requests,
        "not_before": None,
        "error": None,
        "error_owner": None,
        **shared,
    }


def without_nul(text: str) -> str:
    """Replace NUL and lone surrogates, which PostgreSQL's text cannot hold; the raw bytes are stored beside it."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


def _failure(work: LeasedSlice, failed: FailedSample, now: datetime) -> tuple[SampleState, dict[str, Any]]:
    attempts = work.attempts[failed.sample_id] - (0 if failed.counts else 1)
    over = failed.retry is Retry.NEVER or attempts >= RETRY_POLICY.attempts
    values: dict[str, Any] = {
        "inference_attempts": attempts,
        "requests": failed.requests,
        "not_before": _not_before(failed, attempts, now),
    }
    says_nothing = failed.retry is Retry.LATER and failed.own is None and not failed.counts
    if failed.owner is FailureOwner.VENDOR or not says_nothing:
        values |= {"error": storable_reason(failed.reason, 2000), "error_owner": failed.owner}
    if failed.retry is Retry.RUN or (failed.retry is Retry.STOP and failed.own is not True):
        # The endpoint was refused, not this sample: its patience starts anew, unless the endpoint itself refused.
        values |= {"first_tried_at": None, "own_failures": 0}
    return SampleState.GAVE_UP if over else SampleState.PENDING, values


def _not_before(failed: FailedSample, attempts: int, now: datetime) -> datetime | None:
    """Return when to ask again: each counted failure lengthens the wait, and the outcome may name a later time."""
    if not failed.counts or failed.retry is not Retry.LATER:
        return failed.not_before
    return max(now + RETRY_POLICY.wait_after(attempts), failed.not_before or now)


def _stop_endpoint(session: Session, endpoint_id: int, reason: str, now: datetime) -> None:
    """Stop an endpoint that cannot be asked, with the reason, until it is resumed or registered again."""
    endpoint = session.get_one(Endpoint, endpoint_id, with_for_update=True)
    endpoint.stopped_at = endpoint.stopped_at or now
    endpoint.stopped_reason = endpoint.stopped_reason or text_reason(storable_reason(reason, 500))


def unwanted_samples(session: Session, work: LeasedSlice, notes: Iterable[RetryNotice] = ()) -> set[int]:
    """Store notes on failures that are tried again soon; return the samples whose runs no longer want an answer."""
    sample_failures.record_failures(session, work.lease.token, notes)
    runs = work.runs
    unwanted_runs = endpoint_rotation.unwanted_runs(session, work.endpoint.id, set(runs))
    return {sample_id for run_id in unwanted_runs for sample_id in runs[run_id]}


def detach_slice(session: Session, work: LeasedSlice) -> None:
    """Detach the slice: it sends nothing more, and goes on without a slot until calls under way have ended."""
    endpoint_rotation.detach_slice(session, work.endpoint.id, work.lease.token)


def close_slice(
    session: Session,
    work: LeasedSlice,
    now: datetime | None = None,
    *,
    answered: bool = True,
    rests_until: datetime | None = None,
) -> None:
    """Give the endpoint back; from `now` on it waits for its next turn, or rests first until `rests_until`."""
    if now is None:
        endpoint_rotation.return_endpoint(session, work.endpoint.id, work.lease.token)
    else:
        endpoint_rotation.end_slice(
            session, work.endpoint.id, work.lease.token, now, answered=answered, rests_until=rests_until
        )
