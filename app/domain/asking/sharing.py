"""What each answer took of a call that gave several: endpoints count the tokens of the whole call alone.

What was read is shared out evenly, what was written by the length of what each answer says. The shares of a count add
up to it exactly, so that costs and sums are those of the call; a single share is an estimate.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from app.domain.asking.completions import Usage


def shared_out(usage: Usage, said: Sequence[tuple[str, str]]) -> list[Usage]:
    """The share of each answer, of which `said` has the final text and the reasoning."""
    even = [1] * len(said)
    texts = [len(text) for text, _ in said]
    thoughts = [len(thought) for _, thought in said]
    # What is not counted apart is within the count of the answer.
    written = texts if usage.reasoning is not None else [sum(each) for each in zip(texts, thoughts, strict=True)]
    kinds = (
        _shares(usage.input, even), _shares(usage.cached, even), _shares(usage.reasoning, thoughts),
        _shares(usage.answer, written),
    )  # fmt: skip
    return [Usage(*share) for share in zip(*kinds, strict=True)]


def _shares(count: int | None, weights: Sequence[int]) -> list[int | None]:
    """The count in whole shares by weight, evenly where nothing weighs; unknown where it is."""
    if count is None:
        return [None] * len(weights)
    weights = weights if any(weights) else [1] * len(weights)
    marks = [count * weight // sum(weights) for weight in accumulate(weights, initial=0)]
    return [after - before for before, after in pairwise(marks)]
