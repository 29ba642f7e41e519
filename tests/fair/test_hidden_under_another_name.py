"""What a vendor keeps back under another slug is counted beside what it shows, without its content."""

from factories import World
from httpx import Client

from app.db.tables import Endpoint, Organisation, Submission
from app.domain.asking.protocols import LCB_RECORDED


def test_private_runs_are_counted_over_all_models_of_an_organisation(world: World, client: Client) -> None:
    problem = world.problem("a")
    acme, other = Organisation(slug="acme", name="Acme"), Organisation(slug="other", name="Other")
    world.session.add_all([acme, other])
    world.session.flush()
    world.answer(world.run("orion", organisation_id=acme.id), problem)
    world.answer(world.run("lyra", organisation_id=other.id), problem)
    world.answer(world.run("alone"), problem)
    for slug in ("kept-1", "kept-2"):
        world.answer(world.run(slug, organisation_id=acme.id, public=False), problem)
    world.answer(world.run("kept-3", public=False), problem)
    world.count()
    world.session.commit()
    answer = client.get("/api/v1/boards/codegen")
    found = {row["model"]: row["unpublished_variants"] for row in answer.json()["rows"]}
    assert found == {"orion": 2, "lyra": 0, "alone": 0}
    assert "kept" not in answer.text


def test_another_protocol_or_an_order_that_waits_hides_no_private_run(world: World, client: Client) -> None:
    problem, session = world.problem("a"), world.session
    acme = Organisation(slug="acme", name="Acme")
    session.add(acme)
    session.flush()
    shown = world.run("orion", organisation_id=acme.id)
    world.answer(shown, problem)
    kept = world.run("kept-1", organisation_id=acme.id, public=False, protocol=LCB_RECORDED)
    world.answer(kept, problem)
    world.count()
    endpoint = Endpoint(
        model_id=shown.model_id,
        backend="openai_chat",
        remote_name="kept-2",
        base_url="https://a.test",
        max_concurrency=1,
    )
    session.add(endpoint)
    session.flush()
    waits, begun = None, kept.id  # an order that has begun is counted by its run
    for number, (visibility, state, run) in enumerate(
        [
            ("private", "queued", waits), ("private", "cancelled", waits), ("private", "failed", waits),
            ("public", "queued", waits), ("private", "generating", begun),
        ]
    ):  # fmt: skip
        session.add(
            Submission(
                public_id=f"order-{number}", organisation_id=acme.id, endpoint_id=endpoint.id,
                protocol_id=shown.protocol_id, continuous=True, visibility=visibility, state=state,
                state_since=world.now, owner="us", created_at=world.now, run_id=run,
            )
        )  # fmt: skip
    session.commit()
    answer = client.get("/api/v1/boards/codegen")
    assert [row["unpublished_variants"] for row in answer.json()["rows"]] == [2]
    assert "kept" not in answer.text
