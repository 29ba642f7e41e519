"""The API's description: an operation's name stays, and each answer is of the shape declared for it, with no key more.

With TIDEMARK_TEST_RECORD=1 the answers met here become the examples of the description, their lists cut short.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from factories import World
from fakes.model_server import ModelServer
from served import NO_AUTHORITIES, served
from sqlalchemy import select
from support import shown_league
from support.declared_answers import Description, description
from support.orders import site_of
from support.proven import RECORDS
from support.vendors import Vendor, infer, judge, move_on, publish, right, show

from app.api.description import EXAMPLES
from app.api.vendors import bodies as vendor_bodies
from app.db.evidence import evidence
from app.db.tables import Endpoint, Problem, Run, Sample
from app.domain.boards.board import BoardQuery
from app.domain.reasons import Reason
from app.services.boards import snapshots
from app.services.boards.cubes import CubeStore
from app.services.evidence import reports
from workers import tasks
from workers.context import Context, now

# Names that generated clients call: a change breaks programs of others.
OPERATIONS = [
    "cancel_submission", "compare_rows", "create_endpoint", "create_model", "create_submission",
    "create_submissions", "create_webhook", "declare_cutoff", "delete_model", "delete_webhook", "get_board",
    "get_board_bundle", "get_board_composites", "get_board_csv", "get_board_elo", "get_board_matrix",
    "get_board_parquet", "get_board_sampling", "get_board_sizes", "get_board_solve_rates", "get_board_topics",
    "get_contamination", "get_dispute", "get_endpoint", "get_holistic", "get_human_ratings", "get_liveness",
    "get_metrics", "get_model", "get_own_model", "get_preview", "get_probe", "get_problem", "get_readiness",
    "get_run", "get_sample", "get_snapshot", "get_snapshot_csv", "get_status", "get_submission",
    "get_webhook", "get_webhook_secret", "list_askers", "list_boards", "list_changes", "list_contests",
    "list_deliveries", "list_disputes", "list_endpoints", "list_events", "list_exposures", "list_items",
    "list_models", "list_own_models", "list_problems", "list_protocols", "list_snapshots", "list_submissions",
    "list_webhooks", "open_dispute", "pause_submission", "probe_endpoint", "redeliver_event",
    "resume_submission", "retry_submission", "rotate_webhook_secret", "set_budget", "stream_run",
    "test_webhook", "update_endpoint", "update_model", "update_webhook", "withdraw_model",
]  # fmt: skip
# An operation that has a second answer, by the status of that one.
DRY_RUN = "create_submission 200"
MAX_TEXT = 120  # of an example
NOWHERE, SHOWN = "http://127.0.0.1:9/v1", "https://api.orion.example/v1"
CREATED = {
    "create_model",
    "create_endpoint",
    "create_submission",
    "create_submissions",
    "create_webhook",
    "open_dispute",
}
DELETED = {"delete_webhook"}


@pytest.fixture
def document(url: str) -> Any:
    return httpx.get(f"{url}/api/v1/openapi.json", timeout=120, verify=NO_AUTHORITIES).json()


@pytest.fixture
def names(ctx: Context, tmp_path: Path) -> Mapping[str, Any]:
    """A league with something in every answer, and the names under which parts of it are found."""
    cubes = CubeStore(tmp_path / "cubes")
    with ctx.sessions.begin() as session:
        world = World(session, now=now())
        shown_league.fill(world)
        run = session.scalars(select(Run).where(Run.configuration != {}).order_by(Run.id)).first()
        assert run is not None
        endpoint = Endpoint(
            model_id=run.model_id, backend="openai_chat", remote_name="x", base_url="https://a.example",
            max_concurrency=1,
        )  # fmt: skip
        session.add(endpoint)
        session.flush()
        problem = session.scalars(select(Problem).where(Problem.external_id == "p1")).one()
        evidence.record_sent(session, endpoint, [problem.id], world.now)
        sample = session.scalars(select(Sample.id).where(Sample.run_id == run.id)).first()
        found: dict[str, Any] = {"run_id": run.id, "sample_id": sample}
    with ctx.sessions.begin() as session:
        query = BoardQuery(protocol="house")
        found["sha256"] = snapshots.freeze(session, query, cubes, now(), "operator", "for a paper")
        while (work := reports.claim_due_report(session, cubes, now())) is not None:
            reports.store_report(session, work, work.make(), now())
    return found


def questions(names: Mapping[str, Any]) -> Mapping[str, str]:
    """An address of each operation that reads, by operationId."""
    board, snapshot = "/api/v1/boards/codegen", f"/api/v1/snapshots/{names['sha256']}"
    of_board = {
        "": "get_board", ".csv": "get_board_csv", ".parquet": "get_board_parquet", ".zip": "get_board_bundle",
        "/matrix": "get_board_matrix", "/elo": "get_board_elo", "/topics": "get_board_topics",
        "/solve-rates": "get_board_solve_rates", "/composites": "get_board_composites", "/sizes": "get_board_sizes",
        "/sampling": "get_board_sampling",
    }  # fmt: skip
    return {
        **{name: f"{board}{ending}?protocol=house" for ending, name in of_board.items()},
        "compare_rows": f"{board}/compare?protocol=house&ref=model-0:high&with=model-1:high",
        "list_boards": "/api/v1/boards",
        "get_holistic": "/api/v1/holistic",
        "get_human_ratings": "/api/v1/human-ratings?protocol=house",
        "get_contamination": "/api/v1/contamination?protocol=house",
        "list_exposures": "/api/v1/exposures",
        "list_snapshots": "/api/v1/snapshots",
        "get_snapshot": snapshot,
        "get_snapshot_csv": f"{snapshot}.csv",
        "list_changes": "/api/v1/ledger",
        "list_models": "/api/v1/models",
        "get_model": "/api/v1/models/model-0",
        "list_problems": "/api/v1/problems",
        "get_problem": "/api/v1/problems/house/p1",
        "get_sample": f"/api/v1/samples/{names['sample_id']}",
        "get_status": "/api/v1/status",
        "list_contests": "/api/v1/status/contests",
        "get_liveness": "/healthz",
        "get_readiness": "/readyz",
        "get_metrics": "/metrics",
        "get_run": f"/api/v1/runs/{names['run_id']}",
        "stream_run": f"/api/v1/runs/{names['run_id']}/events",
    }


def ordered(vendor: Vendor, document: Any) -> Iterator[tuple[str, httpx.Response]]:
    """A vendor's every operation, with the bodies that the description gives as examples."""
    bodies = {name: schema["examples"][0] for name, schema in document["components"]["schemas"].items()
              if name.endswith("Body") and "examples" in schema}  # fmt: skip
    yield "create_model", vendor.post("/models", bodies["ModelBody"])
    yield "declare_cutoff", vendor.post(f"/models/{bodies['ModelBody']['slug']}/cutoff", bodies["DeclarationBody"])
    endpoint = vendor.post("/endpoints", bodies["EndpointBody"] | {"base_url": NOWHERE})
    yield "create_endpoint", endpoint
    probe = f"/endpoints/{endpoint.json()['id']}/probe"
    vendor.post(f"{probe}?wait_s=0", bodies["ProbeBody"], key="probe")
    tasks.probe_endpoints()
    yield "probe_endpoint", vendor.post(probe, bodies["ProbeBody"], key="probe")
    yield "get_probe", vendor.client.get(probe)
    order = vendor.post("/submissions", bodies["SubmissionBody"] | {"endpoint": endpoint.json()["id"]})
    yield "create_submission", order
    yield (
        DRY_RUN,
        vendor.post("/submissions?dry_run=true", bodies["SubmissionBody"] | {"endpoint": endpoint.json()["id"]}),
    )
    group = bodies["SubmissionGroupBody"] | {"endpoints": [endpoint.json()["endpoint_id"]]}
    yield "create_submissions", vendor.post("/submission-groups", group)
    address, own = f"/submissions/{order.json()['id']}", f"/models/{bodies['ModelBody']['slug']}"
    yield "set_budget", vendor.post(f"{address}/budget", bodies["BudgetBody"])
    yield "get_submission", vendor.client.get(address)
    yield "pause_submission", vendor.post(f"{address}/pause")
    yield "resume_submission", vendor.post(f"{address}/resume")
    yield "list_submissions", vendor.client.get("/submissions")
    yield "list_askers", vendor.client.get("/addresses")
    webhook = vendor.post("/webhooks", bodies["WebhookBody"] | {"url": NOWHERE})
    yield "create_webhook", webhook
    hook = f"/webhooks/{webhook.json()['id']}"
    sent = vendor.post(f"{hook}/test")
    yield "test_webhook", sent
    yield "redeliver_event", vendor.post(f"{hook}/deliveries/{sent.json()['event']['id']}/redeliver")
    yield "list_deliveries", vendor.client.get(f"{hook}/deliveries")
    yield "update_webhook", vendor.client.patch(hook, json=bodies["WebhookChangeBody"])
    yield "get_webhook", vendor.client.get(hook)
    yield "list_webhooks", vendor.client.get("/webhooks")
    yield "get_webhook_secret", vendor.client.get(f"{hook}/secret")
    yield "rotate_webhook_secret", vendor.post(f"{hook}/rotate")
    dispute = vendor.post("/disputes", bodies["DisputeBody"])
    yield "open_dispute", dispute
    yield "get_dispute", vendor.client.get(f"/disputes/{dispute.json()['id']}")
    yield "list_disputes", vendor.client.get("/disputes")
    yield "list_events", vendor.client.get("/events")
    yield "delete_webhook", vendor.client.delete(hook)
    yield "list_protocols", vendor.client.get("/protocols?price_input=1&price_output=4")
    yield "list_endpoints", vendor.client.get("/endpoints")
    yield "get_endpoint", vendor.client.get(f"/endpoints/{endpoint.json()['endpoint_id']}")
    yield "update_endpoint", patched(vendor, f"/endpoints/{endpoint.json()['id']}", bodies["EndpointChangeBody"])
    yield "list_own_models", vendor.client.get("/models")
    yield "get_own_model", vendor.client.get(own)
    yield "update_model", patched(vendor, own, bodies["ModelChangeBody"])
    yield from of_a_judged_order(vendor)
    yield "cancel_submission", vendor.post(f"{address}/cancel")
    yield "withdraw_model", vendor.post(f"{own}/withdraw", bodies["WithdrawalBody"])
    vendor.post("/models", {"slug": "orion-draft", "name": "Orion draft"})
    yield "delete_model", vendor.client.delete("/models/orion-draft")


def patched(vendor: Vendor, path: str, body: Any) -> httpx.Response:
    """The answer to a change of what is read now."""
    return vendor.client.patch(path, json=body, headers={"If-Match": vendor.client.get(path).headers["etag"]})


def of_a_judged_order(vendor: Vendor) -> Iterator[tuple[str, httpx.Response]]:
    """What is read of a private order that is judged, and of one that a stopped endpoint holds up."""
    publish(vendor.ctx, 1)
    with ModelServer(right) as server:
        vendor.model("vega")
        place = vendor.endpoint(server.url, "vega")
        order = vendor.submit(place, visibility="private")
        move_on()
        infer(vendor.ctx, place)
    judge(vendor.ctx)
    show()
    yield "list_items", vendor.client.get(f"/submissions/{order}/items")
    yield "get_preview", vendor.client.get(f"/submissions/{order}/preview")
    held = vendor.submit(place, configuration={"reasoning_effort": "high"})
    move_on()
    with vendor.ctx.sessions.begin() as session:
        row = session.get_one(Endpoint, place)
        row.stopped_at, row.stopped_reason = now(), Reason("endpoint_stopped")
    move_on()
    yield "retry_submission", vendor.post(f"/submissions/{held}/retry-failed")


def test_the_names_of_operations_stay(document: Any) -> None:
    named = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert sorted(named) == sorted(OPERATIONS)


def test_every_operation_answers_as_declared(url: str, vendor: Vendor, names: Mapping[str, Any], document: Any) -> None:
    described = Description(document)
    places = {operation["operationId"]: place for place, operation in described.operations.items()}
    with httpx.Client(base_url=url, timeout=120, verify=NO_AUTHORITIES) as client:
        answers = {name: client.get(address) for name, address in questions(names).items()}
    answers |= dict(ordered(vendor, document))
    assert sorted(answers) == sorted([*OPERATIONS, DRY_RUN])
    examples: dict[str, Any] = {}
    for name, answer in answers.items():
        status = 201 if name in CREATED else 204 if name in DELETED else 200
        assert answer.status_code == status, f"{name}: {answer.text[:500]}"
        if name in DELETED:
            assert answer.content == b""
            continue
        kind = answer.headers["content-type"].partition(";")[0]
        json_answer = answer.json() if kind == "application/json" else None
        examples |= {} if json_answer is None else {name: json_answer}
        if kind != "text/event-stream" and json_answer is None:
            assert kind in described.operations[places[name]]["responses"]["200"]["content"], name
        if json_answer is not None:
            place = places[name.partition(" ")[0]]
            assert described.fault(*place, answer.status_code, kind, json_answer) is None
    if os.environ.get(RECORDS) == "1":
        kept = {name: shortened(answer) for name, answer in sorted(examples.items())}
        text = json.dumps(kept, indent=1, ensure_ascii=False).replace(NOWHERE, SHOWN)
        EXAMPLES.write_text(f"{text}\n", encoding="utf-8")
    assert sorted(json.loads(EXAMPLES.read_text(encoding="utf-8"))) == sorted(examples)


def shortened(answer: Any) -> Any:
    """An answer with the first entry alone of each list of objects, and with the beginnings of long texts."""
    if isinstance(answer, str):
        return answer if len(answer) <= MAX_TEXT else f"{answer[:MAX_TEXT]}..."
    if isinstance(answer, list):
        return [shortened(part) for part in (answer[:1] if any(isinstance(part, dict) for part in answer) else answer)]
    return {name: shortened(value) for name, value in answer.items()} if isinstance(answer, dict) else answer


def test_examples_are_of_their_shapes(document: Any) -> None:
    described = Description(document)
    for (method, path), operation in described.operations.items():
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json")
            if content is None or not status.startswith("2"):
                continue
            assert "example" in content, operation["operationId"]
            assert described.fault(method, path, int(status), "application/json", content["example"]) is None


def test_examples_of_bodies_are_taken(document: Any) -> None:
    taken = (operation.get("requestBody") for item in document["paths"].values() for operation in item.values())
    schemas = (body["content"]["application/json"]["schema"]["$ref"] for body in taken if body is not None)
    names = {schema.rpartition("/")[2] for schema in schemas}
    assert len(names) > 10
    for name in sorted(names):
        examples = document["components"]["schemas"][name]["examples"]
        assert examples, name
        for example in examples:
            getattr(vendor_bodies, name).model_validate(example)


def test_all_failures_have_one_schema(document: Any) -> None:
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    for item in document["paths"].values():
        for operation in item.values():
            for status, response in operation["responses"].items():
                if status.startswith("4"):
                    assert response["content"] == {"application/problem+json": problem}, operation["operationId"]
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_every_json_answer_names_its_shape(document: Any) -> None:
    for item in document["paths"].values():
        for operation in item.values():
            for status, response in operation["responses"].items():
                schema = response.get("content", {}).get("application/json", {}).get("schema")
                if schema is not None:
                    assert "$ref" in schema.get("items", schema), f"{operation['operationId']} ({status})"


def drifting(document: Any, change: Any) -> str | None:
    """What is said of an answer of the contests after a change."""
    answer = [{"contest": "abc1", "steps": [{"step": "ended", "since": "2026-01-02T03:04:05+00:00"}], "held": []}]
    change(answer[0])
    return Description(document).fault("GET", "/api/v1/status/contests", 200, "application/json", answer)


def test_an_answer_that_drifts_is_told(document: Any) -> None:
    assert drifting(document, lambda contest: None) is None
    assert "'more' was unexpected" in str(drifting(document, lambda contest: contest.update(more=1)))
    assert "required" in str(drifting(document, lambda contest: contest.pop("steps")))
    assert "date-time" in str(drifting(document, lambda contest: contest["steps"][0].update(since="soon")))
    assert drifting(document, lambda contest: contest["steps"][0].update(step="begun")) is not None


def test_whoever_serves_an_answer_that_drifts_is_told(ctx: Context) -> None:
    description(site_of(ctx))  # of this process
    app = site_of(ctx)
    route = next(route for route in app.router.routes if getattr(route, "path", "") == "/healthz")
    app.router.routes.remove(route)
    app.get("/healthz")(lambda: {"status": "up", "more": 1})
    with pytest.raises(AssertionError, match="get_liveness"), served(app) as url:
        httpx.get(f"{url}/healthz", timeout=60, verify=NO_AUTHORITIES)
