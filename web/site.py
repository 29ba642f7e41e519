"""The routes of all pages, each without a prefix (its locale is negotiated) and under every locale's prefix."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from app.domain.errors import NotFound
from app.services.operations.web_state import WebState
from web.assets import load_assets
from web.console.routes import console_routes
from web.context import PageRequest, choice_endpoint, endpoint, expensive_endpoint, form_endpoint
from web.embeds.badge import badge
from web.embeds.board import embed_board
from web.embeds.calendar import calendar
from web.embeds.llms import llms_text
from web.embeds.social_image import social_image
from web.i18n import locales
from web.pages.api_docs import api_page, errors_page
from web.pages.board import board_page, holistic_page, ratings_page
from web.pages.changes import changes_page, feed
from web.pages.cite import cite, cite_page
from web.pages.compare import compare_page
from web.pages.directory import models_page, problems_page, search_page, sitemap
from web.pages.evidence import contamination_page
from web.pages.maintenance import (
    act,
    activity_page,
    add_consensus_addition,
    capture_page,
    cutoffs_page,
    drift_page,
    gpus_page,
    machinery_page,
    ops_page,
    quarantine_page,
    runs_page,
    setter_answer_page,
    setters_page,
    signing_page,
    tests_file,
    tests_page,
)
from web.pages.models import model_page
from web.pages.operations import login, login_page, logout, status_page
from web.pages.problems import problem_page, report_problem
from web.pages.rejudging import act_on_rejudging, rejudging_page, rejudgings_page
from web.pages.samples import sample_page, sample_text
from web.pages.sampling import sampling_page
from web.pages.snapshots import freeze, snapshot_page, snapshots_page
from web.pages.trust import about_page, method_page
from web.query_names import names_read

PAGES: tuple[tuple[str, Callable[[PageRequest], Response]], ...] = (
    ("/models", models_page),
    ("/models/{slug}", model_page),
    ("/problems", problems_page),
    ("/problems/{source}/{external_id:path}", problem_page),
    ("/samples/{id:int}", sample_page),
    ("/samples/{id:int}/{part}.txt", sample_text),
    ("/boards/{board}", board_page),
    ("/snapshots", snapshots_page),
    ("/snapshots/{sha256}", snapshot_page),
    ("/compare", compare_page),
    ("/search", search_page),
    ("/ratings", ratings_page),
    ("/holistic", holistic_page),
    ("/sampling", sampling_page),
    ("/trust", method_page),
    ("/method", method_page),
    ("/about", about_page),
    ("/cite", cite_page),
    ("/contamination", contamination_page),
    ("/changes", changes_page),
    ("/feeds/{name}.{form}", feed),
    ("/badge/{model}.svg", badge),
    ("/embed/board", embed_board),
    ("/calendar.ics", calendar),
    ("/status", status_page),
    ("/docs/api", api_page),
    ("/errors", errors_page),
    ("/ops", ops_page),
    ("/ops/activity", activity_page),
    ("/ops/quarantine", quarantine_page),
    ("/ops/drift", drift_page),
    ("/ops/drift/{id:int}", capture_page),
    ("/ops/machinery", machinery_page),
    ("/ops/gpus", gpus_page),
    ("/ops/setters", setters_page),
    ("/ops/tests", tests_page),
    ("/ops/tests.json", tests_file),
    ("/ops/contamination", signing_page),
    ("/ops/cutoffs", cutoffs_page),
    ("/ops/runs", runs_page),
    ("/ops/setters/{id:int}", setter_answer_page),
    ("/ops/rejudging", rejudgings_page),
    ("/ops/rejudging/{id:int}", rejudging_page),
    ("/login", login_page),
)

# Expensive pages: some take seconds on a large board.
EXPENSIVE_PAGES = frozenset(
    {badge, board_page, cite_page, compare_page, embed_board, model_page, models_page, problem_page, problems_page,
     sampling_page, social_image}
)  # fmt: skip
# Pages that are the same for all visitors who are not signed in.
SHARED_PAGES = EXPENSIVE_PAGES | {
    about_page, api_page, calendar, changes_page, contamination_page, errors_page, feed, llms_text, method_page,
    sample_page, sample_text, search_page, sitemap, snapshot_page, snapshots_page, status_page,
}  # fmt: skip


def routes() -> list[BaseRoute]:
    """Return the routes of all pages and static files."""
    entries: list[BaseRoute] = [
        Route("/", expensive_endpoint(board_page, names_read("/"))),
        Route("/static/{name}", static),
        Route("/robots.txt", robots),
        Route("/sitemap.xml", expensive_endpoint(sitemap)),
        Route("/llms.txt", endpoint(llms_text)),
        Route("/social/{board}.png", expensive_endpoint(social_image)),
    ]
    for prefix in ("", *(f"/{locale}" for locale in locales())):
        entries += [
            Route(
                prefix + path,
                (expensive_endpoint if handler in EXPENSIVE_PAGES else endpoint)(handler, names_read(path)),
            )
            for path, handler in PAGES
        ]
        entries.append(Route(f"{prefix}/login", form_endpoint(login), methods=["POST"]))
        entries.append(Route(f"{prefix}/logout", form_endpoint(logout), methods=["POST"]))
        entries.append(Route(f"{prefix}/snapshots", form_endpoint(freeze), methods=["POST"]))
        entries.append(Route(f"{prefix}/cite", form_endpoint(cite), methods=["POST"]))
        entries.append(Route(f"{prefix}/ops/rejudging", form_endpoint(act_on_rejudging), methods=["POST"]))
        entries.append(Route(f"{prefix}/ops/quarantine", form_endpoint(add_consensus_addition), methods=["POST"]))
        entries.append(Route(f"{prefix}/ops/act", choice_endpoint(act), methods=["POST"]))
        reports = prefix + "/problems/{source}/{external_id:path}/reports"
        entries.append(Route(reports, form_endpoint(report_problem), methods=["POST"]))
        entries += console_routes(prefix)
    for locale in locales():
        entries += [Route(f"/{locale}{end}", expensive_endpoint(board_page, names_read("/"))) for end in ("/", "")]
    return entries


async def static(request: Request) -> Response:
    """Return a file by the name that contains its digest: it never changes, so it may be cached for a year."""
    asset = load_assets().by_served.get(request.path_params["name"])
    if asset is None:
        raise NotFound("no such file")
    encoding, body = asset.pick_encoding(request.headers.get("accept-encoding", ""))
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(body, media_type=asset.content_type, headers=headers)


async def robots(request: Request) -> Response:
    """Return the rules for crawlers: they may read boards, but no answers, comparisons, citations or searches.

    Answers must stay out of training sets and indexes. A board has a comparison for every two rows, and a citation for
    every view.
    """
    barred = ("", *(f"/{locale}" for locale in locales()))
    state: WebState = request.app.state.web
    parts = ("samples/", "compare", "cite", "search")
    rules = "".join(f"Disallow: {prefix}/{part}\n" for prefix in barred for part in parts)
    return PlainTextResponse(f"User-agent: *\n{rules}Sitemap: {state.public_url}/sitemap.xml\n")
