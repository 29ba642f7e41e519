"""The AtCoder Library for C++ programs, installed once from its release and mounted read-only for compilations.

acl.json           the headers in use, with their text
acl-<digest>/      the same as files, built again from that text if they are missing or damaged; mounted as
                   /acl-<digest>, so that the compiler's command, and with it the cache of programs, names them
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from app.domain.errors import SandboxUnavailable
from workers.grading.sandbox.built_folder import BuiltFolder

_POINTER = "acl.json"
_DIGEST_CHARS, _SHORT_DIGEST_CHARS = 16, 8


@dataclass(frozen=True, slots=True)
class LibraryHeaders:
    """Header files of a sandbox root by their path, such as atcoder/all, and the folder or archive they came in."""

    root: Path
    source: str
    digest: str
    files: Mapping[str, str] = field(repr=False, hash=False)

    @classmethod
    def of(cls, root: Path, source: str, files: Mapping[str, str]) -> Self:
        """Return headers with the digest of their paths and texts."""
        digest = hashlib.sha256(json.dumps(sorted(files.items())).encode()).hexdigest()[:_DIGEST_CHARS]
        return cls(root, source, digest, files)

    @property
    def revision(self) -> str:
        """The name of the headers, as a part of a grader revision."""
        return f"acl-{self.digest[:_SHORT_DIGEST_CHARS]}"

    @property
    def folder(self) -> BuiltFolder:
        """The folder of the headers, and the function that fills it."""
        return BuiltFolder(self.root, f"acl-{self.digest}", self._write)

    @property
    def mounts(self) -> dict[Path, str]:
        """The folder, and the path at which compilations see it."""
        return {self.folder.path: f"/{self.folder.name}"}

    @property
    def option(self) -> str:
        """The option of g++ that searches the folder last, so that it delays no search for a standard header."""
        return f" -idirafter /{self.folder.name}"

    def _write(self, folder: Path) -> None:
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())


def find_headers(root: Path) -> LibraryHeaders | None:
    """Return the headers that are installed here; None without any.

    Raises SandboxUnavailable if their record is damaged, since programs that include them may be right.
    """
    path = root / _POINTER
    try:
        body = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SandboxUnavailable(f"{path} cannot be read: {error.strerror}") from error
    try:
        facts = json.loads(body)
        headers = LibraryHeaders.of(root, facts["source"], dict(facts["files"]))
        if facts["digest"] != headers.digest:
            raise ValueError
    except (ValueError, KeyError, TypeError) as error:
        raise SandboxUnavailable(f"{path} is damaged: run ./tidemark judge-env build acl again") from error
    return headers


def install_headers(headers: LibraryHeaders) -> None:
    """Install the headers, with which C++ programs are compiled from now on. Raises SandboxUnavailable."""
    headers.folder.repair(thoroughly=True)
    path, fresh = headers.root / _POINTER, headers.root / f".{_POINTER}.{os.getpid()}"
    text = json.dumps({"source": headers.source, "digest": headers.digest, "files": dict(headers.files)})
    try:
        with fresh.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(path)
    except OSError as error:
        raise SandboxUnavailable(f"{path} cannot be written: {error.strerror}") from error
