"""Settings: documented, defaulted, and read from the environment as the document says."""

import os
import re
import subprocess
from decimal import Decimal
from ipaddress import ip_network
from pathlib import Path

import pytest
from pydantic import ValidationError
from support.missing import need
from support.rules import ROOT

from app.config import Settings, runtime_dir_of, settings_for_state
from app.domain.errors import InvalidInput, Unavailable
from app.setting_names import renamed_settings, setting_warnings, unknown_settings
from app.source_settings import SourceSettings

# Read by the entry script and by the tests, which know no Settings.
ELSEWHERE = {"TIDEMARK_PYTHON", "TIDEMARK_CHROMIUM"}
LINE = re.compile(r"^#?(TIDEMARK_\w+)=(.*)$", re.MULTILINE)


def _documented() -> dict[str, str]:
    return dict(LINE.findall((ROOT / ".env.example").read_text(encoding="utf-8")))


def _known() -> set[str]:
    plain = set(Settings.model_fields) - {"sources", "state_dir"}
    sources = {f"SOURCES__ATCODER__{name.upper()}" for name in SourceSettings.model_fields}
    return (
        {"TIDEMARK_STATE"} | {f"TIDEMARK_{name.upper()}" for name in plain} | {f"TIDEMARK_{name}" for name in sources}
    )


def test_every_setting_is_documented_and_nothing_else() -> None:
    assert set(_documented()) - ELSEWHERE == _known()


def test_documented_defaults_are_the_defaults(tmp_path: Path) -> None:
    made = Settings(_env_file=None, state_dir=tmp_path)
    told = {name: value for name, value in _documented().items() if name not in ELSEWHERE}
    fixed = {"HOST", "PORT", "PUBLIC_URL", "DEMO_PORT", "DEMO_URL", "SANDBOX_PYTHON", "BWRAP",
             "LOG_LEVEL", "LOG_FORMAT"}  # fmt: skip
    for name in fixed:
        assert told[f"TIDEMARK_{name}"] == str(getattr(made, name.lower())), name
    for name in ("LEASE_S", "SWEEP_S"):
        assert float(told[f"TIDEMARK_{name}"]) == getattr(made, name.lower())
    assert float(told["TIDEMARK_SOURCES__ATCODER__EVERY_S"]) == SourceSettings().every_s


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIDEMARK_STATE", str(tmp_path / "here"))
    monkeypatch.setenv("TIDEMARK_DATABASE_URL", "postgres://u:p@db/x")
    monkeypatch.setenv("TIDEMARK_REDIS_URL", "unix:///run/valkey.sock?db=3")
    monkeypatch.setenv("TIDEMARK_ENDPOINT_ALLOW", "10.0.0.0/8, fd00::/8")
    monkeypatch.setenv("TIDEMARK_PROXIES", "192.0.2.0/24")
    monkeypatch.setenv("TIDEMARK_SOURCES__ATCODER__PACE_S", "0.5")
    monkeypatch.setenv("TIDEMARK_LOG_LEVEL", "")
    made = Settings(_env_file=None)
    assert made.state_dir == tmp_path / "here"
    assert made.database_url == "postgresql+psycopg://u:p@db/x"
    assert (made.redis_url, made.plain_redis_url()) == (
        "redis+socket:///run/valkey.sock?virtual_host=3",
        "unix:///run/valkey.sock?db=3",
    )
    assert made.endpoint_allow == (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
    assert made.proxies == (ip_network("192.0.2.0/24"),)
    assert (made.source("atcoder").pace_s, made.source("codeforces").pace_s) == (0.5, None)
    assert made.log_level == "info"
    assert not made.embeds_database()
    assert not made.embeds_redis()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TIDEMARK_PORT", "99999"),
        ("TIDEMARK_ENDPOINT_ALLOW", "10.0.0.1/8"),
        ("TIDEMARK_SOURCES__ATCODER__PACE", "1"),
        ("TIDEMARK_LEASE_S", "0"),
        ("TIDEMARK_LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_setting_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError):
        Settings(_env_file=None)


def test_a_wrong_setting_is_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEMARK_SOURCES__ATCODER__PACE_S", "soon")
    with pytest.raises(InvalidInput, match=r"TIDEMARK_SOURCES__ATCODER__PACE_S: .*'soon'"):
        settings_for_state()


@pytest.mark.parametrize("name", ["HEARTBEAT_URL", "SOURCES__ATCODER__API_SECRT", "SOURCES__ATCODER__API_KEY__X"])
def test_a_wrong_secret_is_not_repeated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"TIDEMARK_{name}", "http://monitor.test/hush")
    for make in (settings_for_state, Settings):
        with pytest.raises((InvalidInput, ValidationError)) as refused:
            make()
        assert "hush" not in str(refused.value)


def test_a_misspelt_setting_is_noticed() -> None:
    given = {"TIDEMARK_DATABSE_URL": "x", "TIDEMARK_PORT": "1", "TIDEMARK_SOURCES__ATCODER__PACE_S": "1", "PATH": "/"}
    assert unknown_settings(given) == ["TIDEMARK_DATABSE_URL"]


def test_limits_of_consensus_are_read_under_their_old_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("PROBLEM_CALLS", "7"), ("DAY_USD", "1.5"), ("DAY_UNPUBLISHED", "3")):
        monkeypatch.setenv(f"TIDEMARK_SETTING_{name}", value)
    monkeypatch.setenv("TIDEMARK_CONSENSUS_DAY_USD", "2.5")
    monkeypatch.setenv("TIDEMARK_CONSENSUS_DAY_UNPUBLISHED", "")
    bounds = Settings(_env_file=None).consensus_bounds()
    assert (bounds.problem.calls, bounds.day.usd, bounds.unpublished) == (7, Decimal("2.5"), 3)


def test_an_old_name_of_a_setting_is_known_by_its_new_one() -> None:
    given = {"TIDEMARK_SETTING_DAY_USD": "1", "TIDEMARK_SETTING_DAY_USB": "1", "TIDEMARK_PORT": "1"}
    assert renamed_settings(given) == {"TIDEMARK_SETTING_DAY_USD": "TIDEMARK_CONSENSUS_DAY_USD"}
    assert unknown_settings(given) == ["TIDEMARK_SETTING_DAY_USB"]


def test_start_warns_of_unknown_settings_and_of_old_names_also_in_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("TIDEMARK_SETTING_DAY_CALLS=9\nTIDEMARK_PORT=1\n")
    assert setting_warnings({"TIDEMARK_PROT": "1", "TIDEMARK_SETTING_DAY_USD": "1"}, tmp_path / ".env") == [
        "TIDEMARK_PROT is not a setting of Tidemark; .env.example lists the settings",
        "TIDEMARK_SETTING_DAY_CALLS is now TIDEMARK_CONSENSUS_DAY_CALLS; the old name still works",
        "TIDEMARK_SETTING_DAY_USD is now TIDEMARK_CONSENSUS_DAY_USD; the old name still works",
    ]
    assert setting_warnings({"TIDEMARK_PORT": "1"}, tmp_path / "absent") == []


def test_a_wrong_limit_of_consensus_is_told_by_its_new_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEMARK_CONSENSUS_DAY_CALLS", "-4")
    with pytest.raises(InvalidInput, match=r"TIDEMARK_CONSENSUS_DAY_CALLS: .*'-4'"):
        settings_for_state()


def test_everything_follows_from_the_state_folder(tmp_path: Path) -> None:
    long = tmp_path / ("a long name with spaces " * 4) / ("and more " * 8)
    one, two = settings_for_state(long), settings_for_state(tmp_path)
    assert one.embeds_database()
    assert one.embeds_redis()
    assert one.database_url != two.database_url
    assert len(os.fsencode(one.runtime_dir)) <= 80
    assert one.runtime_dir == runtime_dir_of(long)
    assert one.secret_key_file == long / "secret.key"


def test_one_folder_has_one_runtime_folder_however_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert runtime_dir_of(tmp_path / "link") == runtime_dir_of(tmp_path / "real" / ".." / "real")


def test_a_missing_key_is_a_clear_word(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"secret\.key"):
        settings_for_state(tmp_path).secret_key_bytes()


def test_the_secret_key_is_never_shown() -> None:
    made = Settings(_env_file=None, secret_key="c2VjcmV0")
    assert made.secret_key_bytes() == b"c2VjcmV0"
    assert "c2VjcmV0" not in repr(made) + str(made.model_dump(mode="json"))


@pytest.mark.parametrize(
    ("host", "url"),
    [("0.0.0.0", "http://127.0.0.1:8321"), ("::1", "http://[::1]:8321"), ("10.0.0.4", "http://10.0.0.4:8321")],
)
def test_where_the_site_is_reached(host: str, url: str) -> None:
    made = Settings(_env_file=None, host=host)
    assert (made.public_url, made.local_url()) == (url, url)


def test_git_and_docker_ignore_the_secrets_but_not_their_example(tmp_path: Path) -> None:
    git = [need("git", "apt install git"), "-C", str(tmp_path), "-c", "core.excludesFile=/dev/null"]
    subprocess.run([*git, "init", "-q"], check=True)
    (tmp_path / ".gitignore").write_bytes((ROOT / ".gitignore").read_bytes())
    asked = [*git, "check-ignore", "--no-index", ".env", ".env.example", ".state/key", "app/main.py"]
    assert subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split() == [".env", ".state/key"]
    assert ".env" in (ROOT / ".dockerignore").read_text().splitlines()
    assert (ROOT / ".env.example").exists()
