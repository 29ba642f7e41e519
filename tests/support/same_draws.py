"""Hold how the bundled server draws tokens against transformers' own: `python same_draws.py`, where that is installed.

Prints a line of JSON: the cut scores that differ, the repeated ones that differ, and the largest deviation of what was
drawn from the probabilities, in standard errors.
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
_WORDS, _DRAWS = 300, 40_000


def main() -> dict[str, float]:
    """What was found."""
    import torch
    from transformers import (
        RepetitionPenaltyLogitsProcessor,
        TemperatureLogitsWarper,
        TopKLogitsWarper,
        TopPLogitsWarper,
    )

    from workers.inference.gpu.batches import GenerationRequest
    from workers.inference.gpu.decoding import BatchSampler

    def rows(wanted: list[GenerationRequest]) -> Any:
        return BatchSampler(torch, None, wanted, max(len(each.prompt) for each in wanted), torch.device("cpu"))

    torch.manual_seed(1)
    cut = repeated = 0
    for trial in range(200):
        wanted = [
            GenerationRequest(
                (1,), 9, trial, top_k=int(torch.randint(0, 400, ())), top_p=float(torch.rand(()) * 0.99 + 0.01)
            )
            for _ in range(3)
        ]
        scores = torch.randn(3, _WORDS) * 4
        ours = rows(wanted).cut(scores.clone())
        for row, each in enumerate(wanted):
            theirs = scores[row : row + 1]
            if each.top_k:
                theirs = TopKLogitsWarper(each.top_k)(None, theirs)
            theirs = TopPLogitsWarper(each.top_p)(None, theirs)
            cut += int((ours[row].isinf() != theirs[0].isinf()).sum())

        wanted = [
            GenerationRequest((5, 6, 7), 9, 0, 0.0, repetition=1.3),
            GenerationRequest((8,), 9, 0, 0.0, repetition=0.7),
        ]
        ids = torch.tensor([[5, 6, 7, 9], [0, 0, 8, 9]])  # the second is padded with a token that it does not hold
        scores = torch.randn(2, 12)
        for row, each in enumerate(wanted):
            own = ids[row : row + 1, 3 - len(each.prompt) :]
            theirs = RepetitionPenaltyLogitsProcessor(each.repetition)(own, scores[row : row + 1].clone())
            drawn = rows(wanted).draw(ids, scores.clone())[row]
            repeated += int(drawn.argmax() != theirs.argmax())

    scores, heat = torch.randn(1, 8), 0.8
    chances = TemperatureLogitsWarper(heat)(None, scores).softmax(-1)[0]
    # One seed at many steps, then many seeds in a row at one.
    one = rows([GenerationRequest((1,), 9, 7, heat)])
    steps = [int(one.draw(torch.zeros(1, 1 + step), scores).argmax()) for step in range(_DRAWS)]
    seeds = rows([GenerationRequest((1,), 9, seed, heat) for seed in range(_DRAWS)])
    beside = seeds.draw(torch.zeros(_DRAWS, 4), scores.expand(_DRAWS, -1)).argmax(-1).tolist()
    deviation = 0.0
    for drawn in (steps, beside):
        shares = torch.tensor(drawn).bincount(minlength=8) / _DRAWS
        errors = (shares - chances) / (chances * (1 - chances) / _DRAWS).sqrt()
        deviation = max(deviation, float(errors.abs().max()))
    return {"cut": cut, "repeated": repeated, "deviation": deviation}


if __name__ == "__main__":
    print(json.dumps(main()))
