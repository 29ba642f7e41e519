"""One program in its sandbox: the command that runs it, in a session that is opened when it is needed."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from app.domain.errors import InvalidProblem
from app.domain.problems import Entry, Form, Param, ProblemSpec
from workers.grading.languages import Language
from workers.grading.languages._calls import encode_arguments, encode_calls
from workers.grading.run_verdict import mark_oversized
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.guest import SYNTAX_ERROR
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds, Sink
from workers.grading.sandbox.pump import OutputPump
from workers.grading.sandbox.session import Session
from workers.grading.testing.packages import PACKAGES_ENVIRONMENT, PACKAGES_MOUNT

# Modules that are imported before the fork if the source names them: then no test spends time on it.
_PREIMPORTED = frozenset({
    "array", "bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools",
    "heapq", "io", "itertools", "json", "math", "operator", "queue", "random", "re", "statistics", "string",
    "threading", "typing", "unittest",
})  # fmt: skip
# To import these takes a third of a second for each test. They start no threads: their environment forbids it.
_PREIMPORTED_MORE = frozenset({"numpy", "pandas"})
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w., \t]+)", re.MULTILINE)
_WORD = re.compile(rb"\w+")
_NO_FILES: Mapping[str, int] = {}
_NO_CALL, _FAILED_EXIT = b"{}", 1 << 8


class Runner(Protocol):
    """The part of the judge that runs tests of one program, one at a time."""

    def run(self, bounds: SandboxBounds, sink: Sink, *, stdin: bytes = b"", call: bytes | None = None) -> ProgramRun:
        """Run one test. Raises JudgeError or SandboxUnavailable if the sandbox fails."""

    def start(self, bounds: SandboxBounds, sink: Sink) -> OutputPump:
        """Start one test whose program reads what is written to the pump's stdin. Raises as `run` does."""

    def renew(self) -> None:
        """Make the next test start in a fresh sandbox."""


class _Sessions:
    """An owner of at most one open session."""

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
        """End the session if there is one."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _open(self) -> Session:
        if self._session is None or not self._session.alive:
            self._session = Session(self._sandbox, self._command, self._mounts)
        return self._session


LAUNCHER_COMMAND = ("/judge/launcher", "/judge/seccomp.bpf")


# It is imported and not run as a script, since only an import uses the compiled file beside it.
_START_ZYGOTE = "import sys; sys.path.insert(0, '/judge'); import zygote; zygote.main()"


def zygote_command(
    python: str, *, called: bool = False, tested: bool = False, modules: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the command of a Python zygote, which imports `modules` before it forks. `tested`: it runs unittests."""
    form = "test" if tested else "call" if called else "main"
    return (python, "-S", "-s", "-c", _START_ZYGOTE, "/judge/seccomp.bpf", form, " ".join(modules))


class ZygoteRunner(_Sessions):
    """A Python program in a zygote, run whole or called at its entry."""

    def __init__(
        self,
        sandbox: Sandbox,
        python: str,
        source: bytes,
        *,
        called: bool,
        packages: Path | None = None,
        imports: bytes | None = None,
        form: Form | None = None,
    ) -> None:
        """Take the source, which is never parsed on this side. The program may import from the folder `packages` too.

        If the source does not show what it will import, `imports` does, and the `form` of its problem.
        """
        # The order of sets of text depends on the program alone, so that a rejudging sees the same order.
        seed = int.from_bytes(hashlib.sha256(source).digest()[:4])
        environment = {**sandbox.environment, "PYTHONHASHSEED": str(seed), "PYTHONDONTWRITEBYTECODE": "1"}
        sandbox = replace(
            sandbox, environment=environment if packages is None else {**environment, **PACKAGES_ENVIRONMENT}
        )
        named = {word.decode() for line in _IMPORT.findall(imports or source) for word in _WORD.findall(line)}
        tested = form is Form.UNITTEST
        if tested:
            named.add("unittest")  # each test imports it, which would be a fifth of its time
        modules = named & (_PREIMPORTED if packages is None else _PREIMPORTED | _PREIMPORTED_MORE)
        if called and b"Sorted" in source:
            modules.add("sortedcontainers")
        mounts = {} if packages is None else {packages: PACKAGES_MOUNT}
        super().__init__(sandbox, zygote_command(python, called=called, tested=tested, modules=sorted(modules)), mounts)
        self.source, self._called = source, called  # the zygote has no source: another may run in the same sandbox

    def run(self, bounds: SandboxBounds, sink: Sink, *, stdin: bytes = b"", call: bytes | None = None) -> ProgramRun:
        """Fork the zygote for one test."""
        run = self._open().run(bounds, sink, stdin=stdin, program=self.source, call=call)
        return self._uncompiled(run, bounds) if run.exit_code == SYNTAX_ERROR else run

    def _uncompiled(self, run: ProgramRun, bounds: SandboxBounds) -> ProgramRun:
        """Run a program that does not compile without the test, which its error message might repeat to people."""
        call = _NO_CALL if self._called else None
        blank = self._open().run(bounds, lambda _: None, program=self.source, call=call)
        return blank if blank.exit_code == SYNTAX_ERROR else replace(run, status=_FAILED_EXIT)

    def start(
        self,
        bounds: SandboxBounds,
        sink: Sink,
        *,
        stdin: bytes | int | None = None,
        arguments: Sequence[str] = (),
        files: Mapping[str, int] = _NO_FILES,
    ) -> OutputPump:
        """Fork the zygote for one test of a whole program; `arguments` and `files` are as in `Session.start`."""
        return self._open().start(bounds, sink, stdin=stdin, argv=arguments, files=files, program=self.source)


class LauncherRunner(_Sessions):
    """A program that the launcher executes, compiled or by its interpreter."""

    def __init__(
        self,
        sandbox: Sandbox,
        argv: tuple[str, ...],
        mounts: Mapping[Path, str],
        *,
        base_mb: int = 0,
        mapped_kb: int = 0,
    ) -> None:
        """Take the command; "{memory_mb}" in it stands for a test's memory limit less `base_mb`, the runtime's share.

        The program maps `mapped_kb` before it runs: one that is larger than its limit never starts.
        """
        super().__init__(sandbox, LAUNCHER_COMMAND, mounts)
        self._argv, self._base_mb, self._mapped_kb = argv, base_mb, mapped_kb

    def run(self, bounds: SandboxBounds, sink: Sink, *, stdin: bytes = b"", call: bytes | None = None) -> ProgramRun:
        """Execute the program for one test; for a call, it reads the call's arguments."""
        if call is not None:
            values = json.loads(call)
            stdin = encode_arguments(values["arguments"]) if values["name"] else encode_calls(*values["arguments"])
        run = self._open().run(bounds, sink, stdin=stdin, argv=self._argv_within(bounds))
        run = mark_oversized(run, bounds, self._mapped_kb)
        # Only for the zygote this exit code means that a program does not compile; here it is like any other.
        return replace(run, status=_FAILED_EXIT) if run.exit_code == SYNTAX_ERROR else run

    def start(
        self,
        bounds: SandboxBounds,
        sink: Sink,
        *,
        stdin: bytes | int | None = None,
        arguments: Sequence[str] = (),
        files: Mapping[str, int] = _NO_FILES,
    ) -> OutputPump:
        """Start the program for one test; `arguments` and `files` are as in `Session.start`."""
        return self._open().start(bounds, sink, stdin=stdin, argv=(*self._argv_within(bounds), *arguments), files=files)

    def _argv_within(self, bounds: SandboxBounds) -> tuple[str, ...]:
        memory_mb = str(bounds.memory_mb - self._base_mb)
        return tuple(part.replace("{memory_mb}", memory_mb) for part in self._argv)


AnyRunner = ZygoteRunner | LauncherRunner


def add_call(language: Language, source: bytes, problem: ProblemSpec) -> bytes:
    """Return the source to compile, for a function or class with the code that calls it.

    Raises InvalidProblem if the language has no such code.
    """
    if problem.entry is None:
        return source
    caller = language.caller
    if caller is None:
        raise InvalidProblem(f"{language.name} programs are not judged in {problem.form} form")
    return caller(source.decode(errors="replace"), problem.entry).encode(errors="replace")


def encode_call(entry: Entry, arguments: list[Any]) -> bytes:
    """Return one test of a function or class as JSON for the sandbox. Raises InvalidProblem if it misfits the entry."""
    _check(entry, arguments)
    call = {
        "name": entry.name,
        "class": entry.cls,
        "params": [param.type for param in entry.params],
        "returns": entry.returns,
        "preamble": entry.preamble,
        "arguments": arguments,
        "output": entry.output_param,
        "methods": {
            name: ([param.type for param in method.params], method.returns) for name, method in entry.methods.items()
        },
    }
    return json.dumps(call).encode()


def preamble_call(preamble: str) -> bytes:
    """Return a call that runs a problem's preamble and nothing of the program."""
    driver = "def drive(call, load):\n    load({'__builtins__': __builtins__})\n    return b''\n"
    return json.dumps({"preamble": preamble, "driver": driver}).encode()


_ELSEWHERE = re.compile(r"\b(?:Node|NestedInteger)\b")


def foreign_type(entry: Entry) -> str:
    """Return a declared type whose values this judge cannot make; "" if there is none."""
    methods = entry.methods.values()
    params = [*entry.params, *(param for method in methods for param in method.params)]
    types = [*(param.type for param in params), entry.returns, *(method.returns for method in methods)]
    return next((kind for kind in types if _ELSEWHERE.search(kind)), "")


def _check(entry: Entry, arguments: list[Any]) -> None:
    """Check that a test fits the entry, so that no program fails because the test is broken."""
    if entry.name:
        return _check_values(entry.params, arguments)
    names, rows = arguments
    if names[0] != entry.cls:
        raise InvalidProblem(f"the test makes a {names[0]!r:.60}, the entry is the class {entry.cls}")
    _check_values(entry.params, rows[0])
    for name, row in zip(names[1:], rows[1:], strict=True):
        method = entry.methods.get(name)
        if method is not None:
            _check_values(method.params, row)
        elif entry.methods:
            raise InvalidProblem(f"the entry declares no method {name!r}", pointer="/entry/methods")
    return None


def _check_values(params: Sequence[Param], values: list[Any]) -> None:
    if params and len(params) != len(values):
        raise InvalidProblem(f"{len(values)} arguments are given, where {len(params)} are declared")
    for param, value in zip(params, values, strict=False):
        kind = param.type
        if ("ListNode" in kind or "TreeNode" in kind) and not isinstance(value, list | None):
            raise InvalidProblem(f"{param.name} is a {kind}: a list of values is needed, not {value!r:.40}")
