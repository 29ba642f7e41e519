"""Request bodies of vendors: every field with its meaning and bounds."""

import json
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    PlainValidator,
    StrictBool,
)

from app.api.requests import Body
from app.domain.asking.completions import MAX_ANSWER_S
from app.domain.characters import has_invisible, has_stacked_marks
from app.domain.vendors.webhooks import EVENT_TYPES
from app.domain.windows import FIRST_DAY, LAST_DAY, read_day
from workers.inference.backends import backends

_MIN_TEXT_CHARS = 10
_MAX_SHORT_CHARS = 64
_MAX_CONFIGURATION_BYTES = 2048  # bytes; a configuration's text is part of a database key


def _check_readable(text: str) -> str:
    # Unprintable characters can hide others or reverse the direction of their neighbours.
    if not text.strip() or not text.isprintable() or has_invisible(text):
        raise ValueError("give visible text, without invisible, control or direction characters")
    if has_stacked_marks(text):
        raise ValueError("give visible text: a letter carries at most three marks")
    return text


def _check_lines(text: str) -> str:
    lines = [_check_readable(line) for line in text.strip().splitlines() if line.strip()]
    if sum(map(len, lines)) < _MIN_TEXT_CHARS:
        raise ValueError(f"write at least {_MIN_TEXT_CHARS} characters")
    return text.strip()


def _parse_day(value: object) -> date:
    if not isinstance(value, str):
        raise ValueError("give a day such as 2026-01-31")  # noqa: TRY004  # pydantic reports ValueError alone
    return read_day(value)


def _parse_instant(value: datetime) -> datetime:
    # Compared by day: an instant at either limit cannot be converted to another time zone.
    if not FIRST_DAY <= value.date() <= LAST_DAY:
        raise ValueError(f"give a time from {FIRST_DAY} to {LAST_DAY}")
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _check_setting(value: object) -> object:
    if isinstance(value, int | float) and not -(2**63) <= value < 2**63:
        raise ValueError("give a number within 64 bits")
    if isinstance(value, str):
        if not 1 <= len(value) <= _MAX_SHORT_CHARS:
            raise ValueError(f"give a text of 1 to {_MAX_SHORT_CHARS} characters")
        return _check_readable(value)
    if not isinstance(value, bool | int | float):
        raise ValueError("give a text, a number, true or false")  # noqa: TRY004  # pydantic reports ValueError alone
    return value


def _check_format(name: str) -> str:
    if name not in _formats():
        raise ValueError(f"give one of {', '.join(_formats())}")
    return name


def _formats() -> list[str]:
    # Back ends that read this machine's disk are for operators alone.
    return [name for name, backend in backends().items() if backend.locate is None]


def _add_formats(schema: dict[str, Any]) -> None:
    schema["enum"] = _formats()


def _check_size(configuration: dict[str, "Setting"]) -> dict[str, "Setting"]:
    if len(json.dumps(configuration, ensure_ascii=False).encode()) > _MAX_CONFIGURATION_BYTES:
        raise ValueError(f"a configuration may hold at most {_MAX_CONFIGURATION_BYTES} bytes as JSON")
    return configuration


Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]
Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_readable)]
Short = Annotated[str, Field(min_length=1, max_length=_MAX_SHORT_CHARS), AfterValidator(_check_readable)]
# Judged whole, and not by a union: its faults would name every type that it is not.
Setting = Annotated[Any, PlainValidator(_check_setting, json_schema_input_type=str | bool | int | float)]
Configuration = Annotated[dict[Short, Setting], Field(max_length=16), AfterValidator(_check_size)]
Format = Annotated[str, AfterValidator(_check_format)]
Price = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=6)]
Money = Annotated[Decimal, Field(ge=0, le=10**9, max_digits=15, decimal_places=6)]
Day = Annotated[date, BeforeValidator(_parse_day)]
Instant = Annotated[datetime, AfterValidator(_parse_instant)]
Url = Annotated[str, Field(max_length=2000, pattern=r"^[^#]*$")]
EventTypes = Annotated[list[str], Field(max_length=50, json_schema_extra={"items": {"enum": list(EVENT_TYPES)}})]
Secret = Annotated[str, Field(min_length=1, max_length=4000, pattern=r"^[\x21-\x7e]+$")]


def _with_example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


class CutoffBody(Body):
    """The last day of a model's training data, with the evidence.

    It is in force once a maintainer has accepted the evidence. Until then the cutoff is the day on which the model was
    registered, or the day on which a run of it was pre-registered if that is later.
    """

    date: Day = Field(description="the last day of its training data")
    evidence_url: HttpUrl | None = Field(None, description="where that is said; without it no maintainer can accept it")


class DeclarationBody(Body):
    """The dates of a model, as its vendor declares them."""

    model_config = _with_example(
        released_on="2026-06-30",
        cutoff={"date": "2026-03-31", "evidence_url": "https://orion.example/model-card"},
    )

    released_on: Day | None = Field(
        None, description="the day it came out; it waits for a maintainer as the cutoff does"
    )
    cutoff: CutoffBody | None = Field(None, description="when its training data ends")


class ModelBody(DeclarationBody):
    """The model to register, and what its vendor declares of it."""

    model_config = _with_example(
        slug="orion-1",
        name="Orion 1",
        cutoff={"date": "2026-03-31", "evidence_url": "https://orion.example/model-card"},
    )

    slug: Slug = Field(description="its name in addresses: small letters, digits and hyphens")
    name: Name = Field(description="its name on boards")
    link: HttpUrl | None = Field(None, description="a page about it")


class ModelChangeBody(Body):
    """New facts of a model; those left out or null stay."""

    model_config = _with_example(link="https://orion.example/model-card")

    slug: Slug | None = Field(None, description="its name in addresses; until the first prompt")
    name: Name | None = Field(None, description="its name on boards; until the first prompt")
    link: HttpUrl | None = Field(None, description="a page about it")


class WithdrawalBody(Body):
    """The reason of a withdrawal, which is public."""

    model_config = _with_example(reason="Orion 1 is no longer served.")

    reason: Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_check_readable)] = Field(
        description="why the model leaves the boards, for everybody to read"
    )


class EndpointChangeBody(Body):
    """New facts of an endpoint; those left out or null stay."""

    model_config = _with_example(max_concurrency=4)

    base_url: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^[^?#]*$")] | None = Field(
        None, description="another public https address, with the secret given again; until the first answer"
    )
    secret: Secret | None = Field(None, description="a new secret, sent in its format's own header")
    max_concurrency: Annotated[int, Field(ge=1, le=256)] | None = Field(None, description="the most requests at once")
    timeout_s: Annotated[float, Field(ge=1, le=MAX_ANSWER_S, allow_inf_nan=False)] | None = Field(
        None, description="the longest that one answer may take, in seconds"
    )
    price_input: Price | None = Field(None, description="US dollars per million tokens read")
    price_cached: Price | None = Field(None, description="US dollars per million tokens read from a cache")
    price_output: Price | None = Field(None, description="US dollars per million tokens written")


class EndpointBody(Body):
    """The endpoint that serves a model. The secret is stored encrypted and never shown again."""

    model_config = _with_example(
        model="orion-1",
        remote_name="orion-1",
        base_url="https://api.orion.example/v1",
        secret="SECRET",  # noqa: S106
    )

    model: Slug = Field(description="the slug of a model of yours")
    protocol: Format = Field("openai_chat", description="the format it speaks", json_schema_extra=_add_formats)
    remote_name: Name = Field(description="what the endpoint calls the model")
    base_url: Annotated[str, Field(max_length=2000, pattern=r"^[^?#]*$")] = Field(
        description="a public https address, up to and without the format's own path such as /chat/completions, and "
        "without query or fragment"
    )
    secret: Secret | None = Field(None, description="sent to the endpoint in its format's own header")
    max_concurrency: Annotated[int, Field(ge=1, le=256)] | None = Field(
        None, description="the most requests at once; 8 unless given"
    )
    timeout_s: Annotated[float, Field(ge=1, le=MAX_ANSWER_S, allow_inf_nan=False)] | None = Field(
        None,
        description="the longest that one answer may take, in seconds; unless given, an answer that is not streamed "
        "may take 10 minutes and a stream an hour",
    )
    price_input: Price | None = Field(None, description="US dollars per million tokens read")
    price_cached: Price | None = Field(
        None, description="US dollars per million tokens read from a cache; as `price_input` unless given"
    )
    price_output: Price | None = Field(None, description="US dollars per million tokens written")


class WindowBody(Body):
    """Release days `[from, to)`, UTC."""

    start: Day = Field(alias="from", description="the first release day")
    end: Day = Field(alias="to", description="the day after the last release day")


def _check_endpoint(value: object) -> object:
    named = isinstance(value, str) and re.fullmatch(r"ep_[0-9a-f]{32}", value) is not None
    numbered = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 2**62
    if not named and not numbered:
        raise ValueError("give the `id` or the `endpoint_id` of an endpoint of yours")
    return value


EndpointId = Annotated[int | str, BeforeValidator(_check_endpoint)]


class OrderTerms(Body):
    """Terms of a submission: a configuration over a window, or continuously."""

    protocol: Slug = Field(
        "fresh",
        description="the protocol to run under: a shipped one, or one open to orders; `practice` counts nowhere",
    )
    configuration: Configuration = Field(
        {}, description="fields sent with every request, such as reasoning_effort; at most 2 KiB as JSON"
    )
    window: WindowBody | None = Field(
        None, description="the release days of the problems; a practice order without one asks all of them"
    )
    continuous: bool = Field(
        default=False, description="every problem released from today (UTC) on, in place of a window"
    )
    visibility: Literal["public", "private"] = Field("public", description="who sees the results")
    embargo_until: Instant | None = Field(None, description="show nothing before this instant; UTC unless it says")
    budget_usd: Money | None = Field(
        None, description="US dollars that the order may cost at the endpoint's prices, which must be registered"
    )


class SubmissionBody(OrderTerms):
    """A submission: one endpoint's model, in one configuration, over a window or continuously."""

    model_config = _with_example(endpoint=1, protocol="fresh", continuous=True)

    endpoint: EndpointId = Field(description="the `id` or the `endpoint_id` of an endpoint of yours")


class SubmissionGroupBody(OrderTerms):
    """Submissions of several models on the same terms: all are placed, or none."""

    model_config = _with_example(endpoints=[1], protocol="fresh", continuous=True)

    endpoints: Annotated[list[EndpointId], Field(min_length=1, max_length=50)] = Field(
        description="endpoints of yours, each named once by its `id` or its `endpoint_id`"
    )


class ProbeBody(Body):
    """The protocol and the configuration whose requests a probe of an endpoint resembles."""

    model_config = _with_example(protocol="fresh", configuration={})

    protocol: Slug = Field("fresh", description="the protocol whose fields and limits are tried")
    configuration: Configuration = Field({}, description="fields sent with every request, as in a submission")


class BudgetBody(Body):
    """The new budget of a submission."""

    model_config = _with_example(usd=25)

    usd: Money | None = Field(description="US dollars, those spent already included; null for no limit")


class DisputeBody(Body):
    """A dispute: what is wrong with a verdict, a cutoff or the exposures of a model of yours."""

    model_config = _with_example(
        about="cutoff",
        model="orion-1",
        text="The model card states an earlier end of the training data than the board shows.",
        evidence_url="https://orion.example/model-card",
    )

    about: Literal["verdict", "cutoff", "exposure"] = Field(description="what is disputed")
    model: Slug | None = Field(None, description="the slug of a model of yours: for a cutoff or its exposures")
    sample: Annotated[int, Field(ge=1, le=2**62)] | None = Field(
        None, description="the number of a sample of a model of yours: for its verdict"
    )
    text: Annotated[str, Field(max_length=4000), AfterValidator(_check_lines)] = Field(
        description="what is wrong, in 10 to 4,000 characters; maintainers read it, and it may be quoted in public"
    )
    evidence_url: HttpUrl | None = Field(None, description="a page that shows it")


class WebhookBody(Body):
    """An address to send events to."""

    model_config = _with_example(url="https://ci.orion.example/tidemark", events=["submission.published"])

    url: Url = Field(description="a public https address, checked now and at every message; redirects are not followed")
    events: EventTypes = Field([], description="types of the events to send; all if there are none")


class WebhookChangeBody(Body):
    """Changes of a webhook; what is left out stays."""

    model_config = _with_example(enabled=True)

    url: Url | None = Field(None, description="a public https address")
    events: EventTypes | None = Field(None, description="types of the events to send; all if the list is empty")
    enabled: StrictBool | None = Field(None, description="false: send nothing; true: send what happens from now on")
