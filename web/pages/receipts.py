"""From a number down to a program and its verdict: model, problem and sample pages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from app.domain.errors import InvalidInput, NotFound
from app.services.boards.query import Params, parse_query
from app.services.boards.reading import protocols
from app.services.evidence import contamination, curves
from app.services.problems import quarantine
from app.services.runs import catalogue, receipts
from app.services.runs.catalogue import CellFilter, RunView
from app.services.vendors import declarations
from web.colours import coloured
from web.context import Page, cursor
from web.curves import curve
from web.i18n import ENGLISH, Translate, locales, translator
from web.render import render
from web.statement import shown

# Of every run as many problems as fit beside those of the others, fewer where there are many; its own page has more.
_NEWEST, _OF_MANY, _MANY = 20, 5, 6
_A_PAGE = 200
_RAW_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Disposition": "inline",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "no-cache",
}
_FILTERS = frozenset({"protocol", "configuration", "from", "to", "platform", "difficulty"})


def model_page(page: Page) -> Response:
    """One model, its cells filtered by the same names a board uses."""
    cells, filters = _cell_filter(page)
    with page.state.sessions() as session:
        view = catalogue.model(session, page.request.path_params["slug"], cells)
        waiting = declarations.of_slug(session, view.slug)
        evidence, exposures = curves.of_model(session, view), contamination.sent_to(session, view.slug)
        boards = {protocol.slug: board for board, choices in protocols(session).items() for protocol in choices}
    cutoff = None if view.cutoff_on is None else view.cutoff_on.isoformat()
    return render(
        page,
        "pages/model.html",
        view=view,
        runs=_standing_first(view.runs),
        most=_OF_MANY if len(view.runs) > _MANY and not _is_paged(cells) else None,
        filters=_wording(page, filters),
        more={run.id: page.href(f"/models/{view.slug}", _more(run, filters, cells)) for run in view.runs},
        paged=_is_paged(cells),
        skip=cells.skip,
        newest=page.href(f"/models/{view.slug}", filters) if cells.skip else None,
        sent=exposures,
        waiting=waiting,
        evidence=evidence,
        curves={run: curve(facts.months, cutoff) for run, facts in evidence.items()},
        boards={run.protocol: boards.get(run.protocol) for run in view.runs},
    )


def _more(run: RunView, filters: Params, shown: CellFilter) -> list[tuple[str, str]]:
    """What a run's page asks for that shows more of its problems: that run alone, then the next of them."""
    if _is_paged(shown):
        return [*filters, ("skip", str(shown.skip + shown.limit))]
    others = [(name, value) for name, value in filters if name not in ("protocol", "configuration")]
    return [("protocol", run.protocol), ("configuration", run.configuration), *others]


def _is_paged(shown: CellFilter) -> bool:
    """Whether it is the page of one run, or of the trials of one, on which all its problems can be read."""
    return None not in (shown.protocol, shown.configuration)


def _standing_first(runs: Sequence[RunView]) -> list[RunView]:
    """The runs, the trials of one configuration together, the one that stands before the others."""
    places: dict[tuple[str, str], int] = {}
    for run in runs:
        places.setdefault((run.protocol, run.configuration), len(places))
    return sorted(runs, key=lambda run: (places[run.protocol, run.configuration], run.standing != "stands"))


def _wording(page: Page, filters: Params) -> list[tuple[str, str]]:
    """The filters' values in words where there are any."""
    words = {"protocol": "protocol_title.", "difficulty": "level."}

    def word(name: str, value: str) -> str:
        key = words.get(name, "") + value
        return page.t(key) if name in words and page.knows(key) else value or page.t("filter.none")

    return [(name, word(name, value)) for name, value in filters]


def _cell_filter(page: Page) -> tuple[CellFilter, list[tuple[str, str]]]:
    filters = [(name, value) for name, value in page.params if name in _FILTERS and (value or name == "configuration")]
    configurations = [value for name, value in filters if name == "configuration"]
    if len(configurations) > 1 or not all(value.isprintable() and len(value) <= 200 for value in configurations):
        raise InvalidInput("Give configuration only once.", pointer="/configuration")
    query = parse_query((name, value) for name, value in filters if name != "configuration")
    named = any(name == "protocol" for name, _value in filters)
    cells = CellFilter(
        protocol=query.protocol if named else None,
        configuration=configurations[0] if configurations else None,
        window=query.window,
        platforms=query.platforms,
        levels=query.levels,
        limit=_A_PAGE if named else _NEWEST,
    )
    return replace(cells, skip=cursor(page, "skip") or 0) if _is_paged(cells) else cells, filters


def problem_page(page: Page) -> Response:
    """One problem with everybody's answers, so many rows at a time."""
    skip = cursor(page, "skip") or 0
    with page.state.sessions() as session:
        params = page.request.path_params
        view = catalogue.problem(session, params["source"], params["external_id"])
    lang = page.locale if page.locale in view.statements else next(iter(view.statements), None)
    return render(
        page,
        "pages/problem.html",
        view=view,
        title=view.titles.get(page.locale, view.title),
        answers=view.answers[skip:][:_A_PAGE],
        skip=skip,
        here=(here := page.href(f"/problems/{view.source}/{view.external_id}")),
        more=f"{here}?skip={skip + _A_PAGE}" if len(view.answers) > skip + _A_PAGE else None,
        statement=shown(view.statements[lang], _in(lang)("problem.picture")) if lang else None,
        statement_lang=lang,
        reported=page.request.query_params.get("reported") == "1",
    )


def _in(language: str) -> Translate:
    """Words in a statement's language, in English where the site has none in it."""
    return translator(next((locale for locale in locales() if locale == language), ENGLISH))


def report_problem(page: Page, form: Mapping[str, str]) -> Response:
    """Keep a reader's report about a problem, and lead back to its page, where it shows."""
    params = page.request.path_params
    name = f"{params['source']}/{params['external_id']}"
    if form.get("website"):  # a field that people do not see: whoever fills it is a program
        raise InvalidInput("The report was not accepted.", pointer="/website")
    with page.state.shares.one(page.visitor, name, page.now.date()), page.state.sessions.begin() as session:
        quarantine.dispute(session, name, form.get("text", ""), page.now)
    return RedirectResponse(page.href(f"/problems/{name}", [("reported", "1")]), status_code=303)


def sample_page(page: Page) -> Response:
    """One answer."""
    view = _sample(page)
    program = coloured(view.answer, view.language) if view.answer is not None else None
    return render(page, "pages/sample.html", view=view, program=program)


def sample_text(page: Page) -> Response:
    """An answer's raw response or program, as text a browser will not interpret."""
    view = _sample(page)
    text = {"response": view.response, "answer": view.answer}.get(page.request.path_params["part"])
    if text is None:
        raise NotFound("This answer has no such part.")
    return PlainTextResponse(text, headers=_RAW_HEADERS)


def _sample(page: Page) -> receipts.SampleView:
    with page.state.sessions() as session:
        return receipts.sample(session, page.request.path_params["id"])
