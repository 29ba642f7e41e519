"""A watchdog: a stuck worker ends itself, and its supervisor starts another.

Celery's loop can wait for ever on a pool process that was ended in the middle of a message, which happens if the broker
is lost twice in a moment. Its rows come back when their lease expires; the worker would not.
"""

import os
import threading
import time
from typing import Protocol

from structlog import get_logger

log = get_logger(__name__)

STUCK_S = 45.0  # the loop turns every second, busy or not
EXIT_CODE = 70


class KombuHub(Protocol):
    """The loop, which calls `on_tick` at every turn."""

    on_tick: set[object]


class Consumer(Protocol):
    """Celery's consumer, which runs the loop while it has a connection to the broker."""

    hub: KombuHub
    connection: object | None


class Watchdog:
    """A watch that ends this process if the loop of a connected consumer has not turned for `stuck_s` seconds."""

    def __init__(self, consumer: Consumer, stuck_s: float = STUCK_S) -> None:
        self._consumer, self._stuck_s = consumer, stuck_s
        self._turned_at = time.monotonic()
        consumer.hub.on_tick.add(self._turned)

    def start(self) -> None:
        """Watch from a thread of its own."""
        threading.Thread(target=self._watch, daemon=True, name="watchdog").start()

    def _turned(self) -> None:
        self._turned_at = time.monotonic()

    def _watch(self) -> None:
        while time.monotonic() - self._turned_at < self._stuck_s:
            time.sleep(self._stuck_s / 10)
            if self._consumer.connection is None:  # without a broker the loop does not turn
                self._turned()
        log.error("worker.stuck", seconds=self._stuck_s)
        os._exit(EXIT_CODE)
