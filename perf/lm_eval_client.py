"""lm_eval's client in its own interpreter: `PYTHON lm_eval_client.py URL MODEL REQUESTS CONCURRENCY`.

It takes the key from OPENAI_API_KEY and prints what it took as JSON: {"answered", "wall_s", "cpu_s"}. Nothing here
imports the project, whose packages that interpreter does not have.
"""

import json
import sys
import time

from lm_eval.api.instance import Instance  # type: ignore[import-not-found]
from lm_eval.models.api_models import JsonChatStr  # type: ignore[import-not-found]
from lm_eval.models.openai_completions import LocalChatCompletion  # type: ignore[import-not-found]

_PROMPT = "Read the numbers of the first line and print their sum. " * 30


def main(url: str, model: str, requests: int, concurrency: int) -> None:
    """Send `requests` requests, `concurrency` at once, and print what they took."""
    client = LocalChatCompletion(
        base_url=f"{url}/chat/completions", model=model, num_concurrent=concurrency, max_retries=3,
        tokenizer_backend=None, tokenized_requests=False,
    )  # fmt: skip
    instances = [
        Instance(
            "generate_until", {}, (JsonChatStr(json.dumps([{"role": "user", "content": f"{_PROMPT}{number}"}])),
                                   {"until": [], "max_gen_toks": 256}), number,
        )
        for number in range(requests)
    ]  # fmt: skip
    started, cpu = time.perf_counter(), time.process_time()
    answers = client.generate_until(instances, disable_tqdm=True)
    times = {"wall_s": time.perf_counter() - started, "cpu_s": time.process_time() - cpu}
    print(json.dumps({"answered": sum(bool(answer) for answer in answers), **times}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
