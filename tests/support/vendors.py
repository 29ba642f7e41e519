"""A vendor at its door, the moves that take an order along, and the maintainer on the pages of /ops."""

import itertools
import re
import weakref
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import httpx
from fakes import model_server
from fakes.model_server import Asked, Say
from pipeline.flow import judge_one
from served import NO_AUTHORITIES
from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Submission
from app.db.vendors import probes as probe_store
from app.domain.judging.verdicts import Verdict
from app.domain.probing.checks import ProbeOrigin, ProbeReport
from app.services.operations import access
from app.services.runs import imports, plan
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import declarations, probes
from app.services.vendors.submission_steps import advance_submissions
from support.batches import START, SUM, batch, problem
from workers import tasks
from workers.context import Context, context, now

SECRET = "sk-very-secret-0123456789"
KEYS = itertools.count()


class Vendor:
    """A vendor with a key; every POST carries a fresh Idempotency-Key unless one is given."""

    def __init__(self, ctx: Context, url: str, name: str = "acme", *scopes: str) -> None:
        self.ctx = ctx
        self.key = ctx.commit(access.issue_key, name, scopes or list(access.KeyScope), now())
        self.client = httpx.Client(
            base_url=f"{url}/api/v1/vendor", headers={"Authorization": f"Bearer {self.key}"}, timeout=120,
            verify=NO_AUTHORITIES,
        )  # fmt: skip
        weakref.finalize(self, self.client.close)

    def post(self, path: str, body: Any = None, key: str | None = None) -> httpx.Response:
        return self.client.post(path, json=body, headers={"Idempotency-Key": key or f"key-{next(KEYS)}"})

    def get(self, path: str) -> Any:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def model(self, slug: str = "orion") -> None:
        """A model whose cutoff, before every problem, a maintainer has accepted."""
        cutoff = {"date": "2020-01-01", "evidence_url": "https://example.com/card"}
        assert self.post("/models", {"slug": slug, "name": slug.title(), "cutoff": cutoff}).status_code == 201
        accept(self.ctx, slug)

    def endpoint(self, url: str, model: str = "orion", **fields: Any) -> int:
        body = {"model": model, "remote_name": "orion-1", "base_url": url, "secret": SECRET} | fields
        answer = self.post("/endpoints", body)
        assert answer.status_code in (200, 201), answer.text  # 200: a registered one was changed
        return int(answer.json()["id"])

    def submit(self, endpoint: int, *, probed: bool = True, **fields: Any) -> str:
        """An order; its endpoint has passed a probe for it, unless that is left to the order."""
        window = {"from": START.date().isoformat(), "to": (START.date() + timedelta(days=30)).isoformat()}
        answer = self.post("/submissions", {"endpoint": endpoint, "window": window} | fields)
        assert answer.status_code == 201, answer.text
        if probed:
            self.ctx.commit(pass_probe, answer.json()["id"], self.ctx.vault)
        return str(answer.json()["id"])

    def state(self, submission: str) -> Any:
        return self.get(f"/submissions/{submission}")


class Maintainer:
    """A person on the pages of /ops, who may belong to an organisation."""

    def __init__(self, ctx: Context, url: str, email: str, member_of: str | None = None) -> None:
        self.client = httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES, follow_redirects=True)
        weakref.finalize(self, self.client.close)
        token = ctx.commit(access.issue_login_link, now(), email, member_of)
        assert self.client.post("/en/login", data={"token": token}).status_code == 200

    def page(self, path: str = "/en/ops/cutoffs") -> str:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def decide(self, action: str, subject: int | str, reason: str = "read its card", **fields: str) -> httpx.Response:
        csrf = re.search(r'name="csrf" value="([^"]+)"', self.page())
        assert csrf is not None
        form = {"csrf": csrf[1], "action": action, "subject": str(subject), "reason": reason, "back": "/ops/cutoffs"}
        return self.client.post("/en/ops/act", data=form | fields)


def accept(ctx: Context, slug: str, email: str = "ada@example.org") -> None:
    """Accept what waits of a model, as a maintainer who has read the evidence."""
    with ctx.sessions() as session:
        [number] = [row.id for row in declarations.declarations_to_review(session, email) if row.model == slug]
    ctx.commit(partial(declarations.decide_declaration, accept=True), number, "read its card", now(), email)


def pass_probe(session: Session, order_id: str, vault: Vault, at: datetime | None = None) -> None:
    """Store that the endpoint of an order has passed a probe for it just now, unless it is stopped."""
    row = session.scalars(select(Submission).where(Submission.public_id == order_id)).one()
    if session.get_one(Endpoint, row.endpoint_id).stopped_at is not None:
        return
    moment = at or now()
    subject = (row.organisation_id, row.endpoint_id, row.protocol_id, row.configuration)
    probe_store.add_probe(session, *subject, ProbeOrigin.ORDER, moment)
    job = probes.claim_probe(session, moment, vault)
    assert job is not None
    assert probes.record_probe(session, job, ProbeReport((), 0), moment)


def right(asked: Asked) -> Say:
    return model_server.message(f"```python\n{SUM}```") if "Bearer " + SECRET in asked.headers["authorization"] else (
        model_server.error(401, f"wrong key {asked.headers['authorization']}")
    )  # fmt: skip


def solves(_: Asked) -> Say:
    """The same answer for whoever asks."""
    return model_server.message(f"```python\n{SUM}```")


def publish(ctx: Context, count: int = 3) -> None:
    """Fresh problems, one a week from START on."""
    given = (problem(number, source="atcoder") for number in range(count))
    ctx.commit(imports.store_batch, batch(*given, source="atcoder"), now())


def infer(ctx: Context, endpoint: int) -> None:
    ctx.commit(plan.plan_samples, now())
    tasks.infer_slice(endpoint)


def judge(ctx: Context, verdict: Verdict = Verdict.ACCEPTED) -> None:
    while ctx.commit(judge_one, verdict, now()):
        pass


def order(vendor: Vendor, url: str, model: str, **fields: Any) -> int:
    """An order for a model of its own, placed now; returns its endpoint."""
    vendor.model(model)
    endpoint = vendor.endpoint(url, model)
    vendor.submit(endpoint, **fields)
    return endpoint


def move_on() -> None:
    """Move every order one step, as a sweep does, which also looks for what died, and takes four times as long."""
    context().commit(advance_submissions, now())


def ask(*endpoints: int) -> None:
    """Start what is ordered, and ask these endpoints."""
    move_on()
    context().commit(plan.plan_samples, now())
    for endpoint in endpoints:
        tasks.infer_slice(endpoint)


def show() -> None:
    """Publish what is done, and count it."""
    for _twice in range(2):
        move_on()
    tasks.aggregate()


def judge_runs(ctx: Context, count: int, *verdicts: Verdict) -> None:
    """Judge `count` answers, which is one run, as each verdict says, what is left as right, and show what is done."""
    for verdict in (each for each in verdicts for _ in range(count)):
        ctx.commit(judge_one, verdict, now())
    judge(ctx)
    show()


def settle(ctx: Context, *endpoints: int, verdict: Verdict = Verdict.ACCEPTED) -> None:
    """Ask these endpoints, judge every answer alike and publish what is done."""
    ask(*endpoints)
    judge(ctx, verdict)
    show()


def board(url: str, **params: str) -> Any:
    """The board of fresh problems, as the API has it."""
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        answer = client.get("/api/v1/boards/codegen", params={"protocol": "fresh", **params})
        assert answer.status_code == 200, answer.text
        return answer.json()


def rows_of(url: str, **params: str) -> dict[str, Any]:
    """The rows of that board by model."""
    return {row["model"]: row for row in board(url, **params)["rows"]}


def trials_of(url: str, **params: str) -> dict[str, Any]:
    """Of that board: score and number of trials of its rows by run, and why others are hidden."""
    body = board(url, **params)
    return {
        "rows": {row["run"]: (row["score"], row["trials"]) for row in body["rows"]},
        "hidden": [each["reason"] for each in body["hidden"]],
    }
