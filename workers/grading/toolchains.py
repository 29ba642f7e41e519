"""Which languages can be judged here: the toolchain is found, and its hello program works in the sandbox."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import SandboxUnavailable
from app.domain.registry import discover
from workers.grading.languages import Language
from workers.grading.sandbox.root import Tools, publish_products
from workers.grading.settings import JudgeSettings

_PROBE_S = 20


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language with the toolchain found for it and the products made by it."""

    language: Language
    version: str
    products: Path | None
    run: tuple[str, ...]

    @property
    def revision(self) -> str:
        """Language and toolchain in one word."""
        return f"{self.language.name}-{self.version}"


def known_languages() -> dict[str, Language]:
    """Every language this judge has a file for, by name."""
    return discover("workers.grading.languages", "LANGUAGE", Language)


def find_toolchain(language: Language, settings: JudgeSettings, tools: Tools) -> Toolchain:
    """Ask the toolchain for its version and make its products. Raises SandboxUnavailable with the reason."""
    zygote = language.zygote and settings.zygote
    if not zygote and not tools.launcher:
        raise SandboxUnavailable(f"needs the launcher, and {settings.compiler} is not there to compile it")
    command, run = (
        tuple(part.format(python=settings.python) for part in parts)
        for parts in (language.version_command, language.run)
    )
    try:
        said = subprocess.run(
            command, check=True, capture_output=True, timeout=_PROBE_S, cwd="/", stdin=subprocess.DEVNULL, text=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxUnavailable(f"{command[0]} does not work: {error}") from error
    version = said.stdout.strip()[:40]
    products = publish_products(settings.sandbox_root, language, version, settings.scratch)
    return Toolchain(language, version, products, run)
