"""HTTP/1.1 connections with a time limit for every phase.

uvicorn only limits the time between two requests: a client that sends one byte a minute, or never reads its response,
would hold its connection for ever. The limits here are for a whole head and a whole body, regardless of how many bytes
arrive.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class TimeLimitedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol with limits in seconds.

    A client that exceeds one is answered 408, if a response can still be sent, and disconnected. A client reads too
    slowly if fewer than `least_read` bytes of the write buffer leave within `read_s`.
    """

    head_s = 10.0
    body_s = 30.0
    read_s = 30.0
    least_read = 30 * 1024

    _phase: tuple[str, object] | None = None
    _limit: asyncio.TimerHandle | None = None
    _read_check: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start the time limit of the first head."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # call pause_writing for every byte that the socket does not take at once
        self._update_limit()

    def data_received(self, data: bytes) -> None:
        """Pass the data on and start the time limit of the phase that follows."""
        super().data_received(data)
        self._update_limit()

    def on_response_complete(self) -> None:
        """Start the time limit of the unread rest of the request; the next request has uvicorn's keep-alive limit."""
        super().on_response_complete()
        if self.conn.their_state is not h11.IDLE:
            self._update_limit()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all time limits."""
        self._wait_for(None, 0.0)
        self._cancel_read_check()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start to check that the client reads."""
        super().pause_writing()
        self._schedule_read_check(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Stop checking: the client has read everything."""
        self._cancel_read_check()
        super().resume_writing()

    def _update_limit(self) -> None:
        waiting = self.conn.their_state
        if waiting is h11.SEND_BODY:
            self._wait_for(("body", self.cycle), self.body_s)
        elif waiting is h11.IDLE and not self.transport.is_closing():
            self._wait_for(("head", self.cycle), self.head_s)
        else:
            self._wait_for(None, 0.0)

    def _wait_for(self, phase: tuple[str, object] | None, seconds: float) -> None:
        """Start the time limit of a phase; a phase that continues keeps the limit it has."""
        if phase == self._phase:
            return
        self._phase = phase
        if self._limit is not None:
            self._limit.cancel()
        self._limit = None if phase is None else self.loop.call_later(seconds, self._end_connection)

    def _end_connection(self) -> None:
        self._phase = self._limit = None
        begun = self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]
        if begun or self.conn.our_state is h11.SEND_RESPONSE:
            headers = [(b"connection", b"close"), (b"content-length", b"0")]
            self.transport.write(self.conn.send(h11.Response(status_code=408, headers=headers, reason=b"Too late")))
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _schedule_read_check(self, left: int) -> None:
        self._read_check = self.loop.call_later(self.read_s, self._check_reading, left)

    def _check_reading(self, left: int) -> None:
        size = self.transport.get_write_buffer_size()
        if left - size < self.least_read:
            self.transport.abort()
        else:
            self._schedule_read_check(size)

    def _cancel_read_check(self) -> None:
        if self._read_check is not None:
            self._read_check.cancel()
            self._read_check = None
