"""Evidence for contamination: the test of every row, what it rests on, and what was sent to whom."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from app.domain.errors import InvalidInput
from app.services.boards.query import MAX_LENGTH, board_of
from app.services.evidence import contamination
from web.context import Page
from web.curves import curve
from web.render import render


def contamination_page(page: Page) -> Response:
    """What is known of the models under a protocol."""
    given = [value for name, value in page.params if name == "protocol" and value]
    if len(given) > 1 or any(len(value) > MAX_LENGTH for value in given):
        raise InvalidInput("Give protocol only once.", pointer="/protocol")
    with page.state.sessions() as session:
        found = contamination.report(session, given[0] if given else None)
    return render(
        page,
        "pages/contamination.html",
        view=found,
        curves={_key(row): curve(row["months"], row["cutoff"]["date"]) for row in found.models},
        key=_key,
        # A report of an earlier version knew neither.
        probed=[row for row in found.models if "private_gap" in row and _is_probed(found.body or {})],
        board=board_of(found.protocol.protocol.scenario),
    )


def _is_probed(body: Mapping[str, Any]) -> bool:
    return bool(body["private_problems"] or body["rewritten_pairs"])


def _key(row: Mapping[str, Any]) -> str:
    return f"{row['model']}:{row['configuration']}"
