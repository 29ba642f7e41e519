"""lm_eval beside our client, if it is installed: in the environment whose `lm_eval` is on PATH."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from structlog import get_logger

log = get_logger(__name__)

_TIMEOUT_S = 120.0  # including its imports, which take longer than the requests


def find_interpreter() -> str | None:
    """Return the Python of the `lm_eval` on PATH, or None."""
    program = shutil.which("lm_eval")
    if program is None:
        return None
    with Path(program).open("rb") as script:
        first = script.readline(4096).decode("utf-8", "replace").strip()
    return first.removeprefix("#!").strip() if first.startswith("#!/") else None


def run_client(
    python: str, url: str, model: str, requests: int, concurrency: int, key: str
) -> tuple[int, float, float] | None:
    """Return the number of answered requests, and the wall and CPU seconds they took.

    None if it failed, which is logged: lm_eval is only a comparison.
    """
    client = Path(__file__).with_name("lm_eval_client.py")
    command = [python, str(client), url, model, str(requests), str(concurrency)]
    environment = {**os.environ, "OPENAI_API_KEY": key, "PYTHONPATH": "", "PYTHONWARNINGS": "ignore"}
    try:
        process = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, env=environment, check=True, cwd="/"
        )
        result = json.loads(process.stdout.splitlines()[-1])
        return int(result["answered"]), float(result["wall_s"]), float(result["cpu_s"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, IndexError) as failure:
        message = getattr(failure, "stderr", None) or str(failure)
        log.warning("perf.lm_eval_failed", error=str(message)[-500:])
        return None
