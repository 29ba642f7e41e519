"""The sandbox root: everything a sandbox may read, in one folder that only the service writes.

    tools-<digest>/        zygote, guest, system call filter, launcher, packages; mounted as /judge
    products-<key>/        precompiled headers and the like of one language; mounted as /judge/build
    programs/              compiled submissions by content
    slots/                 one lock per reserved uid, and one for building

Folders are 0755, since bubblewrap runs under another uid; names are digests of what is inside, so that a
folder is either complete or not there.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import SandboxUnavailable
from workers.grading.languages import Language, Product
from workers.grading.sandbox import seccomp

_HERE = Path(__file__).parent
_GUEST_FILES = ("zygote.py", "watching.py", "guest.py", "calling.py")
_PACKAGES = ("sortedcontainers",)  # what judged Python programs may import besides the standard library
_BUILD_S = 120
_SLOT_WAIT_S = 600
_LOCK_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


def ensure_root(path: Path) -> Path:
    """Make or accept the folder. Raises SandboxUnavailable when somebody else could write it."""
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o755, parents=True)
    facts = path.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid():
        raise SandboxUnavailable(f"{path} must be a folder that belongs to the service")
    path.chmod(0o755)
    for name in ("programs", "slots"):
        (path / name).mkdir(mode=0o755, exist_ok=True)
    return path


def _published(root: Path, name: str, fill: Callable[[Path], None]) -> Path:
    """The folder `name`, made by `fill` in a temporary one and moved into place whole."""
    final = root / name
    if final.is_dir():
        return final
    with _locked(root / "slots" / "build"):  # workers that start together build once
        return final if final.is_dir() else _filled(root, final, fill)


def _filled(root: Path, final: Path, fill: Callable[[Path], None]) -> Path:
    temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=root))
    try:
        fill(temporary)
        for path in (temporary, *temporary.rglob("*")):
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
            _keep(path)  # else, after a loss of power, there is the name without the bytes, and nothing is judged
        temporary.rename(final)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return final


def _keep(path: Path) -> None:
    """Wait until a file, or what a folder lists, is on the disk."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = os.open(path, _LOCK_FLAGS, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@dataclass(frozen=True, slots=True)
class Tools:
    """The published tools folder."""

    path: Path
    digest: str
    launcher: bool
    packages: tuple[str, ...]


def publish_tools(root: Path, python: str, compiler: str | None, scratch: Path) -> Tools:
    """Put zygote, filter, packages and (with a C compiler) the launcher into the root."""
    code = seccomp.build()
    packages = {name: package for name in _PACKAGES if (package := _package_folder(name)) is not None}
    digest = hashlib.sha256(code)
    for name in (*_GUEST_FILES, "driver.py", "launcher.c", "oom.cpp", "workload.c", "workload.py"):
        digest.update((_HERE / name).read_bytes())
    digest.update(",".join([*packages, python, compiler or ""]).encode())

    def fill(folder: Path) -> None:
        for name in _GUEST_FILES:
            shutil.copyfile(_HERE / name, folder / name)
        build([python, "-S", "-s", "-m", "py_compile", *(str(folder / name) for name in _GUEST_FILES)], scratch)
        shutil.copyfile(_HERE / "workload.py", folder / "workload.py")
        (folder / "seccomp.bpf").write_bytes(code)
        (folder / "main").touch()  # mount points
        (folder / "build").mkdir()
        for name, source in packages.items():
            shutil.copytree(source, folder / "packages" / name, ignore=shutil.ignore_patterns("__pycache__"))
        if compiler is not None:
            for name in ("launcher", "workload"):
                build([compiler, "-O2", "-Wall", "-o", str(folder / name), str(_HERE / f"{name}.c")], scratch)

    name = digest.hexdigest()[:16]
    path = _published(root, f"tools-{name}", fill)
    return Tools(path, name, compiler is not None, tuple(packages))


def publish_products(
    root: Path, language: Language, products: Sequence[Product], version: str, scratch: Path
) -> Path | None:
    """Make a language's products, whose commands name its tools' paths; None when it has none."""
    if not products:
        return None
    key = hashlib.sha256(f"{products!r}{version}".encode())
    for product in products:
        key.update(_source(product.source))

    def fill(folder: Path) -> None:
        for product in products:
            out = folder / product.path
            out.parent.mkdir(parents=True, exist_ok=True)
            source = folder / f"source-{out.stem}.{language.extension}"
            source.write_bytes(_source(product.source))
            build(
                [part.replace("{source}", str(source)).replace("{out}", str(out)) for part in product.command], scratch
            )
            source.unlink()

    return _published(root, f"products-{language.name}-{key.hexdigest()[:16]}", fill)


def _source(source: str) -> bytes:
    return source.encode() if "\n" in source else (_HERE / source).read_bytes()


def build(command: list[str], scratch: Path) -> None:
    """Run our own toolchain over our own source. Raises SandboxUnavailable with its words."""
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": str(scratch)}
    try:
        subprocess.run(
            command,
            check=True,
            capture_output=True,
            timeout=_BUILD_S,
            cwd="/",
            env=environment,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.CalledProcessError as error:
        words = error.stderr.decode(errors="replace").strip()[:400]
        raise SandboxUnavailable(f"{command[0]} failed: {words}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxUnavailable(f"{command[0]} failed: {error}") from error


def _package_folder(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


@contextlib.contextmanager
def reserved_uid(root: Path, first: int, count: int) -> Iterator[int | None]:
    """A uid that no other running sandbox of this root has; None when the service is no root and keeps its own."""
    if os.geteuid() != 0:
        yield None
        return
    with contextlib.ExitStack() as stack:
        yield first + _free_slot(root, count, stack)


def _free_slot(root: Path, count: int, stack: contextlib.ExitStack) -> int:
    deadline = time.monotonic() + _SLOT_WAIT_S
    while time.monotonic() < deadline:
        for slot in range(count):
            lock = os.open(root / "slots" / str(slot), _LOCK_FLAGS, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            stack.callback(os.close, lock)
            return slot
        time.sleep(0.05)
    raise SandboxUnavailable(f"all {count} sandbox slots are taken")
