"""Settings of the judge and the limits of its helper programs."""

from dataclasses import dataclass, replace
from pathlib import Path

from workers.grading.sandbox.protocol import SandboxBounds


@dataclass(frozen=True, slots=True)
class HelperLimits:
    """The limits of a problem's checker or interactor for one test."""

    bounds: SandboxBounds = SandboxBounds(
        cpu_ms=10_000, wall_ms=20_000, memory_mb=1024, output_bytes=16 << 20, reserve_mb=2048
    )
    afterwards_ms: int = 20_000  # for an interactor, once the program has ended
    talk_bytes: int = 1 << 30  # output of an interactor, which is not kept

    def scale(self, factor: float) -> "HelperLimits":
        """Return the limits with all times multiplied by `factor`, for a host that is so many times as slow."""
        return replace(self, bounds=self.bounds.scale(factor), afterwards_ms=round(self.afterwards_ms * factor))


COMPILER_BOUNDS = SandboxBounds(
    cpu_ms=10_000, wall_ms=20_000, memory_mb=1024, output_bytes=64 << 20, reserve_mb=2048, disk_mb=256, processes=64
)


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """The judge's settings as plain values; this class reads nothing from the environment.

    `sandbox_root` is made if absent: mode 0755, owned by the service, on a path that every uid may traverse. `scratch`
    holds the judge's own temporary files. `require_cgroup` refuses to grade with rlimits only. A service that runs as
    root starts sandboxes under `first_uid` and the following uids; else they run under the service's user. Without
    `zygote` whole Python programs are executed like those of other languages, which must give the same results.
    `slowness` fixes the host's slowness instead of measuring it, for results that are to be compared. Checkers include
    `testlib` as testlib.h; without it they get a header of our own with the common calls. `compiling` limits the
    compiling of one program, `helpers` checkers and interactors.
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
    helpers: HelperLimits = HelperLimits()
    compiling: SandboxBounds = COMPILER_BOUNDS
