"""Gateways: hosts that serve models of several vendors, and what tells these apart there. Pure.

Elsewhere one host and port is one deployment, whatever its paths and names of models are: its owner chooses these.
At a gateway it does not choose the part that names it: the namespace of the model's name, or a segment of the path.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from app.domain.addresses import host_of


@dataclass(frozen=True, slots=True)
class Gateway:
    """A gateway's host and port, and the segment of its paths that names a tenant, counted from 1.

    Without a segment, the namespace of the model's name does: `acme` of `acme/orion:free`.
    """

    address: str
    path_segment: int | None = None

    def tenant_of(self, base_url: str, remote_name: str) -> str:
        """Return which tenant an endpoint is of; empty if it names none, as all such endpoints are one."""
        if self.path_segment is None:
            namespace, slash, _ = remote_name.strip().partition("/")
            return namespace.casefold() if slash else ""
        segments = [unquote(part).casefold() for part in urlsplit(base_url).path.split("/") if part not in ("", ".")]
        return segments[self.path_segment - 1] if len(segments) >= self.path_segment else ""


# Public gateways whose names of models begin with their vendors.
SHIPPED_GATEWAYS: Final[Mapping[str, Gateway]] = {
    address: Gateway(address)
    for address in (
        "ai-gateway.vercel.sh:443", "api.deepinfra.com:443", "api.novita.ai:443", "api.siliconflow.com:443",
        "api.studio.nebius.com:443", "api.together.xyz:443", "openrouter.ai:443", "router.huggingface.co:443",
        "router.requesty.ai:443",
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Deployment:
    """A place of endpoints of one owner: a host and port, and the tenant at a gateway."""

    address: str
    tenant: str = ""


def deployment_of(gateways: Mapping[str, Gateway], base_url: str, remote_name: str) -> Deployment:
    """Return the deployment of an endpoint; `gateways` are the known ones by address."""
    address = host_of(base_url)
    gateway = gateways.get(address)
    return Deployment(address, "" if gateway is None else gateway.tenant_of(base_url, remote_name))
