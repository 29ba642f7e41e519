"""Equal requests of a vendor at once have one effect and one answer."""

from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import Any

import httpx
from sqlalchemy import Executable, func, select, text
from support.vendors import Vendor, publish
from support.waiting import until

from app.db.tables import AuditEntry, Organisation
from app.services.vendors import idempotency
from workers.context import Context

AT_ONCE = 50


def equal_posts(vendor: Vendor, path: str, body: Any, key: str) -> list[httpx.Response]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda _: vendor.post(path, body, key), range(AT_ONCE)))


def audited(ctx: Context) -> int:
    """The number of writes so far: each leaves one line in the audit log."""
    with ctx.sessions() as session:
        return session.scalar(select(func.count()).select_from(AuditEntry)) or 0


def _read(ctx: Context, statement: Executable) -> object:
    with ctx.sessions() as session:
        return session.execute(statement).scalar()


def test_fifty_equal_posts_of_each_kind_have_one_effect_and_fifty_equal_answers(ctx: Context, vendor: Vendor) -> None:
    publish(ctx, 1)
    address = {"model": "orion", "remote_name": "orion-1", "base_url": "https://93.184.216.34/v1",
               "price_input": 1, "price_output": 1}  # fmt: skip
    ids: dict[str, Any] = {}
    kinds: tuple[tuple[str, dict[str, Any] | None], ...] = (
        ("/models", {"slug": "orion", "name": "Orion"}),
        ("/models/orion/cutoff", {"cutoff": {"date": "2025-12-01", "evidence_url": "https://a.test/x"}}),
        ("/endpoints", address),
        ("/submissions", {"endpoint": "endpoint", "continuous": True}),
        ("/submissions/{submission}/budget", {"usd": 5}),
        ("/submissions/{submission}/cancel", None),
    )
    for number, (path, body) in enumerate(kinds):
        sent = None if body is None else {name: ids.get(str(value), value) for name, value in body.items()}
        before = audited(ctx)
        answers = equal_posts(vendor, path.format(**ids), sent, f"equal-{number}")
        first = answers[0]
        assert {(answer.status_code, answer.text) for answer in answers} == {(first.status_code, first.text)}, path
        assert first.is_success, first.text
        assert [answer.headers.get("idempotency-replayed") for answer in answers].count(None) == 1, path
        assert audited(ctx) == before + 1, path
        ids |= {first.json()["object"]: first.json().get("id")}


def test_a_request_that_waits_too_long_is_told_that_an_equal_one_is_in_progress(ctx: Context, vendor: Vendor) -> None:
    with ctx.sessions() as session:
        own = session.scalars(select(Organisation).where(Organisation.slug == "acme")).one().id
        idempotency.claim_key(session, own, "slow")
        answer = vendor.post("/models", {"slug": "orion", "name": "Orion"}, "slow")
        assert (answer.status_code, answer.json()["code"]) == (409, "in_progress")
        assert answer.headers["retry-after"] == "1"
        assert vendor.post("/models", {"slug": "lyra", "name": "Lyra"}, "other").status_code == 201


def test_a_process_that_dies_between_claim_and_answer_leaves_the_key_free(ctx: Context, vendor: Vendor) -> None:
    waits = text("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'")
    answers: list[httpx.Response] = []
    with ctx.sessions() as session:
        own = session.scalars(select(Organisation).where(Organisation.slug == "acme")).one().id
        idempotency.claim_key(session, own, "dies")
        backend = session.scalar(select(func.pg_backend_pid()))
        body = {"slug": "orion", "name": "Orion"}
        late = Thread(target=lambda: answers.append(vendor.post("/models", body, "dies")))
        late.start()
        until(lambda: _read(ctx, waits), "the other's wait")
        _read(ctx, select(func.pg_terminate_backend(backend)))
        late.join(30)
        session.invalidate()
    assert [answer.status_code for answer in answers] == [201]


def test_a_refused_request_leaves_its_key_free_for_a_corrected_body(vendor: Vendor) -> None:
    taken, free = {"slug": "orion", "name": "Orion"}, {"slug": "lyra", "name": "Lyra"}
    assert vendor.post("/models", taken, "first").status_code == 201
    assert vendor.post("/models", {"slug": "Orion"}, "again").status_code == 422
    assert vendor.post("/models", taken, "again").status_code == 409
    made = vendor.post("/models", free, "again")
    assert (made.status_code, made.headers.get("idempotency-replayed")) == (201, None)
    changed = vendor.post("/models", free | {"name": "Other"}, "again")
    assert (changed.status_code, changed.json()["errors"][0]["pointer"]) == (422, "/Idempotency-Key")
