"""Engines: one file each, holding one ENGINE constant: the program that serves weights, and its words for settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.domain.asking.weights import Weights


@dataclass(frozen=True, slots=True)
class Bind:
    """Where a server is to listen on this machine, and the key that it is to ask for."""

    port: int
    key: str = field(repr=False)
    host: str = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Engine:
    """A program with an OpenAI-compatible interface, as data.

    `flags` names the engine's flag for each setting: `host`, `port`, `path` and `name` always; of `key`, `dtype`,
    `quantisation`, `max_length`, `max_running`, `memory`, `template`, `reasoning_parser`, `seed` and `parallel` those
    that it has. A setting that is asked for and has no flag cannot be served. `key_variable` takes the key where
    the environment can carry it, out of sight of other users. `always` stands on every command line, `cpu_flags` and
    `cpu_environment` only without a device. `gauges` names the engine's own metrics for `running`, `waiting`, `cache`
    (a share) and `tokens` (a count of those it made). `version_path` answers JSON with a field `version`. `streams`
    says whether answers can be streamed. `backend` is the back end that puts settings where the engine reads them.
    """

    name: str
    program: tuple[str, ...]
    flags: Mapping[str, str]
    gauges: Mapping[str, str]
    version_path: str
    key_variable: str | None = None
    streams: bool = True
    backend: str = "vllm"
    always: tuple[str, ...] = ()
    cpu_flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    cpu_environment: Mapping[str, str] = field(default_factory=dict)

    def lacks(self, weights: Weights) -> str | None:
        """The setting of these weights that the engine has no flag for; None when it can serve them as asked."""
        asked = {"quantisation": weights.quantisation, "reasoning_parser": weights.reasoning_parser,
                 "template": weights.template, "memory": weights.memory, "max_length": weights.max_length}  # fmt: skip
        return next((name for name, value in asked.items() if value is not None and name not in self.flags), None)

    def settings(self, weights: Weights, *, parallel: int, cpu: bool) -> tuple[str, ...]:
        """The flags that say what is served and how: all but the address and the key."""
        values = {
            "path": weights.path, "name": weights.name, "dtype": weights.dtype, "quantisation": weights.quantisation,
            "max_length": weights.max_length, "max_running": weights.max_running, "memory": weights.memory,
            "template": weights.template, "reasoning_parser": weights.reasoning_parser, "seed": weights.seed,
            "parallel": parallel if parallel > 1 else None,
        }  # fmt: skip
        given = (
            (self.flags[name], str(value)) for name, value in values.items() if name in self.flags and value is not None
        )
        return (*(word for pair in given for word in pair), *self.always, *(self.cpu_flags if cpu else ()))

    def address(self, bind: Bind) -> tuple[str, ...]:
        """The flags that say where it listens and, where it cannot be told otherwise, the key."""
        key = () if self.key_variable is not None else (self.flags["key"], bind.key)
        return (self.flags["host"], bind.host, self.flags["port"], str(bind.port), *key)

    def variables(self, bind: Bind, *, cpu: bool) -> dict[str, str]:
        """What it is told in its environment."""
        key = {} if self.key_variable is None else {self.key_variable: bind.key}
        return {**self.environment, **(self.cpu_environment if cpu else {}), **key}
