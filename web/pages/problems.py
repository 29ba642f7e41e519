"""The page of one problem: its statement, all answers to it, and readers' reports."""

from collections.abc import Mapping

from starlette.responses import RedirectResponse, Response

from app.domain.errors import InvalidInput
from app.services.problems import quarantine
from app.services.runs import result_views
from web.context import PageRequest, read_cursor
from web.i18n import ENGLISH, Translate, locales, translator
from web.render import render
from web.statement import render_statement

_PAGE_ANSWERS = 200


def problem_page(page: PageRequest) -> Response:
    """Render one problem with all answers, some of them at a time."""
    skip = read_cursor(page, "skip") or 0
    with page.state.sessions() as session:
        params = page.request.path_params
        view = result_views.problem(session, params["source"], params["external_id"])
    lang = page.locale if page.locale in view.statements else next(iter(view.statements), None)
    return render(
        page,
        "pages/problem.html",
        view=view,
        title=view.titles.get(page.locale, view.title),
        answers=view.answers[skip:][:_PAGE_ANSWERS],
        skip=skip,
        here=(here := page.href(f"/problems/{view.source}/{view.external_id}")),
        more=f"{here}?skip={skip + _PAGE_ANSWERS}" if len(view.answers) > skip + _PAGE_ANSWERS else None,
        statement=render_statement(view.statements[lang], _statement_translator(lang)("problem.picture"))
        if lang
        else None,
        statement_lang=lang,
        reported=page.request.query_params.get("reported") == "1",
    )


def _statement_translator(language: str) -> Translate:
    """Return the translator of a statement's language, or of English if the site does not have it."""
    return translator(next((locale for locale in locales() if locale == language), ENGLISH))


def report_problem(page: PageRequest, form: Mapping[str, str]) -> Response:
    """Store a reader's report about a problem, and lead back to its page, which shows it."""
    params = page.request.path_params
    name = f"{params['source']}/{params['external_id']}"
    if form.get("website"):  # a hidden field that only bots fill in
        raise InvalidInput("The report was not accepted.", pointer="/website")
    with page.state.report_quota.take(page.visitor, name, page.now.date()), page.state.sessions.begin() as session:
        quarantine.add_dispute(session, name, form.get("text", ""), page.now)
    return RedirectResponse(page.href(f"/problems/{name}", [("reported", "1")]), status_code=303)
