"""Evidence for contamination: the test of every row and its basis, and the problems sent to each model."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from app.domain.boards.named_boards import board_of
from app.domain.errors import NoObjects
from app.services.boards.query import take_parameter
from app.services.evidence import contamination
from web.context import PageRequest
from web.render import render
from web.trust.curves import Curve, curve


def contamination_page(page: PageRequest) -> Response:
    """Render the evidence for the models under a protocol."""
    protocol, _ = take_parameter(page.params, "protocol")
    try:
        with page.state.sessions() as session:
            view = contamination.report(session, protocol)
    except NoObjects:
        return render(page, "trust/contamination.html", view=None)
    tests = [row["pooled"] for row in view.models if row["pooled"]]  # None while it waits for a signature
    return render(
        page,
        "trust/contamination.html",
        view=view,
        choices=_protocol_choices(page, view),
        tested=sum(test["drop"] is not None for test in tests),
        flagged=sum(test["evidence"] for test in tests),
        curves={_row_key(row): curve(row["months"], row["cutoff"]["date"]) for row in view.models},
        curves_by_platform={_row_key(row): _by_platform(row) for row in view.models},
        key=_row_key,
        # Reports of earlier versions have neither.
        probed=[row for row in view.models if "private_gap" in row and _is_probed(view.body or {})],
        board=board_of(view.protocol.protocol),
    )


def _protocol_choices(page: PageRequest, view: contamination.ContaminationReport) -> list[dict[str, Any]]:
    """Return the protocols for a menu, those of one board together."""
    by_board = sorted(view.protocols, key=lambda fact: board_of(fact.protocol) or "")
    return [
        {
            "title": page.protocol_title(fact.slug, fact.title),
            "href": page.href("/contamination", [("protocol", fact.slug)]),
            "current": fact.slug == view.protocol.slug,
            "group": page.board_title(board_of(fact.protocol) or ""),
        }
        for fact in by_board
    ]


def _by_platform(row: Mapping[str, Any]) -> dict[str, Curve]:
    """Return a row's months on each platform, if there are several; reports of earlier versions have none."""
    parts = ((name, curve(months, row["cutoff"]["date"])) for name, months in row.get("months_by_platform", {}).items())
    return {name: part for name, part in parts if part is not None}


def _is_probed(body: Mapping[str, Any]) -> bool:
    return bool(body["private_problems"] or body["rewritten_pairs"])


def _row_key(row: Mapping[str, Any]) -> str:
    return f"{row['model']}:{row['configuration']}"
