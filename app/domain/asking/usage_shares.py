"""Usage of each answer of a call that gave several: endpoints count the tokens of the whole call only.

Tokens read are split evenly, tokens written by the length of each answer. The shares of a count add up to it exactly,
so that costs and sums are those of the call; a single share is an estimate.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from app.domain.asking.completions import Usage


def share_usage(usage: Usage, answers: Sequence[tuple[str, str]]) -> list[Usage]:
    """Return the share of each answer; `answers` holds the final text and the reasoning of each."""
    even = [1] * len(answers)
    texts = [len(text) for text, _ in answers]
    thoughts = [len(thought) for _, thought in answers]
    # Reasoning that is not counted separately is part of the answer's count.
    written = texts if usage.reasoning is not None else [sum(lengths) for lengths in zip(texts, thoughts, strict=True)]
    kinds = (
        _split_count(usage.input, even), _split_count(usage.cached, even), _split_count(usage.reasoning, thoughts),
        _split_count(usage.answer, written),
    )  # fmt: skip
    return [Usage(*share) for share in zip(*kinds, strict=True)]


def _split_count(count: int | None, weights: Sequence[int]) -> list[int | None]:
    """Split a count into whole shares by weight, evenly if all weights are 0; None stays None."""
    if count is None:
        return [None] * len(weights)
    weights = weights if any(weights) else [1] * len(weights)
    marks = [count * weight // sum(weights) for weight in accumulate(weights, initial=0)]
    return [after - before for before, after in pairwise(marks)]
