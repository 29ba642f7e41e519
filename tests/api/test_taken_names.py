"""Names and slugs that another organisation has: what is refused, what comes free, and what is not told."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update
from support.vendors import Vendor, publish

from app.db.tables import AuditEntry, Model, Run
from app.domain.errors import Conflict
from app.services.operations import access
from app.services.vendors import names
from workers import tasks
from workers.context import Context, now


def test_a_name_in_other_scripts_is_refused_and_an_unpublished_model_is_not_named(
    ctx: Context, url: str, vendor: Vendor
) -> None:
    assert vendor.post("/models", {"slug": "pipit", "name": "Pipit Mini"}).status_code == 201
    other = Vendor(ctx, url, "zenith")
    with other.client:
        for number, name in enumerate(("\u03a1\u0399\u03a1\u0399\u03a4 \u039c\u0399\u039d\u0399", "Plplt rnini")):
            answer = other.post("/models", {"slug": f"own-{number}", "name": name})
            assert (answer.status_code, answer.json()["code"]) == (409, "conflict"), name
            assert "looks like a model of another organisation" in answer.json()["detail"]
            assert "Pipit" not in answer.text
        taken = other.post("/models", {"slug": "pipit", "name": "Wren"})
        assert (taken.status_code, taken.json()["detail"]) == (409, "the slug pipit is taken")
    assert vendor.post("/models", {"slug": "pipit-2", "name": "PIPIT MINI"}).status_code == 201, "its own"


def test_a_public_model_is_named_to_one_that_looks_like_it(ctx: Context, url: str, vendor: Vendor) -> None:
    publish(ctx, 1)
    vendor.model()
    vendor.submit(vendor.endpoint("https://93.184.216.34/v1"))
    tasks.sweep()
    with ctx.sessions.begin() as session:
        session.execute(update(Run).values(public=True))
    other = Vendor(ctx, url, "zenith")
    with other.client:
        answer = other.post("/models", {"slug": "zenith-1", "name": "ORI0N"})
    assert answer.status_code == 409
    assert "looks like Orion, which belongs to another organisation" in answer.json()["detail"]


def test_an_organisation_that_looks_like_another_gets_no_key(ctx: Context) -> None:
    ctx.commit(access.issue_key, "pipit-mini", ["models:write"], now())
    for slug in ("plplt-mini", "pipit-rnini", "pipitmini", "p1pit-mini"):
        with pytest.raises(Conflict, match="looks like pipit-mini"):
            ctx.commit(access.issue_key, slug, ["models:write"], now())
    ctx.commit(access.issue_key, "pipit-mini", ["models:write"], now())
    ctx.commit(access.issue_key, "pipit-maxi", ["models:write"], now())


def test_a_vendor_that_files_name_may_come_itself_and_nobody_else(ctx: Context) -> None:
    with ctx.sessions.begin() as session:
        session.add(Model(slug="tern-1", name="Tern 1", organisation_name="Tern Labs", created_at=now()))
    with pytest.raises(Conflict, match="looks like Tern Labs"):
        ctx.commit(access.issue_key, "tem-1abs".replace("m", "rn"), ["models:write"], now())
    ctx.commit(access.issue_key, "tern-labs", ["models:write"], now())


def test_a_slug_comes_free_when_its_model_was_never_ordered(ctx: Context, url: str, vendor: Vendor) -> None:
    publish(ctx, 1)
    for slug in ("idle", "ordered"):
        assert vendor.post("/models", {"slug": slug, "name": f"Own {slug}"}).status_code == 201
    vendor.submit(vendor.endpoint("https://93.184.216.34/v1", "ordered"))
    other = Vendor(ctx, url, "zenith")

    def take(slug: str) -> int:
        return other.post("/models", {"slug": slug, "name": f"Zenith {slug}"}).status_code

    with other.client:
        assert take("idle") == 409, "it is new"
        with ctx.sessions.begin() as session:
            session.execute(update(Model).values(created_at=now() - names.UNUSED_SLUG_LIFETIME - timedelta(hours=1)))
        assert (take("idle"), take("ordered")) == (201, 409)
    with ctx.sessions() as session:
        old = session.scalars(select(Model).where(Model.name == "Own idle")).one()
        line = session.scalars(select(AuditEntry).where(AuditEntry.action == "model.slug_released")).one()
        assert (old.slug, line.before, line.after) == (f"idle-{old.id}", "idle", old.slug)
    body = {"model": old.slug, "remote_name": "x", "base_url": "https://93.184.216.34/v1"}
    assert vendor.post("/endpoints", body).status_code == 201, "the model goes on under its new slug"
