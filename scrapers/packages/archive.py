"""A problem package as files by name: a folder or a zip archive, both hostile until names and sizes were checked."""

import contextlib
import hashlib
import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

# Limits of a package. Real ones of contests stay far below; more is a mistake or an attack.
MAX_FILES: Final = 20_000
MAX_PACKED_BYTES: Final = 512 << 20
MAX_UNPACKED_BYTES: Final = 1 << 30
MAX_TEST_BYTES: Final = 32 << 20
MAX_TEXT_BYTES: Final = 1 << 20  # of a statement, of settings
MAX_PROGRAM_BYTES: Final = 256 << 10

_MAX_PATH_CHARS, _MAX_PATH_PARTS = 240, 12
_MAX_TARGET_BYTES, _MAX_TARGET_CHARS = 4096, 1000
_MAX_TARGET_PARTS, _MAX_LINK_STEPS = 40, 40  # a path between any two files, up and down, has fewer parts
_SHOWN_TARGET_CHARS = 120
_DIRECTORY_BYTES = MAX_FILES * 400  # of a zip's own list of files
_END, _END64 = b"PK\x05\x06", b"PK\x06\x07"
_END_BYTES, _MAX_COMMENT_BYTES = 22, 65_535
_READ_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_IGNORED_NAMES = frozenset({".git", "__MACOSX", "__pycache__", ".DS_Store"})


class InvalidPackage(Exception):
    """A package that cannot be imported, with the file and line at fault; the path is "" for the package as a whole."""

    def __init__(self, reason: str, path: str = "", line: int = 1) -> None:
        super().__init__(reason)
        self.reason, self.path, self.line = reason, path, line


@dataclass(frozen=True, slots=True)
class Package:
    """Sizes of files by their path within the package; `fetch` returns the bytes of one.

    `name` is that of the folder or archive, without its extension. `within` goes before paths in error messages.
    `links` are the files that are reached through a link.
    """

    name: str
    sizes: Mapping[str, int]
    fetch: Callable[[str], bytes]
    within: str = ""
    links: frozenset[str] = frozenset()

    def __contains__(self, path: str) -> bool:
        return path in self.sizes

    def files_below(self, folder: str) -> list[str]:
        """Return all files in a folder and its subfolders, in order of their paths."""
        return sorted(path for path in self.sizes if path.startswith(f"{folder}/"))

    def read(self, path: str, most: int) -> bytes:
        """Return the bytes of a file. Raises InvalidPackage if it is missing or larger than `most`."""
        if path not in self.sizes:
            raise InvalidPackage("the file is missing", self.within + path)
        if self.sizes[path] > most:
            raise InvalidPackage(f"the file has {self.sizes[path]} bytes, more than {most}", self.within + path)
        return self.fetch(path)

    def text(self, path: str, most: int = MAX_TEXT_BYTES) -> str:
        """Return a file as text, unchanged. Raises InvalidPackage for text that no database can hold."""
        body = self.read(path, most)
        nul = body.find(b"\0")
        if nul >= 0:
            raise InvalidPackage("the file holds a NUL byte", self.within + path, body.count(b"\n", 0, nul) + 1)
        try:
            return body.decode()
        except UnicodeDecodeError as broken:
            line = body.count(b"\n", 0, broken.start) + 1
            raise InvalidPackage("not UTF-8 text", self.within + path, line) from broken

    def without_top_folder(self, marks: frozenset[str]) -> "Package":
        """Return the package below its only top folder; unchanged if it has several, or a file of `marks` beside the
        folder."""
        tops = {path.split("/", 1)[0] for path in self.sizes}
        if len(tops) != 1 or marks & self.sizes.keys():
            return self
        [top] = tops
        inner = {path.removeprefix(f"{top}/"): size for path, size in self.sizes.items() if "/" in path}
        if not inner:
            return self
        links = frozenset(path.removeprefix(f"{top}/") for path in self.links)
        return replace(self, name=top, sizes=inner, fetch=lambda path: self.fetch(f"{top}/{path}"), links=links)

    def digest(self) -> str:
        """Return the SHA-256 of all names and contents."""
        digest = hashlib.sha256()
        for path in sorted(self.sizes):
            body = self.fetch(path)
            digest.update(b"%d %s %d\n" % (len(path.encode()), path.encode(), len(body)))
            digest.update(body)
        return digest.hexdigest()


@contextlib.contextmanager
def open_package(path: Path) -> Iterator[Package]:
    """Open the package in a folder or a zip archive. Raises InvalidPackage for anything else, or unsafe to read."""
    try:
        if path.is_dir():
            yield _read_folder(path)
            return
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > MAX_PACKED_BYTES:
                raise InvalidPackage(f"the archive has more than {MAX_PACKED_BYTES >> 20} MiB")
            with _open_zip(file, path.name.removesuffix(".zip")) as package:
                yield package
    except OSError as broken:
        raise InvalidPackage(f"cannot be read: {broken.strerror or broken}") from broken


@contextlib.contextmanager
def open_inner(package: Package, path: str) -> Iterator[Package]:
    """Open the package in a zip archive inside another. Raises InvalidPackage, naming the archive."""
    with contextlib.ExitStack() as stack:
        try:
            inner = stack.enter_context(
                _open_zip(io.BytesIO(package.read(path, MAX_PACKED_BYTES)), PurePosixPath(path).stem)
            )
        except InvalidPackage as refused:
            where = path if refused.path in ("", path) else f"{path}/{refused.path}"
            raise InvalidPackage(refused.reason, where, refused.line) from refused
        yield replace(inner, within=f"{path}/")


def _read_folder(root: Path) -> Package:
    files: dict[str, int] = {}
    folders: list[str] = []
    links: dict[str, str] = {}
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        for name in (path.name for path in (root / prefix).iterdir()):
            path = f"{prefix}{name}"
            if name in _IGNORED_NAMES:
                continue
            _check_name(path)
            facts = (root / path).lstat()
            if stat.S_ISDIR(facts.st_mode):
                waiting.append(f"{path}/")
                folders.append(path)
            elif stat.S_ISREG(facts.st_mode):
                files[path] = facts.st_size
            elif stat.S_ISLNK(facts.st_mode):
                links[path] = _check_target(path, str((root / path).readlink()))
            else:
                raise InvalidPackage("neither a file nor a folder nor a link", path)
            _check_count(len(files) + len(folders) + len(links))

    def fetch(path: str) -> bytes:
        with os.fdopen(os.open(root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            body = file.read(files[path] + 1)
        if len(body) != files[path]:
            raise InvalidPackage("the file changed while it was read", path)
        return body

    return _package(root.absolute().name, files, folders, links, fetch)


def _package(
    name: str,
    files: Mapping[str, int],
    folders: Collection[str],
    links: Mapping[str, str],
    fetch: Callable[[str], bytes],
) -> Package:
    """Return the package with each link replaced by the file that it leads to."""
    places = _follow_links(files, folders, links)
    sizes = {path: files[place] for path, place in places.items()}
    _check_sizes(sizes)
    links_followed = frozenset(path for path, place in places.items() if path != place)
    return Package(name, sizes, lambda path: fetch(places[path]), links=links_followed)


@contextlib.contextmanager
def _open_zip(file: BinaryIO, name: str) -> Iterator[Package]:
    _check_directory(file)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, EOFError) as broken:
        raise InvalidPackage(f"the zip archive is damaged: {broken}") from broken
    with archive:
        entries, folders = _entries(archive)

        def fetch(path: str) -> bytes:
            info = entries[path]
            try:
                with archive.open(info) as member:
                    body = member.read(info.file_size + 1)
            except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, EOFError, RuntimeError) as broken:
                raise InvalidPackage(f"the zip archive is damaged: {broken}", path) from broken
            if len(body) != info.file_size:
                raise InvalidPackage(f"{len(body)} bytes where the archive says {info.file_size}", path)
            return body

        links = {path: _read_target(path, info, fetch) for path, info in entries.items() if _is_link(info)}
        files = {path: info.file_size for path, info in entries.items() if path not in links}
        yield _package(name, files, folders, links, fetch)


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)


def _read_target(path: str, info: zipfile.ZipInfo, fetch: Callable[[str], bytes]) -> str:
    """Return the target of an archive's link, which is the content of its entry. Raises InvalidPackage."""
    if info.file_size > _MAX_TARGET_BYTES:
        raise InvalidPackage(f"the link's target has {info.file_size} bytes, more than {_MAX_TARGET_BYTES}", path)
    return _check_target(path, os.fsdecode(fetch(path)))


def _check_directory(file: BinaryIO) -> None:
    """Check the end of an archive before its list of files is loaded into memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_BYTES - _MAX_COMMENT_BYTES))
    tail = file.read()
    offset = tail.rfind(_END)
    if offset < 0 or len(tail) - offset < _END_BYTES:
        raise InvalidPackage("neither a folder nor a zip archive")
    if tail[max(0, offset - 20) : offset].startswith(_END64):
        raise InvalidPackage("Zip64 archives (more than 65,535 files or 4 GiB) are not read")
    entries, length = struct.unpack("<HI", tail[offset + 10 : offset + 16])
    if entries > MAX_FILES or length > _DIRECTORY_BYTES:
        raise InvalidPackage(f"the archive lists more than {MAX_FILES} files")
    file.seek(0)


def _entries(archive: zipfile.ZipFile) -> tuple[dict[str, zipfile.ZipInfo], list[str]]:
    """Return (files and links by path, folders)."""
    entries: dict[str, zipfile.ZipInfo] = {}
    folders = []
    for info in archive.infolist():
        name = info.orig_filename
        if _IGNORED_NAMES & set(name.split("/")):
            continue
        _check_name(name.removesuffix("/"))
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
            raise InvalidPackage("neither a file nor a folder nor a link", name)
        if name.endswith("/"):
            folders.append(name.removesuffix("/"))
            continue
        if info.flag_bits & 0x1:
            raise InvalidPackage("the file is encrypted", name)
        if info.compress_type not in _READ_METHODS:
            raise InvalidPackage(f"packed by method {info.compress_type}; stored and deflated files are read", name)
        if name in entries:
            raise InvalidPackage("the archive lists this name twice", name)
        entries[name] = info
    if both := entries.keys() & set(folders):
        raise InvalidPackage("both a file and a folder", min(both))
    return entries, folders


def _check_name(path: str) -> None:
    """Check that a path is relative and plain. Raises InvalidPackage, without the path if it cannot be shown."""
    parts = path.split("/")
    if len(path) > _MAX_PATH_CHARS or len(parts) > _MAX_PATH_PARTS:
        raise InvalidPackage(f"a file's path has more than {_MAX_PATH_CHARS} characters or {_MAX_PATH_PARTS} parts")
    if not path.isprintable() or any("\ud800" <= character <= "\udfff" for character in path):
        raise InvalidPackage("a file's name holds characters that cannot be shown")
    if any(part in ("", ".", "..") for part in parts) or "\\" in path or ":" in parts[0]:
        raise InvalidPackage(f"a file's path leaves the package or is not a plain path: {path}")


def _check_count(count: int) -> None:
    if count > MAX_FILES:
        raise InvalidPackage(f"more than {MAX_FILES} files")


def _check_sizes(sizes: Mapping[str, int]) -> None:
    _check_count(len(sizes))
    if sum(sizes.values()) > MAX_UNPACKED_BYTES:
        raise InvalidPackage(f"its files have more than {MAX_UNPACKED_BYTES >> 20} MiB")
    for path in sizes:
        _check_parents(path, sizes)


def _check_parents(path: str, files: Collection[str]) -> None:
    for parent in PurePosixPath(path).parents:
        if str(parent) in files:
            raise InvalidPackage("both a file and a folder", str(parent))


# --- links ---


def _check_target(path: str, target: str) -> str:
    """Return a link's target if it may lie within the package. Raises InvalidPackage, naming link and target."""
    if len(target) > _MAX_TARGET_CHARS or target.count("/") >= _MAX_TARGET_PARTS:
        most = f"{_MAX_TARGET_CHARS} characters or {_MAX_TARGET_PARTS} parts"
        raise InvalidPackage(f"the link to {_show_target(target)}... has more than {most}", path)
    if not target or not target.isprintable():
        raise InvalidPackage(f"the link to {_show_target(target)} names no path", path)
    if target.startswith("/"):
        raise InvalidPackage(f"the link to {_show_target(target)} leads out of the package", path)
    return target


def _follow_links(files: Collection[str], folders: Collection[str], links: Mapping[str, str]) -> dict[str, str]:
    """Return for each path the file behind it; a link stands for the file or folder that it leads to.

    Raises InvalidPackage for a link that leads out of the package, to nothing, or back to a folder that it lies in.
    """
    if not links:
        return {path: path for path in files}
    placed = {*files, *links}
    inside: dict[str, set[str]] = {"": set()}  # names of what lies in each folder
    for path in (*files, *links, *folders):
        _check_parents(path, placed)
        parts = path.split("/")
        for depth, part in enumerate(parts):
            inside.setdefault("/".join(parts[:depth]), set()).add(part)
        if path not in placed:
            inside.setdefault(path, set())
    places: dict[str, str] = {}
    waiting = [("", "", frozenset({""}))]  # a folder's path, its place, and the places of the folders around
    count = 0
    while waiting:
        folder, place, ancestors = waiting.pop()
        for name in inside[place]:
            path, target_path = _join(folder, name), _join(place, name)
            _check_name(path)
            count += 1
            _check_count(count)  # folders that link to one another multiply
            end = _end_of_link(target_path, links, files, inside) if target_path in links else target_path
            if end in files:
                places[path] = end
            elif end in ancestors:
                raise InvalidPackage(
                    f"the link to {_show_target(links[target_path])} leads back to a folder that it lies in", path
                )
            else:
                waiting.append((path, end, ancestors | {end}))
    return places


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _show_target(target: str) -> str:
    return repr(target[:_SHOWN_TARGET_CHARS])


def _end_of_link(link: str, links: Mapping[str, str], files: Collection[str], folders: Collection[str]) -> str:
    """Return the file or folder that a link leads to, through other links. Raises InvalidPackage."""
    target = _show_target(links[link])
    remaining, steps = link.split("/")[::-1], 0
    reached: list[str] = []
    while remaining:
        name = remaining.pop()
        if name == ".." and not reached:
            raise InvalidPackage(f"the link to {target} leads out of the package", link)
        if name == "..":
            reached.pop()
            continue
        if name in ("", "."):
            continue
        current = "/".join([*reached, name])
        if current in links:
            steps += 1
            if steps > _MAX_LINK_STEPS:
                raise InvalidPackage(f"the link to {target} leads through more than {_MAX_LINK_STEPS} links", link)
            remaining += links[current].split("/")[::-1]
        elif current in folders or (current in files and not remaining):
            reached.append(name)
        else:
            raise InvalidPackage(f"the link to {target} leads to nothing in the package", link)
    return "/".join(reached)
