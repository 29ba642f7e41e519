"""The page of one problem: its tests, its statement, the answers to it, and readers' reports."""

from collections.abc import Mapping

from starlette.responses import RedirectResponse, Response

from app.domain.boards.named_boards import board_of, boards
from app.domain.errors import InvalidInput
from app.services.evidence import problem_views
from app.services.evidence.problem_views import AnsweredProblem
from app.services.problems import quarantine
from web.context import PageRequest, query_value, read_cursor
from web.i18n import ENGLISH, Translate, locales, translator
from web.render import render
from web.results.links import paging, protocol_href, protocol_menu
from web.results.solve_strip import solve_strip
from web.statement import render_statement

PAGE_ANSWERS = 40


def problem_page(page: PageRequest) -> Response:
    """Render one problem with the answers under one protocol, some of them at a time."""
    skip = read_cursor(page, "skip") or 0
    params = page.request.path_params
    with page.state.sessions() as session:
        results = problem_views.problem_results(
            session, params["source"], params["external_id"], query_value(page, "protocol")
        )
    view, shown = results.view, results.shown
    lang = page.locale if page.locale in view.statements else next(iter(view.statements), None)
    path = f"/problems/{view.source}/{view.external_id}"
    answers = view.answers[skip:][:PAGE_ANSWERS]
    return render(
        page,
        "results/problem.html",
        view=view,
        title=view.titles.get(page.locale, view.title),
        shown=shown,
        protocols=[]
        if shown is None
        else protocol_menu(page, [each.protocol for each in results.protocols], shown.protocol.slug, path),
        strip=solve_strip(page, view.answers, None if view.released_on is None else view.released_on.date()),
        board=_board_link(page, results),
        eases=[(_scenario_title(page, scenario), value, at) for scenario, value, at in view.eases],
        answers=answers,
        paging=paging(page, page.params, skip, len(answers), len(view.answers)),
        statement=render_statement(view.statements[lang], _statement_translator(lang)("problem.picture"))
        if lang
        else None,
        statement_lang=lang,
        reported=page.request.query_params.get("reported") == "1",
    )


def _scenario_title(page: PageRequest, scenario: str) -> str:
    """Return the title of the first board of a scenario in the page's language; its name if it has none."""
    board = next((board for board in boards().values() if board.scenario == scenario), None)
    return scenario if board is None else page.spoken(board.titles)


def _board_link(page: PageRequest, results: AnsweredProblem) -> str | None:
    """Return a link to the board of the protocol shown."""
    board = None if results.shown is None else board_of(results.shown.protocol.protocol)
    return None if results.shown is None or board is None else protocol_href(page, board, results.shown.protocol.slug)


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
