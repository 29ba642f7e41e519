"""What the grading workers of one machine are told."""

from pathlib import Path

import pytest

from app.config import NO_ENV_FILE, Settings
from app.supervise.judges import judges_environment

ALL_ELSE = {
    "PATH": "/usr/bin", "REMAP_SIGTERM": "SIGQUIT", "OPENAI_API_KEY": "hidden-1", "PGPASSWORD": "hidden-2",
    "TIDEMARK_SECRET_KEY": "hidden-3", "TIDEMARK_ALERT_WEBHOOK": "https://hooks.test/hidden-4",
    "TIDEMARK_SOURCES__CODEFORCES__API_SECRET": "hidden-5", "TIDEMARK_LOG_LEVEL": "debug",
}  # fmt: skip


def _told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **more: str) -> dict[str, str]:
    environment = {**ALL_ELSE, "TIDEMARK_STATE": str(tmp_path), **more}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return judges_environment(Settings(_env_file=None), environment)


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
    assert theirs.judge() == mine.judge()
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


def test_without_a_role_there_they_work_as_its_owner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = _told(monkeypatch, tmp_path, TIDEMARK_DATABASE_URL="postgresql://owner:pw@db.test/tidemark")
    assert told["TIDEMARK_DATABASE_URL"] == "postgresql+psycopg://owner:pw@db.test/tidemark"


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
    shared = mine.shared()
    assert "hidden" not in str(shared)
    assert "*" not in str(shared)
    assert shared["sources"]["codeforces"]["pace_s"] == 3
    assert Settings(_env_file=None, **shared) == mine
