"""Who had which addresses asked, as maintainers see it."""

from datetime import timedelta

from factories import World
from pipeline.flow import NOW

from app.db.kernel.session import Session
from app.db.tables import Endpoint, ExposureRow, Organisation
from app.db.vendors import addresses


def sent(world: World, who: Organisation | None, address: str, hour: int) -> None:
    """An endpoint of an organisation, or of the operator, is sent a problem."""
    session = world.session
    model = world.model(f"m-{hour}", organisation_id=None if who is None else who.id)
    endpoint = Endpoint(model_id=model.id, backend="openai_chat", remote_name="m", base_url=f"https://{address}",
                        max_concurrency=1)  # fmt: skip
    session.add(endpoint)
    session.flush()
    problem, at = world.problem(f"p-{hour}"), NOW + timedelta(hours=hour)
    session.add(ExposureRow(endpoint_id=endpoint.id, problem_id=problem.id, sent_at=at, address=address))
    session.flush()


def test_an_address_is_listed_once_two_have_had_it_asked(session: Session) -> None:
    world, names = World(session), ("acme", "bolt", "crux")
    owners = [Organisation(slug=name, name=name) for name in names]
    session.add_all(owners)
    session.flush()
    for hour, name in enumerate((*names, "acme")):
        sent(world, owners[names.index(name)], f"{name}:443", hour)
    assert addresses.shared_address_usage(session) == [], "each has its own"
    sent(world, None, "acme:443", 4)
    listed = [
        (one.address, one.organisation, one.problems, one.first_sent_at - NOW, one.last_sent_at - NOW)
        for one in addresses.shared_address_usage(session)
    ]
    at = [timedelta(hours=hour) for hour in range(5)]
    assert listed == [("acme:443", "acme", 2, at[0], at[3]), ("acme:443", None, 1, at[4], at[4])]
