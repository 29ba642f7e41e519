"""The plot of the system on one page: each task claims rows, calls an adapter with plain values, records.

Tasks carry ids only and may come twice, late, or never: claims make a double a no-op, and the sweep
wakes whatever is due. A task that finds nothing to claim ends at once.
"""

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import timedelta
from typing import cast

from structlog import get_logger

from app.config import ROOT
from app.db.operations import heartbeats
from app.domain.asking.completions import Answered, Outcome
from app.domain.asking.protocols import HOUSE
from app.domain.sources.schedule import COUNT, PROBLEMS
from app.domain.windows import window
from app.services.boards.snapshots import freeze_due
from app.services.evidence import reports
from app.services.operations import alerts
from app.services.operations.pauses import pauses
from app.services.problems import publish, quarantine
from app.services.rejudging import queue as grading
from app.services.runs import aggregate as cells
from app.services.runs import imports, infer, local, plan
from app.services.sources import schedule, visits
from app.services.vendors.advance import advance
from scrapers.suites.house import DemoModel, as_batch, as_model, load, load_demo_models
from workers import visiting
from workers.context import Context, context, now, task, turn
from workers.devices import Own
from workers.grading.agreement import disagreement
from workers.grading.proofs import prove, tripped
from workers.inference.client import Steer, View, ask_in_batches
from workers.inference.gpu.device import Device
from workers.inference.shared import SharedPaces
from workers.judging import ready_judge
from workers.keeping import keep, worker_name
from workers.notify import Heartbeat, post
from workers.sites import Sites
from workers.specs import Specs
from workers.turns import SLOTS, Crowd, Held, Way

log = get_logger(__name__)

SLICE_S = 600.0
LEAGUE = ROOT / "league"


@task("plan")
def plan_runs() -> None:
    """Extend every active run by the problems it lacks, and wake whom that concerns."""
    ctx = context()
    ctx.commit(plan.plan, now())
    sweep()


@task("sweep")
def sweep() -> None:
    """Free what died with its worker, wake whatever is due and unclaimed, and move vendors' orders on."""
    ctx = context()
    due = ctx.commit(plan.sweep, now(), ctx.vault)
    ctx.wake_up_to("infer", len(due.endpoints))
    for queue in ctx.commit(local.devices, now()) if due.local else ():
        ctx.wake("serve", queue=queue)
    wakes = {"grade": due.grading, "prove": due.proofs, "aggregate": due.dirty}
    for name in (name for name, count in wakes.items() if count):
        ctx.wake(name)
    if ctx.commit(advance, now()):  # last: an order that cannot move must not stop the recovery
        ctx.wake("plan")


@task("infer")
def infer_slice(endpoint_id: int | None = None) -> None:
    """Ask the endpoint whose turn it is, or this one, for its next samples, recording what comes as it comes."""
    ctx = context()
    if endpoint_id is None:
        work = ctx.commit(infer.take_turn, now(), ctx.lease, ctx.vault, SLOTS)
    else:
        work = ctx.commit(infer.open_slice, endpoint_id, now(), ctx.lease, ctx.vault)
    if work is None:
        return
    with keep(ctx, work.lease, "infer"):
        answers = sum(_ask_and_record(ctx, work))
    ctx.commit(infer.close_slice, work, now(), answered=answers > 0)
    ctx.wake("sweep")


def _ask_and_record(ctx: Context, work: infer.Slice) -> Iterator[int]:
    """How many answers came with each batch that was written."""
    held = Held(work.silent)

    def look(view: View) -> Steer:
        dropped = ctx.commit(infer.unwanted, work, view.notes)
        way = held.makes_way(view.silent_s, view.typical_s, crowded=ctx.part(Crowd).waits())
        return Steer(dropped, drain=way is Way.DRAIN, end=way is Way.END)

    batches = ask_in_batches(
        work.endpoint, work.requests.values(), deadline_s=SLICE_S, clock=now,
        allow=tuple(ctx.settings.endpoint_allow), paces=ctx.part(_paces), look=look,
    )  # fmt: skip
    for outcomes in batches:
        ctx.commit(infer.record_all, work, outcomes, now())
        ctx.wake_often("grade")
        yield sum(isinstance(outcome, Answered) for outcome in outcomes)


def _paces(ctx: Context) -> SharedPaces:
    return SharedPaces(ctx.redis)


@task("serve")
def serve_slice() -> None:
    """Ask weights of our own for their next samples, on this worker's device; each turn is one slice of one model."""
    ctx = context()
    own = ctx.part(Own)
    device = own.device
    chosen = device.choose(ctx.commit(local.waiting, now()))
    served = None if chosen is None else device.serve(chosen)
    if chosen is None or served is None:
        return
    work = ctx.commit(local.open_slice, chosen, served, now(), ctx.lease, device.limit)
    if work is None:
        return
    with keep(ctx, work.lease, own.queue):
        _ask_own(ctx, device, work)
    ctx.wake("serve", queue=own.queue)


def _ask_own(ctx: Context, device: Device, work: infer.Slice) -> None:
    def look(view: View) -> Steer:
        return Steer(ctx.commit(infer.unwanted, work, view.notes))

    batches = ask_in_batches(
        device.begin(work.endpoint), work.requests.values(), deadline_s=SLICE_S, clock=now, paces=device.paces,
        look=look,
    )  # fmt: skip
    try:
        with closing(cast("Generator[list[Outcome]]", batches)):  # closed, it asks no more
            for outcomes in batches:
                ctx.commit(infer.record_all, work, device.ours(outcomes), now())
                ctx.wake_often("grade")
                if not device.alive:
                    break
    finally:
        ctx.commit(local.close_slice, work, counts=device.end())


@task("grade")
def grade_answers() -> None:
    """Judge answers one by one while there are some, fresh ones before kept ones; only where the sandbox holds."""
    ctx, more = context(), turn()
    while more() and (judge := ready_judge(ctx)) is not None:
        job = ctx.commit(grading.claim, now(), ctx.lease, judge.languages())
        if job is None:
            break
        with keep(ctx, job.lease, "grade"):
            result = job.compared()
            if result is None:
                result = judge.grade(ctx.part(Specs).of(job), job.answer, job.language, time_factor=job.time_factor)
        ctx.commit(grading.record, job, result, now())
        ctx.wake_often("aggregate")
    ctx.wake("aggregate")
    ctx.commit(grading.predict_all, ctx.cubes, now())
    ctx.go_on("grade", unless=more() or judge is None)


@task("prove")
def prove_tests() -> None:
    """Run reference programs against test sets that wait for their proof; a proven problem is published."""
    ctx, more = context(), turn()
    while more() and (judge := ready_judge(ctx)) is not None:
        job = ctx.commit(publish.claim_proof, now(), ctx.lease)
        if job is None:
            break
        with keep(ctx, job.lease, "grade"):
            proof = prove(judge, job.problem, job.programs)
        ctx.commit(publish.record_proof, job, proof, now())
    ctx.wake("plan")
    ctx.go_on("prove", unless=more() or judge is None)


@task("aggregate")
def aggregate() -> None:
    """Bring every changed cell up to date."""
    ctx = context()
    while ctx.commit(cells.aggregate):
        pass


@task("schedule")
def wake_visits() -> None:
    """Wake every visit that is due: a calendar to read, facts, or what a contest owes us."""
    ctx = context()
    for source, purpose in ctx.commit(schedule.due, ctx.part(Sites).rounds(), now()):
        ctx.wake("visit", source, purpose)


@task("visit")
def visit(source: str, purpose: str) -> None:
    """One visit of the schedule, if it is still due: a wake-up may come twice."""
    ctx = context()
    if (source, purpose) not in ctx.commit(schedule.due, ctx.part(Sites).rounds(), now()):
        return
    if purpose == PROBLEMS:
        scrape(source, patient=True)
    else:
        gather_facts(source, purpose)


@task("scrape")
def scrape(source: str, start: str | None = None, end: str | None = None, *, patient: bool = False) -> int | None:
    """Visit a source, or a window of its past: keep every response as it comes, with what it says.

    A `patient` visit leaves contests alone whose time to be asked again has not come.
    """
    visit = visiting.begin(context(), source, PROBLEMS, window(start, end))
    if visit is None:
        return None
    visit.record(visit.crawl(patient=patient))
    context().wake("plan")
    return visit.job.run_id


@task("count")
def count_backfill(source: str, start: str, end: str) -> int | None:
    """Read a source's lists alone and count what a backfill would ask for."""
    visit = visiting.begin(context(), source, COUNT, window(start, end))
    return None if visit is None else visit.record(visit.count())


@task("facts")
def gather_facts(source: str, name: str) -> int | None:
    """Visit a source for facts that come apart from problems, such as ratings and standings."""
    visit = visiting.begin(context(), source, name)
    return None if visit is None else visit.record(visit.gather())


@task("replay")
def replay(source: str) -> dict[str, int]:
    """Read every stored capture again, without network; `changed` counts the contests and problems it made others."""
    ctx, counts = context(), Counter(captures=0, ok=0, records=0, reclassified=0)
    site, before = ctx.part(Sites).find(source), ctx.commit(visits.known_facts, source)
    for capture in ctx.commit(visits.stored_captures, source):
        counts.update(visiting.read_again(ctx, site, capture))
    after = ctx.commit(visits.known_facts, source)
    return {**counts, "changed": sum(before.get(name) != after.get(name) for name in before | after)}


@task("self_test")
def self_test() -> None:
    """Try the sandbox again, so that a machine that changed is noticed within minutes."""
    if ready_judge(context(), fresh=True) is not None:
        context().wake("grade")


@task("canary")
def canary() -> None:
    """Try the impossible problems: any pass stops grading everywhere until a person has looked."""
    ctx = context()
    judge = ready_judge(ctx)
    if judge is None:
        return
    for job in ctx.commit(publish.impossible, now()):
        alarm = tripped(judge, job.problem, job.programs)
        if alarm is not None:
            ctx.commit(heartbeats.raise_alarm, alarm, now())


@task("seed")
def seed() -> None:
    """Bring in the house league and the models of the bundled demo endpoint, where they are new."""
    ctx = context()
    league = load(LEAGUE, now())
    ctx.commit(imports.store_once, as_batch(league), now())
    offers = tuple(_offer(model, ctx.settings.demo_url) for model in load_demo_models(LEAGUE))
    ctx.commit(plan.register_demo, offers, HOUSE, now())
    plan_runs()


def _offer(model: DemoModel, base_url: str) -> plan.Offer:
    efforts = tuple({"reasoning_effort": effort} for effort in model.efforts) or ({},)
    return plan.Offer(
        as_model(model), "openai_chat", model.slug, f"{base_url}/v1", efforts,
        price_input=model.price_input, price_output=model.price_output,
    )  # fmt: skip


@task("watch")
def watch() -> None:
    """Look what is wrong and say so once, in the log and to the operator's webhook; then give a sign of life."""
    ctx = context()
    waiting = ctx.commit(pauses, ctx.vault, ctx.settings.shortage())
    raised, url = ctx.commit(alerts.look, now(), waiting), ctx.settings.alert_webhook
    failure = post(url.get_secret_value(), alerts.message(raised)) if raised and url is not None else None
    if failure is not None:  # the next look tells it again
        log.error("alert.not_sent", reason=failure, alerts=len(raised))
        return
    for alert in raised:
        log.warning("alert.raised", key=alert.key, message=alert.message)
    ctx.commit(alerts.told, [alert.id for alert in raised], now())
    alive = ctx.settings.heartbeat_url
    if alive is not None and (silence := ctx.part(_monitor).give(alive.get_secret_value())) is not None:
        log.error("heartbeat.not_taken", reason=silence)


def _monitor(_ctx: Context) -> Heartbeat:
    return Heartbeat()


@task("audit")
def audit_problems() -> None:
    """Quarantine problems that better models surely do worse on."""
    context().commit(quarantine.audit, now())


@task("agree")
def compare_accepted() -> None:
    """Try accepted programs on inputs that no test has; a problem on which two disagree is quarantined."""
    ctx, more = context(), turn()
    while more() and (judge := ready_judge(ctx)) is not None and (job := ctx.commit(quarantine.next_comparison)):
        difference = disagreement(judge, job.problem, job.programs, job.inputs)
        if difference is not None:
            ctx.commit(
                quarantine.record_disagreement, job, difference.given, difference.programs, difference.answers, now()
            )
    ctx.go_on("agree", unless=more() or judge is None)


@task("freeze")
def freeze_boards() -> None:
    """Freeze every board's default view once a week, where it changed."""
    context().commit(freeze_due, context().cubes, now())


@task("report")
def make_reports() -> None:
    """Make the long computations over cells that have changed, such as tests for contamination, one at a time."""
    ctx, more = context(), turn()
    while more() and (work := ctx.commit(reports.due, ctx.cubes, now())) is not None:
        ctx.commit(reports.keep, work, work.made(), now())
    ctx.go_on("report", unless=more())


@task("beat")
def beat(queue: str) -> None:
    """Write from the task path that this queue's workers do tasks."""
    ctx = context()
    ctx.commit(heartbeats.beat, worker_name(queue), queue, now())
    ctx.commit(heartbeats.forget, now() - timedelta(hours=1))
