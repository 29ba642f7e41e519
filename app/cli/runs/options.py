"""Options that verbs about models and runs share, and the parsers of their values."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from ipaddress import ip_network
from typing import Annotated, Any, Final

import typer

from app.config import inherited_environment
from app.domain.addresses import Network
from app.domain.asking.completions import MAX_ANSWER_S
from app.domain.errors import AddressRefused, InvalidInput
from app.domain.imports import ImportedModel
from app.domain.windows import read_day
from workers.net import check_url

_EVERY_NETWORK: Final = (ip_network("0.0.0.0/0"), ip_network("::/0"))

Released = Annotated[str | None, typer.Option(metavar="DATE", help="The release date, such as 2026-01-31.")]
CutoffDay = Annotated[str | None, typer.Option(metavar="DATE", help="The last day of its training data.")]
Basis = Annotated[str, typer.Option(metavar="declared", help="How the cutoff is known; only declared is accepted.")]
Evidence = Annotated[str | None, typer.Option(metavar="URL", help="Where the cutoff is stated.")]
Organisation = Annotated[str, typer.Option(help="The organisation that makes the model.")]
Link = Annotated[str | None, typer.Option(metavar="URL", help="A page about the model.")]
Dtype = Annotated[str, typer.Option(help="The type of numbers, such as bfloat16.")]
Quantisation = Annotated[str | None, typer.Option(help="The quantisation method, as the engine calls it.")]
MaxLength = Annotated[int | None, typer.Option(help="The most tokens of a prompt and its answer together.")]
MaxRunning = Annotated[int, typer.Option(help="The most requests that the engine runs at once.")]
Memory = Annotated[float | None, typer.Option(help="The share of a device's memory that it may use.")]
Template = Annotated[str | None, typer.Option(metavar="FILE", help="A chat template instead of the model's own.")]
Adapter = Annotated[str | None, typer.Option(metavar="FOLDER", help="A LoRA adapter on top of the weights.")]
Replicas = Annotated[int, typer.Option(help="Copies of the weights that share a worker's devices.")]
Deterministic = Annotated[
    bool, typer.Option("--deterministic", help="Answers do not depend on the engine's other requests.")
]
ReasoningParser = Annotated[str | None, typer.Option(help="The engine's parser for reasoning, by its name.")]

Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout", metavar="SECONDS", min=1, max=MAX_ANSWER_S,
        help="The most seconds that one answer may take; by default 600, or 3600 as a stream.",
    ),
]  # fmt: skip

_MAX_KEY_CHARS: Final = 4000
_MAX_SETTINGS, _MAX_CONFIGURATION_BYTES = 16, 2048  # settings, and bytes of all as JSON: part of a database key
_MAX_PRICE_USD: Final = Decimal(1_000_000)


def parse_day(option: str, text: str | None) -> date | None:
    """Return the date that an option gives. Raises InvalidInput."""
    try:
        return None if text is None else read_day(text)
    except ValueError:
        raise InvalidInput(f"{option} must be a date such as 2026-01-31") from None


def check_basis(text: str) -> None:
    """Raise InvalidInput for a cutoff basis other than "declared"."""
    if text != "declared":
        raise InvalidInput(
            f"--basis must be declared, not {text!r}: without evidence the release date counts, else the day on which "
            "the model was added"
        )


def model_facts(
    slug: str, name: str, organisation: str, released: str | None, cutoff: str | None, basis: str,
    evidence: str | None, link: str | None,
) -> ImportedModel:  # fmt: skip
    """Return the facts of a model that the options give. Raises InvalidInput."""
    check_basis(basis)
    return ImportedModel(
        slug, name, organisation, parse_day("--released", released), parse_day("--cutoff", cutoff), evidence, link,
    )  # fmt: skip


def parse_price(option: str, text: str | None) -> Decimal | None:
    """Return US dollars per million tokens. Raises InvalidInput."""
    try:
        value = None if text is None else Decimal(text)
    except InvalidOperation:
        value = Decimal(-1)
    if value is not None and not (value.is_finite() and 0 <= value <= _MAX_PRICE_USD):
        raise InvalidInput(f"{option} must be US dollars per million tokens, such as 2.5")
    return None if value is None else round(value, 6)


def parse_configuration(settings: Iterable[str]) -> dict[str, Any]:
    """Return the values of `--set NAME=VALUE`: JSON if it parses, else text. Raises InvalidInput."""
    values = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not name.strip() or not equals or not text.isprintable():
            raise InvalidInput(f"--set must be NAME=VALUE, such as reasoning_effort=high, not {setting!r}")
        if name.strip() in values:
            raise InvalidInput(f"--set gives {name.strip()} twice")
        values[name.strip()] = _parse_value(text)
    if len(values) > _MAX_SETTINGS or len(json.dumps(values, ensure_ascii=False).encode()) > _MAX_CONFIGURATION_BYTES:
        raise InvalidInput(f"a configuration has at most {_MAX_SETTINGS} settings and {_MAX_CONFIGURATION_BYTES} bytes")
    return values


def _parse_value(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return text
    return text if value is None else value


def read_key(variable: str | None, file: Any) -> str | None:
    """Return an endpoint's key from an environment variable or a file: other users can read a command line.

    Raises InvalidInput if it is missing, or no text that a request can carry.
    """
    if variable is not None and file is not None:
        raise InvalidInput("give --key-env or --key-file, not both")
    try:
        text = (
            inherited_environment().get(variable) if variable is not None else file and file.read_text(encoding="utf-8")
        )
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"--key-file {file} cannot be read") from error
    if variable is not None and not text:
        raise InvalidInput(f"--key-env: the environment has no {variable}")
    if text is None:
        return None
    word = str(text).strip()
    if not 1 <= len(word) <= _MAX_KEY_CHARS or not (word.isascii() and word.isprintable()) or " " in word:
        raise InvalidInput("a key must be one word of visible ASCII characters")
    return word


def check_address(url: str, allow: Sequence[Network]) -> None:
    """Raise AddressRefused for an address that may not be called; the message tells if an operator may allow it."""
    try:
        check_url(url, allow)
    except AddressRefused as error:
        if not _is_exemptible(url):
            raise
        exempt = "TIDEMARK_ENDPOINT_ALLOW lists networks that may be called anyway"
        raise AddressRefused(f"{error}; {exempt}") from error


def _is_exemptible(url: str) -> bool:
    try:
        check_url(url, _EVERY_NETWORK)
    except AddressRefused:
        return False
    return True
