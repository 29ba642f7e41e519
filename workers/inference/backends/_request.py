"""Making requests, for all formats: sampling under the format's names, settings, and the address."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from app.domain.asking.completions import EndpointSpec, InferenceRequest
from app.domain.asking.protocols import Sampling
from app.domain.errors import InvalidInput

# Longer answers are streamed, so that no proxy takes the silence for a dead connection.
STREAM_ABOVE_TOKENS: Final = 16_384
_MAY_OMIT: Final = frozenset({"temperature", "top_p", "seed", "n"})


def sampling_fields(endpoint: EndpointSpec, request: InferenceRequest, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the protocol's sampling fields, each under the name that `names` has for that field of Sampling.

    Fields that the protocol does not set or the endpoint omits are not sent. A seed is best effort: a format without
    one is asked without it. Raises InvalidInput if the format has no place for any other field that is set.
    """
    sampling, left_out = request.sampling, omitted_fields(endpoint)
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


def omitted_fields(endpoint: EndpointSpec) -> frozenset[str]:
    """Return the fields that the endpoint refuses. Raises InvalidInput for a field that must be sent."""
    names = frozenset(map(str, endpoint.extra.get("omit", ())))
    for name in sorted(names - _MAY_OMIT):
        raise InvalidInput(f"the field {name!r} cannot be left out", pointer="/extra/omit")
    return names


def should_stream(endpoint: EndpointSpec, sampling: Sampling) -> bool:
    """Return whether to stream the answer: as the endpoint says, by default if it may be long."""
    return bool(endpoint.extra.get("stream", sampling.max_tokens > STREAM_ABOVE_TOKENS))


def place_settings(body: dict[str, Any], configuration: Mapping[str, Any], settings: Mapping[str, str]) -> None:
    """Put each setting in its place in the body, such as `thinking.budget_tokens`, as `settings` gives it.

    Raises InvalidInput for a list or an object inside an object, which only a provider's own names may hold.
    """
    for name, value in configuration.items():
        *outer, last = settings[name].split(".")
        spot = body
        for step in outer:
            spot = spot.setdefault(step, {})
        if not isinstance(spot, dict) or (outer and isinstance(value, list | dict)):
            raise InvalidInput(f"{name} must be one plain value", pointer=f"/configuration/{name}")
        present = spot.get(last)
        spot[last] = (
            {**value, **present} if isinstance(value, dict) and isinstance(present, dict) else _copy_object(value)
        )


def _copy_object(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else value


@lru_cache(maxsize=256)  # endpoints are few
def url(base: str, end: str, query: str = "") -> str:
    """Return the address of an API's method; the base may already end with its path, and its own query stays."""
    parts = urlsplit(base)
    path = parts.path.rstrip("/")
    path = path if path.endswith(end) else f"{path}{end}"
    return urlunsplit(parts._replace(path=path, query="&".join(filter(None, (parts.query, query)))))


def headers(**more: str | None) -> dict[str, str]:
    """Return the headers of every call, and those given; `_` in a name stands for `-`, and None leaves it out."""
    extra = {name.replace("_", "-"): value for name, value in more.items() if value is not None}
    return {"content-type": "application/json", "accept": "application/json", **extra}


def bearer_headers(endpoint: EndpointSpec) -> dict[str, str]:
    """Return the headers of a format that sends the secret as a bearer token."""
    return headers(authorization=f"Bearer {endpoint.secret}" if endpoint.secret else None)
