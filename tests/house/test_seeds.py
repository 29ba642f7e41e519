"""docs/seeds.md says where each thing of the five benchmarks is: every page, command, file and protocol is there."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, urlsplit

import pytest
from support.rules import ROOT

import app.api
from app.cli.verbs import VERBS
from app.domain.boards.filters import filters
from app.domain.boards.named_boards import boards
from app.domain.scenarios import shipped_protocols
from web.site import routes

# The figures and tables that each text numbers.
NUMBERED: Mapping[str, Mapping[str, Iterable[int]]] = {
    "LiveCodeBench": {"Figure": range(1, 14), "Table": range(1, 3)},
    "CodeElo": {"Figure": (5,), "Table": (3, 6)},
    "BigCodeBench": {},
    "CoCo-Bench": {"Figure": range(1, 13), "Table": range(1, 5)},
    "SuperCLUE-Code3": {},
}
TEXT = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
_SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))
LINKS = sorted(set(re.findall(r"\]\(([^)]+)\)", TEXT)))


def rows(section: str) -> list[list[str]]:
    """The cells of its table's rows, without the head."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


ROWS = [(name, row) for name in NUMBERED for row in rows(_SECTIONS.get(name, ""))]
SPANS = sorted({span for _name, row in ROWS for cell in row for span in re.findall(r"`([^`]+)`", cell)})
PATHS = [
    *(route.path_regex for route in routes() if hasattr(route, "path_regex")),
    *(
        route.path_regex
        for _, module, _ in pkgutil.iter_modules(app.api.__path__)
        for route in getattr(getattr(importlib.import_module(f"app.api.{module}"), "router", None), "routes", ())
    ),
]
_OTHER_PARAMETERS = {"also", "family", "from", "to", "protocol", "board", "ties", "compat"}


def _defined(file: str, name: str) -> bool:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name for node in tree.body)


def missing(span: str) -> str | None:
    """What is not there of what a span names; None where all of it is."""
    if span.startswith("./tidemark "):  # test_commands_in_documents.py reads the rest with the real parser
        return None if span.split()[1] in VERBS else "no such verb"
    if span.startswith("/"):
        return _missing_page(span)
    if "/" in span or "." in span:
        file, _, name = span.partition("::")
        if not (ROOT / file).exists():
            return "no such file"
        return None if not name or _defined(file, name) else "nothing of that name is in the file"
    return None if span in shipped_protocols() else "neither a protocol, nor a page, a command or a file"


def _missing_page(span: str) -> str | None:
    address = urlsplit(span)
    if not any(path.match(address.path) for path in PATHS):
        return "no such page"
    asked = dict(parse_qsl(address.query, strict_parsing=bool(address.query)))
    board = asked.get("board") or (re.match(r"(?:/api/v1)?/boards/([^/]+)", address.path) or ("", ""))[1]
    if board and board not in boards():
        return "no such board"
    if asked.get("protocol", "") not in ("", *shipped_protocols()):
        return "no such protocol"
    return "no such filter" if set(asked) - _OTHER_PARAMETERS - {filter_.name for filter_ in filters()} else None


def test_each_benchmark_has_a_table() -> None:
    assert list(_SECTIONS) == list(NUMBERED)
    assert {name for name, _row in ROWS} == set(NUMBERED)


@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda value: value if isinstance(value, str) else value[0][:40])
def test_a_line_says_where_a_thing_is_or_why_it_is_not(name: str, row: list[str]) -> None:
    what, here, why = row
    assert what, name
    assert here or why.startswith(("not yet", "not planned", "never")), row
    assert re.sub(r"`[^`]+`|\[[\w.]+\]\([\w.#-]+\)|[, ]", "", here) == "", "only pages, commands, files and protocols"


@pytest.mark.parametrize("span", SPANS)
def test_what_a_line_names_is_there(span: str) -> None:
    assert missing(span) is None, span


@pytest.mark.parametrize(
    "span",
    ["./tidemark fly", "/nowhere", "/boards/nowhere", "/boards/codegen?protocol=nowhere", "/boards/codegen?colour=red",
     "app/nowhere.py", "app/domain/cutoffs.py::nowhere", "nowhere"],
)  # fmt: skip
def test_what_is_not_there_would_be_seen(span: str) -> None:
    assert missing(span)


@pytest.mark.parametrize("link", LINKS)
def test_links_lead_to_a_part_of_a_document(link: str) -> None:
    name, _, part = link.partition("#")
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    heads = [
        re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in re.findall(r"^#+ (.+)", text, re.MULTILINE)
    ]
    assert not part or part in heads


@pytest.mark.parametrize("name", NUMBERED)
def test_every_table_and_figure_has_a_line(name: str) -> None:
    told: set[tuple[str, int]] = set()
    for _name, row in (line for line in ROWS if line[0] == name):
        for kind, first, second in re.findall(r"\b(Figure|Table)s? (\d+)(?: and (\d+))?", row[0]):
            told |= {(kind, int(number)) for number in (first, second) if number}
    wanted = {(kind, number) for kind, numbers in NUMBERED[name].items() for number in numbers}
    assert told == wanted
