"""Asking for the samples of a slice: outcomes are written as they come, one transaction a batch.

Part of the plot in `tasks.py`: here the services that store answers meet the clients that ask for them.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from datetime import datetime
from typing import cast

from app.domain.asking.completions import Answered, Outcome
from app.services.runs import infer, local
from workers.context import Context, now
from workers.inference.client import Steer, View, ask_in_batches
from workers.inference.control import Control, Controlled
from workers.inference.gpu.device import Device
from workers.inference.shared import SharedPaces
from workers.keeping import keep
from workers.turns import Aside, Crowd, Held

SLICE_S = 600.0


def ask_endpoint(ctx: Context, work: infer.Slice) -> None:
    """Ask an endpoint until its slice is over, or has yielded its thread and goes on detached."""
    ctx.part(Aside).run(lambda step_aside: _ask_endpoint(ctx, work, step_aside))


def _ask_endpoint(ctx: Context, work: infer.Slice, step_aside: Callable[[], bool]) -> None:
    with keep(ctx, work.lease, "infer"):
        answers, rests_until = _ask(ctx, work, step_aside)
    ctx.commit(infer.close_slice, work, now(), answered=answers > 0, rests_until=rests_until)
    ctx.wake("sweep")


def _ask(ctx: Context, work: infer.Slice, step_aside: Callable[[], bool]) -> tuple[int, datetime | None]:
    """Return how many answers came, and until when the endpoint rests.

    A stalled call keeps nothing else waiting: while no endpoint waits for the thread, more is asked beside it.
    """
    claim, controlled, aside = Held(SLICE_S), Controlled(ctx.part(_control).reached), ctx.part(Aside)
    ended = set[int]()  # samples with an outcome
    has_slot = True

    def look(view: View) -> Steer:
        nonlocal work, has_slot
        dropped = ctx.commit(infer.unwanted, work, view.notes)
        if not has_slot:
            return Steer(dropped, end=aside.over)
        crowded = ctx.part(Crowd).waits()
        if claim.makes_way(view.silent_s, view.typical_s, crowded=crowded):
            has_slot = not step_aside()
            if not has_slot:
                ctx.commit(infer.step_aside, work)
            # Without room among the detached slices it keeps its thread, unless the endpoint is silent.
            return Steer(
                dropped, drain=True, end=has_slot and crowded and claim.is_silent(view.silent_s, view.typical_s)
            )
        more = None
        if view.spare and not crowded:
            more = ctx.commit(infer.more, work, now(), ctx.lease, ctx.settings.setting_bounds())
        if more is not None:
            work = work.goes_on(more, ended)
            ended.clear()
        added = () if more is None else tuple(more.requests.values())
        return Steer(dropped, added)

    paces = ctx.part(_paces)
    batches = ask_in_batches(
        work.endpoint, work.requests.values(), deadline_s=SLICE_S, clock=now,
        allow=tuple(ctx.settings.endpoint_allow), paces=paces, look=look,
    )  # fmt: skip
    answers = 0
    for outcomes in batches:
        _record(ctx, work, controlled.judged(outcomes))
        ended.update(outcome.sample_id for outcome in outcomes)
        answers += sum(isinstance(outcome, Answered) for outcome in outcomes)
    return answers, paces.of(work.endpoint).rests_until(now())


def ask_device(ctx: Context, device: Device, work: infer.Slice) -> None:
    """Ask the weights that one of our own devices serves, until the slice or the server ends.

    A slow answer does not keep the device idle: more is asked beside it.
    """
    ended = set[int]()  # samples with an outcome

    def look(view: View) -> Steer:  # a server that died answers no retry, so the slice ends
        nonlocal work
        dropped, more = ctx.commit(infer.unwanted, work, view.notes), None
        if view.spare and device.alive and device.is_well:
            more = ctx.commit(local.more, work, now(), ctx.lease, ctx.settings.setting_bounds())
        if more is not None:
            work = work.goes_on(more, ended)
            ended.clear()
        return Steer(dropped, () if more is None else tuple(more.requests.values()), end=not device.alive)

    batches = ask_in_batches(
        device.begin(work.endpoint), work.requests.values(), deadline_s=SLICE_S, clock=now, paces=device.paces,
        look=look,
    )  # fmt: skip
    try:
        with closing(cast("Generator[list[Outcome]]", batches)):  # closing it ends the asking
            for outcomes in batches:
                _record(ctx, work, device.ours(outcomes))
                ended.update(outcome.sample_id for outcome in outcomes)
                if not device.alive:
                    break
    finally:
        ctx.commit(local.close_slice, work, counts=device.end())


def _record(ctx: Context, work: infer.Slice, outcomes: Iterable[Outcome]) -> None:
    ctx.commit(infer.record_all, work, outcomes, now())
    ctx.wake_often("grade")


def _control(ctx: Context) -> Control:
    return Control(ctx.settings.control_url)


def _paces(ctx: Context) -> SharedPaces:
    return SharedPaces(ctx.redis)
