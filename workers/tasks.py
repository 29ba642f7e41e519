"""The plot of the system on one page: each task claims rows, calls an adapter with plain values, records.

Tasks carry ids only and may come twice, late, or never: claims make a double a no-op, and the sweep wakes whatever is
due. A task that finds nothing to claim ends at once.
"""

from collections import Counter
from decimal import Decimal
from functools import partial
from itertools import cycle

from app.domain.consensus.result import ConsensusResult
from app.domain.judging.grading_order import GRADING_ROUND
from app.domain.judging.verdicts import GradeResult
from app.domain.scenarios import house_protocols
from app.domain.sources.schedule import COUNT, PROBLEMS
from app.domain.windows import parse_window
from app.services.boards import score_changes
from app.services.problems import derivations, publishing
from app.services.rejudging import grading_queue
from app.services.runs import cell_updates as cells
from app.services.runs import imports, inference, local_weights, plan
from app.services.runs.consensus import consensus_jobs, setters
from app.services.runs.control.endpoints import NewEndpoint
from app.services.sources import schedule, visits
from app.services.vendors import probes, webhook_deliveries
from app.services.vendors.submission_steps import advance_submissions
from scrapers.suites.house import (
    DemoModel,
    DemoSetter,
    add_invented_standings,
    as_model,
    load_demo_models,
    load_demo_setters,
    load_league,
)
from workers import visiting
from workers.asking import ask_device, ask_endpoint, make_probe, wake_probes
from workers.context import context, now, start_turn, task
from workers.devices import WorkerDevice
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.inputs import SuiteBudget
from workers.grading.consensus.result import consensus_result
from workers.grading.consensus.suite import build_suite
from workers.grading.deriving.defect_items import derive_defect_items
from workers.grading.deriving.execution_items import derive_execution_items
from workers.grading.deriving.hack_items import derive_hack_items
from workers.grading.proofs import prove
from workers.inference.backends import check_run, named_backend
from workers.lease_renewal import hold_lease
from workers.problem_specs import SpecCache
from workers.readiness import ready_judge
from workers.sites import Sites
from workers.slots import SLOTS

FRESH = "fresh"
TALLY_EVERY_S = 2.0  # while answers are judged
SUITE_JUDGE_S = 600.0  # judging time for a problem's suite; the task's hard limit is well above


@task("plan")
def plan_runs() -> bool:
    """Add missing samples to every active run, and wake their workers; return False while another task plans."""
    ctx = context()
    ctx.commit(visits.apply_policies, ctx.settings.source_policies())
    ctx.commit(
        plan.update_waiting_problems, now()
    )  # before planning, whose seconds would block recording a proof of these
    planned = ctx.commit(plan.plan_samples, now(), ctx.settings.consensus_bounds()) is not None
    if not planned:
        ctx.wake_seldom("plan")
    sweep()
    return planned


@task("sweep")
def sweep() -> None:
    """Release rows of dead workers, wake whatever is due and unclaimed, and advance vendors' orders."""
    ctx = context()
    ctx.commit(plan.expire_leases, now())  # first and alone: committed even if a later step fails or takes too long
    due = ctx.commit(plan.find_due, now(), ctx.vault, paused=ctx.settings.shortage() is not None)
    ctx.wake_up_to("infer", len(due.endpoints))
    for gpu_queue in ctx.commit(local_weights.gpu_queues, now()) if due.local else ():
        ctx.wake_up_to("serve", 1, gpu_queue)
    wakes = {"grade": due.grading, "prove": due.proofs, "set": due.consensuses, "aggregate": due.dirty,
             "derive": due.derivations, "notify": ctx.commit(webhook_deliveries.count_due, now())}  # fmt: skip
    for name in (name for name, count in wakes.items() if count):
        ctx.wake(name)
    if due.fresh_consensus:
        ctx.wake("set", FRESH, urgent=True)
    if ctx.commit(advance_submissions, now()):  # last: a submission that cannot advance must not stop the recovery
        ctx.wake("plan")
    wake_probes(ctx)


@task("infer")
def infer_slice(endpoint_id: int | None = None) -> None:
    """Ask the next endpoint, or this one, for its next samples, recording outcomes as they come."""
    ctx = context()
    bounds = ctx.settings.consensus_bounds()
    if endpoint_id is None:
        work = ctx.commit(inference.open_next_slice, now(), ctx.lease, ctx.vault, SLOTS, bounds)
    else:
        work = ctx.commit(inference.open_slice, endpoint_id, now(), ctx.lease, ctx.vault, bounds=bounds)
    if work is not None:
        ask_endpoint(ctx, work)


@task("probe")
def probe_endpoints() -> None:
    """Probe vendors' endpoints one after the other while probes wait; orders that wait for one go on."""
    ctx, more = context(), start_turn()
    while more() and (job := ctx.commit(probes.claim_probe, now(), ctx.vault)) is not None:
        ctx.commit(probes.record_probe, job, make_probe(ctx, job), now())
        ctx.wake("sweep")
    ctx.wake_next_turn("probe", unless=more())


@task("serve")
def serve_slice() -> None:
    """Ask our own weights for their next samples, on this worker's device; each turn is one slice of one model."""
    ctx = context()
    worker_device = ctx.part(WorkerDevice)
    device = worker_device.device
    chosen = device.choose(ctx.commit(local_weights.waiting_weights, now()))
    served = None if chosen is None else device.serve(chosen)
    if chosen is None or served is None:
        return
    bounds = ctx.settings.consensus_bounds()
    work = ctx.commit(local_weights.open_slice, chosen, served, now(), ctx.lease, device.limit, bounds)
    if work is None:
        return
    with hold_lease(ctx, work.lease, worker_device.queue):
        ask_device(ctx, device, work)
    ctx.wake_up_to("serve", 1, worker_device.queue)


@task("grade")
def grade_answers() -> None:
    """Judge answers one by one while there are some, fresh ones before stored ones; only with a working sandbox.

    Most of them are judged as they were planned; of the others neither the newest problem nor any board waits for the
    rest.
    """
    ctx, more, turns, judged = context(), start_turn(), cycle(GRADING_ROUND), 0
    while more() and (judge := ready_judge(ctx)) is not None:
        job = ctx.commit(grading_queue.claim, now(), ctx.lease, judge.languages(), next(turns))
        if job is None:
            break
        with hold_lease(ctx, job.lease, "grade"):
            result = job.decide(partial(ctx.part(SpecCache).of, job))
            if not isinstance(result, GradeResult):
                result = result.grade_with(judge, job.time_factor)
        judged += ctx.commit(grading_queue.record, job, result, now())
        ctx.wake_often("tally", TALLY_EVERY_S)
        ctx.wake_seldom("plan")  # for follow-up items, and for derivations once all is solved
    ctx.wake_next_turn("aggregate", unless=judged == 0)
    ctx.commit(grading_queue.predict_all, ctx.cubes, now())
    ctx.wake_next_turn("grade", unless=more() or judge is None)


@task("prove")
def prove_tests() -> None:
    """Run reference programs against test sets that wait for their proof; a proven problem is published."""
    ctx, more = context(), start_turn()
    while more() and (judge := ready_judge(ctx)) is not None:
        job = ctx.commit(publishing.claim_proof, now(), ctx.lease)
        if job is None:
            break
        with hold_lease(ctx, job.lease, "grade"):
            proof = prove(judge, job.problem, job.programs)
        ctx.commit(publishing.record_proof, job, proof, now())
        ctx.wake_seldom("plan")  # not if another worker has the proof: the plan's sweep would wake us again
    ctx.wake_next_turn("prove", unless=more() or judge is None)


@task("set")
def build_suites(which: str = "") -> None:
    """Build test suites from setters' answers: each problem without tests gets one, or is held with the reason.

    With `FRESH`, only while a fresh problem's suite comes before other work: such wake-ups may come late.
    """
    ctx, more = context(), start_turn()
    while more() and (judge := ready_judge(ctx)) is not None:
        if which == FRESH and not ctx.commit(consensus_jobs.is_fresh_waiting, now()):
            return
        job = ctx.commit(consensus_jobs.claim, now(), ctx.lease, SUITE_JUDGE_S, ctx.settings.consensus_bounds())
        if job is None:
            break
        ctx.wake("set")  # one takes long, and another worker may build the next one
        with hold_lease(ctx, job.lease, "grade"):
            suite = _build_suite(judge, job)
        ctx.commit(consensus_jobs.record, job, suite, now())
        ctx.wake("prove", urgent=True)
        ctx.wake("sweep")  # for setters that are asked again
    ctx.wake_next_turn("set", unless=more() or judge is None)


@task("derive")
def derive_items() -> None:
    """Derive items to ask from the programs of problems that every run has solved or failed."""
    ctx, more = context(), start_turn()
    while more() and (judge := ready_judge(ctx)) is not None:
        job = ctx.commit(derivations.claim, now(), ctx.lease)
        if job is None:
            break
        with hold_lease(ctx, job.lease, "grade"):
            items = [
                *derive_execution_items(judge, job.problem, job.numbered_programs),
                *derive_defect_items(judge, job.problem, job.numbered_programs),
                *derive_hack_items(judge, job.problem, job.wrong, job.references, job.validator),
            ]
        ctx.commit(derivations.record, job, items, now())
        ctx.wake_seldom("plan")
    ctx.wake_next_turn("derive", unless=more() or judge is None)


def _build_suite(judge: AnsweringJudge, job: consensus_jobs.ConsensusJob) -> ConsensusResult:
    effort = SuiteBudget(max_s=job.most_s, runs=1)  # its proof runs the references again
    has_checker = job.has_checker
    return consensus_result(
        build_suite(
            judge, job.problem, job.answers, has_checker=has_checker, effort=effort, known_wrong=job.wrong,
            earlier=job.earlier, constraints=job.constraints,
        )
    )  # fmt: skip


@task("tally")
def tally() -> None:
    """Update every changed cell, without a look at all boards, which takes a good part of a second."""
    while context().commit(cells.update_changed_cells):
        pass


@task("aggregate")
def aggregate() -> None:
    """Update every changed cell; log in public which scores moved for another reason than new answers."""
    ctx = context()
    causes = ctx.commit(score_changes.causes)  # first, so that their changes are in the cells by then
    tally()
    ctx.commit(score_changes.announce_score_changes, ctx.cubes, causes, now())


@task("schedule")
def wake_visits() -> None:
    """Wake every visit that is due: a calendar to read, facts, expected data of a contest, or copies to confirm."""
    ctx = context()
    intervals = ctx.part(Sites).polling_intervals()
    for source, purpose in ctx.commit(schedule.due_visits, intervals, now()):
        ctx.wake("visit", source, purpose)
    for source, start, end in ctx.commit(schedule.due_backfills, intervals, now()):
        ctx.wake("backfill", source, start, end)


@task("visit")
def visit(source: str, purpose: str) -> None:
    """Make one scheduled visit, if it is still due: a wake-up may come twice."""
    ctx = context()
    if (source, purpose) not in ctx.commit(schedule.due_visits, ctx.part(Sites).polling_intervals(), now()):
        return
    if purpose == PROBLEMS:
        scrape(source, patient=True)
    else:
        gather_facts(source, purpose)


@task("scrape")
def scrape(source: str, start: str | None = None, end: str | None = None, *, patient: bool = False) -> int | None:
    """Visit a source, or a window of its past; store every response as it comes, with its records.

    A `patient` visit skips contests whose next fetch is not due.
    """
    visit = visiting.begin_visit(context(), source, PROBLEMS, parse_window(start, end), patient=patient)
    if visit is None:
        return None
    visit.record(visit.crawl())
    context().wake("plan")
    return visit.job.run_id


@task("backfill")
def read_copies(source: str, start: str, end: str) -> None:
    """Visit a source for its past, which shows problems that are here, if that is still due."""
    ctx = context()
    if (source, start, end) in ctx.commit(schedule.due_backfills, ctx.part(Sites).polling_intervals(), now()):
        scrape(source, start, end)


@task("count")
def count_backfill(source: str, start: str, end: str) -> int | None:
    """Read a source's lists alone and count the requests of a backfill."""
    visit = visiting.begin_visit(context(), source, COUNT, parse_window(start, end))
    return None if visit is None else visit.record(visit.count())


@task("facts")
def gather_facts(source: str, name: str) -> int | None:
    """Visit a source for facts that come apart from problems, such as ratings and standings."""
    visit = visiting.begin_visit(context(), source, name)
    return None if visit is None else visit.record(visit.gather())


@task("replay")
def replay(source: str) -> dict[str, int]:
    """Parse every stored capture again, without network; `changed` counts the contests and problems that differ now."""
    ctx, counts = context(), Counter(captures=0, ok=0, records=0, reclassified=0)
    site, before = ctx.part(Sites).find(source), ctx.commit(visits.known_facts, source)
    for capture in visiting.stored_responses(ctx, source):
        counts.update(visiting.reparse_capture(ctx, site, capture))
    after = ctx.commit(visits.known_facts, source)
    return {**counts, "changed": sum(before.get(name) != after.get(name) for name in before | after)}


@task("seed")
def seed() -> None:
    """Import the house league and the models of the bundled demo endpoint, if they are new."""
    ctx = context()
    league = load_league(ctx.settings.league_dir, now())
    ctx.commit(imports.store_once, add_invented_standings(league), now())
    offers = tuple(_offer(model, ctx.settings.demo_url) for model in load_demo_models(ctx.settings.league_dir))
    for protocol in house_protocols():
        ctx.commit(plan.register_demo, offers, protocol, now())
    demo_setters = map(
        _setter, load_demo_setters(ctx.settings.league_dir) if ctx.settings.shows_live_contests() else ()
    )
    ctx.commit(setters.add_bundled, tuple(demo_setters), now(), ctx.vault, check_run)
    plan_runs()


def _setter(setter: DemoSetter) -> setters.NewSetter:
    backend = named_backend("setters_replay")
    assert backend.locate is not None
    free, place = Decimal(0), backend.locate(str(setter.file))
    endpoint = NewEndpoint(setter.name, backend.name, setter.name, place, price_input=free, price_output=free)
    return setters.NewSetter(setter.name, setter.vendor, endpoint, "bundled", demo=True)


def _offer(model: DemoModel, base_url: str) -> plan.BundledModel:
    efforts = tuple({"reasoning_effort": effort} for effort in model.efforts) or ({},)
    prices = (model.price_input, model.price_output)
    return plan.BundledModel(as_model(model), f"{base_url}/v1", efforts, prices)
