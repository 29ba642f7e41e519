"""A built folder of the sandbox root, which is checked before each use and rebuilt if it is damaged.

Beside each folder lies `NAME.sums`: the SHA-256 of every file, and its inode, size and times when it was last read.
A use of the folder compares inodes, sizes and times, and reads all files if one differs or the machine has started
anew. Damaged files are replaced one by one, so that sandboxes that have the folder mounted see it whole again.
"""

import contextlib
import fcntl
import filecmp
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.domain.errors import SandboxUnavailable

_BOOT = Path("/proc/sys/kernel/random/boot_id")

Looks = dict[str, list[int]]  # by path: the mode; of a file also inode, size, mtime and ctime


def ensure_root(path: Path) -> Path:
    """Make or accept the folder. Raises SandboxUnavailable if another user could write it."""
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o755, parents=True)
    facts = path.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid():
        raise SandboxUnavailable(f"{path} must be a folder that belongs to the service")
    path.chmod(0o755)
    for name in ("programs", "slots"):
        (path / name).mkdir(mode=0o755, exist_ok=True)
    return path


@dataclass(frozen=True, slots=True)
class BuiltFolder:
    """The folder `name` of a root, and the function that fills it."""

    root: Path
    name: str
    fill: Callable[[Path], None] = field(repr=False, compare=False)

    @property
    def path(self) -> Path:
        """The folder's path."""
        return self.root / self.name

    def repair(self, *, thoroughly: bool = False) -> bool:
        """Build the folder if it is missing or damaged, and return whether it was. `thoroughly` reads every file.

        Raises SandboxUnavailable if it cannot be built.
        """
        try:
            ensure_root(self.root)
            if self._is_whole(thoroughly=thoroughly):
                return False
            with lock_file(self.root / "slots" / "build"):  # workers that start together build once
                if self._is_whole(thoroughly=thoroughly):
                    return False
                self._make()
        except OSError as error:
            raise SandboxUnavailable(f"the sandbox root cannot be made: {error}") from error
        return True

    def record_state(self) -> None:
        """Record the folder's present content as undamaged."""
        _write(self._sums, _looks(self.path), _sums(self.path))

    @property
    def _sums(self) -> Path:
        return self.root / f"{self.name}.sums"

    def _is_whole(self, *, thoroughly: bool) -> bool:
        try:
            noted = json.loads(self._sums.read_bytes())
            before, sums = dict(noted["looks"]), noted["sums"]
            now = _looks(self.path)
            if now == before and noted["boot"] == _boot() and not thoroughly:
                return True
            if _kinds(now) != _kinds(before) or _sums(self.path) != sums:
                return False
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return False
        if now != before or noted["boot"] != _boot():
            with contextlib.suppress(OSError):  # on a full disk the files are read again the next time
                _write(self._sums, now, sums)
        return True

    def _make(self) -> None:
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=self.root))
        try:
            self.fill(fresh)
            for path in (fresh, *fresh.rglob("*")):
                path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
                _keep(path)  # else a loss of power could leave names without bytes, and nothing would be judged
            if self.path.is_dir() and not self.path.is_symlink():
                _replace(fresh, self.path)
            else:
                self.path.unlink(missing_ok=True)
                fresh.rename(self.path)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        self.record_state()


def _replace(fresh: Path, old: Path) -> None:
    """Make the old folder equal to the fresh one. Undamaged files stay, since sandboxes have mounts on some."""
    wanted = {path.relative_to(fresh) for path in fresh.rglob("*")}
    for path in sorted(old.rglob("*"), reverse=True):  # the content of a folder before the folder
        name = path.relative_to(old)
        is_folder = path.is_dir() and not path.is_symlink()
        if name not in wanted or is_folder != (fresh / name).is_dir():
            path.rmdir() if is_folder else path.unlink()
    old.chmod(0o755)
    for name in sorted(wanted):  # a folder before its content
        new, target = fresh / name, old / name
        if new.is_dir():
            target.mkdir(exist_ok=True)
            target.chmod(0o755)
        elif not _is_same(new, target):
            new.replace(target)
    for path in (old, *old.rglob("*")):
        if path.is_dir():
            _keep(path)


def _is_same(new: Path, old: Path) -> bool:
    try:
        facts = old.lstat()
        return facts.st_mode == new.lstat().st_mode and filecmp.cmp(new, old, shallow=False)
    except OSError:
        return False


def _looks(folder: Path) -> Looks:
    """Read the state of all files by system calls: this happens twice for every program that is judged."""
    looks: Looks = {".": [folder.lstat().st_mode]}
    folders = [""]
    while folders:
        within = folders.pop()
        with os.scandir(folder / within) as entries:
            for entry in entries:
                facts, name = entry.stat(follow_symlinks=False), within + entry.name
                if entry.is_dir(follow_symlinks=False):
                    looks[name] = [facts.st_mode]
                    folders.append(f"{name}/")
                else:
                    looks[name] = [facts.st_mode, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns]
    return looks


def _kinds(looks: Looks) -> dict[str, int]:
    return {name: facts[0] for name, facts in looks.items()}


def _sums(folder: Path) -> dict[str, str]:
    sums = {}
    for path in folder.rglob("*"):
        if not path.is_dir():
            with path.open("rb") as file:
                sums[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return sums


def _write(path: Path, looks: Looks, sums: dict[str, str]) -> None:
    note: dict[str, Any] = {"boot": _boot(), "looks": looks, "sums": sums}
    fd, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            json.dump(note, file)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def _boot() -> str:
    """Return the id of the machine's present start; "" if the kernel does not give it."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _keep(path: Path) -> None:
    """Wait until a file, or the list of a folder's entries, is on the disk."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


LOCK_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


@contextlib.contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file."""
    lock = os.open(path, LOCK_FLAGS, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
