"""How the bundled server's model makes answers: whoever waits is worked on together, in one batch after the other."""

import queue
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final

_GATHER_S: Final = 0.02  # whoever asked beside the first comes in time for its batch
_ALL: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


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
            threading.Event().wait(_GATHER_S)
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


class Decoder:
    """A causal language model, its tokenizer and the ids that end an answer."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        import torch

        self._torch, self._model, self._tokenizer = torch, model, tokenizer
        ends = model.generation_config.eos_token_id
        self._ends = frozenset(ends if isinstance(ends, list) else [ends])

    def make(self, wanted: Sequence[Wanted]) -> list[Made]:
        """One answer for each. Raises MemoryError where the device has no room for as many.

        Each answer has random numbers of its own, so that its neighbours change it by rounding alone.
        """
        torch, longest = self._torch, max(len(each.prompt) for each in wanted)
        device, pad = self._model.device, self._tokenizer.eos_token_id
        ids = [[pad] * (longest - len(each.prompt)) + list(each.prompt) for each in wanted]
        mask = [[0] * (longest - len(each.prompt)) + [1] * len(each.prompt) for each in wanted]
        rows = Rows(torch, self._tokenizer, wanted, longest, device)
        try:
            with torch.inference_mode():
                made = self._model.generate(
                    input_ids=torch.tensor(ids, device=device), attention_mask=torch.tensor(mask, device=device),
                    max_new_tokens=max(each.most for each in wanted), pad_token_id=pad, do_sample=False,
                    logits_processor=[rows.draw], stopping_criteria=[rows.stop],
                )  # fmt: skip
        except torch.OutOfMemoryError as error:
            raise MemoryError(f"the device has no room for {len(wanted)} answers at once") from error
        return [
            self._read(each, row[longest:].tolist()[: each.most]) for each, row in zip(wanted, made, strict=True)
        ]  # fmt: skip

    def _read(self, wanted: Wanted, tokens: list[int]) -> Made:
        """An answer out of its row, which goes on with padding until the last one of its batch ends."""
        end = next((at for at, token in enumerate(tokens) if token in self._ends), None)
        tokens = tokens if end is None else tokens[: end + 1]
        text = self._text(tokens)
        if not any(word in text for word in wanted.stop):
            return Made(text, len(tokens), ended=end is not None)

        def has_word(number: int) -> bool:
            return any(word in self._text(tokens[:number]) for word in wanted.stop)

        number = bisect_left(range(len(tokens)), 1, key=has_word)
        cut = min(text.find(word) for word in wanted.stop if word in text)
        return Made(text[:cut], number, ended=True)

    def _text(self, tokens: list[int]) -> str:
        return str(self._tokenizer.decode(tokens, skip_special_tokens=True))


def mixed(seed: int) -> int:
    """SplitMix64's number of a seed, so that seeds in a row begin far from each other."""
    bits = (seed + _GOLDEN) & _ALL
    for shift, factor in _MIX:
        bits = ((bits ^ (bits >> shift)) * factor) & _ALL
    return bits ^ (bits >> 31)


def _signed(bits: int) -> int:
    """The same 64 bits as a number with a sign."""
    return bits - (1 << 64) if bits >> 63 else bits


class Rows:
    """How each row of a batch is drawn, and when it ends: what `generate` has for a whole batch alone."""

    def __init__(self, torch: Any, tokenizer: Any, wanted: Sequence[Wanted], longest: int, device: Any) -> None:
        self._torch, self._tokenizer, self._wanted, self._longest = torch, tokenizer, wanted, longest

        def column(values: Iterable[float], kind: Any = torch.float32) -> Any:
            return torch.tensor(list(values), dtype=kind, device=device).unsqueeze(1)

        # At temperature 0 the most probable token is taken: as it is of any temperature without random numbers.
        self._heat = column(each.temperature or 1.0 for each in wanted)
        self._rest = column(1 - each.top_p for each in wanted)
        self._top_k = column((each.top_k for each in wanted), torch.int64)
        self._most = column((each.most for each in wanted), torch.int64).squeeze(1)
        self._seeds = column((_signed(mixed(each.seed)) for each in wanted), torch.int64)
        self._drawn = column((bool(each.temperature) for each in wanted), torch.bool)

    def draw(self, ids: Any, scores: Any) -> Any:
        """Scores of which the largest of a row is the token that was drawn.

        The one with the least of exponential numbers over the probabilities is a sample of these.
        """
        torch, scores = self._torch, scores.float()
        for row, each in enumerate(self._wanted):
            if each.repetition != 1:
                seen = ids[row, self._longest - len(each.prompt) :].unique()
                old = scores[row, seen]
                scores[row, seen] = torch.where(old < 0, old * each.repetition, old / each.repetition)
        scores = scores / self._heat
        if any(each.top_k or each.top_p < 1 for each in self._wanted):
            scores = self.cut(scores)
        noise = self._exponential(ids.shape[1] - self._longest, scores.shape[1])
        return scores.softmax(-1) / noise.masked_fill(~self._drawn, 1)

    def _exponential(self, step: int, width: int) -> Any:
        """Random numbers for each row and token, which depend on the row's seed and the step alone.

        SplitMix64 (Steele, Lea, Flood 2014, section 4) as a function of its counter: a generator for each row would
        be a call for each row and step, which takes a GPU longer than the model does.
        """
        torch = self._torch
        tokens = torch.arange(step * width, (step + 1) * width, device=self._seeds.device).unsqueeze(0)
        bits = self._seeds + (tokens + 1) * _signed(_GOLDEN)
        for shift, factor in _MIX:
            bits = bits ^ ((bits >> shift) & ((1 << (64 - shift)) - 1))  # int64 alone shifts everywhere: with its sign
            bits = bits * _signed(factor)
        bits = bits ^ ((bits >> 31) & ((1 << 33) - 1))
        return -torch.log((((bits >> 11) & ((1 << 53) - 1)).double() + 0.5) * 2.0**-53).float()

    def cut(self, scores: Any) -> Any:
        """Without what top_k and then top_p leave out; the most probable token always stays."""
        width, lowest = scores.shape[1], float("-inf")
        ordered, places = scores.sort(descending=True)
        rank = self._torch.arange(width, device=scores.device).unsqueeze(0)
        ordered = ordered.masked_fill((self._top_k > 0) & (rank >= self._top_k), lowest)
        # Summed from the least probable on, where rounding is smallest.
        below = ordered.softmax(-1).flip(-1).cumsum(-1).flip(-1)
        ordered = ordered.masked_fill((below <= self._rest) & (rank > 0), lowest)
        return ordered.gather(1, places.argsort(-1))

    def stop(self, ids: Any, _: Any, **__: Any) -> Any:
        """Which rows end here, other than by a token that ends them."""
        ended = self._most <= ids.shape[1] - self._longest
        for row, each in enumerate(self._wanted):
            if each.stop and self._has_word(ids[row, self._longest :], each.stop):
                ended[row] = True
        return ended

    def _has_word(self, made: Any, words: tuple[str, ...]) -> bool:
        # A token may be as little as a byte of a letter.
        last = made[-4 * max(map(len, words)) - 4 :].tolist()
        text = self._tokenizer.decode(last, skip_special_tokens=True)
        return any(word in text for word in words)
