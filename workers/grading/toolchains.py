"""The languages that can be judged here: their toolchain is found, and its hello program works in the sandbox."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from app.domain.errors import SandboxUnavailable
from app.domain.registry import discover
from workers.grading.languages import Language
from workers.grading.sandbox.built_folder import BuiltFolder
from workers.grading.sandbox.root import Tools, publish_products
from workers.grading.settings import JudgeSettings
from workers.grading.testing.atcoder_library import LibraryHeaders, find_headers

RETEST_AFTER_S: Final = 600.0
RETRY_AFTER_S: Final = 30.0  # after the first refusal, and twice as long after each further one
_PROBE_S = 20
_PATH = "/usr/local/bin:/usr/bin:/bin"
_UNPRINTABLE = re.compile(r"[^A-Za-z0-9.+_-]+")


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language with the toolchain found for it: commands with every tool's path, and the built products."""

    language: Language
    version: str
    compile: tuple[str, ...]
    helper_compile: tuple[str, ...]
    run: tuple[str, ...]
    folder: BuiltFolder | None
    files: tuple[Path, ...]
    headers: LibraryHeaders | None = None  # of a library that is installed for its programs

    @property
    def products(self) -> Path | None:
        """The folder of the products; None if the language has none."""
        return None if self.folder is None else self.folder.path

    def repair(self, *, thoroughly: bool = False) -> bool:
        """Build damaged products and headers again; return whether any was. Raises SandboxUnavailable."""
        folders = (self.folder, None if self.headers is None else self.headers.folder)
        mended = [folder.repair(thoroughly=thoroughly) for folder in folders if folder is not None]
        return any(mended)

    @property
    def revision(self) -> str:
        """The name of language, toolchain and installed headers, as a part of a grader revision."""
        return f"{self.language.name}-{self.version}" + ("" if self.headers is None else f"-{self.headers.revision}")

    @property
    def mounts(self) -> dict[Path, str]:
        """The paths that a sandbox of this language sees besides /usr, and where it sees them."""
        mounts = {path: str(path) for path in self.files} | (self.headers.mounts if self.headers is not None else {})
        return mounts if self.products is None else {**mounts, self.products: "/judge/build"}


def known_languages() -> dict[str, Language]:
    """Return every language that has a file here, by name."""
    return discover("workers.grading.languages", "LANGUAGE", Language)


def language_named(text: str) -> Language | None:
    """Return the language with this name or alias, in upper or lower case; None if there is none."""
    name = text.strip().lower()
    return next(
        (language for language in known_languages().values() if name in (language.name, *language.aliases)), None
    )


def language_of(file_name: str) -> Language | None:
    """Return the language of a program's file by the ending of its name; None if it is not known."""
    _, dot, ending = file_name.rpartition(".")
    languages = known_languages().values() if dot else ()
    return next((language for language in languages if ending in (language.extension, *language.endings)), None)


@dataclass(frozen=True, slots=True)
class RefusedLanguage:
    """The reason why a language is not judged here for now, which may pass: a busy machine or a full disk is one."""

    reason: str
    wait_s: float
    since: float

    @classmethod
    def refuse(cls, reason: str, before: "Toolchain | RefusedLanguage | None") -> "RefusedLanguage":
        """Return a refusal at this moment, which waits twice as long as the one before, if there was one."""
        return cls(
            reason, 2 * before.wait_s if isinstance(before, RefusedLanguage) else RETRY_AFTER_S, time.monotonic()
        )

    @property
    def is_due(self) -> bool:
        """True if the language is to be tried again."""
        return time.monotonic() - self.since >= self.wait_s


class ToolchainRegistry:
    """The toolchains and refusals that a judge has found, in any of its threads, of the languages asked for."""

    def __init__(self) -> None:
        self._found: dict[str, Toolchain | RefusedLanguage] = {}
        self._finding: dict[str, threading.Lock] = {}

    def find(self, language: str, look: Callable[[], Toolchain | str]) -> Toolchain | None:
        """Return a language's toolchain; None if it is refused. `look` finds it, or returns the reason to refuse it."""
        # A lock for each language: no thread waits for another language, whose headers may take a minute to compile.
        with self._finding.setdefault(language, threading.Lock()):
            entry = self._found.get(language)
            if entry is None or (isinstance(entry, RefusedLanguage) and entry.is_due):
                result = look()
                entry = self._found[language] = (
                    RefusedLanguage.refuse(result, entry) if isinstance(result, str) else result
                )
        return entry if isinstance(entry, Toolchain) else None

    def toolchain(self, language: str) -> Toolchain | None:
        """Return the toolchain if it is known already."""
        entry = self._found.get(language)
        return entry if isinstance(entry, Toolchain) else None

    def languages(self) -> dict[str, str]:
        """Return the languages that can be judged, by name, with the version of their toolchain."""
        return {name: entry.version for name, entry in dict(self._found).items() if isinstance(entry, Toolchain)}

    def refused_languages(self) -> dict[str, str]:
        """Return the refused languages, by name, with the reason."""
        return {name: entry.reason for name, entry in dict(self._found).items() if isinstance(entry, RefusedLanguage)}

    def languages_to_retry(self) -> list[str]:
        """Return the refused languages that are to be tried again."""
        return [
            name for name, entry in dict(self._found).items() if isinstance(entry, RefusedLanguage) and entry.is_due
        ]

    def clear(self) -> None:
        """Forget all toolchains and refusals."""
        self._found.clear()


class ToolchainRecord:
    """The record on this host that a language's hello program has worked lately, with the toolchain's version.

    Without it every worker that starts would spend half a second on starting a virtual machine. It is kept in the
    sandbox root, which the service alone writes, and holds for the same judge and toolchain files only.
    """

    def __init__(self, language: Language, settings: JudgeSettings, sandbox: tuple[object, ...]) -> None:
        """Take all that decides how programs run, also the `sandbox`. Raises SandboxUnavailable without a tool."""
        try:
            facts = [Path(path).stat() for path in _paths(language, settings).values()]
        except OSError as error:
            raise SandboxUnavailable(f"{error.filename} does not work: {error.strerror}") from error
        files = [(fact.st_dev, fact.st_ino, fact.st_size, fact.st_mtime_ns) for fact in facts]
        judge = (settings.python, settings.bwrap, settings.zygote)
        self._key = hashlib.sha256(repr((language, judge, sandbox, files)).encode()).hexdigest()
        self._kept = settings.sandbox_root / f"tried-{language.name}.json"

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the record: of workers that start together one tries the language, and the others read its record."""
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):  # on a full disk every worker tries it
                lock = os.open(self._kept.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                stack.callback(os.close, lock)
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def version(self) -> str | None:
        """Return the version of a toolchain that worked within `RETEST_AFTER_S`; None if it is to be tried."""
        try:
            key, tried_at, version = json.loads(self._kept.read_text(encoding="utf-8"))
            # The clock starts anew with the machine.
            is_fresh = key == self._key and 0 <= time.monotonic() - tried_at < RETEST_AFTER_S
            return str(version) if is_fresh else None
        except (OSError, ValueError, TypeError):
            return None

    def save(self, version: str) -> None:
        """Record that the toolchain works; on a full disk nothing is recorded."""
        fresh = self._kept.with_suffix(f".{os.getpid()}-{threading.get_native_id()}")
        with contextlib.suppress(OSError):
            fresh.write_text(json.dumps([self._key, time.monotonic(), version]), encoding="utf-8")
            fresh.rename(self._kept)


def _paths(language: Language, settings: JudgeSettings) -> dict[str, str]:
    return {"python": settings.python, **{name: _path_of(name, language.package) for name in language.tools}}


def find_toolchain(language: Language, settings: JudgeSettings, tools: Tools, version: str | None = None) -> Toolchain:
    """Ask the toolchain for its version, unless it is known, and build its products.

    Raises SandboxUnavailable with the reason.
    """
    zygote = language.zygote and settings.zygote
    if not zygote and not tools.launcher:
        raise SandboxUnavailable(f"needs the launcher, and {settings.compiler} is not there to compile it")
    headers = find_headers(settings.sandbox_root) if any("{headers}" in line for line in language.compile) else None
    if headers is not None:
        headers.folder.repair()
    paths = {**_paths(language, settings), "headers": "" if headers is None else headers.option}

    def filled(parts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(partial(_with_paths, paths), parts))

    products = tuple(replace(product, command=filled(product.command)) for product in language.products)
    version = version or _version(filled(language.version_command))
    return Toolchain(
        language,
        version,
        compile=filled(language.compile),
        helper_compile=filled(language.helper_compile),
        run=filled(language.run),
        folder=publish_products(settings.sandbox_root, language, products, version, settings.scratch, settings.bwrap),
        files=tuple(sorted(path for pattern in language.files for path in Path("/").glob(pattern.lstrip("/")))),
        headers=headers,
    )


def _path_of(tool: str, package: str) -> str:
    """Return a tool's path with all links resolved, since links in /etc do not exist in a sandbox.

    Raises SandboxUnavailable with the command that installs the tool, also for a copy outside /usr, which sandboxes
    do not see.
    """
    program = shutil.which(tool, path=_PATH)
    path = None if program is None else Path(program).resolve()
    if path is not None and path.is_relative_to("/usr"):
        return str(path)
    elsewhere = path or shutil.which(tool)
    missing = f"{tool} is not installed" if elsewhere is None else f"sandboxes see only /usr, and {tool} is {elsewhere}"
    raise SandboxUnavailable(f"{missing}: apt-get install {package}" if package else missing)


def _with_paths(paths: Mapping[str, str], text: str) -> str:
    for name, path in paths.items():
        text = text.replace(f"{{{name}}}", path)
    return text


def _version(command: Sequence[str]) -> str:
    try:
        process = subprocess.run(
            command, check=True, capture_output=True, timeout=_PROBE_S, cwd="/", stdin=subprocess.DEVNULL, text=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxUnavailable(f"{command[0]} does not work: {error}") from error
    return _UNPRINTABLE.sub("-", (process.stdout or process.stderr).strip())[:40]
