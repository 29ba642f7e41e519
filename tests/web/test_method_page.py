"""How every number is made: each column and statistic has its paragraph, and says where it is computed."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from httpx import Client

from app.domain.boards.columns import columns
from app.domain.boards.entrants import MIN_COVERAGE
from app.domain.boards.named_boards import boards
from web.i18n import locales

ROOT = Path(__file__).resolve().parents[2]


def read(client: Client, path: str) -> BeautifulSoup:
    """A page as a tree."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return BeautifulSoup(answer.text, "lxml")


@pytest.mark.parametrize("locale", locales())
def test_every_column_of_every_board_has_its_paragraph(client: Client, locale: str) -> None:
    page = read(client, f"/{locale}/method")
    for name in [column.name for column in columns()]:
        place = page.find(id=name)
        assert place is not None, name
        paragraph = place.find_parent("details")
        assert paragraph is not None, name
        assert len(paragraph.select_one(".paragraph p").get_text()) > 20, name  # type: ignore[union-attr]
        assert place.find_parent("dl", class_="own-columns") is None, f"{name} has no paragraph of its own"
    for board in boards().values():
        for column in board.columns:
            shown = page.find(id=f"{board.name}-{column.name}")
            assert shown is not None, (board.name, column.name)
            assert shown.dd.get_text() == column.meanings[locale]  # type: ignore[union-attr]


def test_a_paragraph_names_its_formula_source_and_code(client: Client) -> None:
    page = read(client, "/en/method")
    for paragraph in page.select(".method details"):
        paths = [code.get_text() for code in paragraph.select(".beside dd code") if "/" in code.get_text()]
        assert paths, paragraph.get_text()
        assert [path for path in paths if not (ROOT / path).exists()] == []
    formulas = {part["id"] for part in page.select(".paragraph") if part.find("math")}
    assert {"score", "ci", "rank", "difference", "pass_at", "coverage", "exposed", "cost", "speed", "elo",
            "contamination"} <= formulas  # fmt: skip
    assert f"Below {MIN_COVERAGE:.0%} a row is provisional" in page.find(id="coverage").get_text()  # type: ignore[union-attr]
    assert "arXiv 2107.03374" in page.find(id="pass_at").get_text()  # type: ignore[union-attr]


def test_trust_opens_with_the_method_and_leads_to_the_whole_family(client: Client) -> None:
    page = read(client, "/zh/trust")
    tabs = page.select_one("nav.tabs")
    assert tabs is not None
    assert tabs.select_one("[aria-current]").get_text() == "计算方法"  # type: ignore[union-attr]
    for link in tabs.select("a"):
        family = read(client, str(link["href"]))
        assert family.select_one("nav.tabs [aria-current=page]").get_text() == link.get_text()  # type: ignore[union-attr]
