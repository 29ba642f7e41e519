"""Asking for the samples of a slice: what comes is written as it comes, in one transaction a batch.

Part of the plot in `tasks.py`: here the services that keep answers and the clients that ask for them meet.
"""

from collections.abc import Generator, Iterable
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
from workers.turns import Crowd, Held, Way

SLICE_S = 600.0


def ask_endpoint(ctx: Context, work: infer.Slice) -> tuple[int, datetime | None]:
    """Ask an endpoint until the slice ends or makes way; how many answers it gave, and until when it rests.

    A call that stalls keeps nothing else waiting: while nobody waits for the thread, more is asked beside it.
    """
    held, controlled = Held(work.silent), Controlled(ctx.part(_control).reached)
    over = set[int]()  # samples with an outcome

    def look(view: View) -> Steer:
        nonlocal work
        dropped, crowded = ctx.commit(infer.unwanted, work, view.notes), ctx.part(Crowd).waits()
        way = held.makes_way(view.silent_s, view.typical_s, crowded=crowded)
        more = None
        if view.spare and not crowded:
            more = ctx.commit(infer.more, work, now(), ctx.lease, ctx.settings.setting_bounds())
        if more is not None:
            work = work.goes_on(more, over)
            over.clear()
        asked = () if more is None else tuple(more.requests.values())
        return Steer(dropped, asked, drain=way is Way.DRAIN, end=way is Way.END)

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
    """Ask the weights that a device of our own serves, until the slice ends or its server does."""

    def look(view: View) -> Steer:  # nobody is behind the address of a server that died: retries would only wait
        return Steer(ctx.commit(infer.unwanted, work, view.notes), end=not device.alive)

    batches = ask_in_batches(
        device.begin(work.endpoint), work.requests.values(), deadline_s=SLICE_S, clock=now, paces=device.paces,
        look=look,
    )  # fmt: skip
    try:
        with closing(cast("Generator[list[Outcome]]", batches)):  # closed, it asks no more
            for outcomes in batches:
                _record(ctx, work, device.ours(outcomes))
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
