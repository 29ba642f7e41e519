"""The grading workers of one machine, told no more than they need: `python -m app.supervise.judges`.

They are an interpreter of their own and no fork of the supervisor, whose memory holds the operator's environment.
"""

import os
import sys
from collections.abc import Mapping

from app.config import NO_ENV_FILE, Settings
from app.db.kernel.roles import grading_url

# What a judge reads of the settings. Names that are not here stay behind: a new secret is not handed on by mistake.
TOLD = (
    "runtime_dir", "redis_url", "sandbox_root", "sandbox_python", "scratch_dir", "bwrap", "require_cgroup", "testlib",
    "least_free_mb", "lease_s", "log_level", "log_format",
)  # fmt: skip
# What an interpreter and its libraries read.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "REMAP_SIGTERM")
_KEPT_KINDS = ("PYTHON", "OPENBLAS_", "MALLOC_")


def judges_environment(settings: Settings, environment: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of grading workers: no secret but their database role's password, and no key's path."""
    kept = {name: value for name, value in environment.items() if name in _KEPT or name.startswith(_KEPT_KINDS)}
    told = {name: getattr(settings, name) for name in TOLD}
    password = None if settings.grading_password is None else settings.grading_password.get_secret_value()
    has_role = settings.embeds_database() or password is not None
    return {
        **kept,
        **{f"TIDEMARK_{name.upper()}": str(value) for name, value in told.items() if value is not None},
        "TIDEMARK_DATABASE_URL": grading_url(settings.database_url, password) if has_role else settings.database_url,
        "TIDEMARK_SECRET_KEY_FILE": os.devnull,
        "TIDEMARK_STATE": str(settings.state_dir),
        NO_ENV_FILE: "1",
    }


def main() -> None:
    """Become the workers."""
    settings = Settings()
    command = [sys.executable, "-m", "workers.serve", "grade", str(settings.grade_processes)]
    os.execve(sys.executable, command, judges_environment(settings, os.environ))  # noqa: S606  # no shell is wanted


if __name__ == "__main__":
    main()
