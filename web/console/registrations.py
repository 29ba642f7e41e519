"""The overview, models and endpoints of an organisation."""

from starlette.responses import Response

from app.domain.errors import InvalidInput, NotFound
from app.services.operations import vendor_keys
from app.services.runs.control.endpoints import NewEndpoint
from app.services.vendors.console import actions, views
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.declarations import DeclaredDates
from app.services.vendors.registrations import NewModel
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, show
from web.console.forms import ConsoleForm
from web.context import PageRequest
from workers.inference.backends import backends
from workers.net import check_url

_RECENT_ORDERS = 5


def overview_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render what the organisation has, and what comes next."""
    with page.state.sessions() as session:
        keys = vendor_keys.list_keys(session, who, page.now)
        return show(
            page, who, "overview.html", outcome,
            models=views.list_models(session, who), endpoints=views.list_endpoints(session, who),
            orders=actions.list_orders(session, who, None, _RECENT_ORDERS).data,
            keys=[key for key in keys if key.is_live], calls=rest_calls.of_orders(page),
        )  # fmt: skip


def models_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's models, and the form for a new one."""
    with page.state.sessions() as session:
        return show(
            page, who, "models.html", outcome, models=views.list_models(session, who), calls=rest_calls.of_models(page)
        )


def create_model_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Register a model."""
    link = forms.read_link(form, "link")
    new = NewModel(forms.read_slug(form, "slug"), forms.read_text(form, "name"), _read_dates(form, link), link)
    with page.state.sessions.begin() as session:
        actions.create_model(session, who, new, page.now)
    return NextPage(f"/console/models/{new.slug}", "model")


def model_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render one model, and the form that declares its dates."""
    with page.state.sessions() as session:
        model = views.get_model(session, who, page.request.path_params["slug"])
        endpoints = [line for line in views.list_endpoints(session, who) if line.model == model.slug]
        calls = rest_calls.of_model(page, model.slug)
        return show(page, who, "model.html", outcome, model=model, endpoints=endpoints, calls=calls)


def declare_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Declare the dates of a model."""
    slug = page.request.path_params["slug"]
    dates = _read_dates(form, None)
    if dates.cutoff_on is None and dates.released_on is None:
        raise InvalidInput("give the day of the cutoff, that of the release, or both", pointer="/cutoff")
    if not slug.isprintable():
        raise NotFound("you have no such model")
    with page.state.sessions.begin() as session:
        actions.declare(session, who, slug, dates, page.now)
    return NextPage(f"/console/models/{slug}", "declared")


def _read_dates(form: ConsoleForm, page_link: str | None) -> DeclaredDates:
    return DeclaredDates(
        forms.read_day_field(form, "cutoff"), forms.read_day_field(form, "released"),
        forms.read_link(form, "evidence") or page_link,
    )  # fmt: skip


def endpoints_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's endpoints, and the form for a new one."""
    with page.state.sessions() as session:
        return show(
            page, who, "endpoints.html", outcome, endpoints=views.list_endpoints(session, who),
            models=views.list_models(session, who), formats=_formats(), calls=rest_calls.of_endpoints(page),
        )  # fmt: skip


def endpoint_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render one endpoint, and the form that changes it."""
    with page.state.sessions() as session:
        endpoint = views.get_endpoint(session, who, int(page.request.path_params["id"]))
    return show(page, who, "endpoint.html", outcome, endpoint=endpoint, calls=rest_calls.of_endpoint(page, endpoint))


def create_endpoint_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Register an endpoint."""
    protocol = form.get("protocol")
    if protocol not in _formats():
        raise InvalidInput(f"protocol must be one of {', '.join(_formats())}, not {protocol[:40]!r}")
    return _write_endpoint(
        page, who, form, forms.read_slug(form, "model"), protocol, forms.read_text(form, "remote_name")
    )


def change_endpoint_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Change an endpoint; what is left empty stays, and a stop ends."""
    with page.state.sessions() as session:
        present = views.get_endpoint(session, who, int(page.request.path_params["id"]))
    return _write_endpoint(page, who, form, present.model, present.protocol, present.remote_name)


def _write_endpoint(
    page: PageRequest, who: ConsoleMember, form: ConsoleForm, model: str, protocol: str, remote_name: str
) -> NextPage:
    base_url = form.get("base_url")
    if not base_url or len(base_url) > 2000 or "?" in base_url or "#" in base_url:
        raise InvalidInput(f"base_url must be an address without query or fragment, not {base_url[:120]!r}")
    timeout = forms.read_number(form, "timeout_s", 1, 24 * 3600)
    new = NewEndpoint(
        model=model,
        backend=protocol,
        remote_name=remote_name,
        base_url=base_url,
        secret=forms.read_secret(form, "secret"),
        max_concurrency=forms.read_number(form, "max_concurrency", 1, 256),
        timeout_s=None if timeout is None else float(timeout),
        price_input=forms.read_money(form, "price_input"),
        price_cached=forms.read_money(form, "price_cached"),
        price_output=forms.read_money(form, "price_output"),
    )
    actions.check_may_write(who)  # before a name is looked up for somebody who may not
    check_url(base_url, page.request.app.state.settings.endpoint_allow)
    with page.state.sessions.begin() as session:
        answer = actions.write_endpoint(session, who, new, page.now, page.state.vault)
    return NextPage(f"/console/endpoints/{answer.id}", "endpoint")


def _formats() -> list[str]:
    # Back ends that read this machine's disk are for operators alone.
    return [name for name, backend in backends().items() if backend.locate is None]
