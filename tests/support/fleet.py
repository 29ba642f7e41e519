"""Inference workers on a loop of their own time: their slots take slices from the database and ask for them.

Turns, slices, limits and what is recorded are the product's; of the workers only the threads are left out.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from app.domain.asking.completions import Answered, Failed, Noted
from app.domain.registry import discover, named
from app.services.runs import infer, plan
from support.asking import LOOPBACK
from support.virtual import now
from workers.asking import SLICE_S
from workers.context import Context
from workers.inference.backends import Backend
from workers.inference.control import Controlled
from workers.inference.limiter import Paces
from workers.inference.slices import Slice
from workers.turns import SLOTS, Crowd, Held, Way

_LOOK_S = 2.0


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
    control: Callable[[], bool | None] = lambda: None
    sweep_s: float = 15.0
    slices: int = 0
    _busy: set[asyncio.Task[None]] = field(default_factory=set)

    async def work(self) -> None:
        """Take slices in turn until `each_sweep` says that it is over."""
        self.ctx.clock = now
        self._crowd = Crowd(self.ctx, asyncio.get_running_loop().time)
        over = False
        while not over:
            self.ctx.commit(plan.sweep, now(), self.ctx.vault)
            self._take_turns()
            end = asyncio.get_running_loop().time() + self.sweep_s
            while (left := end - asyncio.get_running_loop().time()) > 0:
                if self._busy:
                    done, _ = await asyncio.wait(self._busy, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        if not task.cancelled():
                            task.result()
                        self._busy.discard(task)
                    if done:
                        self._take_turns()
                else:
                    await asyncio.sleep(left)
            over = await self.each_sweep()
        await self.die()

    async def die(self) -> None:
        """End every slice as a killed worker does: nothing more is recorded, and nothing is given back."""
        for task in self._busy:
            task.cancel()
        await asyncio.gather(*self._busy, return_exceptions=True)
        self._busy.clear()

    def _take_turns(self) -> None:
        while len(self._busy) < self.slots:
            work = self.ctx.commit(infer.take_turn, now(), self.lease, self.ctx.vault, self.slots)
            if work is None:
                return
            self.slices += 1
            self._busy.add(asyncio.ensure_future(self._ask(work)))

    async def _ask(self, work: infer.Slice) -> None:
        loop = asyncio.get_running_loop()
        arrived: list[Answered | Failed | Noted] = []
        slice_ = Slice(
            work.endpoint, named(discover("workers.inference.backends", "BACKEND", Backend), work.endpoint.backend, ""),
            tuple(work.requests.values()), pace=self.paces.of(work.endpoint), allow=LOOPBACK, deadline_s=SLICE_S,
            clock=now, emit=arrived.append, backoff_s=self.paces.backoff_s,
        )  # fmt: skip
        held, controlled, answers = Held(work.silent, loop.time), Controlled(self.control), 0
        asking = asyncio.ensure_future(slice_.run())
        try:
            while True:
                # All slices look at the same moment: a jump each would take longer.
                done, _ = await asyncio.wait({asking}, timeout=_LOOK_S - loop.time() % _LOOK_S)
                outcomes = [each for each in arrived if not isinstance(each, Noted)]
                notes = [each for each in arrived if isinstance(each, Noted)]
                arrived.clear()
                if outcomes:
                    self.ctx.commit(infer.record_all, work, controlled.judged(outcomes), now())
                    answers += sum(isinstance(each, Answered) for each in outcomes)
                if done:
                    asking.result()
                    break
                self._steer(slice_, work, held, notes)
        finally:
            asking.cancel()
        rest = self.paces.of(work.endpoint).rests_until(now())
        self.ctx.commit(infer.close_slice, work, now(), answered=answers > 0, rests_until=rest)

    def _steer(self, slice_: Slice, work: infer.Slice, held: Held, notes: Sequence[Noted]) -> None:
        if notes:
            slice_.drop(self.ctx.commit(infer.unwanted, work, notes))
        way = held.makes_way(slice_.silent_s, slice_.typical_s, crowded=self._crowd.waits())
        if way is Way.DRAIN:
            slice_.drain()
        elif way is Way.END:
            slice_.halt()
