"""Engines: one file each, holding one ENGINE constant: the program that serves weights, and its names for settings."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from app.domain.asking.weights import Weights


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address where a server listens on this machine, and the key it requires, which `key_file` may hold."""

    port: int
    key: str = field(repr=False)
    key_file: Path
    host: str = "127.0.0.1"

    def write_key(self) -> None:
        """Write the key file, readable by this user alone."""
        self.key_file.unlink(missing_ok=True)
        with open(self.key_file, "x", encoding="utf-8", opener=partial(os.open, mode=0o600)) as file:
            file.write(f'api-key: "{self.key}"\n')


@dataclass(frozen=True, slots=True)
class Engine:
    """A program with an OpenAI-compatible interface, as data.

    `flags` names the engine's flag for each setting: `host`, `port`, `path` and `name` always; of `dtype`,
    `quantisation`, `max_length`, `max_running`, `memory`, `template`, `reasoning_parser`, `seed`, `parallel`,
    `replicas`, `adapter` (a name and a folder) and `rank` (the adapter's) those that it has. Weights with a setting
    that has no flag cannot be served. `adapter_flags` are added for an adapter. `deterministic_flags` and
    `deterministic_environment` make answers independent of the engine's other work; flags of None mean that it cannot
    do so. The key is hidden from other users: in the environment as `key_variable`, or as `api-key` in a YAML file that
    the flag `key_file` names. `always` stands on every command line, `cpu_flags` and `cpu_environment` only without a
    device. `gauges` names the engine's own metrics for `running`, `waiting`, `cache` (a share) and `tokens` (a count of
    those it made). `version_path` answers JSON with a field `version`. `streams` tells whether answers can be streamed,
    and `several` whether it works on all answers of a request at once. `backend` is the back end that puts settings
    where the engine reads them.
    """

    name: str
    program: tuple[str, ...]
    flags: Mapping[str, str]
    gauges: Mapping[str, str]
    version_path: str
    key_variable: str | None = None
    key_file: str | None = None
    streams: bool = True
    several: bool = True
    backend: str = "vllm"
    always: tuple[str, ...] = ()
    adapter_flags: tuple[str, ...] = ()
    deterministic_flags: tuple[str, ...] | None = None
    deterministic_environment: Mapping[str, str] = field(default_factory=dict)
    cpu_flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    cpu_environment: Mapping[str, str] = field(default_factory=dict)

    def lacks(self, weights: Weights) -> str | None:
        """Return the setting of these weights that the engine has no flag for; None if it can serve them as asked."""
        copies = weights.replicas if weights.replicas > 1 else None
        requested = {"quantisation": weights.quantisation, "reasoning_parser": weights.reasoning_parser,
                 "template": weights.template, "memory": weights.memory, "max_length": weights.max_length,
                 "adapter": weights.adapter, "replicas": copies}  # fmt: skip
        if weights.deterministic and self.deterministic_flags is None:
            return "deterministic"
        return next((name for name, value in requested.items() if value is not None and name not in self.flags), None)

    def settings(
        self, weights: Weights, *, parallel: int, cpu: bool, rank: int | None = None
    ) -> tuple[str, ...]:  # fmt: skip
        """Return the flags for the weights and their settings: all but the address and the key.

        `parallel` devices share one copy of the weights. `rank` is of their adapter, which is then served under their
        name.
        """
        adapted = weights.adapter is not None and "adapter" in self.flags
        values = {
            "path": weights.path, "name": f"{weights.name}-base" if adapted else weights.name,
            "dtype": weights.dtype, "quantisation": weights.quantisation,
            "max_length": weights.max_length, "max_running": weights.max_running, "memory": weights.memory,
            "template": weights.template, "reasoning_parser": weights.reasoning_parser, "seed": weights.seed,
            "parallel": parallel if parallel > 1 else None,
            "replicas": weights.replicas if weights.replicas > 1 else None,
            "adapter": f"{weights.name}={weights.adapter}" if adapted else None, "rank": rank,
        }  # fmt: skip
        pairs = (
            (self.flags[name], str(value)) for name, value in values.items() if name in self.flags and value is not None
        )
        words = (word for pair in pairs for word in pair)
        fixed = (self.deterministic_flags or ()) if weights.deterministic else ()
        return (
            *(self.adapter_flags if adapted else ()), *words, *fixed, *self.always, *(self.cpu_flags if cpu else ())
        )  # fmt: skip

    def address(self, bind: ServerAddress) -> tuple[str, ...]:
        """Return the flags for the address and, if a file holds the key, for that file."""
        key = () if self.key_file is None else (self.key_file, str(bind.key_file))
        return (self.flags["host"], bind.host, self.flags["port"], str(bind.port), *key)

    def variables(self, bind: ServerAddress, weights: Weights, *, cpu: bool) -> dict[str, str]:
        """Return the engine's environment variables."""
        key = {} if self.key_variable is None else {self.key_variable: bind.key}
        fixed = self.deterministic_environment if weights.deterministic else {}
        return {**self.environment, **(self.cpu_environment if cpu else {}), **fixed, **key}
