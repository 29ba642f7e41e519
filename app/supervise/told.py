"""What each process of one machine is told: the settings that `up` made, and of the secrets its own alone.

Workers are forks of the supervisor and share what it was started with, so that has no setting in it. What a program is
told lies in a file of its own beside the sockets, and is read after the fork (app.supervise.supervisord).
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr

from app.config import NO_ENV_FILE, ROOT, Settings
from app.db.kernel.roles import grading_url, made_password, owners_password
from app.domain.errors import Unavailable
from app.supervise.places import told

# The secrets that a program opens; one that is not here gets none, and nobody else gets a new one by mistake.
SECRETS: Mapping[str, tuple[str, ...]] = {
    "web": ("secret_key",),  # seals what vendors register
    "infer": ("secret_key",),  # opens it
    "ingest": ("sources", "alert_webhook", "heartbeat_url"),
    "clock": (),
}
# Those who meet others' programs or requests: their environment is what they are told, and nothing else.
STRANGERS = ("grade", "demo")
# What a judge reads of the settings. Names that are not here stay behind.
JUDGING = (
    "state_dir", "runtime_dir", "redis_url", "sandbox_root", "sandbox_python", "scratch_dir", "bwrap",
    "require_cgroup", "slowness", "testlib", "grade_processes", "least_free_mb", "lease_s", "log_level", "log_format",
    *(name for name in Settings.model_fields if name.startswith("setting_")),
)  # fmt: skip
SERVING = ("state_dir", "demo_port", "league_dir")
# What an interpreter and its libraries read.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "REMAP_SIGTERM")
_KEPT_KINDS = ("PYTHON", "OPENBLAS_", "MALLOC_")

# How the libraries under numpy behave in every program.
NUMBERS = {
    "OPENBLAS_NUM_THREADS": "1",  # boards are small products; threads of several requests would only thrash
    "MALLOC_ARENA_MAX": "2",  # a heap for each of many idle threads costs more than it gains
    # A board's arrays are kept: mapped or given back, and faulted in again, they cost a quarter more.
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(32 << 20),
}


def surroundings(environment: Mapping[str, str]) -> dict[str, str]:
    """What all programs are started with: the operator's environment without any setting, and where the code is."""
    return {
        **{name: value for name, value in environment.items() if not name.startswith("TIDEMARK_")},
        "PYTHONPATH": str(ROOT),
        "PYTHONSAFEPATH": "1",
        "PYTHONNODEBUGRANGES": "1",  # as in ./tidemark, and why
        "PYTHONUNBUFFERED": "1",
        **NUMBERS,
        "REMAP_SIGTERM": "SIGQUIT",  # Celery's soft shutdown
    }


def with_role(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """The settings with a password for the judges' role: one is made where an operator gave none.

    The embedded server needs none. Raises Unavailable where there is nothing to make one of.
    """
    if settings.embeds_database() or settings.grading_password is not None:
        return settings
    owners = owners_password(settings.database_url) or environment.get("PGPASSWORD")
    if not owners:
        raise Unavailable(
            "set TIDEMARK_GRADING_PASSWORD to any password: judges connect with it, as the role tidemark_grading, "
            "and never as the owner of the database"
        )
    return settings.model_copy(update={"grading_password": SecretStr(made_password(owners))})


def everything(settings: Settings) -> dict[str, str]:
    """All settings with all secrets, for the process that prepares the database and makes the key."""
    return {**settings.variables(secrets=set(Settings.model_fields)), NO_ENV_FILE: "1"}


def settings_for(program: str, settings: Settings) -> dict[str, str]:
    """The settings that a program is told, with its own secrets."""
    return {**settings.variables(secrets=SECRETS[program]), NO_ENV_FILE: "1"}


def strangers(settings: Settings, environment: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The whole environments of those who meet others' programs or requests: no key's path, nothing of the operator's.

    Judges are told one secret, their database role's password.
    """
    kept = {name: value for name, value in environment.items() if name in _KEPT or name.startswith(_KEPT_KINDS)}
    password = None if settings.grading_password is None else settings.grading_password.get_secret_value()
    url = grading_url(settings.database_url, password)
    judge = {**settings.variables(JUDGING), "TIDEMARK_DATABASE_URL": url}
    lost = {"TIDEMARK_SECRET_KEY_FILE": os.devnull, NO_ENV_FILE: "1"}
    return {"grade": {**kept, **judge, **lost}, "demo": {**kept, **settings.variables(SERVING), **lost}}


def tell(folder: Path, settings: Settings, environment: Mapping[str, str]) -> None:
    """Write down for each program what it is told, readable by this user alone, where that is not written yet.

    Raises Unavailable when it cannot be written.
    """
    missing = [program for program in (*SECRETS, *STRANGERS) if not (folder / program).exists()]
    whole = strangers(settings, environment) if missing else {}
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for program in missing:
            words = whole.get(program) or settings_for(program, settings)
            _write(folder / program, {"alone": program in whole, "words": words})
    except OSError as error:
        raise Unavailable(told(error, folder)) from error


def _write(file: Path, body: object) -> None:
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(body, out)
    fresh.rename(file)


def heard(folder: Path, program: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment that a program runs in, of the one that it was started with.

    Raises FileNotFoundError where what it is told is gone: it must not go by the defaults. `up` writes it again.
    """
    if program not in (*SECRETS, *STRANGERS):  # the servers are told nothing
        return dict(environment)
    written = json.loads((folder / program).read_text(encoding="utf-8"))
    given = {
        name: value for name, value in environment.items() if not written["alone"] or name.startswith("SUPERVISOR_")
    }
    return {**given, **written["words"]}
