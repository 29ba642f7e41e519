"""The overview of an organisation, and its models."""

from starlette.responses import Response

from app.domain.errors import InvalidInput, NotFound
from app.domain.etags import etag_of
from app.services.operations import vendor_keys
from app.services.vendors.console import actions, order_actions, views
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.declarations import DeclaredDates
from app.services.vendors.own_models import ModelChange
from app.services.vendors.registrations import NewModel
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, show
from web.console.forms import ConsoleForm
from web.context import PageRequest

_RECENT_ORDERS = 5
_MAX_REASON_CHARS = 500


def overview_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render what the organisation has, and what comes next."""
    with page.state.sessions() as session:
        keys = vendor_keys.list_keys(session, who, page.now)
        return show(
            page, who, "overview.html", outcome,
            models=views.list_models(session, who), endpoints=views.list_endpoints(session, who),
            orders=order_actions.list_orders(session, who, None, _RECENT_ORDERS).data,
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
    """Render one model, and the forms that declare its dates, rename, delete and withdraw it."""
    with page.state.sessions() as session:
        model = views.get_model(session, who, _slug(page))
        endpoints = [line for line in views.list_endpoints(session, who) if line.model == model.slug]
    return show(
        page, who, "model.html", outcome, model=model, endpoints=endpoints, etag=etag_of(model),
        calls=rest_calls.of_model(page, model),
    )  # fmt: skip


def declare_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Declare the dates of a model."""
    slug = _slug(page)
    dates = _read_dates(form, None)
    if dates.cutoff_on is None and dates.released_on is None:
        raise InvalidInput("give the day of the cutoff, that of the release, or both", pointer="/cutoff")
    with page.state.sessions.begin() as session:
        actions.declare(session, who, slug, dates, page.now)
    return NextPage(f"/console/models/{slug}", "declared")


def change_model_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Rename a model, or change its link; fields that are empty stay as they are."""
    change = ModelChange(
        forms.read_slug(form, "slug") if form.get("slug") else None,
        forms.read_text(form, "name") if form.get("name") else None,
        forms.read_link(form, "link"),
    )
    with page.state.sessions.begin() as session:
        model = actions.change_model(session, who, _slug(page), change, form.get("etag"), page.now)
    return NextPage(f"/console/models/{model.slug}", "model_changed")


def delete_model_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Delete a model of which nothing was ordered, once the person has said that they mean it."""
    forms.check_sure(form)
    with page.state.sessions.begin() as session:
        actions.delete_model(session, who, _slug(page), page.now)
    return NextPage("/console/models", "model_deleted")


def withdraw_model_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Take a model off the boards for good, once the person has said that they mean it."""
    forms.check_sure(form)
    slug, reason = _slug(page), forms.read_text(form, "reason", _MAX_REASON_CHARS)
    with page.state.sessions.begin() as session:
        actions.withdraw_model(session, who, slug, reason, page.now)
    return NextPage(f"/console/models/{slug}", "model_withdrawn")


def _slug(page: PageRequest) -> str:
    slug: str = page.request.path_params["slug"]
    if not slug.isprintable():
        raise NotFound("you have no such model")
    return slug


def _read_dates(form: ConsoleForm, page_link: str | None) -> DeclaredDates:
    return DeclaredDates(
        forms.read_day_field(form, "cutoff"), forms.read_day_field(form, "released"),
        forms.read_link(form, "evidence") or page_link,
    )  # fmt: skip
