"""Who orders or registers without end keeps nobody else waiting."""

from fakes.model_server import ModelServer
from sqlalchemy import select
from support.vendors import Vendor, publish, right

from app.db.tables import Model, Organisation, Submission
from app.services.vendors.registrations import MAX_MODELS
from app.services.vendors.submissions import MAX_OPEN_SUBMISSIONS
from workers.context import Context, now


def fill(ctx: Context, order: str) -> None:
    """As many orders like this one as its organisation may have."""
    with ctx.sessions.begin() as session:
        given = session.scalars(select(Submission).where(Submission.public_id == order)).one()
        like = {column.key: getattr(given, column.key) for column in Submission.__table__.columns if column.key != "id"}
        session.add_all(
            Submission(**{**like, "public_id": f"sub_{number}"}) for number in range(MAX_OPEN_SUBMISSIONS - 1)
        )


def test_an_organisation_has_so_many_orders_under_way_and_no_more(ctx: Context, vendor: Vendor, url: str) -> None:
    publish(ctx, 1)
    other = Vendor(ctx, url, "zenith")
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        fill(ctx, order)
        refused = vendor.post("/submissions", {"endpoint": endpoint, "continuous": True})
        assert refused.status_code == 409
        assert refused.json()["detail"].startswith(f"{MAX_OPEN_SUBMISSIONS} of your submissions are open")
        other.model("nova")
        other.submit(other.endpoint(server.url, "nova"))
        assert vendor.post(f"/submissions/{order}/cancel").status_code == 200
        vendor.submit(endpoint)
    with ctx.sessions() as session:
        assert len(session.scalars(select(Submission.id)).all()) == MAX_OPEN_SUBMISSIONS + 2


def test_an_organisation_has_so_many_models_and_no_more(ctx: Context, vendor: Vendor, url: str) -> None:
    with ctx.sessions.begin() as session:
        owner = session.scalars(select(Organisation.id).where(Organisation.slug == "acme")).one()
        session.add_all(
            Model(slug=f"orion-{number}", name=f"Orion {number}", organisation_id=owner, created_at=now())
            for number in range(MAX_MODELS - 1)
        )
    assert vendor.post("/models", {"slug": "orion", "name": "Orion"}).status_code == 201
    refused = vendor.post("/models", {"slug": "orion-x", "name": "Orion X"})
    assert refused.status_code == 409
    assert refused.json()["detail"].startswith(f"you have reached the limit of {MAX_MODELS} models")
    assert Vendor(ctx, url, "zenith").post("/models", {"slug": "nova", "name": "Nova"}).status_code == 201
