"""A name is read by its look: nobody's model goes by another's."""

import pytest
from sqlalchemy import update
from support.vendors import Vendor

from app.db.tables import Model
from workers.context import Context


@pytest.mark.parametrize("name", ["Orion", "ORION", "\u041erion", "Ori\u03bfn", "O-r i.on", "0r\u0456on"], ids=ascii)
def test_a_name_that_looks_like_another_vendors_is_refused(ctx: Context, vendor: Vendor, url: str, name: str) -> None:
    assert vendor.post("/models", {"slug": "orion", "name": "Orion"}).status_code == 201
    other = Vendor(ctx, url, "zenith")
    refused = other.post("/models", {"slug": "nova", "name": name})
    assert refused.status_code == 409
    assert "looks like a model of another organisation" in refused.json()["detail"]
    assert other.post("/models", {"slug": "nova", "name": "Zenith Orion"}).status_code == 201
    assert vendor.post("/models", {"slug": "orion-2", "name": name}).status_code == 201, "its own is its own"


def test_a_file_s_model_lends_its_name_to_its_organisation_alone(ctx: Context, vendor: Vendor, url: str) -> None:
    assert vendor.post("/models", {"slug": "orion", "name": "Orion"}).status_code == 201
    with ctx.sessions.begin() as session:
        session.execute(update(Model).values(organisation_id=None, organisation_name="Acme"))
    assert vendor.post("/models", {"slug": "orion-2", "name": "Orion"}).status_code == 201
    assert Vendor(ctx, url, "zenith").post("/models", {"slug": "nova", "name": "Orion"}).status_code == 409


def test_a_name_that_covers_the_rows_around_it_is_refused(vendor: Vendor) -> None:
    refused = vendor.post("/models", {"slug": "orion", "name": "Orion" + "\u0333" * 100})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/name")
