"""The device of a GPU worker, made from its settings, and the worker's reports on it."""

import shlex
import socket
import threading

from structlog import get_logger

from app.config import Settings, inherited_environment
from app.domain.asking.weights import GPU_QUEUE_PREFIX
from app.domain.errors import Unavailable
from app.domain.registry import discover, find_plugin
from workers.context import Context
from workers.inference.gpu.device import Device
from workers.inference.gpu.engine_server import ServerPlace
from workers.inference.gpu.engines import Engine
from workers.lease_renewal import write_heartbeat

log = get_logger(__name__)

CHECK_EVERY_S = 5.0
CPU = "cpu"


def find_engine(name: str) -> Engine:
    """Return the engine of that name. Raises NotFound."""
    return find_plugin(discover("workers.inference.gpu.engines", "ENGINE", Engine), name, "engine")


def home_of(settings: Settings) -> ServerPlace:
    """Return the place where this worker's servers run. Raises Unavailable if it has no device."""
    if settings.gpu_devices is None:
        raise Unavailable("this is no GPU worker: it has no device")
    devices = () if settings.gpu_devices == CPU else tuple(settings.gpu_devices.split(","))
    return ServerPlace(
        name="-".join(devices) or CPU,
        folder=settings.state_dir / "gpu",
        devices=devices,
        command=tuple(shlex.split(settings.gpu_engine_command or "")),
        hub=settings.gpu_hub,
        environment=inherited_environment(),  # configures the loading of weights: proxies, caches, libraries
    )


def device_queue(settings: Settings) -> str:
    """Return the queue of this GPU worker alone. Raises Unavailable if it has no device."""
    return f"{GPU_QUEUE_PREFIX}{socket.gethostname()}.{home_of(settings).name}"


class WorkerDevice:
    """This worker's device, checked every few seconds for as long as the process lives."""

    def __init__(self, ctx: Context) -> None:
        settings = ctx.settings
        self.device = Device(
            find_engine(settings.gpu_engine),
            home_of(settings),
            idle_s=settings.gpu_idle_s,
            start_s=settings.gpu_start_s,
        )
        self.queue = device_queue(settings)
        self._ctx, self._over = ctx, threading.Event()
        self._thread = threading.Thread(target=self._check_repeatedly, daemon=True, name="device")
        self._thread.start()

    def _check_repeatedly(self) -> None:
        while not self._over.wait(CHECK_EVERY_S):
            try:
                self.device.look()
                self.write_report()
            except Exception as error:  # the next check tries again
                log.warning("device.look_failed", error=str(error))

    def write_report(self) -> None:
        """Write the device's report into the worker's heartbeat."""
        write_heartbeat(self._ctx, self.queue, self.device.report())

    def close(self) -> None:
        """End the server and the checks."""
        self._over.set()
        self.device.close()
        self._thread.join()
