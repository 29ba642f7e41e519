"""What a vendor keeps back under another slug is counted beside what it shows, without its content."""

from factories import World
from httpx import Client

from app.db.tables import Organisation


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
