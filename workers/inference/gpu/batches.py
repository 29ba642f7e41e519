"""The queue before the bundled server's model: waiting requests are answered together, one batch after another."""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

_GATHER_S: Final = 0.02  # requests that come right after the first join its batch


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """A requested answer: its prompt's tokens, its token limit, and its sampling."""

    prompt: tuple[int, ...]
    max_tokens: int
    seed: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0  # no limit
    repetition: float = 1.0
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GeneratedAnswer:
    """The tokens of an answer, its end token included, and its text before a stop word."""

    text: str
    tokens: int
    ended: bool  # by itself or by a stop word, not at the limit


@dataclass(slots=True)
class BatchQueue:
    """A queue before a function that makes up to `most` answers at once, in a thread of its own."""

    make: Callable[[Sequence[GenerationRequest]], list[GeneratedAnswer]]
    max_batch: int
    running: int = 0
    _queue: "queue.Queue[tuple[GenerationRequest, Future[GeneratedAnswer]]]" = field(default_factory=queue.Queue)

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._work, daemon=True).start()

    @property
    def waiting(self) -> int:
        """The number of answers that wait for a batch."""
        return self._queue.qsize()

    def answer(self, wanted: Sequence[GenerationRequest]) -> list[GeneratedAnswer]:
        """Return all these answers when all are made; an error that prevents one is raised."""
        futures = [Future[GeneratedAnswer]() for _ in wanted]
        for entry in zip(wanted, futures, strict=True):
            self._queue.put(entry)
        return [future.result() for future in futures]

    def _work(self) -> None:
        while True:
            batch = [self._queue.get()]
            time.sleep(_GATHER_S)
            while len(batch) < self.max_batch and not self._queue.empty():
                batch.append(self._queue.get())
            self.running = len(batch)
            self._make(batch)
            self.running = 0

    def _make(self, batch: "list[tuple[GenerationRequest, Future[GeneratedAnswer]]]") -> None:
        """Answer one batch, or its two halves if memory does not suffice for the whole."""
        try:
            answers = self.make([wanted for wanted, _ in batch])
        except MemoryError as error:
            if len(batch) > 1:
                half = len(batch) // 2
                self._make(batch[:half])
                self._make(batch[half:])
            else:
                batch[0][1].set_exception(error)
        except Exception as error:  # one batch must not end the server
            for _, future in batch:
                future.set_exception(error)
        else:
            for (_, future), answer in zip(batch, answers, strict=True):
                future.set_result(answer)
