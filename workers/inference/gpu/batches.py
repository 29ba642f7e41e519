"""The queue before the bundled server's model: whoever waits is answered together, in one batch after the other."""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

_GATHER_S: Final = 0.02  # whoever asked beside the first comes in time for its batch


@dataclass(frozen=True, slots=True)
class Wanted:
    """One answer: the tokens it goes on from, how many it may have, and how they are drawn."""

    prompt: tuple[int, ...]
    most: int
    seed: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0  # all
    repetition: float = 1.0
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """The tokens of an answer, those of its end among them, and their text before a word that stops it."""

    text: str
    tokens: int
    ended: bool  # by itself or by such a word, rather than at the limit


@dataclass(slots=True)
class Batches:
    """A queue of answers before a function that makes `most` of them at once, in a thread of its own."""

    make: Callable[[Sequence[Wanted]], list[Made]]
    most: int
    running: int = 0
    _queue: "queue.Queue[tuple[Wanted, Future[Made]]]" = field(default_factory=queue.Queue)

    def start(self) -> None:
        """Begin to work."""
        threading.Thread(target=self._work, daemon=True).start()

    @property
    def waiting(self) -> int:
        """How many answers wait for a batch."""
        return self._queue.qsize()

    def answer(self, wanted: Sequence[Wanted]) -> list[Made]:
        """All of these, when all are made; whatever prevents one is raised."""
        futures = [Future[Made]() for _ in wanted]
        for each in zip(wanted, futures, strict=True):
            self._queue.put(each)
        return [future.result() for future in futures]

    def _work(self) -> None:
        while True:
            batch = [self._queue.get()]
            time.sleep(_GATHER_S)
            while len(batch) < self.most and not self._queue.empty():
                batch.append(self._queue.get())
            self.running = len(batch)
            self._make(batch)
            self.running = 0

    def _make(self, batch: "list[tuple[Wanted, Future[Made]]]") -> None:
        """One batch, and two of its halves where the whole has no room in memory."""
        try:
            made = self.make([wanted for wanted, _ in batch])
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
            for (_, future), each in zip(batch, made, strict=True):
                future.set_result(each)
