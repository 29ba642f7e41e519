"""Headers of the AtCoder Library, read from its release archive or a checkout and checked before use."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from app.domain.errors import InvalidInput
from scrapers.packages.archive import InvalidPackage, Package, open_package

WHERE_TO_GET: Final = (
    "Name the release archive of the AtCoder Library or a checkout of it: "
    "./tidemark judge-env build acl ac-library.zip (from https://github.com/atcoder/ac-library/releases)"
)
_ALL, _LICENSE = "atcoder/all", "LICENSE"
_MAX_HEADERS, _MAX_HEADER_BYTES = 200, 256 << 10
_NAME = re.compile(r"atcoder/\w+(?:\.hpp)?", re.ASCII)
_CC0 = re.compile(r"\bCC0\s+1\.0\s+Universal\b|creativecommons\.org/publicdomain/zero/1\.0", re.IGNORECASE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]*)"|<([^>\n]*)>)', re.MULTILINE)


def read_library(path: Path) -> tuple[str, dict[str, str]]:
    """Return the name of a folder or archive, and its headers by path.

    Raises InvalidInput when it is not the library, lacks a part or its licence, or holds anything unsafe.
    """
    try:
        with open_package(path) as package:
            library = package.without_top_folder(frozenset({_ALL, _LICENSE}))
            return library.name, _read_headers(library)
    except InvalidPackage as error:
        where = f"{path}: {error.path}" if error.path else str(path)
        raise InvalidInput(f"{where}: {error.reason}") from error


def _read_headers(library: Package) -> dict[str, str]:
    if _ALL not in library:
        raise InvalidPackage("the file is missing; name the archive or folder that has the folder atcoder in it", _ALL)
    _check_license(library)
    paths = library.files_below("atcoder")
    if len(paths) > _MAX_HEADERS:
        raise InvalidPackage(f"the folder has {len(paths)} files, more than {_MAX_HEADERS}", "atcoder")
    headers = {path: _read_header(library, path) for path in paths}
    for path, text in headers.items():
        _check_includes(path, text, headers)
    return headers


def _check_license(library: Package) -> None:
    if _LICENSE not in library:
        raise InvalidPackage(
            "the licence file is missing, which states that the headers are CC0; use a release that has it", _LICENSE
        )
    if not _CC0.search(library.text(_LICENSE)):
        raise InvalidPackage("the licence is not CC0 1.0, under which the library may be installed", _LICENSE)


def _read_header(library: Package, path: str) -> str:
    if path in library.links:
        raise InvalidPackage("the file is a link", path)
    if not _NAME.fullmatch(path):
        raise InvalidPackage("the file is not named like a header of the library: NAME or NAME.hpp", path)
    return library.text(path, _MAX_HEADER_BYTES)


def _check_includes(path: str, text: str, headers: Mapping[str, str]) -> None:
    """Raise Refused when a header includes one of the library that is missing, or a file by a path of its own."""
    for match in _INCLUDE.finditer(text):
        name = match[1] or match[2] or ""
        line = text.count("\n", 0, match.start()) + 1
        if name.startswith("/") or ".." in PurePosixPath(name).parts:
            raise InvalidPackage(f"line {line} includes {name!r}, a path that leaves the library", path)
        if match[1] and name.endswith(".hpp") and not name.startswith("atcoder/"):  # relative to the same folder
            name = f"atcoder/{name}"
        if name.startswith("atcoder/") and name not in headers:
            raise InvalidPackage(f"line {line} includes {name}, which is missing", path)
