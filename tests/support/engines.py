"""A GPU worker's home with the fake engine in it, and what of a server is left on this machine."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from app.domain.asking.weights import Weights
from support.waiting import patience
from workers.inference.gpu.engine_server import EngineServer, ServerPlace
from workers.inference.gpu.engines.vllm import ENGINE
from workers.inference.gpu.guard import SEGMENTS

FAKE = Path(__file__).resolve().parents[1] / "fakes" / "engine.py"
COMMAND = (sys.executable, str(FAKE))


class Bench:
    """One worker's place for servers, and what the fake engine in it says of itself."""

    def __init__(self, folder: Path, name: str = "gpu0", **environment: str) -> None:
        self.folder = folder
        self.weights = folder / "weights"
        self.weights.mkdir(exist_ok=True)
        (self.weights / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages }}"}))
        (self.weights / "config.json").write_text(json.dumps({"max_position_embeddings": 512}))
        self.log = folder / "asked.jsonl"
        told = {"FAKE_NOTES": str(folder / "notes.json"), "FAKE_LOG": str(self.log)}
        self.environment = {**os.environ, **told, **environment}
        self.home = ServerPlace(name, folder / "servers", command=COMMAND, environment=self.environment, grace_s=2.0)

    def server(self, **settings: Any) -> EngineServer:
        return EngineServer(ENGINE, Weights(str(self.weights), "tiny", **settings), self.home)

    @property
    def notes(self) -> dict[str, Any]:
        """What the fake engine that started last wrote down."""
        notes: dict[str, Any] = json.loads((self.folder / "notes.json").read_text())
        return notes

    def asked(self) -> list[dict[str, Any]]:
        """Every request that came to an engine, but those for one token."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def left(notes: dict[str, Any]) -> list[str]:
    """What still is there of a server that wrote these notes."""
    processes = [name for name in ("api", "core") if alive(notes[name])]
    shared = {"segment": notes["segment"], "semaphore": f"sem.{notes['segment']}"}
    return processes + [name for name, file in shared.items() if (SEGMENTS / file).exists()]


def nothing_left(notes: dict[str, Any], within_s: float = 20.0) -> list[str]:
    """What is left after a while: empty as soon as nothing is."""
    deadline = time.monotonic() + patience(within_s)
    while left(notes) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left(notes)


def guard_of(notes: dict[str, Any]) -> int:
    """The process that guards a server."""
    return int(Path(f"/proc/{notes['api']}/stat").read_text().rpartition(")")[2].split()[1])


def kill(pid: int) -> None:
    """Without a word."""
    os.kill(pid, 9)
