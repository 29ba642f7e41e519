"""Decoding for the bundled server: each row of a batch is sampled, and ends, by its own settings."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from workers.inference.gpu.batches import GeneratedAnswer, GenerationRequest

_MEMORY_SHARE: Final = 0.5  # of the free memory, for a batch's keys and values: the rest is for the arithmetic
_MASK_64: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


def kept_bytes(config: Any, size: int) -> int:
    """Return the bytes that a model keeps per token, with keys and values of `size` bytes; 0 for an unknown config."""
    try:
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        return int(2 * config.num_hidden_layers * heads * width * size)
    except AttributeError:
        return 0


def available_bytes(meminfo: Path = Path("/proc/meminfo")) -> float:
    """Return the memory in bytes that a program may still take; infinite if the system does not say."""
    try:
        lines = meminfo.read_text(encoding="ascii").splitlines()
    except OSError:
        return float("inf")
    return next((int(line.split()[1]) * 1024.0 for line in lines if line.startswith("MemAvailable:")), float("inf"))


class Decoder:
    """A causal language model, its tokenizer and the ids that end an answer."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        import torch

        self._torch, self._model, self._tokenizer = torch, model, tokenizer
        ends = model.generation_config.eos_token_id
        self._ends = frozenset(ends if isinstance(ends, list) else [ends])

    def make(self, requests: Sequence[GenerationRequest]) -> list[GeneratedAnswer]:
        """Return one answer for each request. Raises MemoryError if the device has no room for all at once.

        Each answer has random numbers of its own, so that its neighbours change it by rounding alone.
        """
        torch, longest = self._torch, max(len(request.prompt) for request in requests)
        most = max(request.max_tokens for request in requests)
        bytes_per_token = kept_bytes(self._model.config.get_text_config(), self._model.dtype.itemsize)
        if len(requests) > 1 and bytes_per_token * len(requests) * (longest + most) > _MEMORY_SHARE * self._free():
            raise MemoryError(f"{len(requests)} answers at once may have no room")
        device, pad = self._model.device, self._tokenizer.eos_token_id
        ids = [[pad] * (longest - len(request.prompt)) + list(request.prompt) for request in requests]
        mask = [[0] * (longest - len(request.prompt)) + [1] * len(request.prompt) for request in requests]
        rows = BatchSampler(torch, self._tokenizer, requests, longest, device)
        try:
            with torch.inference_mode():
                output = self._model.generate(
                    input_ids=torch.tensor(ids, device=device), attention_mask=torch.tensor(mask, device=device),
                    max_new_tokens=most, pad_token_id=pad, do_sample=False,
                    logits_processor=[rows.draw], stopping_criteria=[rows.stop],
                )  # fmt: skip
        except torch.OutOfMemoryError as error:
            raise MemoryError(f"the device has no room for {len(requests)} answers at once") from error
        token_rows = [row[longest:].tolist() for row in output]
        return [
            self._read(request, tokens[: request.max_tokens])
            for request, tokens in zip(requests, token_rows, strict=True)
        ]

    def _read(self, wanted: GenerationRequest, tokens: list[int]) -> GeneratedAnswer:
        """Return the answer in a row, which is padded until the last answer of its batch ends."""
        end = next((at for at, token in enumerate(tokens) if token in self._ends), None)
        tokens = tokens if end is None else tokens[: end + 1]
        text = self._text(tokens)
        if not any(word in text for word in wanted.stop):
            return GeneratedAnswer(text, len(tokens), ended=end is not None)

        def has_word(number: int) -> bool:
            return any(word in self._text(tokens[:number]) for word in wanted.stop)

        number = bisect_left(range(len(tokens)), 1, key=has_word)
        cut = min(text.find(word) for word in wanted.stop if word in text)
        return GeneratedAnswer(text[:cut], number, ended=True)

    def _free(self) -> float:
        """Return the bytes of memory that the model's device has for a batch."""
        cuda = self._torch.cuda
        if self._model.device.type == "cuda":  # memory that torch reserved and does not use is free, too
            return float(cuda.mem_get_info()[0] + cuda.memory_reserved() - cuda.memory_allocated())
        return available_bytes()

    def _text(self, tokens: list[int]) -> str:
        return str(self._tokenizer.decode(tokens, skip_special_tokens=True))


def mix_seed(seed: int) -> int:
    """Return SplitMix64's number for a seed, so that consecutive seeds begin far from each other."""
    bits = (seed + _GOLDEN) & _MASK_64
    for shift, factor in _MIX:
        bits = ((bits ^ (bits >> shift)) * factor) & _MASK_64
    return bits ^ (bits >> 31)


def _signed(bits: int) -> int:
    """Return the same 64 bits as a signed number."""
    return bits - (1 << 64) if bits >> 63 else bits


class BatchSampler:
    """Sampling and stopping for each row of a batch, which `generate` offers only for a whole batch."""

    def __init__(
        self, torch: Any, tokenizer: Any, wanted: Sequence[GenerationRequest], longest: int, device: Any
    ) -> None:
        self._torch, self._tokenizer, self._wanted, self._longest = torch, tokenizer, wanted, longest

        def column(values: Iterable[float], kind: Any = torch.float32) -> Any:
            return torch.tensor(list(values), dtype=kind, device=device).unsqueeze(1)

        # At temperature 0 the most probable token is taken, as at any temperature without random numbers.
        self._temperature = column(request.temperature or 1.0 for request in wanted)
        self._cut_mass = column(1 - request.top_p for request in wanted)
        self._top_k = column((request.top_k for request in wanted), torch.int64)
        self._most = column((request.max_tokens for request in wanted), torch.int64).squeeze(1)
        self._seeds = column((_signed(mix_seed(request.seed)) for request in wanted), torch.int64)
        self._is_sampled = column((bool(request.temperature) for request in wanted), torch.bool)
        self._repetition = column(request.repetition for request in wanted)
        self._starts = column((longest - len(request.prompt) for request in wanted), torch.int64)
        self._tail = max((4 * len(word) + 4 for request in wanted for word in request.stop), default=0)

    def draw(self, ids: Any, scores: Any) -> Any:
        """Return scores whose maximum in a row is the sampled token.

        The token with the smallest exponential random number divided by its probability is a sample of these.
        """
        scores = scores.float()
        if any(request.repetition != 1 for request in self._wanted):
            scores = self._penalise_repetition(ids, scores)
        scores = scores / self._temperature
        if any(request.top_k or request.top_p < 1 for request in self._wanted):
            scores = self.cut(scores)
        noise = self._exponential(ids.shape[1] - self._longest, scores.shape[1])
        return scores.softmax(-1) / noise.masked_fill(~self._is_sampled, 1)

    def _penalise_repetition(self, ids: Any, scores: Any) -> Any:
        """Apply the repetition penalty to the scores of a row's own tokens, its prompt's included."""
        places = self._torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        own = ids.where(places >= self._starts, ids.gather(1, self._starts))  # without the padding before the prompt
        old = scores.gather(1, own)
        return scores.scatter(1, own, self._torch.where(old < 0, old * self._repetition, old / self._repetition))

    def _exponential(self, step: int, width: int) -> Any:
        """Return exponential random numbers per row and token, which depend on the row's seed and the step alone.

        SplitMix64 (Steele, Lea, Flood 2014, section 4) as a function of its counter: a generator per row would be a
        call per row and step, which takes a GPU longer than the model does.
        """
        torch = self._torch
        tokens = torch.arange(step * width, (step + 1) * width, device=self._seeds.device).unsqueeze(0)
        bits = self._seeds + (tokens + 1) * _signed(_GOLDEN)
        for shift, factor in _MIX:
            # Only int64 shifts on every device, and with its sign, which the mask removes.
            bits = bits ^ ((bits >> shift) & ((1 << (64 - shift)) - 1))
            bits = bits * _signed(factor)
        bits = bits ^ ((bits >> 31) & ((1 << 33) - 1))
        return -torch.log((((bits >> 11) & ((1 << 53) - 1)).double() + 0.5) * 2.0**-53).float()

    def cut(self, scores: Any) -> Any:
        """Mask the tokens that top_k and then top_p leave out; the most probable token always stays."""
        width, lowest = scores.shape[1], float("-inf")
        ordered, places = scores.sort(descending=True)
        rank = self._torch.arange(width, device=scores.device).unsqueeze(0)
        ordered = ordered.masked_fill((self._top_k > 0) & (rank >= self._top_k), lowest)
        # Summed from the least probable token on, which rounds least.
        below = ordered.softmax(-1).flip(-1).cumsum(-1).flip(-1)
        ordered = ordered.masked_fill((below <= self._cut_mass) & (rank > 0), lowest)
        return ordered.gather(1, places.argsort(-1))

    def stop(self, ids: Any, _: Any, **__: Any) -> Any:
        """Return which rows end here for another reason than an end token."""
        ended = self._most <= ids.shape[1] - self._longest
        if self._tail:
            # One copy for all rows, since each copy waits for the device. A token may be a single byte of a letter.
            last = ids[:, self._longest :][:, -self._tail :].tolist()
            has = [
                bool(request.stop) and self._has_word(row, request.stop)
                for request, row in zip(self._wanted, last, strict=True)
            ]
            ended |= self._torch.tensor(has, device=ended.device)
        return ended

    def _has_word(self, last: list[int], words: tuple[str, ...]) -> bool:
        text = self._tokenizer.decode(last, skip_special_tokens=True)
        return any(word in text for word in words)
