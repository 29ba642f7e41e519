"""Connections of the site: HTTP/1.1 in which nobody is waited for without end.

uvicorn limits the time between two requests, and nothing else: a client that sends one byte a minute, or never reads
its answer, would hold its connection for ever. Times are for a whole head and a whole body, however many bytes come.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class Patience(H11Protocol):
    """uvicorn's protocol with limits in seconds; who exceeds one is answered 408 where that is possible, and cut off.

    A reader is slow when fewer than `least_read` bytes of what waits for it leave within `read_s`.
    """

    head_s = 10.0
    body_s = 30.0
    read_s = 30.0
    least_read = 30 * 1024

    _phase: tuple[str, object] | None = None
    _limit: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Wait for the first head."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # be told of every byte that is not taken at once
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read on, and see what is waited for now."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for what is left of the request; the next one has the time that uvicorn gives idle connections."""
        super().on_response_complete()
        if self.conn.their_state is not h11.IDLE:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._wait_for(None, 0.0)
        self._stop_reading()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to look whether the client reads."""
        super().pause_writing()
        self._look_again(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """The client has everything."""
        self._stop_reading()
        super().resume_writing()

    def _watch(self) -> None:
        waiting = self.conn.their_state
        if waiting is h11.SEND_BODY:
            self._wait_for(("body", self.cycle), self.body_s)
        elif waiting is h11.IDLE and not self.transport.is_closing():
            self._wait_for(("head", self.cycle), self.head_s)
        else:
            self._wait_for(None, 0.0)

    def _wait_for(self, phase: tuple[str, object] | None, seconds: float) -> None:
        """Start the time of a phase; one that goes on keeps the time it has left."""
        if phase == self._phase:
            return
        self._phase = phase
        if self._limit is not None:
            self._limit.cancel()
        self._limit = None if phase is None else self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        self._phase = self._limit = None
        begun = self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]
        if begun or self.conn.our_state is h11.SEND_RESPONSE:
            headers = [(b"connection", b"close"), (b"content-length", b"0")]
            self.transport.write(self.conn.send(h11.Response(status_code=408, headers=headers, reason=b"Too late")))
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _look_again(self, left: int) -> None:
        self._reading = self.loop.call_later(self.read_s, self._look, left)

    def _look(self, left: int) -> None:
        size = self.transport.get_write_buffer_size()
        if left - size < self.least_read:
            self.transport.abort()
        else:
            self._look_again(size)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
