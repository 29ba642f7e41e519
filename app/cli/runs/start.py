"""`tidemark run start`: starts a public model or our own weights under a protocol, with a forecast."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli.parser import State
from app.cli.runs import options
from app.config import Settings
from app.domain.asking.money import format_dollars
from app.domain.asking.weights import Weights
from app.domain.errors import InvalidInput
from app.domain.slugs import model_slug
from app.services.runs.control import start as service
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.control.forecast import Forecast
from app.services.runs.control.start import RunRequest, StartedRun
from app.services.runs.models import SLUG
from app.supervise import open_state
from workers.context import Context, make_context, now, use
from workers.inference.backends import check_run, named_backend

BACKEND = "openai_chat"
_FORECAST_BASES = {
    "run": "answers of this model under this protocol",
    "protocol": "answers of other models under this protocol",
    "scenario": "answers under other protocols of its scenario",
}


def start(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Its slug, or the name of a new one.")],
    protocol: Annotated[str, typer.Option(metavar="SLUG", help="The protocol it is run under.")],
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it is served; for --backend replay, a file of answers.")
    ] = None,
    gpu: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Weights that GPU workers serve: a folder, or a name in their hub."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of every request, such as effort."),
    ] = None,
    key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="The environment variable that holds the endpoint's key.")
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file that holds the endpoint's key.")
    ] = None,
    backend: Annotated[str, typer.Option(help="The endpoint's API format.")] = BACKEND,
    remote_name: Annotated[str | None, typer.Option(help="The model's name in requests; MODEL by default.")] = None,
    price_input: Annotated[str | None, typer.Option(metavar="USD", help="Price of a million input tokens.")] = None,
    price_cached: Annotated[
        str | None, typer.Option(metavar="USD", help="Price of a million cached input tokens.")
    ] = None,
    price_output: Annotated[str | None, typer.Option(metavar="USD", help="Price of a million output tokens.")] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, max=1024, help="The most requests at once; 8 by default.")
    ] = None,
    timeout: options.Timeout = None,
    max_tokens_field: Annotated[
        str | None, typer.Option(metavar="NAME", help="The endpoint's name for max_tokens.")
    ] = None,
    omit: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A sampling field that the endpoint refuses; repeatable.")
    ] = None,
    answers_per_request: Annotated[
        int | None, typer.Option(min=1, max=64, help="Answers per request, if the format allows it.")
    ] = None,
    name: Annotated[str, typer.Option(help="A new model's name on boards; MODEL by default.")] = "",
    organisation: options.Organisation = "",
    released: options.Released = None,
    cutoff: options.CutoffDay = None,
    basis: options.Basis = "declared",
    evidence: options.Evidence = None,
    link: options.Link = None,
    dtype: options.Dtype = "auto",
    quantisation: options.Quantisation = None,
    max_length: options.MaxLength = None,
    max_running: options.MaxRunning = 256,
    memory: options.Memory = None,
    template: options.Template = None,
    reasoning_parser: options.ReasoningParser = None,
    adapter: options.Adapter = None,
    replicas: options.Replicas = 1,
    reason: Annotated[
        str, typer.Option(help="The reason; kept in the audit log, and public.")
    ] = "begun by a maintainer",
    state: State = None,
    *,
    deterministic: options.Deterministic = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; print what it would ask and cost.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run and its forecast as JSON.")] = False,
) -> None:
    """Start a model's standing run, and the runs it continues; new problems extend it.

    The forecast is the mean cost of earlier answers at the prices given: those of this model under the protocol, else
    of all models under it, else under its scenario. It is unknown without a price or without earlier answers.

    Examples:
      ./tidemark run start orion-5 --protocol fresh --endpoint URL --dry-run
    """
    slug = model if SLUG.fullmatch(model) else model_slug(model)
    if gpu is None and any((template, quantisation, reasoning_parser, max_length, memory, adapter, replicas > 1,
                            deterministic)):  # fmt: skip
        raise InvalidInput("these options are for weights: give --gpu")
    if endpoint is None and any((key_env, key_file, price_input, price_cached, price_output, concurrency, omit,
                                 max_tokens_field, timeout, answers_per_request)):  # fmt: skip
        raise InvalidInput("these options are for an endpoint: give --endpoint")
    served = (
        None
        if endpoint is None
        else NewEndpoint(
            slug,
            backend,
            remote_name or model,
            _address(backend, endpoint),
            options.read_key(key_env, key_file),
            concurrency,
            options.parse_price("--price-input", price_input),
            options.parse_price("--price-cached", price_cached),
            options.parse_price("--price-output", price_output),
            _extra(max_tokens_field, omit, answers_per_request),
            timeout,
        )
    )
    weights = None if gpu is None else Weights(
        _resolve_path(gpu), remote_name or slug, dtype, quantisation, max_length, max_running, memory, template,
        reasoning_parser, adapter=None if adapter is None else _resolve_path(adapter), replicas=replicas,
        deterministic=deterministic,
    )  # fmt: skip
    facts = options.model_facts(slug, name or model, organisation, released, cutoff, basis, evidence, link)
    order = RunRequest(slug, protocol, reason, served, weights, options.parse_configuration(settings or ()), facts)
    with open_state(state, begun=True) as app_settings:
        _check(order, app_settings)
        started = _start(use(make_context(app_settings)), order, dry_run=dry_run)
    if as_json:
        body = _json(started, dry_run=dry_run)
        if started.before:
            body["before"] = [
                {"protocol": earlier.protocol, **_json(earlier, dry_run=dry_run)} for earlier in started.before
            ]
        print(json.dumps(body))
        return
    print("\n".join(_start_lines(started, dry_run=dry_run, is_up=app_settings.is_served)))


def _json(started: StartedRun, *, dry_run: bool) -> dict[str, object]:
    run, cost = None if dry_run and started.is_new else started.run, started.forecast.cost
    return {"run": run, "wanted": started.forecast.wanted, "forecast_cost": None if cost is None else float(cost)}


def _start(ctx: Context, order: RunRequest, *, dry_run: bool) -> StartedRun:
    if dry_run:
        with ctx.sessions() as session:  # never committed: what would be is counted, and let go
            return service.start(session, order, now(), ctx.vault, check_run)
    started = ctx.commit(service.start, order, now(), ctx.vault, check_run)
    ctx.wake("plan")
    return started


def _check(order: RunRequest, settings: Settings) -> None:
    """Raise InvalidInput or AddressRefused for an address that may not be called."""
    if order.endpoint is not None and named_backend(order.endpoint.backend).locate is None:
        options.check_address(order.endpoint.base_url, settings.endpoint_allow)


def _address(backend: str, place: str) -> str:
    """Return an endpoint's URL as given, or the file and digest of recorded answers."""
    locate = named_backend(backend).locate
    return place if locate is None else locate(place)


def _extra(max_tokens_field: str | None, omit: list[str] | None, answers: int | None) -> dict[str, object] | None:
    extra = {"max_tokens_field": max_tokens_field, "omit": omit, "answers": answers}
    return {name: value for name, value in extra.items() if value} or None


def _resolve_path(path: str) -> str:
    """Return the absolute path of a folder on this machine; any other name belongs to the workers' hub."""
    folder = Path(path).expanduser()
    return str(folder.resolve()) if folder.is_dir() else path


def _start_lines(started: StartedRun, *, dry_run: bool, is_up: bool) -> list[str]:
    lines = [line for begun in (*started.before, started) for line in _describe(begun, dry_run=dry_run)]
    if not dry_run and started.is_local:
        lines.append("`./tidemark worker gpu` asks it")
    elif not dry_run and not is_up:
        lines.append("`./tidemark up` asks it")
    return lines


def _describe(started: StartedRun, *, dry_run: bool) -> tuple[str, str]:
    forecast = started.forecast
    what = f"{started.model} under {started.protocol}"
    samples = f"{forecast.wanted} samples wanted, {forecast.lacking} of them not answered yet"
    run = f"{what}: {samples}; nothing was written" if dry_run else f"run {started.run}: {what}, {samples}"
    return run, _describe_cost(forecast)


def _describe_cost(forecast: Forecast) -> str:
    if forecast.cost is None:
        why = "there are no earlier answers to estimate it from" if forecast.priced else "a price is unknown"
        return f"forecast: unknown, since {why}"
    like = f"the mean of {forecast.answers} {_FORECAST_BASES[forecast.like or 'scenario']}"
    prices = "the endpoint's prices" if forecast.prices_on is None else f"the prices of {forecast.prices_on}"
    return f"forecast: {format_dollars(forecast.cost)}, by {like} at {prices}"
