"""`/llms.txt`: what this site is and where its data are, for programs that read pages (llmstxt.org)."""

from starlette.responses import Response

from app.services.boards import board_views
from web.context import PageRequest


def llms_text(page: PageRequest) -> Response:
    """Return the boards that have rows, the pages and the API as a Markdown list of links, in English."""
    site = page.state.public_url
    with page.state.sessions() as session:
        names = [name for name, protocols in board_views.protocols(session).items() if protocols]

    def links(entries: list[tuple[str, str, str]]) -> str:
        return "".join(f"- [{title}]({site}{path}): {about}\n" for title, path, about in entries)

    boards = [
        (page.board_title(name), f"/api/v1/boards/{name}", f"rows as JSON; page: {site}/boards/{name}")
        for name in names
    ]
    body = (
        "# Tidemark\n\n"
        f"> {page.t('site.description')}\n\n"
        "Scores are percentages with intervals; ranks are intervals, since neighbours often cannot be told apart. "
        "A board is computed for any window of release dates: `from` and `to` (the day after the last) are parameters "
        "of every board. A snapshot pins a board for citation.\n\n"
        f"## Boards\n\n{links(boards)}\n"
        "## Data and method\n\n"
        + links(
            [
                ("OpenAPI", "/api/v1/openapi.json", "every operation of the API with its schemas"),
                ("API in examples", "/en/docs/api", "how to read boards and submit a model"),
                ("Method", "/en/method", "how every number is made"),
                ("Changes", "/feeds/changes.json", "the public ledger as a JSON feed"),
                ("Contests", "/calendar.ics", "contests that are read, by date"),
                ("Cite", "/en/cite", "BibTeX and CSL of a view"),
            ]
        )
    )
    return Response(body, media_type="text/plain; charset=utf-8", headers={"Cache-Control": "public, max-age=3600"})
