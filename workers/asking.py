"""Asking for the samples of a slice: what comes is written as it comes, in one transaction a batch.

Part of the plot in `tasks.py`: here the services that keep answers and the clients that ask for them meet.
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
    """Ask an endpoint until its slice is over, or has made way: then what is under way goes on without this thread."""
    ctx.part(Aside).run(lambda step_aside: _ask_endpoint(ctx, work, step_aside))


def _ask_endpoint(ctx: Context, work: infer.Slice, step_aside: Callable[[], bool]) -> None:
    with keep(ctx, work.lease, "infer"):
        answers, rests_until = _ask(ctx, work, step_aside)
    ctx.commit(infer.close_slice, work, now(), answered=answers > 0, rests_until=rests_until)
    ctx.wake("sweep")


def _ask(ctx: Context, work: infer.Slice, step_aside: Callable[[], bool]) -> tuple[int, datetime | None]:
    """How many answers came, and until when the endpoint rests.

    A call that stalls keeps nothing else waiting: while nobody waits for the thread, more is asked beside it.
    """
    held, controlled, aside = Held(SLICE_S), Controlled(ctx.part(_control).reached), ctx.part(Aside)
    over = set[int]()  # samples with an outcome
    holds = True  # its slot

    def look(view: View) -> Steer:
        nonlocal work, holds
        dropped = ctx.commit(infer.unwanted, work, view.notes)
        if not holds:
            return Steer(dropped, end=aside.over)
        crowded = ctx.part(Crowd).waits()
        if held.makes_way(view.silent_s, view.typical_s, crowded=crowded):
            holds = not step_aside()
            if not holds:
                ctx.commit(infer.step_aside, work)
            # Without room aside it keeps its thread, but not for an endpoint that says nothing.
            return Steer(dropped, drain=True, end=holds and crowded and held.is_silent(view.silent_s, view.typical_s))
        more = None
        if view.spare and not crowded:
            more = ctx.commit(infer.more, work, now(), ctx.lease, ctx.settings.setting_bounds())
        if more is not None:
            work = work.goes_on(more, over)
            over.clear()
        asked = () if more is None else tuple(more.requests.values())
        return Steer(dropped, asked)

    paces = ctx.part(_paces)
    batches = ask_in_batches(
        work.endpoint, work.requests.values(), deadline_s=SLICE_S, clock=now,
        allow=tuple(ctx.settings.endpoint_allow), paces=paces, look=look,
    )  # fmt: skip
    answers = 0
    for outcomes in batches:
        _record(ctx, work, controlled.judged(outcomes))
        over.update(outcome.sample_id for outcome in outcomes)
        answers += sum(isinstance(outcome, Answered) for outcome in outcomes)
    return answers, paces.of(work.endpoint).rests_until(now())


def ask_device(ctx: Context, device: Device, work: infer.Slice) -> None:
    """Ask the weights that a device of our own serves, until the slice ends or its server does.

    A slow answer does not keep the device from work: more is asked beside it.
    """
    over = set[int]()  # samples with an outcome

    def look(view: View) -> Steer:  # nobody is behind the address of a server that died: retries would only wait
        nonlocal work
        dropped, more = ctx.commit(infer.unwanted, work, view.notes), None
        if view.spare and device.alive and device.is_well:
            more = ctx.commit(local.more, work, now(), ctx.lease, ctx.settings.setting_bounds())
        if more is not None:
            work = work.goes_on(more, over)
            over.clear()
        return Steer(dropped, () if more is None else tuple(more.requests.values()), end=not device.alive)

    batches = ask_in_batches(
        device.begin(work.endpoint), work.requests.values(), deadline_s=SLICE_S, clock=now, paces=device.paces,
        look=look,
    )  # fmt: skip
    try:
        with closing(cast("Generator[list[Outcome]]", batches)):  # closed, it asks no more
            for outcomes in batches:
                _record(ctx, work, device.ours(outcomes))
                over.update(outcome.sample_id for outcome in outcomes)
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
