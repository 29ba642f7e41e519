"""Weights that we serve ourselves: what they are, how an engine is to serve them, and which are served next."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from app.domain.errors import InvalidInput

GPU_QUEUES: Final = "gpu."  # how the queue of each GPU worker begins
STAY_S: Final = 1800.0  # how long a server stays with its weights while others wait
_LONGEST: Final = 500
_MOST_REPLICAS: Final = 64


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights and how they are served; two that are equal can share a server.

    `path` is an absolute folder on the worker's machine, or a name that the operator's own hub knows. `name` is what
    requests call the model. What is None is left to the engine. `max_length` is in tokens, prompt and answer
    together; `max_running` is how many requests the engine works on at once; `memory` is the share of a device's
    memory that it may take. `adapter` is the folder of a LoRA adapter that goes on top of the weights. `replicas` of
    the weights share the worker's devices, each on its part of them. `deterministic` asks the engine for kernels whose
    answers do not depend on what else it works on.
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
        """Whether they lie in a folder, rather than in a hub."""
        return self.path.startswith("/")


def check(weights: Weights) -> None:
    """Raise InvalidInput for weights that cannot be handed to an engine as an argument."""
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
        if word is not None and (not word.strip() or len(word) > _LONGEST or not word.isprintable() or word[0] == "-"):
            raise InvalidInput("weights and their settings are visible words that do not begin with a hyphen")
    if not 1 <= weights.max_running <= 1024:
        raise InvalidInput("an engine works on 1 to 1024 requests at once", pointer="/max_running")
    if weights.adapter is not None and not weights.adapter.startswith("/"):
        raise InvalidInput("an adapter is an absolute folder", pointer="/adapter")
    if not 1 <= weights.replicas <= _MOST_REPLICAS:
        raise InvalidInput(f"1 to {_MOST_REPLICAS} copies of weights share devices", pointer="/replicas")
    if weights.max_length is not None and weights.max_length < 1:
        raise InvalidInput("a length is at least one token", pointer="/max_length")
    if weights.memory is not None and not 0 < weights.memory <= 1:
        raise InvalidInput("memory is a share above 0 and at most 1", pointer="/memory")


def body(weights: Weights) -> dict[str, Any]:
    """The settings as they are stored, without the path, which stands in a column of its own."""
    return {name: value for name, value in asdict(weights).items() if name != "path"}


def read(path: str, stored: Mapping[str, Any]) -> Weights:
    """Weights as `body` stored them; what later versions know and this one does not is passed over."""
    known = {each.name for each in fields(Weights)} - {"path"}
    return Weights(path=path, **{name: value for name, value in stored.items() if name in known})


@dataclass(frozen=True, slots=True)
class Served:
    """How an engine really serves weights: what stands with a run, so that its answers can be asked for again.

    `dtype` is what was asked for; where that is left to the engine, with what the weights are stored in. `revision` is
    a hub's name of what was loaded. `template_sha256` is of the chat template's text. `flags` are all that the engine
    was given but its address and key. `sent_as` says where in a request each setting of a run's configuration stood.
    What neither engine nor weights say is None.
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
        """As it is stored."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]

    @property
    def fingerprint(self) -> str:
        """SHA-256 over everything; the same for servers that serve alike."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Waiting:
    """An endpoint with local weights that has samples due; `servers` is how many workers ask it at present."""

    endpoint_id: int
    weights: Weights
    servers: int = 0


@dataclass(slots=True)
class Turns:
    """Which weights a worker serves next. Times are seconds of one monotonic clock.

    Loading weights takes minutes, so a worker stays with those it has while any of their samples are due. Where others
    wait for longer than `stay_s`, it goes on to those that fewest workers serve, and among them to those that have
    waited longest. Weights that could not be served rest for a while.
    """

    stay_s: float = STAY_S
    _since: dict[int, float] = field(default_factory=dict)
    _rest: dict[int, tuple[int, float]] = field(default_factory=dict)

    def choose(self, waiting: Sequence[Waiting], warm: Weights | None, now: float) -> Waiting | None:
        """The endpoint to ask next; None when nobody waits, or all that do rest."""
        self._since = {each.endpoint_id: self._since.get(each.endpoint_id, now) for each in waiting}
        ready = [each for each in waiting if self._rest.get(each.endpoint_id, (0, now))[1] <= now]
        if not ready:
            return None
        held = [each for each in ready if each.weights == warm]
        others = [each for each in ready if each.weights != warm]
        overdue = any(now - self._since[each.endpoint_id] > self.stay_s and not each.servers for each in others)
        chosen = min(
            held if held and not overdue else others or held,
            key=lambda each: (each.servers, self._since[each.endpoint_id], each.endpoint_id),
        )
        # Its turn ends now: had it to wait again, it would wait from here on.
        self._since[chosen.endpoint_id] = now
        return chosen

    def failed(self, endpoint_id: int, now: float, *, first_s: float = 5.0, longest_s: float = 300.0) -> float:
        """Its server did not start, or died: it rests, each time in a row twice as long. Returns until when."""
        times = self._rest.get(endpoint_id, (0, now))[0] + 1
        until = now + min(longest_s, first_s * 2.0 ** min(times - 1, 20))
        self._rest[endpoint_id] = (times, until)
        return until

    def went_well(self, endpoint_id: int) -> None:
        """A slice of it ended with its server alive."""
        self._rest.pop(endpoint_id, None)
