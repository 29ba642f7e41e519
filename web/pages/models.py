"""The page of one model: its place under one protocol, its skills, configurations and answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from starlette.responses import Response

from app.domain.boards.board import BoardQuery
from app.domain.errors import InvalidInput
from app.domain.windows import Window
from app.services.boards.query import parse_query, to_params
from app.services.evidence import contamination, model_profile
from app.services.evidence.model_profile import ModelProfile, TrialLine
from app.services.runs.result_views import CellFilter
from app.services.vendors import declarations
from web.board_page.links import Choice
from web.context import PageRequest, read_cursor
from web.filters import value_text
from web.render import render
from web.results.links import board_href, paging, protocol_href, protocol_menu
from web.results.trend import trend_chart

NEWEST_ANSWERS = 20  # shown at first
PAGE_ANSWERS = 30  # on a page of all answers
MAX_LINES = 12  # configurations and trials side by side; the menu has all
_FILTERS = ("from", "to", "platform", "difficulty")
_RUN_NAMES = ("protocol", "configuration", "trial")


@dataclass(frozen=True, slots=True)
class TrialLink:
    """A configuration or trial of the model, and a link to this page about it."""

    line: TrialLine
    href: str


def model_page(page: PageRequest) -> Response:
    """Render one model under one protocol; a configuration or a board's filters in the address list its answers."""
    cells, listing = _cell_filter(page)
    with page.state.sessions() as session:
        slug = page.request.path_params["slug"]
        profile = model_profile.model_profile(session, slug, page.state.cubes, cells, page.now.date())
        waiting = declarations.waiting_for_slug(session, profile.view.slug)
        sent = contamination.problems_sent(session, profile.view.slug)
    path, shown = f"/models/{profile.view.slug}", profile.shown
    lines = [TrialLink(line, page.href(path, _run_params(profile, line))) for line in profile.lines]
    total = 0 if profile.run is None else profile.run.total_cells
    months = model_profile.months_of(profile)
    return render(
        page,
        "results/model.html",
        profile=profile,
        protocols=[]
        if shown is None
        else protocol_menu(page, [fact for fact, _ in profile.protocols], shown.slug, path),
        variants=_variants(page, profile, lines),
        trials_named=any(line.trial > 1 for line in profile.lines),
        lines=lines[:MAX_LINES],
        more_lines=max(len(lines) - MAX_LINES, 0),
        chart=trend_chart(months, profile.view.cutoff_on.isoformat()),
        levels=[(page.t(f"level.{skill.name}"), None, skill.score, skill.n) for skill in profile.levels if skill.n],
        topics=[
            (page.t(f"topic.{skill.name}"), page.href("/problems", [("topic", skill.name)]), skill.score, skill.n)
            for skill in profile.topics
        ],
        scenarios=[
            (page.board_title(each.board), page.href(path, [("protocol", each.protocol)]), each.score, each.n)
            for each in profile.scenarios
        ],
        window=_window_text(page, profile),
        listing=listing,
        filters=_set_filters(page),
        paging=paging(page, page.params, cells.skip, 0 if profile.run is None else len(profile.run.cells), total),
        more=None if listing or profile.line is None else _all_answers(page, path, profile, total),
        waiting=waiting,
        sent=sent,
        links=_board_links(page, profile),
    )


def _board_links(page: PageRequest, profile: ModelProfile) -> dict[str, str]:
    """Return the links to the board of the protocol shown, to a comparison on it, to its ratings and to the badge."""
    if profile.board is None or profile.shown is None or profile.line is None or profile.line.standing != "stands":
        return {}
    board, protocol, line = profile.board.query.board, profile.shown.slug, profile.line
    named = f"{profile.view.slug}:{line.configuration}" if line.configuration else profile.view.slug
    return {
        "board": protocol_href(page, board, protocol),
        "compare": page.href("/compare", [("board", board), *to_params(profile.board.query), ("m", named)]),
        "badge": page.href(f"/badge/{profile.view.slug}.svg", _badge_params(board, profile.board.query, line)),
        "rating": board_href(page, board, [("protocol", protocol), ("tab", "rating")]),
    }


def _run_params(profile: ModelProfile, line: TrialLine) -> list[tuple[str, str]]:
    """Return the parameters of this page about a configuration, and about one of its trials if it has several."""
    protocol = "" if profile.shown is None else profile.shown.slug
    several = sum(line.configuration == other.configuration for other in profile.lines) > 1
    trial = [("trial", str(line.trial))] if several else []
    return [("protocol", protocol), ("configuration", line.configuration), *trial]


def _badge_params(board: str, query: BoardQuery, line: TrialLine) -> list[tuple[str, str]]:
    configuration = [("configuration", line.configuration)] if line.configuration else []
    return [("board", board), *to_params(replace(query, window=Window())), *configuration]


def _variants(page: PageRequest, profile: ModelProfile, links: Sequence[TrialLink]) -> list[Choice]:
    """Return a menu of the configurations, each by its standing trial."""
    standing = [link for link in links if link.line.standing == "stands" or link.line is profile.line]
    return [
        Choice(link.line.configuration or page.t("model.plain"), link.href, current=link.line is profile.line)
        for link in standing
    ]


def _all_answers(page: PageRequest, path: str, profile: ModelProfile, total: int) -> str | None:
    """Return a link to all answers of the run shown if there are more than are shown at first."""
    if total <= NEWEST_ANSWERS or profile.line is None:
        return None
    return page.href(path, _run_params(profile, profile.line)) + "#m-answers"


def _window_text(page: PageRequest, profile: ModelProfile) -> str:
    """Return the window of the score in words."""
    if profile.board is None:
        return ""
    start, end = profile.board.query.window.start, profile.board.query.window.end
    return page.t(
        f"window.{'both' if start and end else 'start' if start else 'end' if end else 'all'}", start=start, end=end
    )


def _set_filters(page: PageRequest) -> list[tuple[str, str, str]]:
    """Return each filter of the listed answers: its name, its value in words, and a link without it."""
    pairs = [(name, value) for name, value in page.params if name in (*_RUN_NAMES, *_FILTERS)]
    return [
        (name, _value_words(page, name, value), page.href(page.path, [pair for pair in pairs if pair != (name, value)]))
        for name, value in pairs
        if name in _FILTERS and value
    ]


def _value_words(page: PageRequest, name: str, value: str) -> str:
    if name == "platform" and page.knows(f"source.{value}"):
        return page.t(f"source.{value}")
    return value_text(page, name, value)


def _cell_filter(page: PageRequest) -> tuple[CellFilter, bool]:
    """Return the selection of the address, and True if it asks for all answers."""
    names = [name for name, value in page.params if name in (*_RUN_NAMES, *_FILTERS) and value]
    given = [name for name, _ in page.params]
    if any(given.count(name) > 1 for name in _RUN_NAMES):
        raise InvalidInput("Give protocol, configuration and trial only once.", pointer="/configuration")
    values = dict(page.params)
    configuration = values.get("configuration")
    if configuration is not None and not (configuration.isprintable() and len(configuration) <= 200):
        raise InvalidInput("configuration is too long or has characters that are not allowed", pointer="/configuration")
    query = parse_query((name, value) for name, value in page.params if name in ("protocol", *_FILTERS))
    listing = configuration is not None or any(name in _FILTERS for name in names)
    return CellFilter(
        protocol=query.protocol if "protocol" in names else None,
        configuration=configuration,
        trial=read_cursor(page, "trial"),
        window=query.window,
        platforms=query.platforms,
        levels=query.levels,
        skip=(read_cursor(page, "skip") or 0) if listing else 0,
        limit=PAGE_ANSWERS if listing else NEWEST_ANSWERS,
    ), listing
