"""Every answer names its request, and so does every event of it in the log, tracebacks included."""

import io
import json
import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from factories import web_app
from served import NO_AUTHORITIES, served
from structlog import get_logger
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from app.config import Settings
from app.db.kernel.session import SessionMaker
from app.log import configure_logging
from workers.context import Context, leave, task, use

SECRET = "kept-to-itself"


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """All that is logged, as JSON lines."""
    for owner in (sys, threading):
        monkeypatch.setattr(owner, "excepthook", owner.excepthook)
    handlers, out = logging.getLogger().handlers[:], io.StringIO()
    configure_logging(Settings(_env_file=None, log_format="json"), out)
    yield out
    logging.getLogger().handlers[:] = handlers


@pytest.fixture
def failing(sessions: SessionMaker, tmp_path: Path) -> Iterator[httpx.Client]:
    """A site one of whose addresses fails."""

    def fail() -> None:
        local = SECRET
        raise ZeroDivisionError(len(local))

    app = web_app(sessions, tmp_path)
    app.add_api_route("/api/v1/fails", fail)
    app.add_api_route("/api/v1/tells", lambda: get_logger("a").info("told"))
    with served(app) as url, httpx.Client(base_url=url, verify=NO_AUTHORITIES) as made:
        yield made


def events(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_an_answer_and_its_events_name_the_request(failing: httpx.Client, log: io.StringIO) -> None:
    asked = {"given": "abc-1.2_3", "bad": "two words", "long": "x" * 65}
    answers = {name: failing.get("/api/v1/tells", headers={"X-Request-ID": value}) for name, value in asked.items()}
    named = {name: answer.headers["x-request-id"] for name, answer in answers.items()}
    assert named["given"] == asked["given"]
    assert len({*named.values(), *asked.values()}) == 5, "what is no plain word is not taken over"
    assert [event["request_id"] for event in events(log) if event["event"] == "told"] == list(named.values())


def test_a_failure_is_one_event_with_its_frames_and_no_values(failing: httpx.Client, log: io.StringIO) -> None:
    answer = failing.get("/api/v1/fails", headers={"X-Request-ID": "mine"})
    assert (answer.status_code, answer.headers["x-request-id"]) == (500, "mine")
    assert answer.headers["x-content-type-options"] == "nosniff"
    [event] = [event for event in events(log) if event["event"] == "request.failed"]
    assert event["request_id"] == "mine"
    [failure] = event["exception"]
    assert failure["exc_type"] == "ZeroDivisionError"
    assert failure["frames"][-1]["name"] == "fail"
    assert SECRET not in log.getvalue()


def test_what_ends_a_process_or_a_thread_is_an_event_too(log: io.StringIO) -> None:
    def fail() -> None:
        raise ZeroDivisionError("gone")

    thread = threading.Thread(target=fail, name="keeper")
    thread.start()
    thread.join()
    try:
        fail()
    except ZeroDivisionError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    of_thread, of_process = events(log)
    assert (of_thread["event"], of_thread["thread"]) == ("thread.failed", "keeper")
    assert (of_process["event"], of_process["level"]) == ("process.failed", "critical")
    assert of_process["exception"][0]["exc_value"] == "gone"


def test_the_events_of_a_task_name_it(ctx: Context) -> None:
    def tell() -> None:
        get_logger("a").info("told")

    begin = task("tells")(tell)
    use(ctx)
    try:
        with capture_logs(processors=[merge_contextvars]) as told:
            begin()
            tell()
    finally:
        leave()
    within, after = [event for event in told if event["event"] == "told"]
    assert within["task"] == "tells"
    assert "task_id" in within
    assert "task" not in after
