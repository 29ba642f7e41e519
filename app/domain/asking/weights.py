"""Weights that we serve ourselves: their settings, and the order in which a worker serves them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from app.domain.errors import InvalidInput

GPU_QUEUE_PREFIX: Final = "gpu."  # prefix of the queue name of each GPU worker
STAY_S: Final = 1800.0  # time that a server keeps its weights while others wait
_MAX_WORD_CHARS: Final = 500
_MAX_REPLICAS: Final = 64


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights and how they are served; equal ones can share a server.

    `path` is an absolute folder on the worker's machine, or a name known to the operator's own hub. `name` is the model
    name in requests. None leaves a setting to the engine. `max_length` is in tokens, prompt and answer together;
    `max_running` is the number of requests that the engine works on at once; `memory` is the share of a device's memory
    that it may take. `adapter` is the folder of a LoRA adapter on top of the weights. `replicas` of the weights share
    the worker's devices. `deterministic` asks the engine for kernels whose answers do not depend on other requests.
    """

    path: str
    name: str
    dtype: str = "auto"
    quantisation: str | None = None
    max_length: int | None = None
    max_running: int = 256
    memory: float | None = None
    template: str | None = None
    reasoning_parser: str | None = None
    seed: int = 0
    adapter: str | None = None
    replicas: int = 1
    deterministic: bool = False

    @property
    def is_folder(self) -> bool:
        """True if the weights are in a folder rather than in a hub."""
        return self.path.startswith("/")


def check_weights(weights: Weights) -> None:
    """Raise InvalidInput for weights that cannot be passed to an engine as arguments."""
    words = (
        weights.path,
        weights.name,
        weights.dtype,
        weights.quantisation,
        weights.template,
        weights.reasoning_parser,
        weights.adapter,
    )
    for word in words:
        if word is not None and (
            not word.strip() or len(word) > _MAX_WORD_CHARS or not word.isprintable() or word[0] == "-"
        ):
            raise InvalidInput("weights and their settings must be visible text that does not begin with a hyphen")
    if not 1 <= weights.max_running <= 1024:
        raise InvalidInput(
            f"an engine runs 1 to 1024 requests at once, not {weights.max_running}", pointer="/max_running"
        )
    if weights.adapter is not None and not weights.adapter.startswith("/"):
        raise InvalidInput(f"the adapter must be an absolute path, not {weights.adapter!r}", pointer="/adapter")
    if not 1 <= weights.replicas <= _MAX_REPLICAS:
        raise InvalidInput(f"replicas must be from 1 to {_MAX_REPLICAS}, not {weights.replicas}", pointer="/replicas")
    if weights.max_length is not None and weights.max_length < 1:
        raise InvalidInput(f"the length must be at least 1 token, not {weights.max_length}", pointer="/max_length")
    if weights.memory is not None and not 0 < weights.memory <= 1:
        raise InvalidInput(f"memory must be a share above 0 and at most 1, not {weights.memory:g}", pointer="/memory")


def dump_weights(weights: Weights) -> dict[str, Any]:
    """Return the settings as stored, without the path, which has its own column."""
    return {name: value for name, value in asdict(weights).items() if name != "path"}


def load_weights(path: str, stored: Mapping[str, Any]) -> Weights:
    """Return weights as stored by `dump_weights`; fields that only later versions know are ignored."""
    known = {entry.name for entry in fields(Weights)} - {"path"}
    return Weights(path=path, **{name: value for name, value in stored.items() if name in known})


@dataclass(frozen=True, slots=True)
class ServingSetup:
    """The setup in which an engine actually served weights, stored with a run so that its answers can be reproduced.

    `dtype` is the requested one; if the engine chooses, it includes the type of the stored weights. `revision` is the
    hub's name of the loaded revision. `template_sha256` is of the chat template's text. `flags` are the engine's
    arguments except address and key. `sent_as` maps each setting of a run's configuration to its place in a request.
    Values that neither engine nor weights report are None.
    """

    engine: str
    version: str | None
    weights: str
    dtype: str
    quantisation: str | None
    max_length: int | None
    max_running: int
    parallel: int
    template_sha256: str | None
    device: str
    flags: tuple[str, ...] = field(default=())
    revision: str | None = None
    sent_as: Mapping[str, str] = field(default_factory=dict, hash=False)

    def body(self) -> dict[str, Any]:
        """Return the stored form."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]

    @property
    def fingerprint(self) -> str:
        """SHA-256 over all fields; equal for servers that serve alike."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class DueWeights:
    """An endpoint with local weights that has due samples; `servers` is the number of workers that ask it now."""

    endpoint_id: int
    weights: Weights
    servers: int = 0


@dataclass(slots=True)
class WeightsRotation:
    """The choice of the weights that a worker serves next. Times are seconds of one monotonic clock.

    Loading weights takes minutes, so a worker keeps its weights while any of their samples are due. If others without a
    worker wait longer than `stay_s`, it goes on to those served by the fewest workers, and among them to the longest
    waiting. Weights that could not be served rest for a while.
    """

    stay_s: float = STAY_S
    _since: dict[int, float] = field(default_factory=dict)
    _resting: dict[int, tuple[int, float]] = field(default_factory=dict)

    def choose(self, waiting: Sequence[DueWeights], warm: Weights | None, now: float) -> DueWeights | None:
        """Return the endpoint to ask next; None if none waits, or all that do are resting."""
        self._since = {entry.endpoint_id: self._since.get(entry.endpoint_id, now) for entry in waiting}
        ready = [entry for entry in waiting if self._resting.get(entry.endpoint_id, (0, now))[1] <= now]
        if not ready:
            return None
        current = [entry for entry in ready if entry.weights == warm]
        others = [entry for entry in ready if entry.weights != warm]
        overdue = any(now - self._since[entry.endpoint_id] > self.stay_s and not entry.servers for entry in others)
        chosen = min(
            current if current and not overdue else others or current,
            key=lambda entry: (entry.servers, self._since[entry.endpoint_id], entry.endpoint_id),
        )
        # Its next wait begins now.
        self._since[chosen.endpoint_id] = now
        return chosen

    def record_failure(self, endpoint_id: int, now: float, *, first_s: float = 5.0, longest_s: float = 300.0) -> float:
        """Record that its server did not start or died; it rests, twice as long after each failure in a row.

        Return the end of the rest.
        """
        times = self._resting.get(endpoint_id, (0, now))[0] + 1
        until = now + min(longest_s, first_s * 2.0 ** min(times - 1, 20))
        self._resting[endpoint_id] = (times, until)
        return until

    def record_success(self, endpoint_id: int) -> None:
        """Record that a slice ended with its server alive."""
        self._resting.pop(endpoint_id, None)
