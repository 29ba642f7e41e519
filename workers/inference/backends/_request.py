"""What all formats share when a request is made: sampling under the format's names, settings, and the address."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from app.domain.asking.completions import EndpointSpec, InferenceRequest
from app.domain.asking.protocols import Sampling
from app.domain.errors import InvalidInput

LONG: Final = 16_384  # tokens; a longer answer is streamed, so that no proxy takes its silence for a dead connection
_MAY_OMIT: Final = frozenset({"temperature", "top_p", "seed", "n"})


def sampled(endpoint: EndpointSpec, request: InferenceRequest, names: Mapping[str, str]) -> dict[str, Any]:
    """What the protocol decides, each under the name that `names` has for that field of Sampling.

    What the protocol does not set is not sent, nor what the endpoint omits. A seed is best effort: a format without
    one is asked without it. Raises InvalidInput where the format has no place for anything else that is set.
    """
    sampling, left_out = request.sampling, omitted(endpoint)
    values = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens if endpoint.limits_tokens else None,
        "top_k": sampling.top_k,
        "repetition_penalty": sampling.repetition_penalty,
        "stop": list(sampling.stop) or None,
        "seed": request.seed if "seed" in names else None,
    }
    body = {}
    for field, value in values.items():
        if value is None or field in left_out:
            continue
        if field not in names:
            raise InvalidInput(
                f"the protocol sets {field}, which the back end {endpoint.backend} cannot send", pointer="/protocol"
            )
        name = names[field]
        body[str(endpoint.extra.get("max_tokens_field", name)) if field == "max_tokens" else name] = value
    return body


def omitted(endpoint: EndpointSpec) -> frozenset[str]:
    """The fields that the endpoint refuses. Raises InvalidInput for one that has to be sent."""
    names = frozenset(map(str, endpoint.extra.get("omit", ())))
    for name in sorted(names - _MAY_OMIT):
        raise InvalidInput(f"the field {name!r} cannot be left out", pointer="/extra/omit")
    return names


def streams(endpoint: EndpointSpec, sampling: Sampling) -> bool:
    """Whether the answer is to be streamed: as the endpoint says, else where it may be long."""
    return bool(endpoint.extra.get("stream", sampling.max_tokens > LONG))


def place(body: dict[str, Any], configuration: Mapping[str, Any], settings: Mapping[str, str]) -> None:
    """Put each setting where `settings` says its value stands in the body, such as `thinking.budget_tokens`.

    Raises InvalidInput for a list or an object inside an object, which only a provider's own names may hold.
    """
    for name, value in configuration.items():
        *outer, last = settings[name].split(".")
        spot = body
        for step in outer:
            spot = spot.setdefault(step, {})
        if not isinstance(spot, dict) or (outer and isinstance(value, list | dict)):
            raise InvalidInput(f"{name} must be one plain value", pointer=f"/configuration/{name}")
        known = spot.get(last)
        spot[last] = {**value, **known} if isinstance(value, dict) and isinstance(known, dict) else _copied(value)


def _copied(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else value


@lru_cache(maxsize=256)  # endpoints are few
def url(base: str, end: str, query: str = "") -> str:
    """The address of a method of an API: its path may already end with it, and its own query stays."""
    parts = urlsplit(base)
    path = parts.path.rstrip("/")
    path = path if path.endswith(end) else f"{path}{end}"
    return urlunsplit(parts._replace(path=path, query="&".join(filter(None, (parts.query, query)))))


def headers(**more: str | None) -> dict[str, str]:
    """The headers of every call, and those given; `_` in a name stands for `-`, and None leaves it out."""
    given = {name.replace("_", "-"): value for name, value in more.items() if value is not None}
    return {"content-type": "application/json", "accept": "application/json", **given}


def bearer(endpoint: EndpointSpec) -> dict[str, str]:
    """The headers of a format that sends the secret as a bearer token."""
    return headers(authorization=f"Bearer {endpoint.secret}" if endpoint.secret else None)
