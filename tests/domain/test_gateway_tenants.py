"""What tells the tenants of a gateway apart."""

from app.domain.vendors.gateways import SHIPPED_GATEWAYS, Gateway, deployment_of


def test_tenants_are_told_apart_by_what_their_owners_do_not_choose() -> None:
    by_path = {"gw.example:443": Gateway("gw.example:443", 2)}
    places = [
        deployment_of(by_path, f"https://GW.example/{path}", "default").tenant
        for path in ("tenants/acme/v1", "/tenants//Acme/v2/", "tenants/%61cme", "tenants/birds/v1", "tenants", "")
    ]
    assert places == ["acme", "acme", "acme", "birds", "", ""]
    names = ("acme/orion", "ACME/orion-2:free", "birds/gull", "orion", "lyra")
    tenants = [deployment_of(SHIPPED_GATEWAYS, "https://openrouter.ai/api/v1", name).tenant for name in names]
    assert tenants == ["acme", "acme", "birds", "", ""], "names without a namespace are one tenant"
    assert deployment_of(SHIPPED_GATEWAYS, "https://api.acme.com/v1", "birds/gull").tenant == ""
