"""GPU workers, by their last heartbeats."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.operations import status as store
from app.domain.asking.weights import GPU_QUEUE_PREFIX
from app.services.runs.judge_state import SILENT_AFTER


@dataclass(frozen=True, slots=True)
class GpuWorker:
    """A GPU worker's last heartbeat. `cache` is a share; counts that its engine does not give are None.

    `state` is idle, starting, ready, busy (a slice is asked) or failed, with its `trouble`.
    """

    name: str
    at: datetime
    silent: bool
    device: str
    engine: str
    version: str | None
    model: str | None
    state: str
    running: float | None
    waiting: float | None
    cache: float | None
    tokens_per_s: float | None
    restarts: int
    trouble: str | None


def gpu_workers(session: Session, now: datetime) -> tuple[GpuWorker, ...]:
    """Return every GPU worker, by name."""
    return tuple(
        _worker(row.queue.removeprefix(GPU_QUEUE_PREFIX), row.at, now - row.at > SILENT_AFTER, row.detail)
        for row in sorted(store.heartbeats(session), key=lambda row: row.queue)
        if row.queue.startswith(GPU_QUEUE_PREFIX)
    )


def _worker(name: str, at: datetime, silent: bool, detail: Mapping[str, Any]) -> GpuWorker:
    return GpuWorker(
        name=name, at=at, silent=silent, device=str(detail.get("device", "")), engine=str(detail.get("engine", "")),
        version=detail.get("version"), model=detail.get("model"), state=str(detail.get("state", "idle")),
        running=detail.get("running"), waiting=detail.get("waiting"), cache=detail.get("cache"),
        tokens_per_s=detail.get("tokens_per_s"), restarts=int(detail.get("restarts", 0)), trouble=detail.get("trouble"),
    )  # fmt: skip
