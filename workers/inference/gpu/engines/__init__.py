"""Engines: one file each, holding one ENGINE constant: the program that serves weights, and its words for settings."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from app.domain.asking.weights import Weights


@dataclass(frozen=True, slots=True)
class Bind:
    """Where a server is to listen on this machine, and the key that it is to ask for, which `key_file` may hold."""

    port: int
    key: str = field(repr=False)
    key_file: Path
    host: str = "127.0.0.1"

    def write_key(self) -> None:
        """Write the file, which nobody but us can read."""
        self.key_file.unlink(missing_ok=True)
        with open(self.key_file, "x", encoding="utf-8", opener=partial(os.open, mode=0o600)) as file:
            file.write(f'api-key: "{self.key}"\n')


@dataclass(frozen=True, slots=True)
class Engine:
    """A program with an OpenAI-compatible interface, as data.

    `flags` names the engine's flag for each setting: `host`, `port`, `path` and `name` always; of `dtype`,
    `quantisation`, `max_length`, `max_running`, `memory`, `template`, `reasoning_parser`, `seed`, `parallel`,
    `replicas`, `adapter` (a name and a folder) and `rank` (the adapter's) those that it has. A setting that is asked
    for and has no flag cannot be served. `adapter_flags` come with an adapter. `deterministic_flags` and
    `deterministic_environment` make answers independent of what else it works on; flags of None say that it cannot.
    The key is out of other users' sight: in the environment as `key_variable`, or as `api-key` in a YAML file that
    the flag `key_file` names. `always` stands on every command line, `cpu_flags` and `cpu_environment` only without a
    device. `gauges` names the engine's own metrics for `running`, `waiting`, `cache` (a share) and `tokens` (a count
    of those it made). `version_path` answers JSON with a field `version`. `streams` says whether answers can be
    streamed, and `several` whether it works on all answers of a request at once. `backend` is the back end that puts
    settings where the engine reads them.
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
        """The setting of these weights that the engine has no flag for; None when it can serve them as asked."""
        copies = weights.replicas if weights.replicas > 1 else None
        asked = {"quantisation": weights.quantisation, "reasoning_parser": weights.reasoning_parser,
                 "template": weights.template, "memory": weights.memory, "max_length": weights.max_length,
                 "adapter": weights.adapter, "replicas": copies}  # fmt: skip
        if weights.deterministic and self.deterministic_flags is None:
            return "deterministic"
        return next((name for name, value in asked.items() if value is not None and name not in self.flags), None)

    def settings(
        self, weights: Weights, *, parallel: int, cpu: bool, rank: int | None = None
    ) -> tuple[str, ...]:  # fmt: skip
        """The flags that say what is served and how: all but the address and the key.

        `parallel` devices share one copy of the weights. `rank` is of their adapter, which then has their name.
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
        given = (
            (self.flags[name], str(value)) for name, value in values.items() if name in self.flags and value is not None
        )
        words = (word for pair in given for word in pair)
        fixed = (self.deterministic_flags or ()) if weights.deterministic else ()
        return (
            *(self.adapter_flags if adapted else ()), *words, *fixed, *self.always, *(self.cpu_flags if cpu else ())
        )  # fmt: skip

    def address(self, bind: Bind) -> tuple[str, ...]:
        """The flags that say where it listens and, where a file holds the key, which."""
        key = () if self.key_file is None else (self.key_file, str(bind.key_file))
        return (self.flags["host"], bind.host, self.flags["port"], str(bind.port), *key)

    def variables(self, bind: Bind, weights: Weights, *, cpu: bool) -> dict[str, str]:
        """What it is told in its environment."""
        key = {} if self.key_variable is None else {self.key_variable: bind.key}
        fixed = self.deterministic_environment if weights.deterministic else {}
        return {**self.environment, **(self.cpu_environment if cpu else {}), **fixed, **key}
