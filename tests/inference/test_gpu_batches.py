"""The queue before the bundled server's model: who is answered together, and what becomes of a batch that fails."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.waiting import until

from workers.inference.gpu.batches import BatchQueue, GeneratedAnswer, GenerationRequest
from workers.inference.gpu.decoding import available_bytes, kept_bytes, mix_seed
from workers.inference.gpu.server import RequestRefused, plain_messages


def wanted(number: int) -> GenerationRequest:
    return GenerationRequest((number,), 8, seed=number)


class Making:
    """A model that writes down its batches; it has room for a few answers, and fails at one."""

    def __init__(self, room: int = 100, broken: int | None = None) -> None:
        self.room, self.broken = room, broken
        self.batches = list[list[int]]()
        self.go_on = threading.Event()

    def make(self, batch: Sequence[GenerationRequest]) -> list[GeneratedAnswer]:
        assert self.go_on.wait(20)
        seeds = [each.seed for each in batch]
        self.batches.append(seeds)
        if len(batch) > self.room:
            raise MemoryError("no room")
        if self.broken in seeds:
            raise ValueError("a prompt that breaks it")
        return [GeneratedAnswer(str(seed), seed, ended=True) for seed in seeds]


def begun(making: Making, most: int) -> BatchQueue:
    batches = BatchQueue(making.make, most)
    batches.start()
    return batches


def asked(making: Making, most: int, *requests: Sequence[int]) -> list[list[GeneratedAnswer]]:
    """What requests for these answers get, all of which wait while the first batch is made."""
    batches, making.batches = begun(making, most), []
    making.go_on.clear()
    with ThreadPoolExecutor(len(requests) + 1) as pool:
        first = pool.submit(batches.answer, [wanted(0)])
        until(lambda: batches.running == 1, "the first one's batch")
        answers = []
        for before, request in enumerate(requests):
            queued = sum(map(len, requests[:before])) + len(request)
            answers.append(pool.submit(batches.answer, [wanted(seed) for seed in request]))
            until(lambda queued=queued: batches.waiting == queued, "a request in the queue")  # type: ignore[misc]
        making.go_on.set()
        assert [one.text for one in first.result(20)] == ["0"]
        found = [answer.result(20) for answer in answers]
    until(lambda: (batches.running, batches.waiting) == (0, 0), "its rest")
    return found


def test_whoever_waits_is_answered_together_and_gets_what_is_his() -> None:
    making = Making()
    found = asked(making, 4, *([number] for number in range(1, 9)))
    assert [[each.text for each in answer] for answer in found] == [[str(number)] for number in range(1, 9)]
    assert making.batches == [[0], [1, 2, 3, 4], [5, 6, 7, 8]]


def test_the_answers_of_a_request_may_lie_in_several_batches() -> None:
    making = Making()
    found = asked(making, 3, [1, 2, 3, 4], [5])
    assert [[each.tokens for each in answer] for answer in found] == [[1, 2, 3, 4], [5]]
    assert making.batches == [[0], [1, 2, 3], [4, 5]]


def test_a_batch_without_room_is_halved_until_it_has() -> None:
    making = Making(room=2)
    assert [each.tokens for each in asked(making, 5, [1, 2, 3, 4, 5])[0]] == [1, 2, 3, 4, 5]
    assert making.batches == [[0], [1, 2, 3, 4, 5], [1, 2], [3, 4, 5], [3], [4, 5]]


def test_what_has_no_room_alone_or_breaks_a_batch_fails_and_the_next_is_answered() -> None:
    making = Making(room=0)
    making.go_on.set()
    batches = begun(making, 4)
    with pytest.raises(MemoryError):
        batches.answer([wanted(1), wanted(2)])
    making.room, making.broken = 10, 3
    with pytest.raises(ValueError, match="breaks"):
        batches.answer([wanted(3), wanted(4)])
    assert batches.answer([wanted(5)])[0].tokens == 5


def test_seeds_are_mixed_as_splitmix64_does() -> None:
    assert mix_seed(1234567) == 6457827717110365317, "the first number that its authors' program gives for this seed"
    assert len({mix_seed(seed) >> 32 for seed in range(1000)}) == 1000


def test_what_a_batch_would_keep_is_known_beforehand(tmp_path: Path) -> None:
    grouped = SimpleNamespace(num_hidden_layers=22, num_attention_heads=32, num_key_value_heads=4, hidden_size=2048)
    assert kept_bytes(grouped, 2) == 2 * 22 * 4 * 64 * 2
    wide = SimpleNamespace(num_hidden_layers=2, num_attention_heads=4, head_dim=256, hidden_size=128)
    assert kept_bytes(wide, 4) == 2 * 2 * 4 * 256 * 4
    assert kept_bytes(SimpleNamespace(layers=3), 2) == 0, "a model of another kind is tried"
    (tmp_path / "meminfo").write_text("MemTotal:  9 kB\nMemAvailable:  3 kB\n")
    assert available_bytes(tmp_path / "meminfo") == 3 * 1024
    assert available_bytes(tmp_path / "none") == float("inf")
    assert 0 < available_bytes() < float("inf")


def test_a_content_in_parts_is_one_text_to_the_template_and_nothing_else_is_taken() -> None:
    said: list[dict[str, Any]] = [
        {"role": "user", "content": [{"type": "text", "text": "a"}, "b"]},
        {"role": "user", "content": "c"},
    ]
    assert [each["content"] for each in plain_messages(said)] == ["ab", "c"]
    for content in (None, 7, [{"type": "image_url", "text": "x"}], [{"type": "text"}]):
        with pytest.raises(RequestRefused, match="a list of parts of type text"):
            plain_messages([{"role": "user", "content": content}])
