"""docker-compose.yml, run for real: every service with the rights, folders and variables that the file gives it."""

import base64
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.containers import LEAGUE, Fleet, Refused, fleet
from support.missing import missing
from support.small_league import small_league
from support.waiting import until

ENV = {
    "POSTGRES_PASSWORD": "a-password", "TIDEMARK_GRADING_PASSWORD": "another",
    "TIDEMARK_SECRET_KEY": base64.urlsafe_b64encode(os.urandom(32)).decode(), "TIDEMARK_DEMO": "true",
    "TIDEMARK_LEAGUE_DIR": LEAGUE,
    "TIDEMARK_GRADE_PROCESSES": "1",
}  # fmt: skip
PATIENCE_S = 420.0
pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(1200)]


def _league(folder: Path) -> Path:
    """One problem and one model, readable for the image's user."""
    small_league(folder, {"house-1": ("wave-crests",)}, models=("pipit-mini",))
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """All services, begun in the order that they wait for each other in."""
    with ExitStack() as stack:
        try:
            made = stack.enter_context(fleet(ENV, _league(tmp_path_factory.mktemp("fleet") / "league")))
        except Refused as why:
            missing("a podman that can run containers", str(why))
        for server in ("postgres", "valkey"):
            made.start(server)
            wait(partial(made.is_healthy, server), server, made)
        made.start("migrate", wait=True)
        for name in ("demo", "web", "infer", "grade", "ingest", "clock"):
            made.start(name)
        assert set(made.words()) == set(made.file["services"]), "every service is started"
        yield made


def wait(holds: Callable[[], bool], what: str, made: Fleet) -> None:
    """Wait; what the containers printed is shown where it does not come."""

    def is_there() -> bool:
        found = holds()
        if not found:
            time.sleep(1)  # to ask takes a process of podman's
        return found

    try:
        until(is_there, what, PATIENCE_S)
    except AssertionError as late:
        pytest.fail(f"{late}: {json.dumps(made.words(), indent=1)}")


def test_the_fleet_judges_and_tells_of_a_judge_without_room(running: Fleet) -> None:
    wait(lambda: running.is_healthy("web"), "the site", running)

    def judged() -> bool:
        found = re.search(r'^tidemark_samples\{state="graded"\} (\S+)', running.get("/metrics")[1], re.MULTILINE)
        return found is not None and float(found[1]) > 0

    wait(judged, "a verdict", running)
    assert running.running() == set(running.file["services"]) - {"migrate"}
    wait(lambda: running.get("/readyz") == (200, '{"status":"ready","reasons":[]}'), "a word of every worker", running)
    status = _status(running)
    assert (status["grading"]["code"], status["hindered"], status["paused"]) == ("ready", {}, [])
    wait(lambda: {"cpp", "python"} <= set(_status(running)["languages"]), "a language that is compiled", running)
    _shrink_the_judges_folder(running)


def _status(made: Fleet) -> dict[str, Any]:
    """What the site says of itself."""
    code, body = made.get("/api/v1/status")
    found: dict[str, Any] = json.loads(body) if code == 200 else {"grading": {"code": ""}, "languages": {}}
    return found


def _shrink_the_judges_folder(running: Fleet) -> None:
    """A judge in a folder of 64 MB judges nothing, and that is told. The judge before is missed after three minutes."""
    running.stop("grade")
    service = running.file["services"]["grade"]
    small = {"tmpfs": [*service["tmpfs"], "/var/lib/tidemark:size=64m,mode=1777"],
             "volumes": [mount for mount in service["volumes"] if not mount.startswith("judge:")]}  # fmt: skip
    running.start("grade", replaced=small)

    def is_told() -> bool:
        return bool(_status(running)["grading"]["code"] == "hindered")

    wait(is_told, "the judge's word", running)
    status, words = running.get("/readyz")
    assert status == 503
    assert "no judge has enough room on its disk" in words
    assert "tidemark_grading_ready 0.0" in running.get("/metrics")[1]
    assert '"level": "warning"' in running.words()["grade"]
