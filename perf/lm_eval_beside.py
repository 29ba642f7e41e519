"""lm_eval beside our client, where it is installed: in the environment whose `lm_eval` is on PATH."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from structlog import get_logger

log = get_logger(__name__)

_WITHIN_S = 120.0  # imports of its own included, which take longer than the requests


def interpreter() -> str | None:
    """The Python that `lm_eval` on PATH runs in; None where there is none."""
    program = shutil.which("lm_eval")
    if program is None:
        return None
    with Path(program).open("rb") as script:
        first = script.readline(4096).decode("utf-8", "replace").strip()
    return first.removeprefix("#!").strip() if first.startswith("#!/") else None


def ask(
    python: str, url: str, model: str, requests: int, concurrency: int, key: str
) -> tuple[int, float, float] | None:
    """How many of the requests it answered, and in how many seconds of the clock and of processors.

    None where it did not end well, which is logged: it is only something to compare with.
    """
    client = Path(__file__).with_name("lm_eval_client.py")
    command = [python, str(client), url, model, str(requests), str(concurrency)]
    environment = {**os.environ, "OPENAI_API_KEY": key, "PYTHONPATH": "", "PYTHONWARNINGS": "ignore"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_WITHIN_S, env=environment, check=True, cwd="/"
        )
        took = json.loads(done.stdout.splitlines()[-1])
        return int(took["answered"]), float(took["wall_s"]), float(took["cpu_s"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, IndexError) as failure:
        said = getattr(failure, "stderr", None) or str(failure)
        log.warning("perf.lm_eval_failed", error=str(said)[-500:])
        return None
