"""Settings: one frozen value made from TIDEMARK_* variables, read by doors and edges only.

Everything not set follows from the state folder, so that a checkout needs no configuration: the servers' sockets are in
a short runtime folder named after the state folder.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Collection, Mapping
from decimal import Decimal
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import parse_qs, quote, unquote, urlsplit

from pydantic import (
    AliasChoices,
    AwareDatetime,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from app.cores import usable_cores
from app.domain.addresses import Network
from app.domain.consensus.limits import CONSENSUS_LIMITS, ConsensusLimits, ConsensusUsage
from app.domain.errors import InvalidInput, Unavailable
from app.domain.reasons import Reason
from app.domain.sources.kinds import DEMO_SITE
from app.rate_limits import RateLimits
from app.setting_texts import plain_names, spell_value
from app.source_settings import SourceSettings
from workers.grading.settings import JudgeSettings

ROOT = Path(__file__).resolve().parents[1]
ENV_FILE = ROOT / ".env"

# A unix socket's path is limited to 104 bytes on macOS and 108 on Linux; the longest name we add has 22.
MAX_RUNTIME_DIR_BYTES = 80

# Set for a process that has all its settings in the environment: it reads no `.env`.
NO_ENV_FILE = "TIDEMARK_NO_ENV_FILE"

# How variables of the limits for making tests by consensus begin, and how they began before.
CONSENSUS_PREFIXES = ("TIDEMARK_CONSENSUS_", "TIDEMARK_SETTING_")

# More processes only take memory: few sites have that many readers at once.
MAX_WEB_PROCESSES = 4


def _state_default() -> Path:
    return ROOT / ".state"


def _runtime_default(data: Mapping[str, Any]) -> Path:
    return runtime_dir_of(data["state_dir"])


def _database_default(data: Mapping[str, Any]) -> str:
    return socket_database_url(data["runtime_dir"], "tidemark")


def _redis_default(data: Mapping[str, Any]) -> str:
    return socket_redis_url(data["runtime_dir"] / "valkey.sock")


def _sandbox_default() -> Path:
    # The payload's uid must reach it, so it cannot be in the state folder, which is closed to others. Builds in it are
    # named after their content: all installations of a user share it.
    return Path("/var/tmp") / f"tidemark-sandbox-{os.geteuid()}"  # noqa: S108  # owner is checked


def _consensus_limit(name: str, default: Any) -> Any:
    """Return the field of a limit for making tests by consensus, whose variable may also have its old name."""
    names = AliasChoices(*(f"{prefix}{name.upper()}" for prefix in CONSENSUS_PREFIXES))
    return Field(default, ge=0, validation_alias=names)


def _absolute(value: Path) -> Path:
    return value.expanduser().absolute()


class Settings(BaseSettings):
    """All settings; `.env.example` documents each one."""

    model_config = SettingsConfigDict(
        env_prefix="TIDEMARK_",
        env_nested_delimiter="__",
        env_file=ENV_FILE,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
        hide_input_in_errors=True,
    )

    state_dir: Path = Field(default_factory=_state_default, validation_alias="TIDEMARK_STATE")
    runtime_dir: Path = Field(default_factory=_runtime_default)
    database_url: str = Field(default_factory=_database_default)
    redis_url: str = Field(default_factory=_redis_default)
    secret_key: SecretStr | None = None
    secret_key_file: Path = Field(default_factory=lambda data: data["state_dir"] / "secret.key")

    host: str = "127.0.0.1"
    port: int = Field(8321, ge=0, le=65535)
    web_processes: int = Field(default_factory=lambda: min(usable_cores(), MAX_WEB_PROCESSES), ge=1)
    public_url: str = Field(default_factory=lambda data: _url(data["host"], data["port"]))
    contact: str | None = None
    operator: str | None = None
    demo: bool = True
    league_dir: Path = ROOT / "league"
    demo_port: int = Field(8322, ge=0, le=65535)
    demo_url: str = Field(default_factory=lambda data: f"http://127.0.0.1:{data['demo_port']}")
    demo_started_at: AwareDatetime | None = None
    demo_first_s: float = Field(180, ge=0)
    demo_pace_s: float = Field(3600, gt=0)

    sandbox_root: Path = Field(default_factory=_sandbox_default)
    sandbox_python: Path = Path("/usr/bin/python3")
    scratch_dir: Path = Field(default_factory=lambda data: data["sandbox_root"] / "scratch")
    bwrap: str = "bwrap"
    require_cgroup: bool = False
    slowness: float | None = Field(default=None, ge=0.7, le=10)
    testlib: Path | None = None
    grading_password: SecretStr | None = None
    grade_processes: int = Field(default_factory=usable_cores, ge=1)

    gpu_devices: str | None = None
    gpu_engine: str = "vllm"
    gpu_engine_command: str | None = None
    gpu_hub: str | None = None
    gpu_idle_s: float = Field(600, gt=0)
    gpu_start_s: float = Field(1800, gt=0)

    alert_webhook: SecretStr | None = None
    heartbeat_url: SecretStr | None = None

    proxies: Annotated[tuple[Network, ...], NoDecode] = (ip_network("127.0.0.1"), ip_network("::1"))
    endpoint_allow: Annotated[tuple[Network, ...], NoDecode] = ()
    key_requests_per_minute: int = Field(RateLimits().of_key, ge=0)
    failed_keys_per_minute: int = Field(RateLimits().failures_of_address, ge=0)
    all_failed_keys_per_minute: int = Field(RateLimits().failures, ge=0)
    control_url: str | None = Field(None, pattern=r"^https?://[^/\s]+")
    sources: dict[str, SourceSettings] = Field(default_factory=dict)
    least_free_mb: int = Field(200, ge=0)
    consensus_problem_calls: int = _consensus_limit("problem_calls", CONSENSUS_LIMITS.problem.calls)
    consensus_problem_tokens: int = _consensus_limit("problem_tokens", CONSENSUS_LIMITS.problem.tokens)
    consensus_problem_usd: Decimal = _consensus_limit("problem_usd", CONSENSUS_LIMITS.problem.usd)
    consensus_problem_judge_s: float = _consensus_limit("problem_judge_s", CONSENSUS_LIMITS.problem.judge_s)
    consensus_day_calls: int = _consensus_limit("day_calls", CONSENSUS_LIMITS.day.calls)
    consensus_day_tokens: int = _consensus_limit("day_tokens", CONSENSUS_LIMITS.day.tokens)
    consensus_day_usd: Decimal = _consensus_limit("day_usd", CONSENSUS_LIMITS.day.usd)
    consensus_day_judge_s: float = _consensus_limit("day_judge_s", CONSENSUS_LIMITS.day.judge_s)
    consensus_day_unpublished: int = _consensus_limit("day_unpublished", CONSENSUS_LIMITS.unpublished)
    lease_s: float = Field(120, gt=0)
    sweep_s: float = Field(15, gt=0)
    schedule_s: float = Field(30, gt=0)

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "json", "console"] = "auto"
    no_system_packages: bool = False
    is_served: bool = False

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  # the names are the library's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read arguments first, then the environment, then `.env`."""
        return (
            (init_settings, env_settings)
            if NO_ENV_FILE in os.environ
            else (init_settings, env_settings, dotenv_settings)
        )

    _paths = field_validator("state_dir", "runtime_dir", "sandbox_root", "scratch_dir", "secret_key_file")(_absolute)

    @field_validator("database_url")
    @classmethod
    def _psycopg(cls, value: str) -> str:
        """Accept any spelling of a PostgreSQL URL, and return it for the one driver we use."""
        return re.sub(r"^postgres(?:ql)?(?:\+\w+)?://", "postgresql+psycopg://", value)

    @field_validator("heartbeat_url")
    @classmethod
    def _private(cls, value: SecretStr | None) -> SecretStr | None:
        """Refuse plain http to another machine: such an address is a secret."""
        parts = None if value is None else urlsplit(value.get_secret_value())
        if parts and parts.scheme != "https" and (parts.scheme, parts.hostname) != ("http", "127.0.0.1"):
            raise ValueError("must be an https address")
        return value

    @field_validator("redis_url")
    @classmethod
    def _broker(cls, value: str) -> str:
        """Return Celery's spelling of the URL; a socket may also be given as `unix:///path?db=N`."""
        if not value.startswith("unix://"):
            return value
        parts = urlsplit(value)
        return socket_redis_url(Path(unquote(parts.path)), int(parse_qs(parts.query).get("db", ["0"])[0]))

    @field_validator("proxies", "endpoint_allow", mode="before")
    @classmethod
    def _networks(cls, value: Any) -> Any:
        """Accept a list of networks, or one text of them separated by commas."""
        listed = value.split(",") if isinstance(value, str) else value
        return tuple(ip_network(entry.strip()) if isinstance(entry, str) else entry for entry in listed)

    def source(self, name: str) -> SourceSettings:
        """Return the settings of one site; an unmentioned site has the defaults, and the bundled one its own."""
        given = self.sources.get(name, SourceSettings())
        if name != DEMO_SITE:
            return given
        own = {
            "base_url": self.demo_url, "pace_s": 0.2, "margin_s": 5.0, "every_s": 600.0, "show_statements": True,
            "enabled": self.shows_live_contests(),
        }  # fmt: skip
        return given.model_copy(update={name: own[name] for name in own.keys() - given.model_fields_set})

    def source_policies(self) -> dict[str, SourceSettings]:
        """Return the settings of the sites that have any, the bundled one among them."""
        return {**self.sources, DEMO_SITE: self.source(DEMO_SITE)}

    def shows_live_contests(self) -> bool:
        """Return whether the bundled contest site holds contests: `up` has recorded when the demo started."""
        return self.demo and self.demo_started_at is not None

    def plain_redis_url(self) -> str:
        """Return the broker's address in the spelling of the `redis` client."""
        parts = urlsplit(self.redis_url)
        if parts.scheme != "redis+socket":
            return self.redis_url
        number = parse_qs(parts.query).get("virtual_host", ["0"])[0]
        return f"unix://{parts.path}?db={number}"

    def local_url(self) -> str:
        """Return the site's address on this machine, whatever its public address is."""
        return _url(self.host, self.port)

    def shared_settings(self) -> dict[str, Any]:
        """Return the settings as JSON for other processes of this state, without secrets."""
        plain = plain_names(self.model_dump())
        dumped: dict[str, Any] = self.model_dump(mode="json", include=plain)
        return dumped

    def variables(self, names: Collection[str] | None = None, *, secrets: Collection[str] = ()) -> dict[str, str]:
        """Return these settings, or those of some names, as environment variables; secrets only as named.

        Without the secret key, the key's file is given as the null device.
        """
        values = {name: getattr(self, name) for name in names or type(self).model_fields}
        if "secret_key_file" in values and "secret_key" not in secrets:
            values["secret_key_file"] = Path(os.devnull)
        spelt = {name: spell_value(value, secret=name in secrets) for name, value in values.items()}
        return {
            "TIDEMARK_STATE" if name == "state_dir" else f"TIDEMARK_{name.upper()}": value
            for name, value in spelt.items()
            if value
        }

    def secret_key_bytes(self) -> bytes:
        """Return the key that endpoint secrets are sealed with. Raises Unavailable if there is none."""
        if self.secret_key is not None:
            return self.secret_key.get_secret_value().encode()
        try:
            return self.secret_key_file.read_bytes().strip()
        except OSError as absent:
            raise Unavailable(f"no secret key: {self.secret_key_file}: {absent.strerror}") from absent

    def holds_key(self) -> bool:
        """Return whether this process is to have the secret key; the others get the null device as its file."""
        return self.secret_key is not None or self.secret_key_file != Path(os.devnull)

    def key_or_none(self) -> bytes | None:
        """Return the key that endpoint secrets are sealed with, or None if there is none."""
        try:
            return self.secret_key_bytes()
        except Unavailable:
            return None

    def shortage(self) -> str | None:
        """Return why work must wait for room on this machine's disks; None while there is enough."""
        for folder in (self.state_dir, self.scratch_dir):
            try:
                free_mb = shutil.disk_usage(folder).free >> 20
            except OSError:  # not there yet; making it reports what is wrong
                continue
            if free_mb < self.least_free_mb:
                return Reason("disk_full", {"what": str(folder), "n": free_mb, "least": self.least_free_mb})
        return None

    def consensus_bounds(self) -> ConsensusLimits:
        """Return the limits for making tests, per problem and per day."""
        problem, day = (
            ConsensusUsage(*(getattr(self, f"consensus_{of}_{name}") for name in ("calls", "tokens", "usd", "judge_s")))
            for of in ("problem", "day")
        )
        return ConsensusLimits(problem, day, self.consensus_day_unpublished)

    def rate_limits(self) -> RateLimits:
        """Return the limits of requests a minute."""
        return RateLimits(self.key_requests_per_minute, self.failed_keys_per_minute, self.all_failed_keys_per_minute)

    def judge_settings(self) -> JudgeSettings:
        """Return the settings of a judge."""
        return JudgeSettings(
            sandbox_root=self.sandbox_root,
            scratch=self.scratch_dir,
            python=str(self.sandbox_python),
            bwrap=self.bwrap,
            require_cgroup=self.require_cgroup,
            testlib=self.testlib,
            slowness=self.slowness,
        )

    def embeds_database(self) -> bool:
        """Return whether we start PostgreSQL ourselves: no other address was given."""
        return self.database_url == _database_default({"runtime_dir": self.runtime_dir})

    def embeds_redis(self) -> bool:
        """Return whether we start Valkey ourselves: no other address was given."""
        return self.redis_url == _redis_default({"runtime_dir": self.runtime_dir})


def _owner_tag(state_dir: Path) -> str:
    digest = hashlib.sha256(os.fsencode(state_dir.expanduser().resolve())).hexdigest()
    return f"{os.geteuid()}-{digest[:10]}"


def runtime_dir_of(state_dir: Path) -> Path:
    """Return the folder of a state folder's sockets: a short path that only its owner and the folder determine.

    Not XDG_RUNTIME_DIR: it is emptied when its user logs out, and differs between a shell and a cron job.
    """
    name = f"tidemark-{_owner_tag(state_dir)}"
    path = Path(tempfile.gettempdir()) / name
    return path if len(os.fsencode(path)) <= MAX_RUNTIME_DIR_BYTES else Path("/tmp") / name  # noqa: S108


def socket_database_url(directory: Path, database: str) -> str:
    """Return the address of a database behind a unix socket in `directory`."""
    return f"postgresql+psycopg://tidemark@/{database}?host={quote(str(directory))}"


def socket_redis_url(path: Path, number: int = 0) -> str:
    """Return the address of a broker behind a unix socket, as Celery spells it."""
    return f"redis+socket://{quote(str(path))}?virtual_host={number}"


def _url(host: str, port: int) -> str:
    """Return the URL under which a server bound to `host` is reached from this machine."""
    if host in {"", "0.0.0.0", "::"}:  # noqa: S104  # how a wildcard is reached, not a bind
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def settings_for_state(state_dir: Path | None = None, **overrides: Any) -> Settings:
    """Return the settings of a command that works on one state folder; None leaves the choice to TIDEMARK_STATE.

    Raises InvalidInput, naming the setting, if a setting cannot be read.
    """
    if state_dir is not None:
        overrides["state_dir"] = state_dir
    try:
        return Settings(**overrides)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        name = "__".join(str(part) for part in first["loc"]).upper().removeprefix("TIDEMARK_")
        given = "" if _may_be_secret(first["loc"]) else f" (given: {first['input']!r})"
        raise InvalidInput(f"TIDEMARK_{name}: {first['msg']}{given}") from wrong


def _may_be_secret(place: tuple[int | str, ...]) -> bool:
    """Return whether the value at this place must not be repeated; a misspelt name may be meant for a secret's."""
    if place[0] == "TIDEMARK_STATE":
        return False
    name = str(place[-1]).removeprefix("TIDEMARK_").lower()
    field = (SourceSettings if len(place) > 1 else Settings).model_fields.get(name)
    return field is None or SecretStr in (field.annotation, *get_args(field.annotation))


def inherited_environment() -> dict[str, str]:
    """Return this process's environment, for programs of others that it starts and that read their own variables."""
    return dict(os.environ)
