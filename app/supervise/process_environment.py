"""The environment of each process of one machine: the settings that `up` made, and only its own secrets.

Workers are forks of the supervisor and share its start environment, so that contains no setting. Each program's
settings are in a file of its own beside the sockets, which is read after the fork (app.supervise.supervisord).
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr

from app.config import NO_ENV_FILE, ROOT, Settings
from app.db.kernel.roles import derive_password, grading_url, password_in_url
from app.domain.errors import Unavailable
from app.supervise.state_folders import describe_os_error

# The secrets of each program. A new secret reaches no program until it is listed here.
PROGRAM_SECRETS: Mapping[str, tuple[str, ...]] = {
    "web": ("secret_key",),  # seals the secrets that vendors register
    "infer": ("secret_key",),  # opens them
    "ingest": ("sources", "alert_webhook", "heartbeat_url"),
    "clock": (),
}
# Programs that handle others' code or requests: their environment is the file's, and nothing else.
STRANGERS = ("grade", "demo")
# The settings that a judge reads; it gets no others.
JUDGE_SETTINGS = (
    "state_dir", "runtime_dir", "redis_url", "sandbox_root", "sandbox_python", "scratch_dir", "bwrap",
    "require_cgroup", "slowness", "testlib", "grade_processes", "least_free_mb", "lease_s", "log_level", "log_format",
    *(name for name in Settings.model_fields if name.startswith("consensus_")),
)  # fmt: skip
DEMO_SETTINGS = ("state_dir", "demo_port", "demo_started_at", "demo_first_s", "demo_pace_s", "league_dir")
# Variables that an interpreter and its libraries read.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "REMAP_SIGTERM")
_KEPT_KINDS = ("PYTHON", "OPENBLAS_", "MALLOC_")

# Variables of the libraries under numpy, for every program.
NUMPY_VARIABLES = {
    "OPENBLAS_NUM_THREADS": "1",  # boards are small products; the threads of several requests would only thrash
    "MALLOC_ARENA_MAX": "2",  # a heap for each of many idle threads costs more than it gains
    # A board's arrays stay in memory: returned to the system and faulted in again, they would cost a quarter more.
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(32 << 20),
}


def base_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that all programs start with: the operator's without any setting, and the code's path."""
    return {
        **{name: value for name, value in environment.items() if not name.startswith("TIDEMARK_")},
        "PYTHONPATH": str(ROOT),
        "PYTHONSAFEPATH": "1",
        "PYTHONNODEBUGRANGES": "1",  # as in ./tidemark, which gives the reason
        "PYTHONUNBUFFERED": "1",
        **NUMPY_VARIABLES,
        "REMAP_SIGTERM": "SIGQUIT",  # Celery's soft shutdown
    }


def with_grading_password(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """Return the settings with a password for the judges' role; one is made if the operator gave none.

    The embedded server needs none. Raises Unavailable if there is no owner's password to derive it from.
    """
    if settings.embeds_database() or settings.grading_password is not None:
        return settings
    owners = password_in_url(settings.database_url) or environment.get("PGPASSWORD")
    if not owners:
        raise Unavailable(
            "set TIDEMARK_GRADING_PASSWORD to any password: judges connect with it, as the role tidemark_grading, "
            "and never as the owner of the database"
        )
    return settings.model_copy(update={"grading_password": SecretStr(derive_password(owners))})


def all_settings(settings: Settings) -> dict[str, str]:
    """Return all settings with all secrets, for the process that prepares the database and makes the key."""
    return {**settings.variables(secrets=set(Settings.model_fields)), NO_ENV_FILE: "1"}


def program_settings(program: str, settings: Settings) -> dict[str, str]:
    """Return the settings of a program, with its own secrets."""
    return {**settings.variables(secrets=PROGRAM_SECRETS[program]), NO_ENV_FILE: "1"}


def isolated_environments(settings: Settings, environment: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the whole environments of programs that handle others' code or requests.

    They contain no path of a key and nothing of the operator's. Judges get one secret, their database role's password.
    """
    kept = {name: value for name, value in environment.items() if name in _KEPT or name.startswith(_KEPT_KINDS)}
    password = None if settings.grading_password is None else settings.grading_password.get_secret_value()
    url = grading_url(settings.database_url, password)
    judge = {**settings.variables(JUDGE_SETTINGS), "TIDEMARK_DATABASE_URL": url}
    lost = {"TIDEMARK_SECRET_KEY_FILE": os.devnull, NO_ENV_FILE: "1"}
    return {"grade": {**kept, **judge, **lost}, "demo": {**kept, **settings.variables(DEMO_SETTINGS), **lost}}


def write_environments(folder: Path, settings: Settings, environment: Mapping[str, str]) -> None:
    """Write each program's environment to a file that this user alone can read, unless the file exists.

    Raises Unavailable if it cannot be written.
    """
    missing = [program for program in (*PROGRAM_SECRETS, *STRANGERS) if not (folder / program).exists()]
    whole = isolated_environments(settings, environment) if missing else {}
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for program in missing:
            variables = whole.get(program) or program_settings(program, settings)
            _write(folder / program, {"alone": program in whole, "words": variables})
    except OSError as error:
        raise Unavailable(describe_os_error(error, folder)) from error


def _write(file: Path, body: object) -> None:
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(body, out)
    fresh.rename(file)


def read_environment(folder: Path, program: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Return a program's environment, given the one it was started with.

    Raises FileNotFoundError if its file is gone: it must not fall back to the defaults. `up` writes the file again.
    """
    if program not in (*PROGRAM_SECRETS, *STRANGERS):  # the servers get no settings
        return dict(environment)
    written = json.loads((folder / program).read_text(encoding="utf-8"))
    inherited = {
        name: value for name, value in environment.items() if not written["alone"] or name.startswith("SUPERVISOR_")
    }
    return {**inherited, **written["words"]}
