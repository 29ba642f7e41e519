"""Places for answers that take long to make: as many at once as leave threads for all others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.domain.errors import Unavailable


class Places:
    """A number of places of a process, given in the order in which they were asked for.

    Who waits holds neither a thread nor a connection of the database, and is refused after `wait_s` seconds.
    """

    def __init__(self, most: int, wait_s: float = 60.0) -> None:
        self._free, self._wait_s = asyncio.Semaphore(most), wait_s

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Hold a place for as long as the block runs. Raises Unavailable where none becomes free in time."""
        try:
            async with asyncio.timeout(self._wait_s):
                await self._free.acquire()
        except TimeoutError:
            raise Unavailable("many boards are being made at this moment; ask again in a few seconds") from None
        try:
            yield
        finally:
            self._free.release()
