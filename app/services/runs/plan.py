"""Planning: wanted minus existing. Runs are extended by each new problem; nothing is planned twice.

What a run lacks at a time is asked in a balanced order, so that an unfinished run has answered a fair part of it; what
is published later comes after it.
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
# Of a thousand runs over twenty thousand problems one look would take longer than a statement may.
_AT_ONCE = 50
# Without a sweep for so long this machine was off or asleep, or its database was.
_AWAY = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Offer:
    """A model with where it is served and the configurations it is to be run in."""

    model: ImportedModel
    backend: str
    remote_name: str
    base_url: str
    configurations: tuple[dict[str, str], ...] = ({},)
    max_concurrency: int = 8
    price_input: float | None = None
    price_output: float | None = None


def register_demo(session: Session, offers: tuple[Offer, ...], protocol: Protocol, now: datetime) -> None:
    """The bundled models with their endpoint and standing runs, made or brought up to date."""
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
    """The protocols this version ships, with what they cover.

    Those that operators made are asked and judged as the shipped ones are: where that changes, they have a new
    revision too.
    """
    ours = shipped()
    rows = {row.slug: row for row in run_store.asked_protocols(session)}
    if not ours.keys() <= rows.keys():
        run_store.add_protocols(session, ours.values())  # at a first start all of them are new
        rows = {row.slug: row for row in run_store.asked_protocols(session)}
    for protocol in ours.values():
        if protocol.slug not in rows or rows[protocol.slug].body != protocol.body():
            run_store.ensure_protocol(session, protocol)
    for protocol in [run_store.read_protocol(row.body) for slug, row in rows.items() if slug not in ours]:
        if not (protocol.imported or protocol.recorded):
            run_store.ensure_protocol(session, renewed(protocol, ours.values()))


def settle(session: Session, now: datetime) -> None:
    """Decide about problems that were waiting; one that waits on is not locked, for its proof may come meanwhile."""
    for waiting, _beside in problem_store.waiting_problems(session):
        if publish.is_decided(session, waiting, now):
            problem = problem_store.locked_unless_taken(session, waiting.id)
            if problem is not None:
                publish.settle(session, problem, now)


def plan(session: Session, now: datetime, bounds: Bounds = BOUNDS) -> int | None:
    """Settle problems that were waiting, then add every sample active runs want; returns how many cells grew.

    None while another process plans, which may have begun before what is to be planned was there: then it is to be
    asked again. Of problems without tests no more are planned than the bounds say.
    """
    if not planning.take_turn(session):
        return None
    settle(session, now)
    if setters.follow(session, now):
        settings.begin(session, now, day_of(now), bounds.unpublished)
        draws.draw(session, now)
    levels: dict[int, Level] = {}
    grown = 0
    known = _by_protocol(session)
    for protocol, runs in known:
        by_examples = protocol.style in scenarios()[protocol.scenario].by_examples
        follows = protocol.prerequisite is not None
        if follows:
            grown += children.follow(session, [run.id for run in runs], by_examples=by_examples)
        for run, lacking in _who_lack(session, runs, protocol, now):
            levels = levels or cells.levels(session)
            released = {item.problem: item.released for item in lacking}
            ease = planning.ease(session, run, protocol.scenario, released)
            order = balanced([Lacking(key, ease.get(key), levels.get(key), day) for key, day in released.items()])
            place = {problem: number for number, problem in enumerate(order)}
            lacking.sort(key=lambda item: (place[item.problem], item.item))
            asked = planning.ask(session, run, lacking, protocol)
            grown += asked
            if follows and asked:
                children.follow(session, [run.id], by_examples=by_examples)
    # What is asked of nobody, such as a suite's items, yields nothing.
    asking = [each for each in (*shipped().values(), *(protocol for protocol, _runs in known)) if not each.imported]
    showing = [each.covers for each in asking if Need.DERIVED in scenarios()[each.scenario].needs]
    derive.begin(session, showing, now)
    return grown


def _by_protocol(session: Session) -> list[tuple[Protocol, list[Run]]]:
    """Runs to be extended, the oldest first; of a plug-in that is not here any more there are none.

    What shows solutions comes last: by then all that is to be solved is planned.
    """
    protocols: dict[int, Protocol] = {}
    runs: dict[int, list[Run]] = {}
    for run, body in planning.active_runs(session):
        protocols[run.protocol_id] = protocols.get(run.protocol_id) or run_store.read_protocol(body)
        runs.setdefault(run.protocol_id, []).append(run)
    known = [(protocol, runs[key]) for key, protocol in protocols.items() if protocol.scenario in scenarios()]
    return sorted(known, key=lambda entry: Need.DERIVED in scenarios()[entry[0].scenario].needs)


def _who_lack(
    session: Session, runs: Sequence[Run], protocol: Protocol, now: datetime
) -> Iterator[tuple[Run, list[planning.Wanted]]]:
    """Those of a protocol's runs that lack something, with what it is: mostly nobody."""
    for start in range(0, len(runs), _AT_ONCE):
        some = runs[start : start + _AT_ONCE]
        of_each = _lacking(session, some, protocol, now)
        yield from ((run, of_each[run.id]) for run in some if of_each[run.id])


def _lacking(
    session: Session, runs: Sequence[Run], protocol: Protocol, now: datetime
) -> dict[int, list[planning.Wanted]]:
    """What runs of a protocol want and lack."""
    scenario = scenarios()[protocol.scenario]
    covered = [] if scenario.asks_once else planning.covered(session, runs, protocol, scenario, now)
    return planning.lacking(session, runs, protocol, scenario, items.counts(session, scenario, covered), now)


def lacks(session: Session, run: Run, now: datetime) -> bool:
    """Whether a run wants samples that are not planned yet: of a text that is new, or of parents not judged yet."""
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    return protocol.scenario in scenarios() and bool(_lacking(session, [run], protocol, now)[run.id])


def stays_empty(session: Session, run: Run, now: datetime) -> bool:
    """Whether a run's window is past and no problem that its protocol covers can come into it any more.

    What follows from answers, or is made of solved problems, may come at any time.
    """
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    if run.window_end is None or run.window_end > now or protocol.prerequisite is not None:
        return False
    if protocol.scenario not in scenarios() or Need.DERIVED in scenarios()[protocol.scenario].needs:
        return False
    return not lacks(session, run, now) and not may_come(session, protocol.covers, run.window_start, run.window_end)


def due(session: Session, now: datetime) -> wanted.Due:
    """What could be worked on."""
    return wanted.due(session, now, items.gradable())


def _asking_since(session: Session, now: datetime, *, paused: bool) -> datetime | None:
    """Since when somebody is there to ask, where nobody was before; None where it was so all the time."""
    asking = [worker for worker in workers(session, now) if worker.queue == "infer"]
    if paused or (asking and all(worker.silent for worker in asking)):
        return now
    return heartbeats.resumed(session, "sweep", now - PATIENCE.span, _AWAY)


def free(session: Session, now: datetime) -> None:
    """Put back what died with its worker."""
    leases.cut(session, now)
    samples.expire_leases(session, now)


def sweep(session: Session, now: datetime, vault: Vault | None = None, *, paused: bool = False) -> wanted.Due:
    """Put back what died with its worker, and say what is due: the only recovery there is, always on."""
    free(session, now)
    return find_due(session, now, vault, paused=paused)


def find_due(session: Session, now: datetime, vault: Vault | None, *, paused: bool) -> wanted.Due:
    """Give up what was waited for in vain, and say what is due.

    Endpoints whose secrets the vault does not open wait, and their samples lose no patience. Nor does anything while
    work is `paused`, no worker is there that asks, or nobody swept.
    """
    lost = None if vault is None else secrets.lost_as_told(session, vault)
    closed = frozenset[int]() if lost is None else lost.endpoints
    budgets.reopen(session, now)
    troubles.be_patient(session, closed)
    if (back := _asking_since(session, now, paused=paused)) is not None:
        troubles.begin_anew(session, back)
    troubles.give_up_on(session, now)
    backlog = due(session, now)
    wanted.note_waiting(session, set(backlog.endpoints), now)
    return replace(
        backlog,
        endpoints=tuple(endpoint for endpoint in backlog.endpoints if endpoint not in closed),
        settings=settings.ready(session, now),
        derivations=derive.waiting(session, now),
        grading=backlog.grading + proposals.due(session, now),  # who judges answers judges kept ones again
    )
