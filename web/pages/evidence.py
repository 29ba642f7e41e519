"""Evidence for contamination: the test of every row and its basis, and the problems sent to each model."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from app.domain.boards.named_boards import board_of
from app.services.boards.query import take_parameter
from app.services.evidence import contamination
from web.context import PageRequest
from web.curves import Curve, curve
from web.render import render


def contamination_page(page: PageRequest) -> Response:
    """Render the evidence for the models under a protocol."""
    protocol, _ = take_parameter(page.params, "protocol")
    with page.state.sessions() as session:
        view = contamination.report(session, protocol)
    return render(
        page,
        "pages/contamination.html",
        view=view,
        curves={_row_key(row): curve(row["months"], row["cutoff"]["date"]) for row in view.models},
        curves_by_platform={_row_key(row): _by_platform(row) for row in view.models},
        key=_row_key,
        # Reports of earlier versions have neither.
        probed=[row for row in view.models if "private_gap" in row and _is_probed(view.body or {})],
        board=board_of(view.protocol.protocol),
    )


def _by_platform(row: Mapping[str, Any]) -> dict[str, Curve]:
    """Return a row's months on each platform, if there are several; reports of earlier versions have none."""
    parts = ((name, curve(months, row["cutoff"]["date"])) for name, months in row.get("months_by_platform", {}).items())
    return {name: part for name, part in parts if part is not None}


def _is_probed(body: Mapping[str, Any]) -> bool:
    return bool(body["private_problems"] or body["rewritten_pairs"])


def _row_key(row: Mapping[str, Any]) -> str:
    return f"{row['model']}:{row['configuration']}"
