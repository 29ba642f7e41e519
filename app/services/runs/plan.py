"""Planning: wanted minus existing. Runs are extended by each new problem; nothing is planned twice.

Samples that a run lacks at a time are asked in a balanced order, so that an unfinished run has answered a fair part of
them; problems published later come after these.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.db.boards import cells
from app.db.kernel import leases
from app.db.kernel.session import Session
from app.db.operations import heartbeats
from app.db.problems import problems as problem_store
from app.db.rejudging import proposals
from app.db.runs import child_samples, due_work, endpoints, planning, sample_failures, samples
from app.db.runs import runs as run_store
from app.db.runs.consensus import consensuses, draws
from app.db.sources.scope import may_gain_problems
from app.db.tables import ProtocolRow, Run
from app.domain.asking.problem_order import MissingProblem, balance_order
from app.domain.asking.protocols import Protocol, renew_protocol
from app.domain.asking.retry_policy import RETRY_POLICY
from app.domain.consensus.limits import CONSENSUS_LIMITS, ConsensusLimits
from app.domain.imports import ImportedModel
from app.domain.problems import Level
from app.domain.reasons import Reason
from app.domain.scenarios import Need, scenarios, shipped_protocols
from app.services.problems import derivations, publishing
from app.services.runs import announcements, budgets, cutoffs, endpoint_secrets, items
from app.services.runs.consensus import setters
from app.services.runs.consensus.consensus_budget import day_of
from app.services.runs.control.endpoints import DEFAULT_CONCURRENCY
from app.services.runs.endpoint_secrets import Vault
from app.services.runs.judge_state import workers

_BUNDLED = Reason("bundled")
# One statement over a thousand runs and twenty thousand problems would exceed its time limit.
_RUNS_AT_ONCE = 50
# After so long without a sweep, this machine or its database was off or asleep.
_SWEEP_GAP = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class BundledModel:
    """A bundled model, where it is served under its slug, and the configurations it is to be run in.

    `prices` are US dollars per million tokens read and written.
    """

    model: ImportedModel
    base_url: str
    configurations: tuple[dict[str, str], ...] = ({},)
    prices: tuple[float | None, float | None] = (None, None)


def register_demo(session: Session, offers: tuple[BundledModel, ...], protocol: Protocol, now: datetime) -> None:
    """Create or update the bundled models with their endpoint and standing runs."""
    row = run_store.ensure_protocol(session, protocol)
    last, runs = announcements.last_run(session), []
    for offer in offers:
        model = cutoffs.ensure_model(session, offer.model, now, "system", _BUNDLED, demo=True)
        endpoint = run_store.ensure_endpoint(
            session,
            model.id,
            {
                "backend": "openai_chat",
                "remote_name": offer.model.slug,
                "base_url": offer.base_url,
                "max_concurrency": DEFAULT_CONCURRENCY,
                "price_input": offer.prices[0],
                "price_output": offer.prices[1],
                "timeout_s": 30.0,
                "trusted": True,
                "stopped_at": None,
                "stopped_reason": None,
            },
        )
        endpoints.record_prices(session, endpoint, now)
        runs += [
            run_store.ensure_run(session, model.id, endpoint.id, row.id, configuration).id
            for configuration in offer.configurations
        ]
    announcements.announce_runs(session, (run for run in runs if run > last), _BUNDLED, now)


def ensure_protocols(session: Session) -> None:
    """Store the protocols this version ships, with what they cover.

    Operators' protocols are asked and judged as the shipped ones are: if that changes, they get a new revision too.
    """
    ours = shipped_protocols()
    rows = {row.slug: row for row in run_store.asked_protocols(session)}
    if not ours.keys() <= rows.keys():
        run_store.add_protocols(session, ours.values())  # at the first start all of them are new
        rows = {row.slug: row for row in run_store.asked_protocols(session)}
    for protocol in ours.values():
        if protocol.slug not in rows or rows[protocol.slug].body != protocol.body():
            run_store.ensure_protocol(session, protocol)
    for protocol in [run_store.read_protocol(row.body) for slug, row in rows.items() if slug not in ours]:
        if not (protocol.imported or protocol.recorded):
            run_store.ensure_protocol(session, renew_protocol(protocol, ours.values()))


def update_waiting_problems(session: Session, now: datetime) -> None:
    """Update the state of problems that were waiting.

    One that still waits is not locked, since its proof may come meanwhile.
    """
    for waiting, _beside in problem_store.waiting_problems(session):
        if publishing.would_update_state(session, waiting, now):
            problem = problem_store.try_lock_problem(session, waiting.id)
            if problem is not None:
                publishing.update_state(session, problem, now)


def plan_samples(session: Session, now: datetime, bounds: ConsensusLimits = CONSENSUS_LIMITS) -> int | None:
    """Update problems that were waiting, then add every sample active runs want; return how many cells grew.

    None while another process plans, which may have begun before the new facts were there: then call it again. Problems
    without tests are planned only up to the limit of `bounds`.
    """
    if not planning.try_lock_planning(session):
        return None
    update_waiting_problems(session, now)
    if setters.update_setters(session, now):
        consensuses.begin(session, now, day_of(now), bounds.unpublished)
        draws.draw_vendors(session, now)
    levels: dict[int, Level] = {}
    grown = 0
    by_protocol = _by_protocol(session)
    for protocol, runs in by_protocol:
        by_examples = protocol.style in scenarios()[protocol.scenario].by_examples
        follows = protocol.prerequisite is not None
        if follows:
            grown += child_samples.follow_parents(session, [run.id for run in runs], by_examples=by_examples)
        for run, lacking in _runs_missing_samples(session, runs, protocol, now):
            levels = levels or cells.levels(session)
            released = {item.problem: item.released for item in lacking}
            ease = planning.mean_pass_rates(session, run, protocol.scenario, released)
            order = balance_order(
                [MissingProblem(key, ease.get(key), levels.get(key), day) for key, day in released.items()]
            )
            place = {problem: number for number, problem in enumerate(order)}
            lacking.sort(key=lambda item: (place[item.problem], item.item))
            added = planning.insert_samples(session, run, lacking, protocol)
            grown += added
            if follows and added:
                child_samples.follow_parents(session, [run.id], by_examples=by_examples)
    # Protocols of imported results ask no model, so they need no derivations.
    asking = [
        candidate
        for candidate in (*shipped_protocols().values(), *(protocol for protocol, _runs in by_protocol))
        if not candidate.imported
    ]
    showing = [candidate.covers for candidate in asking if Need.DERIVED in scenarios()[candidate.scenario].needs]
    derivations.begin(session, showing, now)
    return grown


def _by_protocol(session: Session) -> list[tuple[Protocol, list[Run]]]:
    """Return runs to be extended, oldest first, by protocol, without those of a plug-in that is gone.

    Protocols that show solutions come last: by then all that is to be solved is planned.
    """
    protocols: dict[int, Protocol] = {}
    runs: dict[int, list[Run]] = {}
    for run, body in planning.active_runs(session):
        protocols[run.protocol_id] = protocols.get(run.protocol_id) or run_store.read_protocol(body)
        runs.setdefault(run.protocol_id, []).append(run)
    present = [(protocol, runs[key]) for key, protocol in protocols.items() if protocol.scenario in scenarios()]
    return sorted(present, key=lambda entry: Need.DERIVED in scenarios()[entry[0].scenario].needs)


def _runs_missing_samples(
    session: Session, runs: Sequence[Run], protocol: Protocol, now: datetime
) -> Iterator[tuple[Run, list[planning.MissingItem]]]:
    """Yield those of a protocol's runs that lack samples, mostly none, with what they lack."""
    for start in range(0, len(runs), _RUNS_AT_ONCE):
        batch = runs[start : start + _RUNS_AT_ONCE]
        missing = _missing_samples(session, batch, protocol, now)
        yield from ((run, missing[run.id]) for run in batch if missing[run.id])


def _missing_samples(
    session: Session, runs: Sequence[Run], protocol: Protocol, now: datetime
) -> dict[int, list[planning.MissingItem]]:
    """Return the samples that runs of a protocol want and lack, by run."""
    scenario = scenarios()[protocol.scenario]
    covered = [] if scenario.asks_once else planning.covered_problems(session, runs, protocol, scenario, now)
    return planning.missing_items(session, runs, protocol, scenario, items.count_items(session, scenario, covered), now)


def has_missing_samples(session: Session, run: Run, now: datetime) -> bool:
    """Return True if a run wants samples that are not planned yet: of a new text, or of parents not judged yet."""
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    return protocol.scenario in scenarios() and bool(_missing_samples(session, [run], protocol, now)[run.id])


def may_grow(session: Session, run: Run, now: datetime) -> bool:
    """Return True if a run wants samples that are not planned, or problems of its past window may still come."""
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    if run.window_end is None or may_gain_problems(session, protocol.covers, run.window_start, run.window_end):
        return True
    return has_missing_samples(session, run, now)


def stays_empty(session: Session, run: Run, now: datetime) -> bool:
    """Return True if a run has nothing, its window is past, and no problem that it covers can come into it any more.

    What may still come is read before what is there, and what is there at one instant: a problem that is published, or
    a plan that commits meanwhile, is never missed. Items that follow from answers, or are made of solved problems, may
    come at any time.
    """
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    if run.window_end is None or run.window_end > now or protocol.prerequisite is not None:
        return False
    if protocol.scenario not in scenarios() or Need.DERIVED in scenarios()[protocol.scenario].needs:
        return False
    if may_gain_problems(session, protocol.covers, run.window_start, run.window_end):
        return False
    scenario = scenarios()[protocol.scenario]
    found = planning.snapshot_of_run(session, run, protocol, scenario, now)
    if found.samples or not found.covered:
        return not found.samples
    return not scenario.asks_once and not any(items.count_items(session, scenario, found.covered).values())


def find_due_work(session: Session, now: datetime) -> due_work.DueWork:
    """Return the work that could be done now."""
    return due_work.find_due_work(session, now, items.gradable_answers())


def _asking_since(session: Session, now: datetime, *, paused: bool) -> datetime | None:
    """Return since when a worker is there to ask, if none was before; None if one was there all the time."""
    asking = [worker for worker in workers(session, now) if worker.queue == "infer"]
    if paused or (asking and all(worker.silent for worker in asking)):
        return now
    return heartbeats.last_resumption(session, "sweep", now - RETRY_POLICY.span, _SWEEP_GAP)


def expire_leases(session: Session, now: datetime) -> None:
    """Release the leases of dead workers."""
    leases.shorten_leases(session, now)
    samples.expire_leases(session, now)


def sweep(session: Session, now: datetime, vault: Vault | None = None, *, paused: bool = False) -> due_work.DueWork:
    """Release the leases of dead workers, and return what is due: the only recovery mechanism, always on."""
    expire_leases(session, now)
    return find_due(session, now, vault, paused=paused)


def find_due(session: Session, now: datetime, vault: Vault | None, *, paused: bool) -> due_work.DueWork:
    """Give up samples that waited in vain, and return what is due.

    Endpoints whose secrets the vault does not open wait, and their samples lose no patience. Nor do any samples while
    work is `paused`, no worker asks, or the sweep was away.
    """
    lost = None if vault is None else endpoint_secrets.reported_lost(session, vault)
    closed = frozenset[int]() if lost is None else lost.endpoints
    budgets.resume_runs(session, now)
    sample_failures.reset_patience_at(session, closed)
    if (asking_since := _asking_since(session, now, paused=paused)) is not None:
        sample_failures.reset_patience_before(session, asking_since)
    sample_failures.give_up_overdue(session, now)
    backlog = find_due_work(session, now)
    due_work.record_waiting(session, set(backlog.endpoints), now)
    return replace(
        backlog,
        endpoints=tuple(endpoint for endpoint in backlog.endpoints if endpoint not in closed),
        consensuses=(ready := consensuses.count_ready(session, now)),
        fresh_consensus=ready > 0 and consensuses.is_fresh_waiting(session, now),
        derivations=derivations.count_waiting(session, now),
        grading=backlog.grading + proposals.count_due(session, now),  # the same judges judge stored answers again
    )
