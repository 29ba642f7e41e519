"""Which languages can be judged here: the toolchain is found, and its hello program works in the sandbox."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from app.domain.errors import SandboxUnavailable
from app.domain.registry import discover
from workers.grading.languages import Language
from workers.grading.sandbox.root import Tools, publish_products
from workers.grading.settings import JudgeSettings

_PROBE_S = 20
_PATH = "/usr/local/bin:/usr/bin:/bin"
_UNPRINTABLE = re.compile(r"[^A-Za-z0-9.+_-]+")


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language with the toolchain found for it: its commands with every tool's path, and what it made."""

    language: Language
    version: str
    compile: tuple[str, ...]
    helper_compile: tuple[str, ...]
    run: tuple[str, ...]
    products: Path | None
    files: tuple[Path, ...]

    @property
    def revision(self) -> str:
        """Language and toolchain in one word."""
        return f"{self.language.name}-{self.version}"

    @property
    def mounts(self) -> dict[Path, str]:
        """What a sandbox of this language sees besides /usr."""
        mounts = {path: str(path) for path in self.files}
        return mounts if self.products is None else {**mounts, self.products: "/judge/build"}


def known_languages() -> dict[str, Language]:
    """Every language this judge has a file for, by name."""
    return discover("workers.grading.languages", "LANGUAGE", Language)


def language_named(text: str) -> Language | None:
    """The language that people mean by a name: its own or an alias, in letters of either size."""
    name = text.strip().lower()
    return next(
        (language for language in known_languages().values() if name in (language.name, *language.aliases)), None
    )


def language_of(file_name: str) -> Language | None:
    """The language that the ending of a program's file tells."""
    _, dot, ending = file_name.rpartition(".")
    languages = known_languages().values() if dot else ()
    return next((language for language in languages if ending in (language.extension, *language.endings)), None)


def find_toolchain(language: Language, settings: JudgeSettings, tools: Tools) -> Toolchain:
    """Ask the toolchain for its version and make its products. Raises SandboxUnavailable with the reason."""
    zygote = language.zygote and settings.zygote
    if not zygote and not tools.launcher:
        raise SandboxUnavailable(f"needs the launcher, and {settings.compiler} is not there to compile it")
    paths = {"python": settings.python, **{name: _path_of(name, language.package) for name in language.tools}}

    def filled(parts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(partial(_with_paths, paths), parts))

    products = tuple(replace(product, command=filled(product.command)) for product in language.products)
    version = _version(filled(language.version_command))
    return Toolchain(
        language,
        version,
        compile=filled(language.compile),
        helper_compile=filled(language.helper_compile),
        run=filled(language.run),
        products=publish_products(settings.sandbox_root, language, products, version, settings.scratch),
        files=tuple(sorted(path for pattern in language.files for path in Path("/").glob(pattern.lstrip("/")))),
    )


def _path_of(tool: str, package: str) -> str:
    """Where a tool lies, past all links: those in /etc do not exist in a sandbox.

    Raises SandboxUnavailable with the line that installs it, for people's own copies too, which no sandbox can see.
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
