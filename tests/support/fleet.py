"""Inference workers on a loop of their own time: their slots take slices from the database and ask for them.

Turns, slices, limits, what is added to a slice and what is recorded are the product's; of the workers only the threads
are left out.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from app.domain.asking.completions import AnsweredSample, EndpointSpec, FailedSample, RetryNotice
from app.domain.registry import discover, find_plugin
from app.services.runs import inference, plan
from support.asking import LOOPBACK
from support.virtual import now
from workers.asking import SLICE_S
from workers.context import Context
from workers.inference.backends import Backend
from workers.inference.control import FailureAttribution
from workers.inference.limiter import Paces
from workers.inference.slices import SLICE_ENDED, SliceRunner
from workers.slots import SLOTS, SlotClaim, WaitingEndpoints


@dataclass
class Fleet:
    """`slots` threads of workers; `each_sweep` is called after every sweep, and ends the work by returning True.

    Nobody renews a lease here: a slice that outlasts `lease` is late.
    """

    ctx: Context
    each_sweep: Callable[[], Awaitable[bool]]
    slots: int = SLOTS
    paces: Paces = field(default_factory=Paces)
    lease: timedelta = timedelta(hours=1)
    control: Callable[[EndpointSpec], bool | None] = lambda _endpoint: None
    sweep_s: float = 15.0
    look_s: float = 2.0  # between two looks of a slice at what came
    slices: int = 0
    _held: int = 0  # slots
    _going: set[asyncio.Task[None]] = field(default_factory=set)  # slices, those that hold no slot included
    _freed: asyncio.Event = field(default_factory=asyncio.Event)

    async def work(self) -> None:
        """Take slices in turn until `each_sweep` says that it is over."""
        self.ctx.clock = now
        self._crowd = WaitingEndpoints(self.ctx, asyncio.get_running_loop().time, self.slots)
        over = False
        while not over:
            self.ctx.commit(plan.sweep, now(), self.ctx.vault)
            self._take_turns()
            end = asyncio.get_running_loop().time() + self.sweep_s
            while (left := end - asyncio.get_running_loop().time()) > 0:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._freed.wait(), left)
                    self._freed.clear()
                    self._take_turns()
                for task in [task for task in self._going if task.done()]:
                    if not task.cancelled():
                        task.result()
                    self._going.discard(task)
            over = await self.each_sweep()
        await self.die()

    async def die(self) -> None:
        """End every slice as a killed worker does: nothing more is recorded, and nothing is given back."""
        for task in self._going:
            task.cancel()
        await asyncio.gather(*self._going, return_exceptions=True)
        self._going.clear()

    def _take_turns(self) -> None:
        while self._held < self.slots:
            work = self.ctx.commit(inference.open_next_slice, now(), self.lease, self.ctx.vault, self.slots)
            if work is None:
                return
            self.slices += 1
            self._held += 1
            self._going.add(asyncio.ensure_future(self._ask(work)))

    def _free(self) -> None:
        self._held -= 1
        self._freed.set()

    async def _ask(self, work: inference.LeasedSlice) -> None:
        loop = asyncio.get_running_loop()
        arrived: list[AnsweredSample | FailedSample | RetryNotice] = []
        slice_ = SliceRunner(
            work.endpoint,
            find_plugin(discover("workers.inference.backends", "BACKEND", Backend), work.endpoint.backend, ""),
            tuple(work.requests.values()),
            pace=self.paces.of(work.endpoint),
            allow=LOOPBACK,
            deadline_s=SLICE_S,
            clock=now,
            emit=arrived.append,
            backoff_s=self.paces.backoff_s,
        )
        held, controlled, answers = (
            SlotClaim(SLICE_S, loop.time),
            FailureAttribution(lambda: self.control(work.endpoint)),
            0,
        )
        over, aside = set[int](), False
        asking = asyncio.ensure_future(slice_.run())
        try:
            while True:
                # All slices look at the same moment: a jump each would take longer.
                done, _ = await asyncio.wait({asking}, timeout=self.look_s - loop.time() % self.look_s)
                outcomes = [each for each in arrived if not isinstance(each, RetryNotice)]
                notes = [each for each in arrived if isinstance(each, RetryNotice)]
                arrived.clear()
                if outcomes:
                    self.ctx.commit(inference.record_all, work, controlled.attribute(outcomes), now())
                    over.update(each.sample_id for each in outcomes)
                    answers += sum(isinstance(each, AnsweredSample) for each in outcomes)
                if done:
                    asking.result()
                    break
                if notes:
                    slice_.drop(self.ctx.commit(inference.unwanted_samples, work, notes))
                if aside:
                    continue
                crowded = self._crowd.have_waited()
                if held.should_yield(slice_.silent_s, slice_.typical_s, crowded=crowded):
                    slice_.drain()
                    self.ctx.commit(inference.detach_slice, work)
                    aside = True
                    self._free()
                elif slice_.spare and not crowded:
                    more = self.ctx.commit(inference.extend_slice, work, now(), self.lease)
                    if more is not None:
                        work = work.extend(more, over)
                        over.clear()
                        slice_.add(tuple(more.requests.values()))
        finally:
            asking.cancel()
            if not aside:
                self._free()
        left = set(work.requests) - over  # added just as it ended
        ended = [
            FailedSample(each, SLICE_ENDED.reason, SLICE_ENDED.retry, SLICE_ENDED.owner, counts=False) for each in left
        ]
        self.ctx.commit(inference.record_all, work, ended, now())
        rest = self.paces.of(work.endpoint).rests_until(now())
        self.ctx.commit(inference.close_slice, work, now(), answered=answers > 0, rests_until=rest)
