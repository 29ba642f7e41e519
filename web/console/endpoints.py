"""The endpoints of an organisation, with their probes."""

from starlette.responses import Response

from app.domain.asking.completions import MAX_ANSWER_S
from app.domain.errors import InvalidInput
from app.domain.etags import etag_of
from app.services.runs.control.endpoints import NewEndpoint
from app.services.vendors.console import actions, views
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.own_endpoints import EndpointChange
from app.services.vendors.probes import NewProbe
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, show
from web.console.forms import ConsoleForm
from web.context import PageRequest
from workers.inference.backends import backends, check_run


def endpoints_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's endpoints, and the form for a new one."""
    with page.state.sessions() as session:
        return show(
            page, who, "endpoints.html", outcome, endpoints=views.list_endpoints(session, who),
            models=views.list_models(session, who), formats=_formats(), calls=rest_calls.of_endpoints(page),
        )  # fmt: skip


def endpoint_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render one endpoint with its newest probe, and the forms that probe and change it."""
    with page.state.sessions() as session:
        endpoint = views.get_endpoint(session, who, _number(page))
        probe = views.find_probe(session, who, endpoint.id, page.now)
        protocols = views.list_protocols(session)
    return show(
        page, who, "endpoint.html", outcome, endpoint=endpoint, probe=probe, protocols=protocols,
        etag=etag_of(endpoint), calls=rest_calls.of_endpoint(page, endpoint),
    )  # fmt: skip


def create_endpoint_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Register an endpoint; its address was looked up before."""
    protocol = form.get("protocol")
    if protocol not in _formats():
        raise InvalidInput(f"protocol must be one of {', '.join(_formats())}, not {protocol[:40]!r}")
    timeout = forms.read_number(form, "timeout_s", 1, MAX_ANSWER_S)
    new = NewEndpoint(
        model=forms.read_slug(form, "model"),
        backend=protocol,
        remote_name=forms.read_text(form, "remote_name"),
        base_url=forms.read_base_url(form, "base_url"),
        secret=forms.read_secret(form, "secret"),
        max_concurrency=forms.read_number(form, "max_concurrency", 1, 256),
        timeout_s=None if timeout is None else float(timeout),
        price_input=forms.read_money(form, "price_input"),
        price_cached=forms.read_money(form, "price_cached"),
        price_output=forms.read_money(form, "price_output"),
    )
    with page.state.sessions.begin() as session:
        answer = actions.create_endpoint(session, who, new, page.now, page.state.vault)
    return NextPage(f"/console/endpoints/{answer.id}", "endpoint")


def change_endpoint_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Change an endpoint, whose address was looked up before; what is left empty stays, and a stop ends."""
    number = _number(page)
    with page.state.sessions() as session:
        present = views.get_endpoint(session, who, number)
    base_url = forms.read_base_url(form, "base_url") if form.get("base_url") else present.base_url
    timeout = forms.read_number(form, "timeout_s", 1, MAX_ANSWER_S)
    change = EndpointChange(
        None if base_url == present.base_url else base_url,
        forms.read_secret(form, "secret"),
        forms.read_number(form, "max_concurrency", 1, 256),
        None if timeout is None else float(timeout),
        forms.read_money(form, "price_input"),
        forms.read_money(form, "price_cached"),
        forms.read_money(form, "price_output"),
    )
    with page.state.sessions.begin() as session:
        actions.change_endpoint(session, who, number, change, form.get("etag"), page.now, page.state.vault)
    page.state.wake("sweep")
    return NextPage(f"/console/endpoints/{number}", "endpoint")


def probe_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Ask for a probe, which a worker makes; the page shows its checks once it is finished."""
    new = NewProbe(
        _number(page), forms.read_slug(form, "protocol"), forms.read_configuration(form, "configuration")
    )  # fmt: skip
    with page.state.sessions.begin() as session:
        actions.request_probe(session, who, new, page.now, check_run)
    page.state.wake("probe", urgent=True)
    return NextPage(f"/console/endpoints/{new.endpoint_id}", "probe")


def _number(page: PageRequest) -> int:
    return int(page.request.path_params["id"])


def _formats() -> list[str]:
    # Back ends that read this machine's disk are for operators alone.
    return [name for name, backend in backends().items() if backend.locate is None]
