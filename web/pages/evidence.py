"""Evidence for contamination: the test of every row, what it rests on, and what was sent to whom."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from app.domain.boards.named import board_of
from app.services.boards.query import taken
from app.services.evidence import contamination
from web.context import Page
from web.curves import Curve, curve
from web.render import render


def contamination_page(page: Page) -> Response:
    """What is known of the models under a protocol."""
    protocol, _ = taken(page.params, "protocol")
    with page.state.sessions() as session:
        view = contamination.report(session, protocol)
    return render(
        page,
        "pages/contamination.html",
        view=view,
        curves={_key(row): curve(row["months"], row["cutoff"]["date"]) for row in view.models},
        curves_by_platform={_key(row): _by_platform(row) for row in view.models},
        key=_key,
        # A report of an earlier version knew neither.
        probed=[row for row in view.models if "private_gap" in row and _is_probed(view.body or {})],
        board=board_of(view.protocol.protocol),
    )


def _by_platform(row: Mapping[str, Any]) -> dict[str, Curve]:
    """A row's months on each platform, where there are several; a report of an earlier version has none."""
    parts = ((name, curve(months, row["cutoff"]["date"])) for name, months in row.get("months_by_platform", {}).items())
    return {name: part for name, part in parts if part is not None}


def _is_probed(body: Mapping[str, Any]) -> bool:
    return bool(body["private_problems"] or body["rewritten_pairs"])


def _key(row: Mapping[str, Any]) -> str:
    return f"{row['model']}:{row['configuration']}"
