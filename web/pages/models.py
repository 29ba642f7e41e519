"""The page of one model: its runs, their cells and answers."""

from collections.abc import Sequence
from dataclasses import replace

from starlette.responses import Response

from app.domain.errors import InvalidInput
from app.services.boards.board_views import protocols
from app.services.boards.query import Params, parse_query
from app.services.evidence import contamination, run_evidence
from app.services.runs import result_views
from app.services.runs.result_views import CellFilter, RunView
from app.services.vendors import declarations
from web.context import PageRequest, read_cursor
from web.curves import curve
from web.render import render

# Problems shown for each run, and for each of many runs; the run's own page has more.
_RUN_PROBLEMS, _RUN_PROBLEMS_OF_MANY, _MANY_RUNS = 20, 5, 6
_PAGE_PROBLEMS = 200
_FILTERS = frozenset({"protocol", "configuration", "from", "to", "platform", "difficulty"})


def model_page(page: PageRequest) -> Response:
    """Render one model, its cells filtered by the same names that a board uses."""
    cells, filters = _cell_filter(page)
    with page.state.sessions() as session:
        view = result_views.model(session, page.request.path_params["slug"], cells)
        waiting = declarations.waiting_for_slug(session, view.slug)
        evidence, exposures = (
            run_evidence.evidence_by_run(session, view),
            contamination.problems_sent(session, view.slug),
        )
        boards = {protocol.slug: board for board, choices in protocols(session).items() for protocol in choices}
    cutoff = None if view.cutoff_on is None else view.cutoff_on.isoformat()
    return render(
        page,
        "pages/model.html",
        view=view,
        runs=_standing_first(view.runs),
        most=_RUN_PROBLEMS_OF_MANY if len(view.runs) > _MANY_RUNS and not _is_paged(cells) else None,
        filters=_filter_texts(page, filters),
        more={run.id: page.href(f"/models/{view.slug}", _more_params(run, filters, cells)) for run in view.runs},
        paged=_is_paged(cells),
        skip=cells.skip,
        newest=page.href(f"/models/{view.slug}", filters) if cells.skip else None,
        sent=exposures,
        waiting=waiting,
        evidence=evidence,
        curves={run: curve(facts.months, cutoff) for run, facts in evidence.items()},
        boards={run.protocol: boards.get(run.protocol) for run in view.runs},
    )


def _more_params(run: RunView, filters: Params, shown: CellFilter) -> list[tuple[str, str]]:
    """Return the parameters that show more of a run's problems: that run alone, then its next page."""
    if _is_paged(shown):
        return [*filters, ("skip", str(shown.skip + shown.limit))]
    others = [(name, value) for name, value in filters if name not in ("protocol", "configuration")]
    return [("protocol", run.protocol), ("configuration", run.configuration), *others]


def _is_paged(shown: CellFilter) -> bool:
    """Return True on the page of one run, or of its trials, where all its problems can be read."""
    return None not in (shown.protocol, shown.configuration)


def _standing_first(runs: Sequence[RunView]) -> list[RunView]:
    """Return the runs with the trials of one configuration together, the standing one first."""
    places: dict[tuple[str, str], int] = {}
    for run in runs:
        places.setdefault((run.protocol, run.configuration), len(places))
    return sorted(runs, key=lambda run: (places[run.protocol, run.configuration], run.standing != "stands"))


def _filter_texts(page: PageRequest, filters: Params) -> list[tuple[str, str]]:
    """Return the filters' values in words if there are any."""
    prefixes = {"protocol": "protocol_title.", "difficulty": "level."}

    def translate(name: str, value: str) -> str:
        key = prefixes.get(name, "") + value
        return page.t(key) if name in prefixes and page.knows(key) else value or page.t("filter.none")

    return [(name, translate(name, value)) for name, value in filters]


def _cell_filter(page: PageRequest) -> tuple[CellFilter, list[tuple[str, str]]]:
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
        limit=_PAGE_PROBLEMS if named else _RUN_PROBLEMS,
    )
    return replace(cells, skip=read_cursor(page, "skip") or 0) if _is_paged(cells) else cells, filters
