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
from app.db.runs import children, endpoints, planning, samples, troubles, wanted
from app.db.runs import runs as run_store
from app.db.runs.setting import draws, settings
from app.db.sources.scope import may_come
from app.db.tables import ProtocolRow, Run
from app.domain.asking.order import Lacking, balanced
from app.domain.asking.patience import PATIENCE
from app.domain.asking.protocols import Protocol, renewed
from app.domain.imports import ImportedModel
from app.domain.problems import Level
from app.domain.scenarios import Need, scenarios, shipped
from app.domain.setting.bounds import BOUNDS, Bounds
from app.services.problems import derive, publish
from app.services.runs import announce, budgets, cutoffs, items, secrets
from app.services.runs.judge_state import workers
from app.services.runs.secrets import Vault
from app.services.runs.setting import setters
from app.services.runs.setting.bounds import day_of

_BUNDLED = "bundled to show how it works"
# One statement over a thousand runs and twenty thousand problems would exceed its time limit.
_RUNS_AT_ONCE = 50
# After so long without a sweep, this machine or its database was off or asleep.
_SWEEP_GAP = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Offer:
    """A bundled model with its endpoint and the configurations it is to be run in."""

    model: ImportedModel
    backend: str
    remote_name: str
    base_url: str
    configurations: tuple[dict[str, str], ...] = ({},)
    max_concurrency: int = 8
    price_input: float | None = None
    price_output: float | None = None


def register_demo(session: Session, offers: tuple[Offer, ...], protocol: Protocol, now: datetime) -> None:
    """Create or update the bundled models with their endpoint and standing runs."""
    row = run_store.ensure_protocol(session, protocol)
    last, runs = announce.last_run(session), []
    for offer in offers:
        model = cutoffs.ensure_model(session, offer.model, now, "system", _BUNDLED, demo=True)
        endpoint = run_store.ensure_endpoint(
            session,
            model.id,
            {
                "backend": offer.backend,
                "remote_name": offer.remote_name,
                "base_url": offer.base_url,
                "max_concurrency": offer.max_concurrency,
                "price_input": offer.price_input,
                "price_output": offer.price_output,
                "timeout_s": 30.0,
                "trusted": True,
                "stopped_at": None,
                "stopped_reason": None,
            },
        )
        endpoints.note_prices(session, endpoint, now)
        runs += [
            run_store.ensure_run(session, model.id, endpoint.id, row.id, configuration).id
            for configuration in offer.configurations
        ]
    announce.announce_runs(session, (run for run in runs if run > last), _BUNDLED, now)


def ensure_protocols(session: Session) -> None:
    """Store the protocols this version ships, with what they cover.

    Operators' protocols are asked and judged as the shipped ones are: if that changes, they get a new revision too.
    """
    ours = shipped()
    rows = {row.slug: row for row in run_store.asked_protocols(session)}
    if not ours.keys() <= rows.keys():
        run_store.add_protocols(session, ours.values())  # at the first start all of them are new
        rows = {row.slug: row for row in run_store.asked_protocols(session)}
    for protocol in ours.values():
        if protocol.slug not in rows or rows[protocol.slug].body != protocol.body():
            run_store.ensure_protocol(session, protocol)
    for protocol in [run_store.read_protocol(row.body) for slug, row in rows.items() if slug not in ours]:
        if not (protocol.imported or protocol.recorded):
            run_store.ensure_protocol(session, renewed(protocol, ours.values()))


def settle(session: Session, now: datetime) -> None:
    """Update the state of problems that were waiting.

    One that still waits is not locked, since its proof may come meanwhile.
    """
    for waiting, _beside in problem_store.waiting_problems(session):
        if publish.is_decided(session, waiting, now):
            problem = problem_store.locked_unless_taken(session, waiting.id)
            if problem is not None:
                publish.settle(session, problem, now)


def plan(session: Session, now: datetime, bounds: Bounds = BOUNDS) -> int | None:
    """Update problems that were waiting, then add every sample active runs want; return how many cells grew.

    None while another process plans, which may have begun before the new facts were there: then call it again. Problems
    without tests are planned only up to the limit of `bounds`.
    """
    if not planning.take_turn(session):
        return None
    settle(session, now)
    if setters.follow(session, now):
        settings.begin(session, now, day_of(now), bounds.unpublished)
        draws.draw(session, now)
    levels: dict[int, Level] = {}
    grown = 0
    by_protocol = _by_protocol(session)
    for protocol, runs in by_protocol:
        by_examples = protocol.style in scenarios()[protocol.scenario].by_examples
        follows = protocol.prerequisite is not None
        if follows:
            grown += children.follow(session, [run.id for run in runs], by_examples=by_examples)
        for run, lacking in _runs_missing_samples(session, runs, protocol, now):
            levels = levels or cells.levels(session)
            released = {item.problem: item.released for item in lacking}
            ease = planning.ease(session, run, protocol.scenario, released)
            order = balanced([Lacking(key, ease.get(key), levels.get(key), day) for key, day in released.items()])
            place = {problem: number for number, problem in enumerate(order)}
            lacking.sort(key=lambda item: (place[item.problem], item.item))
            added = planning.ask(session, run, lacking, protocol)
            grown += added
            if follows and added:
                children.follow(session, [run.id], by_examples=by_examples)
    # Protocols of imported results ask no model, so they need no derivations.
    asking = [
        candidate
        for candidate in (*shipped().values(), *(protocol for protocol, _runs in by_protocol))
        if not candidate.imported
    ]
    showing = [candidate.covers for candidate in asking if Need.DERIVED in scenarios()[candidate.scenario].needs]
    derive.begin(session, showing, now)
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
) -> Iterator[tuple[Run, list[planning.Wanted]]]:
    """Yield those of a protocol's runs that lack samples, mostly none, with what they lack."""
    for start in range(0, len(runs), _RUNS_AT_ONCE):
        batch = runs[start : start + _RUNS_AT_ONCE]
        missing = _missing_samples(session, batch, protocol, now)
        yield from ((run, missing[run.id]) for run in batch if missing[run.id])


def _missing_samples(
    session: Session, runs: Sequence[Run], protocol: Protocol, now: datetime
) -> dict[int, list[planning.Wanted]]:
    """Return the samples that runs of a protocol want and lack, by run."""
    scenario = scenarios()[protocol.scenario]
    covered = [] if scenario.asks_once else planning.covered(session, runs, protocol, scenario, now)
    return planning.lacking(session, runs, protocol, scenario, items.counts(session, scenario, covered), now)


def lacks(session: Session, run: Run, now: datetime) -> bool:
    """Return True if a run wants samples that are not planned yet: of a new text, or of parents not judged yet."""
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    return protocol.scenario in scenarios() and bool(_missing_samples(session, [run], protocol, now)[run.id])


def stays_empty(session: Session, run: Run, now: datetime) -> bool:
    """Return True if a run's window is past and no problem that its protocol covers can come into it any more.

    Items that follow from answers, or are made of solved problems, may come at any time.
    """
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    if run.window_end is None or run.window_end > now or protocol.prerequisite is not None:
        return False
    if protocol.scenario not in scenarios() or Need.DERIVED in scenarios()[protocol.scenario].needs:
        return False
    return not lacks(session, run, now) and not may_come(session, protocol.covers, run.window_start, run.window_end)


def due(session: Session, now: datetime) -> wanted.Due:
    """Return the work that could be done now."""
    return wanted.due(session, now, items.gradable())


def _asking_since(session: Session, now: datetime, *, paused: bool) -> datetime | None:
    """Return since when a worker is there to ask, if none was before; None if one was there all the time."""
    asking = [worker for worker in workers(session, now) if worker.queue == "infer"]
    if paused or (asking and all(worker.silent for worker in asking)):
        return now
    return heartbeats.resumed(session, "sweep", now - PATIENCE.span, _SWEEP_GAP)


def free(session: Session, now: datetime) -> None:
    """Release the leases of dead workers."""
    leases.cut(session, now)
    samples.expire_leases(session, now)


def sweep(session: Session, now: datetime, vault: Vault | None = None, *, paused: bool = False) -> wanted.Due:
    """Release the leases of dead workers, and return what is due: the only recovery mechanism, always on."""
    free(session, now)
    return find_due(session, now, vault, paused=paused)


def find_due(session: Session, now: datetime, vault: Vault | None, *, paused: bool) -> wanted.Due:
    """Give up samples that waited in vain, and return what is due.

    Endpoints whose secrets the vault does not open wait, and their samples lose no patience. Nor do any samples while
    work is `paused`, no worker asks, or the sweep was away.
    """
    lost = None if vault is None else secrets.lost_as_told(session, vault)
    closed = frozenset[int]() if lost is None else lost.endpoints
    budgets.reopen(session, now)
    troubles.be_patient(session, closed)
    if (asking_since := _asking_since(session, now, paused=paused)) is not None:
        troubles.begin_anew(session, asking_since)
    troubles.give_up_on(session, now)
    backlog = due(session, now)
    wanted.note_waiting(session, set(backlog.endpoints), now)
    return replace(
        backlog,
        endpoints=tuple(endpoint for endpoint in backlog.endpoints if endpoint not in closed),
        settings=settings.ready(session, now),
        derivations=derive.waiting(session, now),
        grading=backlog.grading + proposals.due(session, now),  # the same judges judge stored answers again
    )
