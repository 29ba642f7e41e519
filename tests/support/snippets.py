"""The code blocks of a document, and a plug-in made of one: what a document tells people to write must work."""

import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.rules import ROOT

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:#|//) ([\w./-]+\.\w+)$")


@dataclass(frozen=True)
class Snippet:
    """A code block: its language ("" where none is named), the file its first comment line names, and its text."""

    language: str
    file: str | None
    text: str

    @property
    def package(self) -> str:
        """The package its file belongs to: `scrapers.sites` for `scrapers/sites/dozen.py`."""
        assert self.file is not None, "the first line of the block names no file"
        return ".".join(Path(self.file).parent.parts)

    @property
    def module(self) -> str:
        """The name of its module: `dozen`."""
        assert self.file is not None, "the first line of the block names no file"
        return Path(self.file).stem


def snippets(document: Path) -> list[Snippet]:
    """The code blocks of a Markdown file, in order."""
    blocks = _BLOCK.findall(document.read_text(encoding="utf-8"))
    return [Snippet(language, _named(text), text) for language, text in blocks]


def _named(text: str) -> str | None:
    found = _FILE.match(text.partition("\n")[0])
    return None if found is None else found[1]


def plug_in(document: str) -> Snippet:
    """The one block of a document of `docs/` that is a whole plug-in: the one that names its file."""
    [whole] = [snippet for snippet in snippets(ROOT / "docs" / document) if snippet.file is not None]
    return whole


@contextmanager
def plugged(snippet: Snippet, folder: Path) -> Iterator[None]:
    """Its file, in a folder of its own on its package's path: as if it lay beside the plug-ins that are shipped."""
    (folder / f"{snippet.module}.py").write_text(snippet.text, encoding="utf-8")
    with extended(snippet.package, folder):
        yield


@contextmanager
def extended(package: str, folder: Path) -> Iterator[None]:
    """Find the modules of `folder` beside those of `package` while the block runs."""
    root = importlib.import_module(package)
    root.__path__.append(str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        root.__path__.remove(str(folder))
        for info in pkgutil.iter_modules([str(folder)]):
            sys.modules.pop(f"{package}.{info.name}", None)
            if hasattr(root, info.name):
                delattr(root, info.name)


_IN_A_PROCESS = """
import importlib, sys, pytest
package, folder, *arguments = sys.argv[1:]
importlib.import_module(package).__path__.append(folder)
sys.exit(pytest.main(arguments))
"""


def contract(snippet: Snippet, folder: Path, test_file: str, chosen: str) -> str:
    """What pytest says of the tests of a file under `tests/` whose names match, in a process that has the plug-in.

    They are made when they are collected, one for each plug-in there is then. Fails where one of them does.
    """
    (folder / f"{snippet.module}.py").write_text(snippet.text, encoding="utf-8")
    # These tests take no fixture of ours: servers, a browser and their like would cost a start more than all of them.
    words = [f"tests/{test_file}", "-k", chosen, "-v", "--noconftest", "-p", "pytest_timeout", "-p", "no:cacheprovider",
             "-o", "addopts="]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS, snippet.package, str(folder), *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
