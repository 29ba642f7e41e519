"""The disputes of an organisation."""

from starlette.responses import Response

from app.domain.errors import InvalidInput
from app.services.vendors.console import actions, views
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.disputes import NewDispute
from web.console import forms, rest_calls
from web.console.access import NextPage, Outcome, show
from web.console.forms import ConsoleForm
from web.context import PageRequest, query_value

SUBJECTS = ("verdict", "cutoff", "exposure")
_DISPUTES_A_PAGE = 50


def disputes_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the organisation's disputes, the newest first, and the form for a new one."""
    with page.state.sessions() as session:
        found = actions.list_disputes(session, who, query_value(page, "cursor"), _DISPUTES_A_PAGE)
        models = views.list_models(session, who)
    return show(
        page, who, "disputes.html", outcome, disputes=found.data, next_cursor=found.next_cursor, models=models,
        subjects=SUBJECTS, calls=rest_calls.of_disputes(page),
    )  # fmt: skip


def dispute_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render one dispute with its answer."""
    with page.state.sessions() as session:
        dispute = actions.get_dispute(session, who, page.request.path_params["dispute"])
    return show(
        page, who, "dispute.html", outcome, dispute=dispute, calls=rest_calls.of_dispute(page, dispute.id)
    )  # fmt: skip


def open_dispute_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Open a dispute; a verdict is that of a sample, everything else that of a model."""
    about = form.get("about")
    if about not in SUBJECTS:
        raise InvalidInput(f"a dispute is about one of {', '.join(SUBJECTS)}, not {about[:40]!r}", pointer="/about")
    is_verdict = about == "verdict"
    new = NewDispute(
        about,
        forms.read_lines(form, "text"),
        None if is_verdict else forms.read_slug(form, "model"),
        forms.read_number(form, "sample", 1, 2**62) if is_verdict else None,
        forms.read_link(form, "evidence"),
    )
    with page.state.sessions.begin() as session:
        answer = actions.open_dispute(session, who, new, page.now)
    return NextPage(f"/console/disputes/{answer.id}", "dispute")
