"""One model server: start it, wait until it answers, watch it, and end it without leftovers."""

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx

from app.domain.asking.weights import ServingSetup, Weights
from app.domain.errors import Unavailable
from workers.inference.backends import named_backend
from workers.inference.gpu import guard
from workers.inference.gpu.engines import Engine, ServerAddress
from workers.inference.gpu.gauges import Gauges, read_gauges
from workers.inference.gpu.weight_files import adapter_rank, read_weight_facts

GRACE_S: Final = 20.0  # after SIGTERM; an engine that has not drained by then never will
START_S: Final = 1800.0  # large weights take many minutes
_POLL_EVERY_S: Final = 0.25
_FIRST_TOKEN_S: Final = 60.0  # for one token: the first request may compile
_LOG_TAIL_BYTES: Final = 600


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """The place of a worker's servers: the worker's name, its devices, and a folder for logs and records.

    `devices` are those of CUDA_VISIBLE_DEVICES; none means the CPU. `command` replaces the engine's own program and
    gets its flags. `hub` is the operator's own hub, in which weights without a folder are looked up. Servers get the
    `environment`, but none of our own variables: some are secrets.
    """

    name: str
    folder: Path
    devices: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    hub: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    grace_s: float = GRACE_S

    @property
    def record(self) -> Path:
        """The record of this worker's server, written by its guard."""
        return self.folder / f"{self.name}.server.json"

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.folder / f"{self.name}.server.log"

    @property
    def key_file(self) -> Path:
        """The file for engines that read their key only from a file."""
        return self.folder / f"{self.name}.server.yaml"

    def clean_up(self) -> None:
        """End what a killed guard left behind, if anything."""
        guard.clean_up(self.record)


class EngineServer:
    """One server of one engine over some weights. Only `alive` and `gauges` may be used from several threads."""

    def __init__(self, engine: Engine, weights: Weights, home: ServerPlace) -> None:
        self.engine, self.weights, self.home = engine, weights, home
        self.key = secrets.token_hex(24)  # hexadecimal, so that it never looks like a flag
        self._tag = secrets.token_hex(16)
        self._bind = ServerAddress(0, self.key, home.key_file)
        self._guard: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its OpenAI-compatible address: loopback, with a port that we chose."""
        return f"http://{self._bind.host}:{self._bind.port}/v1"

    @property
    def alive(self) -> bool:
        """True if it runs, answering or not."""
        return self._guard is not None and self._guard.poll() is None

    def refusal(self) -> str | None:
        """Return why these weights cannot be served here; None if it can be tried."""
        lacking = self.engine.lacks(self.weights)
        if lacking is not None:
            return f"{self.engine.name} has no setting for {lacking}"
        if self.weights.is_folder and not Path(self.weights.path).is_dir():
            return f"there is no folder {self.weights.path} on this machine"
        if self.weights.adapter is not None and not Path(self.weights.adapter).is_dir():
            return f"there is no folder {self.weights.adapter} on this machine"
        if self._devices % self.weights.replicas:
            return f"{self.weights.replicas} copies cannot share {self._devices} device{'s' * (self._devices > 1)}"
        if not self.weights.is_folder and self.home.hub is None:
            return f"{self.weights.path} is no folder, and no hub is set (TIDEMARK_GPU_HUB)"
        return None

    def start(self) -> None:
        """Start the server, after ending leftovers of a killed guard; `wait` waits for it. Raises Unavailable."""
        reason = self.refusal()
        if reason is not None:
            raise Unavailable(reason)
        self.home.folder.mkdir(parents=True, exist_ok=True)
        self.home.clean_up()
        self._bind = ServerAddress(_free_port(), self.key, self.home.key_file)
        self._bind.write_key()
        program = self.home.command or self.engine.program
        command = [*program, *self.flags(), *self.engine.address(self._bind)]
        guarding = [str(self.home.record), self._tag, str(self.home.grace_s)]
        guarded = [sys.executable, "-I", "-S", guard.__file__, *guarding, *command]
        self.home.log.unlink(missing_ok=True)
        with self.home.log.open("a+b") as log:  # the guard reads and shortens it
            self._guard = subprocess.Popen(
                guarded, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True,
                env=self._environment(), cwd=self.home.folder,
            )  # fmt: skip

    @property
    def _devices(self) -> int:
        return max(1, len(self.home.devices))

    def flags(self) -> tuple[str, ...]:
        """Return its command line flags, except the address."""
        return self.engine.settings(
            self.weights, parallel=self._devices // self.weights.replicas, cpu=not self.home.devices,
            rank=adapter_rank(self.weights),
        )  # fmt: skip

    def _environment(self) -> dict[str, str]:
        """Return the worker's environment without our own variables, and with the engine's."""
        inherited = {name: value for name, value in self.home.environment.items() if not name.startswith("TIDEMARK_")}
        hub = {"HF_HUB_OFFLINE": "1"} if self.home.hub is None else {"HF_ENDPOINT": self.home.hub}
        return {
            **inherited, **hub, **self.engine.variables(self._bind, self.weights, cpu=not self.home.devices),
            "CUDA_VISIBLE_DEVICES": ",".join(self.home.devices),
            "PYTHONUNBUFFERED": "1",
            "SPT_NOENV": "1",  # else engines rename their processes and overwrite the tag below
            guard.TAG: self._tag,
        }  # fmt: skip

    def wait(self, within_s: float = START_S, stop: Callable[[], bool] = lambda: False) -> ServingSetup:
        """Wait until the server is healthy and has made one token; return how it serves.

        Raises Unavailable with the end of its log if it ends, or does not answer within `within_s` seconds; it is
        stopped then. `stop` is polled, and gives up when true.
        """
        deadline, reason = time.monotonic() + within_s, "it never answered"
        with self._client() as client:
            while time.monotonic() < deadline and self.alive and not stop():
                reason = self._check_ready(client)
                if not reason:
                    self._request_recording()
                    return self._describe(client)
                time.sleep(_POLL_EVERY_S)
        ended = not self.alive
        self.stop()
        why = "ended while it started" if ended else f"was not ready within {within_s:g} s ({reason})"
        raise Unavailable(f"the {self.engine.name} server {why}: {self.last_words()}")

    def _request_recording(self) -> None:
        """Have the guard record the present segments at once, rather than within a second."""
        assert self._guard is not None
        assert self._guard.stdin is not None
        with contextlib.suppress(OSError):
            self._guard.stdin.write(b".")
            self._guard.stdin.flush()

    def _check_ready(self, client: httpx.Client) -> str:
        """Return why it is not ready; empty if it is."""
        try:
            health = client.get("/health", timeout=5.0)
            if health.status_code != 200:
                return f"/health answers {health.status_code}"
            request = {"model": self.weights.name, "max_tokens": 1, "messages": [{"role": "user", "content": "1"}]}
            answer = client.post("/v1/chat/completions", json=request, timeout=_FIRST_TOKEN_S)
            if answer.status_code != 200:
                return f"a completion is refused with {answer.status_code}: {answer.text[:200]}"
            tokens = answer.json()["usage"]["completion_tokens"]
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
            return type(error).__name__
        return "" if tokens == 1 else f"one token was asked for and {tokens} came"

    def healthy(self) -> bool:
        """Return whether it reports itself as healthy."""
        with contextlib.suppress(httpx.HTTPError), self._client() as client:
            return client.get("/health", timeout=10.0).status_code == 200
        return False

    def gauges(self) -> Gauges | None:
        """Return its metrics; None if it does not give them."""
        with contextlib.suppress(httpx.HTTPError), self._client() as client:
            answer = client.get("/metrics", timeout=5.0)
            return read_gauges(answer.text, self.engine.gauges) if answer.status_code == 200 else None
        return None

    def _client(self) -> httpx.Client:
        origin = f"http://{self._bind.host}:{self._bind.port}"
        headers = {"authorization": f"Bearer {self.key}"}
        return httpx.Client(base_url=origin, headers=headers, trust_env=False, follow_redirects=False)

    def _describe(self, client: httpx.Client) -> ServingSetup:
        weights, facts = self.weights, read_weight_facts(self.weights, self._environment())
        variables = self.engine.deterministic_environment.items() if weights.deterministic else ()
        dtype = f"auto ({facts.dtype})" if weights.dtype == "auto" and facts.dtype else weights.dtype
        return ServingSetup(
            engine=self.engine.name, version=self._version(client), weights=weights.path, revision=facts.revision,
            dtype=dtype, quantisation=weights.quantisation or facts.quantisation,
            max_length=weights.max_length or facts.length, max_running=weights.max_running,
            parallel=self._devices // weights.replicas, template_sha256=facts.template_sha256,
            device=",".join(self.home.devices) or "cpu",
            flags=(*self.flags(), *(f"{name}={value}" for name, value in variables)),
            sent_as=dict(named_backend(self.engine.backend).settings),
        )  # fmt: skip

    def _version(self, client: httpx.Client) -> str | None:
        with contextlib.suppress(httpx.HTTPError, ValueError, AttributeError):
            value = client.get(self.engine.version_path, timeout=5.0).json().get("version")
            return None if value is None else str(value)[:100]
        return None

    def last_words(self) -> str:
        """Return the end of its log, however long that is, as text that can be stored."""
        try:
            with self.home.log.open("rb") as log:
                log.seek(max(0, log.seek(0, os.SEEK_END) - _LOG_TAIL_BYTES))
                end = log.read(_LOG_TAIL_BYTES).replace(b"\0", b"").decode("utf-8", "replace")
        except OSError:
            return "it has no log"
        return end.strip() or "it said nothing"

    def stop(self) -> None:
        """End the server: no process and no segment of it is left when this returns.

        SIGTERM, `grace_s` to end by itself, then SIGKILL to its group and all its descendants. Raises Unavailable if a
        part of it hangs in the kernel.
        """
        if self._guard is None:
            return
        assert self._guard.stdin is not None
        with contextlib.suppress(OSError):
            self._guard.stdin.close()
        try:
            code = self._guard.wait(self.home.grace_s + 2 * guard.KILL_S)
        except subprocess.TimeoutExpired:
            self._guard.kill()
            code = self._guard.wait()
        self._guard = None
        if code:  # the guard was killed, or could not end everything: leftovers are found by the tag
            self.home.clean_up()
        if self.home.record.exists() and guard.is_left(self.home.record):
            raise Unavailable(f"the {self.engine.name} server cannot be ended; its device is not free")


def _free_port() -> int:
    """Return a port that is free now; if another program takes it first, the server fails to start and is retried."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
