"""Asking for the samples of a slice, and probing: outcomes are written as they come, one transaction a batch.

Part of the plot in `tasks.py`: here the services that store answers meet the clients that ask for them.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from datetime import datetime
from typing import cast

from structlog import get_logger

from app.domain.asking.completions import AnsweredSample, SampleOutcome
from app.domain.probing.checks import EndpointCheck, ProbeReport, first_failure
from app.domain.reasons import Reason
from app.services.runs import inference, local_weights
from app.services.vendors import probes
from workers.context import Context, now
from workers.inference.client import SliceProgress, SliceSteering, ask_in_batches
from workers.inference.control import ControlHost, FailureAttribution
from workers.inference.gpu.device import Device
from workers.inference.probe import probe_endpoint
from workers.inference.shared_paces import SharedPaces
from workers.lease_renewal import hold_lease
from workers.slots import DetachedSlices, SlotClaim, WaitingEndpoints

log = get_logger(__name__)

SLICE_S = 600.0
_MAX_PROBE_WAKES = 8


def ask_endpoint(ctx: Context, work: inference.LeasedSlice) -> None:
    """Ask an endpoint until its slice is over, or has yielded its thread and goes on detached."""
    ctx.part(DetachedSlices).run(lambda step_aside: _ask_endpoint(ctx, work, step_aside))


def _ask_endpoint(ctx: Context, work: inference.LeasedSlice, step_aside: Callable[[], bool]) -> None:
    with hold_lease(ctx, work.lease, "infer"):
        answers, rests_until = _ask(ctx, work, step_aside)
    ctx.commit(inference.close_slice, work, now(), answered=answers > 0, rests_until=rests_until)
    ctx.wake("sweep")


def _ask(ctx: Context, work: inference.LeasedSlice, step_aside: Callable[[], bool]) -> tuple[int, datetime | None]:
    """Return how many answers came, and until when the endpoint rests.

    A stalled call keeps nothing else waiting: while no endpoint waits for the thread, more is asked beside it.
    """
    claim, controlled, aside = (
        SlotClaim(SLICE_S),
        FailureAttribution(ctx.part(_control).is_reachable),
        ctx.part(DetachedSlices),
    )
    ended = set[int]()  # samples with an outcome
    has_slot = True

    def look(view: SliceProgress) -> SliceSteering:
        nonlocal work, has_slot
        dropped = ctx.commit(inference.unwanted_samples, work, view.notes)
        if not has_slot:
            return SliceSteering(dropped, end=aside.over)
        crowded = ctx.part(WaitingEndpoints).have_waited()
        if claim.should_yield(view.silent_s, view.typical_s, crowded=crowded):
            has_slot = not step_aside()
            if not has_slot:
                ctx.commit(inference.detach_slice, work)
            # Without room among the detached slices it keeps its thread, unless the endpoint is silent.
            return SliceSteering(
                dropped, drain=True, end=has_slot and crowded and claim.is_silent(view.silent_s, view.typical_s)
            )
        more = None
        if view.spare and not crowded:
            more = ctx.commit(inference.extend_slice, work, now(), ctx.lease, ctx.settings.consensus_bounds())
        if more is not None:
            work = work.extend(more, ended)
            ended.clear()
        added = () if more is None else tuple(more.requests.values())
        return SliceSteering(dropped, added)

    paces = ctx.part(_paces)
    batches = ask_in_batches(
        work.endpoint, work.requests.values(), deadline_s=SLICE_S, clock=now,
        allow=tuple(ctx.settings.endpoint_allow), paces=paces, look=look,
    )  # fmt: skip
    answers = 0
    for outcomes in batches:
        _record(ctx, work, controlled.attribute(outcomes))
        ended.update(outcome.sample_id for outcome in outcomes)
        answers += sum(isinstance(outcome, AnsweredSample) for outcome in outcomes)
    return answers, paces.of(work.endpoint).rests_until(now())


def ask_device(ctx: Context, device: Device, work: inference.LeasedSlice) -> None:
    """Ask the weights that one of our own devices serves, until the slice or the server ends.

    A slow answer does not keep the device idle: more is asked beside it.
    """
    ended = set[int]()  # samples with an outcome

    def look(view: SliceProgress) -> SliceSteering:  # a server that died answers no retry, so the slice ends
        nonlocal work
        dropped, more = ctx.commit(inference.unwanted_samples, work, view.notes), None
        if view.spare and device.alive and device.is_well:
            more = ctx.commit(local_weights.extend_slice, work, now(), ctx.lease, ctx.settings.consensus_bounds())
        if more is not None:
            work = work.extend(more, ended)
            ended.clear()
        return SliceSteering(dropped, () if more is None else tuple(more.requests.values()), end=not device.alive)

    batches = ask_in_batches(
        device.begin(work.endpoint), work.requests.values(), deadline_s=SLICE_S, clock=now, paces=device.paces,
        look=look,
    )  # fmt: skip
    try:
        with closing(cast("Generator[list[SampleOutcome]]", batches)):  # closing it ends the asking
            for outcomes in batches:
                _record(ctx, work, device.ours(outcomes))
                ended.update(outcome.sample_id for outcome in outcomes)
                if not device.alive:
                    break
    finally:
        ctx.commit(local_weights.close_slice, work, counts=device.end())


def _record(ctx: Context, work: inference.LeasedSlice, outcomes: Iterable[SampleOutcome]) -> None:
    ctx.commit(inference.record_all, work, outcomes, now())
    ctx.wake_often("grade")


def make_probe(ctx: Context, job: probes.ProbeJob) -> ProbeReport:
    """Return the report of a probe. What fails by our fault, or while our own network is down, is our fault."""
    try:
        report = probe_endpoint(
            job.endpoint, job.sampling, job.configuration, limit_s=job.limit_s, clock=now,
            allow=tuple(ctx.settings.endpoint_allow),
        )  # fmt: skip
    except Exception as bug:  # one hostile answer must not end the worker
        log.exception("probe.failed", probe=job.id)
        return ProbeReport((), 0, Reason("client_failed", {"what": type(bug).__name__}))
    failed = first_failure(report.checks)
    if failed is None or not _is_unreached(failed.check, report) or ctx.part(_control).is_reachable() is not False:
        return report
    return ProbeReport(report.checks, report.requests, Reason("our_network", cause=failed.evidence or ""))


def _is_unreached(failed: EndpointCheck, report: ProbeReport) -> bool:
    """Return True if no response came, so that our network may be to blame."""
    reached = {check.check: check.evidence is not None for check in report.checks}
    return failed is EndpointCheck.ADDRESS or not reached[EndpointCheck.ADDRESS]


def wake_probes(ctx: Context) -> None:
    """Wake a worker for each probe that waits, up to a few."""
    for _ in range(min(ctx.commit(probes.count_waiting, now()), _MAX_PROBE_WAKES)):
        ctx.wake("probe", urgent=True)


def _control(ctx: Context) -> ControlHost:
    return ControlHost(ctx.settings.control_url)


def _paces(ctx: Context) -> SharedPaces:
    return SharedPaces(ctx.redis)
