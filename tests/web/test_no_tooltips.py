"""Whatever a page says can be read without a pointer: nothing stands in a tooltip."""

import re
from pathlib import Path

import pytest

from web.context import PageRequest
from web.i18n import negotiate_locale

WEB = Path(__file__).resolve().parents[2] / "web"
FACES = sorted([*(WEB / "templates").rglob("*.html"), *(WEB / "static").rglob("*.js"), *WEB.glob("*.py")])
# A page's own title, that of an embedded board, and the names of feeds in its head.
ALLOWED = re.compile(
    r"<title>\{% block title %\}|<title>\{\{ title \}\} · Tidemark</title>|"
    r"<link rel=\"alternate\"[^>]* title=|document\.title = page\.title|title=f?\"\{month"
)


@pytest.mark.parametrize("path", FACES, ids=lambda path: str(path.relative_to(WEB)))
def test_nothing_stands_in_a_title(path: Path) -> None:
    text = ALLOWED.sub("", path.read_text(encoding="utf-8"))
    assert not re.findall(r"<title\b|(?<![\w.])title=[\"'{]|\.title\s*=[^=]|setAttribute\(\s*[\"']title", text)


def test_what_a_mark_means_is_said_once_and_by_the_name_it_has() -> None:
    page = PageRequest(None, negotiate_locale("en"), "/", negotiated=False)  # type: ignore[arg-type]  # no request is asked
    assert page.explain_term("served 3 before", "Its vendor had these.", "served before") == "served 3 before"
    page.explain_term("served 4 before", "Its vendor had these.", "served before")
    page.explain_term("own tests", "one reason")
    page.explain_term("own tests", "another")
    assert page.legend == {"served before": ["Its vendor had these."], "own tests": ["one reason", "another"]}
