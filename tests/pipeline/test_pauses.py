"""Work that has to wait: nothing is claimed without room, and what waits for our key loses neither time nor owner."""

import os
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pipeline.flow import LEASE, NOW, VAULT, prepared
from pydantic import SecretStr
from sqlalchemy import select
from structlog.testing import capture_logs
from support.batches import batch, problem
from support.waiting import until

from app.config import Settings
from app.db.kernel.session import Session
from app.db.tables import Alert, Endpoint, Heartbeat, Model, Sample
from app.domain.asking.retry_policy import RETRY_POLICY
from app.domain.errors import DiskFull, Unavailable
from app.domain.states import SampleState
from app.services.operations.pauses import pauses
from app.services.runs import endpoint_secrets, imports, inference, plan
from app.services.runs.control.endpoints import NewEndpoint, register
from app.services.runs.endpoint_secrets import Vault, new_key
from app.services.runs.judge_state import grading_state
from workers import tasks, upkeep
from workers.broker import UNBLOCKED_TASKS, Waker, make_app
from workers.clock import Clock
from workers.context import make_context, now, use
from workers.grading.answering_judge import AnsweringJudge
from workers.readiness import Readiness

KEY = new_key()
ENDLESS = 1 << 40  # megabytes that no disk has


def test_a_shortage_names_the_disk_and_ends_by_itself(tmp_path: Path) -> None:
    free = Settings(_env_file=None, state_dir=tmp_path, least_free_mb=1)
    assert free.shortage() is None
    words = free.model_copy(update={"least_free_mb": ENDLESS}).shortage()
    assert words is not None
    assert words.startswith(f"{tmp_path} has ")
    scratch = free.model_copy(update={"state_dir": tmp_path / "not made yet", "least_free_mb": ENDLESS})
    assert scratch.model_copy(update={"scratch_dir": tmp_path / "neither"}).shortage() is None


def test_without_room_nothing_is_claimed_and_the_alarm_is_raised(settings: Settings) -> None:
    full = use(make_context(settings.model_copy(update={"least_free_mb": ENDLESS})))
    with full.sessions.begin() as session:
        prepared(session)
    for task in (tasks.grade_answers, tasks.prove_tests, tasks.plan_runs, tasks.seed, tasks.aggregate):
        with pytest.raises(DiskFull, match="left on its disk"):
            task()
    tasks.sweep()
    upkeep.beat("grade")
    upkeep.watch()
    with full.sessions() as session:
        assert session.scalars(select(Alert.key).where(Alert.cleared_at.is_(None))).all() == ["paused:disk"]
        imports.store_batch(session, batch(problem(1)), NOW)
        session.commit()
        assert session.scalars(select(Sample.problem_id)).all() == [1], "the new problem is not planned"
    roomy = use(make_context(settings))
    tasks.plan_runs()
    upkeep.watch()
    with roomy.sessions() as session:
        assert session.scalars(select(Sample.problem_id).order_by(Sample.id)).all() == [1, 2]
        assert "paused:disk" not in session.scalars(select(Alert.key).where(Alert.cleared_at.is_(None))).all()


@pytest.mark.sandbox
def test_workers_without_room_say_so_with_their_heartbeats_and_are_ready_again_by_themselves(
    settings: Settings, tested_judge: AnsweringJudge
) -> None:
    full = use(make_context(settings.model_copy(update={"least_free_mb": ENDLESS})))
    full.parts[Readiness] = Readiness(full, tested_judge)
    with capture_logs() as lines:
        upkeep.self_test()
        upkeep.beat("infer")
        upkeep.watch()
    warned = {(line["event"], line.get("queue")) for line in lines if line["log_level"] == "warning"}
    assert warned >= {("grading.state", None), ("worker.hindered", "infer")}
    assert full.commit(grading_state, now()).code == "hindered"
    with full.sessions() as session:
        said = session.scalars(select(Heartbeat.detail["hindrance"]["code"].astext)).all()
        assert len(said) == 2
        assert set(said) == {"disk_full"}
        opened = session.scalars(select(Alert.key).where(Alert.cleared_at.is_(None))).all()
        assert [key for key in opened if key.startswith(("paused", "room"))] == ["paused:disk"], (
            "it is this host's disk"
        )
    roomy = use(make_context(settings))
    upkeep.beat("grade")
    assert roomy.commit(grading_state, now()).ready


class Woken(Waker):
    """Remembers what was woken."""

    def __init__(self, url: str) -> None:
        super().__init__(make_app(url))
        self.names: list[str] = []

    def __call__(
        self,
        task: str,
        *args: int | str,
        queue: str | None = None,
        after_s: float | None = None,
        urgent: bool = False,
    ) -> bool:
        self.names.append(task)
        return True


def test_without_room_the_clock_keeps_the_moments_of_work_for_later(settings: Settings) -> None:
    for least, wanted in ((ENDLESS, {"sweep", "self_test", "watch", "beat"}), (0, {"sweep", "audit", "freeze"})):
        wake = Woken(settings.redis_url)
        clock = Clock(settings.model_copy(update={"least_free_mb": least}), wake)
        thread = threading.Thread(target=clock.run)
        thread.start()
        until(lambda wake=wake, wanted=wanted: wanted <= set(wake.names), "the clock's round")  # type: ignore[misc]
        clock.done.set()
        thread.join()
        if least:
            assert set(wake.names) <= UNBLOCKED_TASKS


@pytest.fixture
def endpoint(session: Session) -> Endpoint:
    """An endpoint with work, whose secret was sealed with the key of `VAULT`."""
    prepared(session)
    [made] = session.scalars(select(Endpoint))
    made.secret_encrypted = VAULT.seal("a secret")
    session.flush()
    return made


@pytest.mark.parametrize("key", [None, b"damaged", new_key()], ids=["missing", "damaged", "another"])
def test_a_lost_key_pauses_asking_as_our_fault_and_goes_on_when_it_is_back(
    session: Session, endpoint: Endpoint, key: bytes | None
) -> None:
    other = Vault(key)
    sample = session.scalars(select(Sample)).one()
    sample.first_tried_at = NOW - RETRY_POLICY.span - timedelta(hours=1)
    session.flush()
    assert plan.sweep(session, NOW, other).endpoints == ()
    assert inference.open_slice(session, endpoint.id, NOW, LEASE, other) is None
    session.expire_all()
    assert (endpoint.stopped_at, endpoint.stopped_reason, endpoint.lease_token) == (None, None, None)
    assert (sample.state, sample.inference_attempts) == (SampleState.PENDING, 0), "its patience has not run out"
    [pause] = pauses(endpoint_secrets.find_lost(session, other), None)
    assert pause.code == "secrets"
    assert "put secret.key (or TIDEMARK_SECRET_KEY) back from a backup" in pause.reason
    told = NewEndpoint("tern", endpoint.backend, endpoint.remote_name, endpoint.base_url, secret="a new one")
    model = session.get_one(Model, endpoint.model_id)
    with pytest.raises(Unavailable, match="secrets cannot be stored"):
        register(session, model, told, NOW, other)
    assert VAULT.open(endpoint.secret_encrypted or b"") == "a secret"
    assert register(session, model, replace(told, secret=None), NOW, other) is endpoint, "without one nothing is sealed"
    assert endpoint_secrets.find_lost(session, VAULT) is None
    assert plan.sweep(session, NOW, VAULT).endpoints == (endpoint.id,)
    assert inference.open_slice(session, endpoint.id, NOW, LEASE, VAULT) is not None


def test_without_secrets_no_key_is_missed(session: Session) -> None:
    prepared(session)
    assert endpoint_secrets.find_lost(session, Vault(None)) is None
    assert plan.sweep(session, now(), Vault(None)).endpoints
    with pytest.raises(Unavailable, match="our key is missing"):
        Vault(None).seal("a secret")


def test_who_is_to_hold_no_key_misses_none_before_inference_has_said_a_word(settings: Settings) -> None:
    """As at the first `up` after an endpoint was registered without one."""
    with use(make_context(settings)).sessions.begin() as session:
        prepared(session)
        [endpoint] = session.scalars(select(Endpoint))
        endpoint.secret_encrypted = Vault(KEY).seal("a secret")
        number = endpoint.id
    for file, alerts in ((Path(os.devnull), []), (settings.state_dir / "lost.key", ["paused:secrets"])):
        keyless = use(make_context(settings.model_copy(update={"secret_key": None, "secret_key_file": file})))
        upkeep.watch()
        with keyless.sessions() as session:
            opened = select(Alert.key).where(Alert.cleared_at.is_(None), Alert.key.startswith("paused"))
            assert session.scalars(opened).all() == alerts
        assert keyless.commit(plan.sweep, now(), keyless.vault).endpoints == (() if alerts else (number,))


def test_who_holds_no_key_goes_by_what_inference_says_of_its_own(settings: Settings) -> None:
    without = {"secret_key": None, "secret_key_file": settings.state_dir / "no.key"}
    keyed = use(make_context(settings.model_copy(update={"secret_key": SecretStr(KEY.decode())})))
    with keyed.sessions.begin() as session:
        prepared(session)
        [endpoint] = session.scalars(select(Endpoint))
        endpoint.secret_encrypted = Vault(KEY).seal("a secret")
        number = endpoint.id
    upkeep.beat("infer")
    upkeep.beat("ingest")
    keyless = use(make_context(settings.model_copy(update=without)))
    assert keyless.commit(plan.sweep, now(), keyless.vault).endpoints == (number,)
    upkeep.watch()
    use(make_context(settings.model_copy(update={"secret_key": SecretStr(new_key().decode())})))
    upkeep.beat("infer")
    keyless = use(make_context(settings.model_copy(update=without)))
    assert keyless.commit(plan.sweep, now(), keyless.vault).endpoints == ()
    upkeep.watch()
    with keyless.sessions() as session:
        [alert] = session.scalars(select(Alert).where(Alert.key == "paused:secrets"))
        assert "is not the one that they were sealed with" in alert.message
        assert endpoint_secrets.find_lost(session, Vault(None)) is not None, (
            "whoever makes a key asks the secrets themselves"
        )
