"""Evidence for contamination: the test of every row, what it rests on, and what was sent to whom."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from app.domain.boards.named import board_of
from app.domain.errors import InvalidInput
from app.services.boards.query import MAX_LENGTH
from app.services.evidence import contamination
from web.context import Page
from web.curves import curve
from web.render import render


def contamination_page(page: Page) -> Response:
    """What is known of the models under a protocol."""
    values = [value for name, value in page.params if name == "protocol" and value]
    if len(values) > 1 or any(len(value) > MAX_LENGTH for value in values):
        raise InvalidInput("Give protocol only once.", pointer="/protocol")
    with page.state.sessions() as session:
        view = contamination.report(session, values[0] if values else None)
    return render(
        page,
        "pages/contamination.html",
        view=view,
        curves={_key(row): curve(row["months"], row["cutoff"]["date"]) for row in view.models},
        key=_key,
        # A report of an earlier version knew neither.
        probed=[row for row in view.models if "private_gap" in row and _is_probed(view.body or {})],
        board=board_of(view.protocol.protocol),
    )


def _is_probed(body: Mapping[str, Any]) -> bool:
    return bool(body["private_problems"] or body["rewritten_pairs"])


def _key(row: Mapping[str, Any]) -> str:
    return f"{row['model']}:{row['configuration']}"
