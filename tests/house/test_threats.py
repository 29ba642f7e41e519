"""docs/threats.md names the line that stops each attack, and the tests that show it; all of it is there."""

import re

import pytest
from support.rules import ROOT

PARTS = ["Vendors", "Setters", "Organisations", "Importers", "Visitors", "Maintainers", "Model programs", "Not stopped"]
TEXT = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
_SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))
_NAMES = re.compile(r"`([\w./]+\.py)(?:::(\w+))?`")


def rows(section: str) -> list[list[str]]:
    """The cells of its table's rows, without the head."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


ROWS = [(part, row) for part in PARTS[:-1] for row in rows(_SECTIONS.get(part, ""))]


def test_everybody_who_gains_has_a_part_and_so_has_what_is_not_stopped() -> None:
    assert list(_SECTIONS) == PARTS
    assert {part for part, _ in ROWS} == set(PARTS[:-1])
    assert len(re.findall(r"^\* ", _SECTIONS["Not stopped"], re.MULTILINE)) >= 5
    assert "|" not in _SECTIONS["Not stopped"]


@pytest.mark.parametrize(("part", "row"), ROWS)
def test_a_line_has_tests_that_are_there(part: str, row: list[str]) -> None:
    assert len(row) == 3, (part, row)
    names = _NAMES.findall(row[2])
    assert names, row
    assert _NAMES.sub("", row[2]).strip() == "", "only tests are named here"
    for file, test in names:
        assert file.startswith("tests/"), file
        source = (ROOT / file).read_text(encoding="utf-8")
        assert test, file
        assert re.search(rf"^(async )?def {test}\(", source, re.MULTILINE), (file, test)


def test_every_attack_that_is_tried_is_on_the_page() -> None:
    """Each test of tests/fair shows a line that stops somebody."""
    tried = {
        (path.relative_to(ROOT).as_posix(), test)
        for path in (ROOT / "tests" / "fair").glob("test_*.py")
        for test in re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert sorted(tried - set(_NAMES.findall(TEXT))) == []
