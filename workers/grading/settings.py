"""What the judge is told by whoever builds it."""

from dataclasses import dataclass, replace
from pathlib import Path

from workers.grading.sandbox.protocol import Bounds


@dataclass(frozen=True, slots=True)
class HelperRoom:
    """What a problem's checker or interactor may use for one test."""

    bounds: Bounds = Bounds(cpu_ms=10_000, wall_ms=20_000, memory_mb=1024, output_bytes=16 << 20, reserve_mb=2048)
    afterwards_ms: int = 20_000  # for an interactor, once the program has ended
    talk_bytes: int = 1 << 30  # of an interactor; nothing is kept

    def slowed(self, factor: float) -> "HelperRoom":
        """The same on a host that is so many times as slow."""
        return replace(self, bounds=self.bounds.slowed(factor), afterwards_ms=round(self.afterwards_ms * factor))


COMPILING = Bounds(
    cpu_ms=10_000, wall_ms=20_000, memory_mb=1024, output_bytes=64 << 20, reserve_mb=2048, disk_mb=256, processes=64
)


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Plain values; nothing here is read from the environment.

    `sandbox_root` is made if absent: 0755, the service's own, on a path that any uid may walk. `scratch` holds the
    judge's own temporary files. `require_cgroup` refuses to grade where only rlimits can be had. A root service
    starts sandboxes under `first_uid` and the following; an ordinary user's run under that user. Without `zygote`
    whole Python programs are executed like those of any language: the reference that the zygote must equal.
    `slowness` is how slow this host is, where it is not to be measured: for results that are to be compared.
    `testlib` is what checkers include as testlib.h; without it, a header of our own with the common calls.
    `compiling` is what it may take to compile a program, `helpers` what checkers and interactors may use.
    """

    sandbox_root: Path
    scratch: Path
    python: str = "/usr/bin/python3"
    bwrap: str = "bwrap"
    compiler: str = "/usr/bin/gcc"
    require_cgroup: bool = False
    zygote: bool = True
    first_uid: int = 64000
    slots: int = 256
    testlib: Path | None = None
    slowness: float | None = None
    helpers: HelperRoom = HelperRoom()
    compiling: Bounds = COMPILING
