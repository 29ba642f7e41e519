"""One submission in its sandbox: which command runs it, opened when first needed, opened again when it was ended."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from app.domain.errors import JudgeError
from app.domain.problems import Entry
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.protocol import Bounds, Run, Sink
from workers.grading.sandbox.session import Session

# Modules worth importing before forking when the source names them: each test then gets them for nothing.
_PREIMPORTED = frozenset({
    "array", "bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools",
    "heapq", "io", "itertools", "json", "math", "operator", "queue", "random", "re", "statistics", "string",
    "threading", "typing",
})  # fmt: skip
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w., \t]+)", re.MULTILINE)
_WORD = re.compile(rb"\w+")


class Runner(Protocol):
    """Runs tests of one submission, one at a time."""

    def run(self, bounds: Bounds, sink: Sink, *, stdin: bytes = b"", call: bytes | None = None) -> Run:
        """One test. Raises JudgeError or SandboxUnavailable when the sandbox fails."""

    def renew(self) -> None:
        """Let the next test begin in a fresh sandbox."""


class _Sessions:
    """Keeps at most one session open."""

    def __init__(self, sandbox: Sandbox, command: tuple[str, ...], mounts: Mapping[Path, str]) -> None:
        self._sandbox, self._command, self._mounts = sandbox, command, mounts
        self._session: Session | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.renew()

    def renew(self) -> None:
        """End the session, if there is one."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _open(self) -> Session:
        if self._session is None or not self._session.alive:
            self._session = Session(self._sandbox, self._command, self._mounts)
        return self._session


LAUNCHER = ("/judge/launcher", "/judge/seccomp.bpf")


# Imported, not run as a script: only then is the compiled file beside it used.
_START_ZYGOTE = "import sys; sys.path.insert(0, '/judge'); import zygote; zygote.main()"


def zygote(python: str, *, called: bool = False, modules: Iterable[str] = ()) -> tuple[str, ...]:
    """The command of a Python zygote; it imports `modules` before it forks."""
    form = "call" if called else "main"
    return (python, "-S", "-s", "-c", _START_ZYGOTE, "/judge/seccomp.bpf", form, " ".join(modules))


class ZygoteRunner(_Sessions):
    """A Python program, whole or called at its entry."""

    def __init__(self, sandbox: Sandbox, python: str, source: bytes, *, called: bool) -> None:
        """The source is only carried: it is never parsed on this side."""
        # Sets and dicts of text come in an order that belongs to the program, so that a rejudging sees the same.
        seed = int.from_bytes(hashlib.sha256(source).digest()[:4])
        environment = {**sandbox.environment, "PYTHONHASHSEED": str(seed), "PYTHONDONTWRITEBYTECODE": "1"}
        sandbox = Sandbox(sandbox.bwrap, sandbox.tools, sandbox.uid, environment, proc=sandbox.proc)
        named = {word.decode() for line in _IMPORT.findall(source) for word in _WORD.findall(line)}
        modules = named & _PREIMPORTED
        if called and b"Sorted" in source:
            modules.add("sortedcontainers")
        super().__init__(sandbox, zygote(python, called=called, modules=sorted(modules)), {})
        self._source = source

    def run(self, bounds: Bounds, sink: Sink, *, stdin: bytes = b"", call: bytes | None = None) -> Run:
        """Fork the zygote for one test."""
        return self._open().run(bounds, sink, stdin=stdin, program=self._source, call=call)


class LauncherRunner(_Sessions):
    """A program that the launcher executes."""

    def __init__(
        self, sandbox: Sandbox, argv: tuple[str, ...], mounts: Mapping[Path, str], *, base_mb: int = 0
    ) -> None:
        """ "{memory_mb}" in `argv` stands for a test's memory limit without `base_mb`, the runtime's own share."""
        super().__init__(sandbox, LAUNCHER, mounts)
        self._argv, self._base_mb = argv, base_mb

    def run(self, bounds: Bounds, sink: Sink, *, stdin: bytes = b"", call: bytes | None = None) -> Run:
        """Execute the program for one test. Raises JudgeError for a call: only the zygote makes one."""
        if call is not None:
            raise JudgeError("the launcher executes programs, it does not call functions")
        memory_mb = str(bounds.memory_mb - self._base_mb)
        argv = tuple(part.replace("{memory_mb}", memory_mb) for part in self._argv)
        return self._open().run(bounds, sink, stdin=stdin, argv=argv)


def call_bytes(entry: Entry, arguments: list[Any]) -> bytes:
    """What the sandbox is told of one function-form test."""
    call = {
        "name": entry.name,
        "class": entry.cls,
        "params": [param.type for param in entry.params],
        "returns": entry.returns,
        "preamble": entry.preamble,
        "arguments": arguments,
    }
    return json.dumps(call).encode()
