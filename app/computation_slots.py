"""Slots for responses that take long to compute: few enough to leave threads for all other requests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.domain.errors import Unavailable


class ComputationSlots:
    """The slots of one process, given in the order in which they were requested.

    A waiting request holds neither a thread nor a database connection, and is refused after `wait_s` seconds.
    """

    def __init__(self, most: int, wait_s: float = 60.0) -> None:
        self._free, self._wait_s = asyncio.Semaphore(most), wait_s

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Hold a slot while the block runs. Raises Unavailable if none becomes free in time."""
        try:
            async with asyncio.timeout(self._wait_s):
                await self._free.acquire()
        except TimeoutError:
            raise Unavailable("too many boards are being computed at the moment; try again in a few seconds") from None
        try:
            yield
        finally:
            self._free.release()
