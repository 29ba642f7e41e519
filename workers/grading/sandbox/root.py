"""The sandbox root: all that a sandbox may read, in one folder that only the service writes.

    tools-<digest>/        zygote, guest, system call filter, launcher, packages; mounted as /judge
    products-<key>/        precompiled headers and the like of one language; mounted as /judge/build
    acl-<digest>/          headers of the AtCoder Library for C++ programs; mounted under the same name
    programs/              compiled submissions by content
    slots/                 one lock per reserved uid, and one for building

Folders are 0755, since bubblewrap runs under another uid; their names contain digests of their sources. A damaged
folder is built again.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.domain.errors import SandboxUnavailable
from workers.grading.languages import BuildProduct, Language
from workers.grading.sandbox import seccomp
from workers.grading.sandbox.built_folder import LOCK_FLAGS, BuiltFolder

_HERE = Path(__file__).parent
_GUEST_FILES = ("zygote.py", "task_usage.py", "guest.py", "function_calls.py")
_DRIVER = "driver.py"  # runs unittests; these files are joined to make it
_DRIVER_FILES = (
    "testing/dependency_watch.py",
    "testing/returned_values.py",
    "testing/frame_audit.py",
    f"sandbox/{_DRIVER}",
)
_PACKAGES = ("sortedcontainers",)  # judged Python programs may import these besides the standard library
_BUILD_S = 120
_DIES_WITH_US = ("--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--die-with-parent", "--")
_SLOT_WAIT_S = 600


@dataclass(frozen=True, slots=True)
class Tools:
    """The published tools folder."""

    path: Path
    digest: str
    launcher: bool
    packages: tuple[str, ...]
    folder: BuiltFolder | None = field(default=None, repr=False, compare=False)

    def repair(self, *, thoroughly: bool = False) -> None:
        """Build the folder again if it is damaged. Raises SandboxUnavailable if it cannot be built."""
        if self.folder is not None:
            self.folder.repair(thoroughly=thoroughly)


def publish_tools(root: Path, python: str, compiler: str | None, scratch: Path) -> Tools:
    """Put zygote, system call filter, packages and (with a C compiler) the launcher into the root."""
    code = seccomp.build()
    packages = {name: package for name in _PACKAGES if (package := _package_folder(name)) is not None}
    digest = hashlib.sha256(code)
    driver = b"\n".join((_HERE.parent / name).read_bytes() for name in _DRIVER_FILES)
    for name in (*_GUEST_FILES, "launcher.c", "oom.cpp", "workload.c", "workload.py"):
        digest.update((_HERE / name).read_bytes())
    digest.update(driver)
    digest.update(",".join([*packages, python, compiler or ""]).encode())

    def fill(folder: Path) -> None:
        for name in _GUEST_FILES:
            shutil.copyfile(_HERE / name, folder / name)
        (folder / _DRIVER).write_bytes(driver)
        compiled = [str(folder / name) for name in (*_GUEST_FILES, _DRIVER)]
        build([python, "-S", "-s", "-m", "py_compile", *compiled], scratch)
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
    made = BuiltFolder(root, f"tools-{name}", fill)
    made.repair(thoroughly=True)
    return Tools(made.path, name, compiler is not None, tuple(packages), made)


def publish_products(
    root: Path, language: Language, products: Sequence[BuildProduct], version: str, scratch: Path, bwrap: str
) -> BuiltFolder | None:
    """Build a language's products, whose commands hold its tools' paths; return None if it has none.

    The builds run in a PID namespace, so that all their processes end with the service.
    """
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
            command = [part.replace("{source}", str(source)).replace("{out}", str(out)) for part in product.command]
            build(command, scratch, (bwrap, *_DIES_WITH_US))
            source.unlink()

    made = BuiltFolder(root, f"products-{language.name}-{key.hexdigest()[:16]}", fill)
    made.repair()
    return made


def _source(source: str) -> bytes:
    return source.encode() if "\n" in source else (_HERE / source).read_bytes()


def build(command: list[str], scratch: Path, within: Sequence[str] = ()) -> None:
    """Run a build command, behind the command `within`. Raises SandboxUnavailable with the end of its stderr."""
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": str(scratch)}
    try:
        subprocess.run(
            [*within, *command],
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
    """Reserve a uid that no other running sandbox of this root has; None if the service does not run as root."""
    if os.geteuid() != 0:
        yield None
        return
    with contextlib.ExitStack() as stack:
        yield first + _free_slot(root, count, stack)


def _free_slot(root: Path, count: int, stack: contextlib.ExitStack) -> int:
    deadline = time.monotonic() + _SLOT_WAIT_S
    while time.monotonic() < deadline:
        for slot in range(count):
            lock = os.open(root / "slots" / str(slot), LOCK_FLAGS, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            stack.callback(os.close, lock)
            return slot
        time.sleep(0.05)
    raise SandboxUnavailable(f"all {count} sandbox slots are taken")
