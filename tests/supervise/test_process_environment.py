"""What each process of one machine is told."""

import os
import re
from pathlib import Path

import pytest
from sqlalchemy import make_url

from app.config import NO_ENV_FILE, Settings
from app.db.kernel.roles import derive_password
from app.domain.errors import Unavailable
from app.services.runs.endpoint_secrets import Vault
from app.supervise.process_environment import (
    PROGRAM_SECRETS,
    all_settings,
    isolated_environments,
    program_settings,
    read_environment,
    with_grading_password,
    write_environments,
)

ALL_ELSE = {
    "PATH": "/usr/bin", "REMAP_SIGTERM": "SIGQUIT", "OPENAI_API_KEY": "hidden-1", "PGPASSWORD": "hidden-2",
    "TIDEMARK_SECRET_KEY": "hidden-3", "TIDEMARK_ALERT_WEBHOOK": "https://hooks.test/hidden-4",
    "TIDEMARK_SOURCES__CODEFORCES__API_SECRET": "hidden-5", "TIDEMARK_LOG_LEVEL": "debug",
}  # fmt: skip


def _told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **more: str) -> dict[str, str]:
    environment = {**ALL_ELSE, "TIDEMARK_STATE": str(tmp_path), **more}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return isolated_environments(Settings(_env_file=None), environment)["grade"]


def test_they_are_told_what_judging_takes_and_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = _told(monkeypatch, tmp_path, TIDEMARK_TESTLIB="/opt/testlib.h")
    assert "hidden" not in str(told)
    assert told["REMAP_SIGTERM"] == "SIGQUIT"
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    for name in set(ALL_ELSE) - set(told):
        monkeypatch.delenv(name)
    theirs = Settings()
    mine = Settings(_env_file=None, state_dir=tmp_path)
    assert theirs.judge_settings() == mine.judge_settings()
    assert (theirs.testlib, theirs.log_level) == (Path("/opt/testlib.h"), "debug")
    assert theirs.redis_url == mine.redis_url
    assert theirs.secret_key_bytes() == b""


def test_their_role_is_the_one_that_claims_and_records(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "//tidemark_grading@/tidemark?host=" in _told(monkeypatch, tmp_path)["TIDEMARK_DATABASE_URL"]


def test_a_server_elsewhere_is_reached_with_the_roles_password(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    owner = "postgresql://owner:hidden-6@db.test:5433/tidemark?sslmode=require&password=hidden-7"
    told = _told(monkeypatch, tmp_path, TIDEMARK_DATABASE_URL=owner, TIDEMARK_GRADING_PASSWORD="a@b")
    assert told["TIDEMARK_DATABASE_URL"] == (
        "postgresql+psycopg://tidemark_grading:a%40b@db.test:5433/tidemark?sslmode=require"
    )
    assert "hidden" not in str(told)


@pytest.mark.parametrize(
    ("url", "variables"),
    [
        ("postgresql://owner:hidden-6@db.test/tidemark", {}),
        ("postgresql://owner@db.test/tidemark?password=hidden-6", {}),
        ("postgresql://owner@db.test/tidemark", {"PGPASSWORD": "hidden-6"}),
    ],
)
def test_without_a_password_for_their_role_one_is_made_and_never_the_owners(
    url: str, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _told(monkeypatch, tmp_path, TIDEMARK_DATABASE_URL=url)
    made = with_grading_password(Settings(_env_file=None), variables)
    judged = isolated_environments(made, {**ALL_ELSE, **variables})["grade"]
    assert "hidden" not in str(judged)
    parts, always = make_url(judged["TIDEMARK_DATABASE_URL"]), derive_password("hidden-6")
    assert (parts.username, parts.password) == ("tidemark_grading", always)
    # The process that makes the role is told the same one.
    assert made.grading_password is not None
    assert all_settings(made)["TIDEMARK_GRADING_PASSWORD"] == always


def test_another_owners_password_makes_another_one() -> None:
    assert derive_password("hidden-6") != derive_password("hidden-7")


def test_a_password_that_was_set_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    url = "postgresql://owner:pw@db.test/tidemark"
    _told(monkeypatch, tmp_path, TIDEMARK_DATABASE_URL=url, TIDEMARK_GRADING_PASSWORD="theirs")
    mine = Settings(_env_file=None)
    assert with_grading_password(mine, {}) == mine


def test_where_nothing_can_be_made_of_up_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _told(monkeypatch, tmp_path, TIDEMARK_DATABASE_URL="postgresql://owner@db.test/tidemark")
    with pytest.raises(Unavailable, match="set TIDEMARK_GRADING_PASSWORD"):
        with_grading_password(Settings(_env_file=None), {})


def test_a_process_that_was_told_everything_reads_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "env"
    file.write_text("TIDEMARK_SECRET_KEY=hidden\n")
    assert Settings(_env_file=file).secret_key is not None
    monkeypatch.setenv(NO_ENV_FILE, "1")
    assert Settings(_env_file=file).secret_key is None


def test_what_other_processes_may_read_holds_no_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIDEMARK_HEARTBEAT_URL", "https://monitor.test/hidden-8")
    monkeypatch.setenv("TIDEMARK_SOURCES__CODEFORCES__PACE_S", "3")
    _told(monkeypatch, tmp_path, TIDEMARK_GRADING_PASSWORD="hidden-9")
    mine = Settings(_env_file=None)
    shared = mine.shared_settings()
    assert "hidden" not in str(shared)
    assert "*" not in str(shared)
    assert shared["sources"]["codeforces"]["pace_s"] == 3
    assert Settings(_env_file=None, **shared) == mine


def _spoken(monkeypatch: pytest.MonkeyPatch, words: dict[str, str]) -> Settings:
    """The settings of a process with that environment, beside a `.env` with everything."""
    with monkeypatch.context() as process:
        for name in [name for name in os.environ if name.startswith("TIDEMARK_")]:
            process.delenv(name)
        for name, value in words.items():
            process.setenv(name, value)
        return Settings()


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    """The settings of an operator who set all kinds of things."""
    (tmp_path / "key").write_text("the key")
    given = {
        **ALL_ELSE, "TIDEMARK_STATE": str(tmp_path), "TIDEMARK_SECRET_KEY_FILE": str(tmp_path / "key"),
        "TIDEMARK_HEARTBEAT_URL": "https://monitor.test/hidden-8", "TIDEMARK_GRADING_PASSWORD": "hidden-9",
        "TIDEMARK_SOURCES__CODEFORCES__API_KEY": "hidden-6", "TIDEMARK_SOURCES__CODEFORCES__PACE_S": "0.5",
        "TIDEMARK_SOURCES__ATCODER__ENABLED": "false", "TIDEMARK_ENDPOINT_ALLOW": "10.0.0.0/8, fd00::/8",
        "TIDEMARK_SETTING_DAY_USD": "2.50", "TIDEMARK_REQUIRE_CGROUP": "true", "TIDEMARK_CONTACT": "mailto:a@b.test",
    }  # fmt: skip
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return Settings(_env_file=None)


def test_who_prepares_the_database_is_told_everything(mine: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _spoken(monkeypatch, all_settings(mine)) == mine


@pytest.mark.parametrize("program", sorted(PROGRAM_SECRETS))
def test_the_others_are_told_all_settings_and_their_own_secrets(
    program: str, mine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = program_settings(program, mine)
    theirs = _spoken(monkeypatch, words)
    assert _spoken(monkeypatch, theirs.variables()) == _spoken(monkeypatch, mine.variables())
    hidden = set(re.findall(r"hidden-\d", str(words)))
    key, sites = {"hidden-3"}, {"hidden-4", "hidden-5", "hidden-6", "hidden-8"}
    assert hidden == {"web": key, "infer": key, "ingest": sites, "clock": set()}[program]
    assert Vault(theirs.key_or_none()).has_key is False  # what is set here is no key
    assert (theirs.key_or_none() or b"") == (b"hidden-3" if hidden == key else b"")


@pytest.mark.parametrize(
    ("program", "key"), [("web", b"the key"), ("infer", b"the key"), ("ingest", b""), ("clock", b"")]
)
def test_only_who_seals_or_opens_loads_the_key_from_its_file(
    program: str, key: bytes, mine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = program_settings(program, mine.model_copy(update={"secret_key": None}))
    assert _spoken(monkeypatch, words).secret_key_bytes() == key


def test_the_demo_endpoint_is_told_where_to_listen_what_to_play_and_nothing_else(mine: Settings) -> None:
    words = isolated_environments(mine, ALL_ELSE)["demo"]
    assert "hidden" not in str(words)
    assert {name for name in words if name.startswith("TIDEMARK_")} == {
        "TIDEMARK_STATE", "TIDEMARK_DEMO_PORT", "TIDEMARK_DEMO_FIRST_S", "TIDEMARK_DEMO_PACE_S", "TIDEMARK_LEAGUE_DIR",
        "TIDEMARK_SECRET_KEY_FILE", NO_ENV_FILE,
    }  # fmt: skip


def test_what_is_told_lies_in_files_of_this_user_alone(mine: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "told"
    for _ in range(2):  # a start after one that was killed
        write_environments(folder, mine, ALL_ELSE)
    assert {path.name for path in folder.iterdir()} == {*PROGRAM_SECRETS, "grade", "demo"}
    assert {path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())} == {0o700, 0o600}
    started = {"OTHERS_TOKEN": "theirs", "SUPERVISOR_PROCESS_NAME": "x"}
    assert read_environment(folder, "clock", started) == {**started, **program_settings("clock", mine)}
    assert read_environment(folder, "grade", started) == {
        "SUPERVISOR_PROCESS_NAME": "x", **isolated_environments(mine, ALL_ELSE)["grade"],
    }  # fmt: skip
    assert read_environment(folder, "postgres", started) == started


def test_who_is_told_nothing_any_more_does_not_go_by_the_defaults(mine: Settings, tmp_path: Path) -> None:
    """Where a system tidied its temporary folder up; `up` writes again what is gone."""
    write_environments(tmp_path / "told", mine, ALL_ELSE)
    kept = {path.name: path.read_text() for path in (tmp_path / "told").iterdir()}
    for name in ("grade", "web"):
        (tmp_path / "told" / name).unlink()
        with pytest.raises(FileNotFoundError):
            read_environment(tmp_path / "told", name, {})
    write_environments(tmp_path / "told", mine, ALL_ELSE)
    assert {path.name: path.read_text() for path in (tmp_path / "told").iterdir()} == kept
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="cannot be written"):
        write_environments(tmp_path / "file", mine, ALL_ELSE)
