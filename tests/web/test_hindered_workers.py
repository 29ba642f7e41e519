"""A worker whose disk is full does nothing, and a judge that is ready may do nothing either: both are told."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest
from factories import NOW, World
from httpx import Client
from support.signing_in import sign_in

from app.db.kernel import logs
from app.db.operations import heartbeats
from app.db.tables import Problem, Sample
from app.domain.reasons import text_reason
from app.domain.states import SampleState
from app.services.operations import alerts
from app.services.operations.pauses import Pause
from app.services.runs.judge_state import JUDGED_WITHIN, find_judging_backlog, grading_state
from web.i18n import ENGLISH, Locale, translator
from web.reason_text import in_words

FULL = "/var/lib/tidemark has 64 MB left on its disk; work goes on with 200 MB"
READY: dict[str, object] = {"grading": "ready", "reason": None, "self_test": []}


def beat(world: World, worker: str, hindrance: str | None = None, at: datetime = NOW) -> None:
    """A worker's word; a judge's self-test has passed."""
    queue = worker.partition("@")[0]
    detail = READY if queue == "grade" else None
    heartbeats.record_heartbeat(world.session, worker, queue, at, detail, hindrance=hindrance)
    world.session.flush()


def found(world: World) -> Mapping[str, str]:
    world.session.flush()
    return alerts.find_causes(world.session, NOW)


def test_a_judge_without_room_is_not_ready(world: World, client: Client) -> None:
    world.workers()
    beat(world, "grade@test/0", FULL)
    world.session.commit()
    ready = client.get("/readyz")
    why = (
        "grading paused: the machines of all judges lack room or the right time; judging goes on by itself when they "
        "have it"
    )
    assert (ready.status_code, ready.json()["reasons"]) == (503, [why])
    metrics = client.get("/metrics").text
    assert "tidemark_grading_ready 0.0" in metrics
    assert 'tidemark_workers_hindered{queue="grade"} 1.0' in metrics
    assert 'tidemark_workers_hindered{queue="infer"} 0.0' in metrics
    status = client.get("/api/v1/status").json()
    assert (status["grading"]["code"], status["hindered"]) == ("hindered", {"grade": 1})
    for language, words in (
        ("en", "or has a wrong clock (judging): 1"),
        ("zh", "停工的进程（评测）：1"),
    ):
        page = client.get(f"/{language}/status").text
        assert words in page
        assert "/var/lib" not in page + ready.text, "where our folders are is nobody's business"
    sign_in(world, client)
    assert FULL in client.get("/en/ops").text
    assert FULL in client.get("/en/ops/machinery").text


def test_where_one_host_has_room_it_judges_and_the_other_is_told(world: World) -> None:
    world.workers()
    beat(world, "grade@full/0", FULL)
    assert grading_state(world.session, NOW).ready
    words = f"workers on full (grade) do nothing: {FULL}"
    assert found(world) == {"room:full": words}
    alert = found(world)["room:full"]
    assert in_words(translator(ENGLISH), alert) == words
    assert in_words(translator(Locale("zh")), alert).startswith("full (grade) 上的进程")
    beat(world, "infer@full/0", FULL)
    assert found(world) == {"room:full": words.replace("(grade)", "(grade, infer)")}


def test_all_processes_of_a_host_have_the_disk_that_the_last_word_was_of(world: World) -> None:
    beat(world, "grade@one/1", at=NOW - timedelta(seconds=90))
    assert grading_state(world.session, NOW).ready
    beat(world, "grade@one/2", FULL)
    assert grading_state(world.session, NOW).reason == FULL
    beat(world, "grade@one/1")
    assert grading_state(world.session, NOW).reason == FULL, "which was the last is not known"
    beat(world, "grade@one/1", at=NOW + timedelta(seconds=30))
    assert grading_state(world.session, NOW + timedelta(seconds=30)).ready
    beat(world, "grade@one/2", FULL, NOW - timedelta(minutes=10))
    assert "room:one" not in found(world), "who is gone lacks nothing"


def test_a_judge_that_begins_without_room_says_so_before_its_self_test(world: World) -> None:
    heartbeats.record_heartbeat(world.session, "grade@new/0", "grade", NOW)
    assert grading_state(world.session, NOW).code == "unreported"
    heartbeats.record_heartbeat(world.session, "grade@new/0", "grade", NOW, hindrance=FULL)
    assert grading_state(world.session, NOW).code == "hindered"
    beat(world, "grade@gone/0", at=NOW - timedelta(hours=1))
    assert grading_state(world.session, NOW).code == "hindered"
    beat(world, "grade@one/0")
    assert grading_state(world.session, NOW).ready


def test_a_beat_without_further_words_keeps_those_and_takes_the_hindrance_back(world: World) -> None:
    world.workers()
    beat(world, "grade@test/0", FULL)
    heartbeats.record_heartbeat(world.session, "grade@test/0", "grade", NOW)
    assert grading_state(world.session, NOW).ready
    heartbeats.record_heartbeat(world.session, "grade@test/0", "grade", NOW, hindrance=FULL)
    assert grading_state(world.session, NOW).code == "hindered"
    heartbeats.record_heartbeat(world.session, "infer@new/0", "infer", NOW, hindrance=FULL)
    assert heartbeats.last_detail(world.session, "infer") is None, "that says nothing of its key"


def test_on_one_machine_the_disk_is_told_once(world: World) -> None:
    beat(world, "grade@here/0", FULL)
    beat(world, "grade@there/0", FULL)
    raised = alerts.update_alerts(world.session, NOW, [Pause("disk", text_reason(FULL))], "here")
    assert {"paused:disk", "room:there"} <= {alert.key for alert in raised}
    assert "room:here" not in {alert.key for alert in raised}
    assert "room:here" in {alert.key for alert in alerts.update_alerts(world.session, NOW, [], "here")}


@pytest.fixture
def late(world: World) -> tuple[Problem, Sample]:
    """An answer that could have been judged for three hours, and judges that say that they are ready."""
    world.workers()
    problem = world.problem("a")
    problem.current_test_set_id = world.tests(problem, 1, created_at=NOW - timedelta(days=9)).id
    then = NOW - timedelta(hours=3)
    sample = world.answer(world.run("orion"), problem, None, state=SampleState.ANSWERED, answered_at=then)
    return problem, sample


def test_a_backlog_that_ages_is_told(world: World, client: Client, late: tuple[Problem, Sample]) -> None:
    words = (
        "judging falls behind though judges say that they are ready; answers that wait longer than half an hour: 1, "
        f"the first since {NOW - timedelta(hours=3):%Y-%m-%d %H:%M}Z"
    )
    assert found(world) == {"grading:backlog": words}
    alert = found(world)["grading:backlog"]
    assert in_words(translator(ENGLISH), alert) == words
    assert "评测出现积压" in in_words(translator(Locale("zh")), alert)
    world.session.commit()
    metrics = client.get("/metrics").text
    assert "tidemark_unjudged 1.0" in metrics
    assert "tidemark_unjudged_seconds 10800.0" in metrics
    assert client.get("/api/v1/status").json()["unjudged"]["answers"] == 1
    assert "Judging is falling behind" in client.get("/en/status").text
    assert "评测出现积压" in client.get("/zh/status").text
    assert client.get("/readyz").status_code == 200


def test_nothing_is_told_of_answers_that_wait_for_something_else(world: World, late: tuple[Problem, Sample]) -> None:
    problem, sample = late
    assert find_judging_backlog(world.session, NOW).answers == 1
    assert (
        find_judging_backlog(world.session, NOW - timedelta(hours=3) + JUDGED_WITHIN - timedelta(seconds=1)).answers
        == 0
    )
    sample.not_before = NOW + timedelta(minutes=1)
    assert found(world) == {}, "the judge failed on it and waits"
    sample.not_before = None
    proven = {"at": (NOW - timedelta(minutes=29)).isoformat()}
    tests = world.tests(problem, 1, created_at=NOW - timedelta(days=9), proof_detail=proven)
    problem.current_test_set_id = tests.id
    assert found(world) == {}, "its tests have just been proven"
    problem.current_test_set_id = world.tests(problem, 1, created_at=NOW - timedelta(minutes=1)).id
    assert found(world) == {}, "its tests are new"
    problem.current_test_set_id = world.tests(problem, 1, created_at=NOW - timedelta(days=9)).id
    assert set(found(world)) == {"grading:backlog"}
    logs.write_ledger(world.session, NOW - timedelta(minutes=5), "problem.added", "house/a", "published")
    assert found(world) == {}, "it was held until then"


def test_judges_that_are_not_ready_are_told_of_instead(world: World, late: tuple[Problem, Sample]) -> None:
    world.workers(grading="paused", reason="no bubblewrap")
    assert set(found(world)) == {"grading:paused"}
    late[1].state = SampleState.GRADED
    world.workers()
    assert found(world) == {}


def test_how_slow_a_judges_host_is_stands_with_its_worker(world: World, client: Client) -> None:
    """Grading goes on, whatever it is."""
    for host, factor, is_over in (("slow", 6.25, False), ("slower", 12.5, True)):
        speed = {"interpreted": factor, "compiled": 2.0, "is_over": is_over}
        heartbeats.record_heartbeat(world.session, f"grade@{host}/0", "grade", NOW, READY | {"slowness": speed})
    world.workers()
    world.session.commit()
    assert client.get("/readyz").status_code == 200
    metrics = client.get("/metrics").text
    assert 'tidemark_grading_slowness{worker="grade@slow/0"} 6.25' in metrics
    assert 'tidemark_grading_slowness{worker="grade@slower/0"} 12.5' in metrics
    sign_in(world, client)
    page = client.get("/en/ops/machinery").text
    assert "6.25" in page
    assert page.count("too slow for limits to be scaled") == 1
