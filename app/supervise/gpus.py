"""GPU workers under a command: one process per group of devices, restarted when it ends, stopped with the command."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.config import Settings
from app.domain.errors import InvalidInput
from app.supervise.process_environment import base_environment, program_settings
from app.supervise.processes import parent_death_prefix
from app.supervise.status_lines import print_status

STOP_S = 60.0  # time for a server to end and for its segments to be removed
_FIRST_PAUSE_S, _MAX_PAUSE_S, _HEALTHY_AFTER_S = 1.0, 60.0, 300.0
_CPU = "cpu"


# As CUDA_VISIBLE_DEVICES has them: a number, or what `nvidia-smi -L` calls a GPU or a part of one.
_DEVICE = re.compile(r"0|[1-9][0-9]{0,3}|(?:GPU|MIG)-[0-9A-Za-z/-]+", re.ASCII)


def parse_devices(words: str | None, there: int | None = None) -> list[str]:
    """Return the device groups of `0,1` (two workers), `0+1` (one worker with both) or `cpu`; all devices for None.

    `there` is the number of GPUs here, 0 if unknown. Raises InvalidInput for words that name no device, a device twice,
    or a number of no device.
    """
    if words == _CPU:
        return [_CPU]
    count = _count_gpus() if there is None else there
    if words is None:
        if not count:
            raise InvalidInput("no GPU was found here; name devices with --devices, or use --devices cpu")
        return [str(number) for number in range(count)]
    named = [group.split("+") for group in words.split(",")]
    single = [device for group in named for device in group]
    for device in single:
        if not _DEVICE.fullmatch(device):
            fault = "cannot be combined with other devices" if device == _CPU else "is not a device"
            raise InvalidInput(f"--devices: {device!r} {fault}; give 0,1 (a worker each), 0+1 (one with both) or cpu")
        if single.count(device) > 1:
            raise InvalidInput(f"--devices names device {device} twice")
        if count and device.isdigit() and int(device) >= count:
            raise InvalidInput(f"--devices: there is no GPU {device} here: {count} were found, numbered from 0")
    return [",".join(group) for group in named]


def parse_command(words: str | None) -> list[str]:
    """Split a command line into words; empty for None. Raises InvalidInput for open quotes."""
    try:
        return shlex.split(words or "")
    except ValueError as unread:
        raise InvalidInput(f"--engine-command cannot be read: {unread}") from unread


def _count_gpus() -> int:
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    return sum(line.startswith("GPU ") for line in listed.stdout.splitlines())


@dataclass
class _Worker:
    devices: str
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    pause_s: float = field(default=_FIRST_PAUSE_S)

    def tend(self, variables: dict[str, str]) -> None:
        """Start the worker if it does not run; the pause doubles while it keeps ending soon."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is None:
            return
        if self.process is not None:
            lived_s = now - self.started_at
            self.pause_s = _FIRST_PAUSE_S if lived_s > _HEALTHY_AFTER_S else self.pause_s
            if lived_s < self.pause_s:
                return
            print_status(f"the worker of {self.devices} ended ({self.process.returncode}); starting it again")
            self.pause_s = min(_MAX_PAUSE_S, self.pause_s * 2)
        command = (*parent_death_prefix(signal.SIGTERM), sys.executable, "-m", "workers.serve", "gpu")
        self.process = subprocess.Popen(command, env={**variables, "TIDEMARK_GPU_DEVICES": self.devices})
        self.started_at = now


def run_workers(settings: Settings, devices: Sequence[str], *, engine: str | None, command: Sequence[str]) -> int:
    """Keep a worker for each group of devices running until told to stop; return 0 if all then ended by themselves."""
    chosen = {"TIDEMARK_GPU_ENGINE": engine, "TIDEMARK_GPU_ENGINE_COMMAND": shlex.join(command)}
    variables = (
        base_environment(os.environ)
        | program_settings("infer", settings)
        | {n: value for n, value in chosen.items() if value}
    )
    workers = [_Worker(group) for group in devices]
    received: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: received.append(number))
    while not received:
        for worker in workers:
            worker.tend(variables)
        time.sleep(0.2)
    return _stop([worker.process for worker in workers if worker.process is not None])


def _stop(processes: "Sequence[subprocess.Popen[bytes]]") -> int:
    for process in processes:
        if process.poll() is None:
            process.terminate()
    deadline, code = time.monotonic() + STOP_S, 0
    for process in processes:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:  # its guard ends the server anyway
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            code = 1
    return code
