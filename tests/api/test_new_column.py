"""A new column is one file and its words: the one of docs/adding-a-column.md, on every face of a board."""

import csv
import io
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import cast

import pyarrow
import pytest
from babel.messages.pofile import read_po
from factories import World
from httpx import Client
from pyarrow import parquet
from support.recomputing import recomputed, unpacked
from support.rules import ROOT
from support.snippets import plug_in, plugged, snippets
from support.words import faults

from app.cli.boards.text import format_board
from app.domain.boards.columns import columns
from app.domain.judging.verdicts import Verdict
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from web.i18n import FOLDER, Locale, catalogue, locales

DOCUMENT = "adding-a-column.md"
URL = "/api/v1/boards/codegen"
SPLIT = {"exposure": "split"}
WORDS = {"col.half_width": "Half width", "col.half_width.long": "half the width of the interval, in points"}


@pytest.fixture
def words(tmp_path: Path) -> Iterator[Path]:
    """The catalogues with the words of the document, in a folder, and in the catalogues of this process."""
    added = [snippet.text for snippet in snippets(ROOT / "docs" / DOCUMENT) if snippet.language == "po"]
    for name, text in zip(("en", "zh"), added, strict=True):
        shutil.copy(FOLDER / f"{name}.po", tmp_path)
        with (tmp_path / f"{name}.po").open("a", encoding="utf-8") as file:
            file.write(f"\n{text}")
        with (tmp_path / f"{name}.po").open("rb") as file:
            content = read_po(file)
        messages = cast("dict[str, tuple[str, ...]]", catalogue(Locale(name)).messages)
        for message in (content.get(english, context) for context, english in WORDS.items()):
            assert message is not None
            messages[str(message.context)] = (str(message.string or message.id),)
    yield tmp_path
    for locale in locales():
        for key in WORDS:
            del cast("dict[str, tuple[str, ...]]", catalogue(locale).messages)[key]


@pytest.fixture
def column(words: Path, tmp_path: Path) -> Iterator[None]:
    folder = tmp_path / "columns"
    folder.mkdir()
    with plugged(plug_in(DOCUMENT), folder):
        yield
    assert "half_width" not in {column.name for column in columns()}


@pytest.fixture
def filled(world: World) -> World:
    """A row with an interval, and one without: its model may have seen every problem."""
    problems = [world.problem(f"p{n}", day=date(2026, 5, 1 + n), contest=f"c{n}") for n in range(6)]
    orion, lyra = world.run("orion"), world.run("lyra", cutoff_on=date(2026, 6, 1))
    for n, problem in enumerate(problems):
        world.answer(orion, problem, Verdict.ACCEPTED if n % 3 else Verdict.WRONG_ANSWER)
        world.answer(lyra, problem)
    world.count()
    world.session.commit()
    return world


@pytest.mark.usefixtures("column")
def test_one_file_and_its_words_are_a_column_everywhere(filled: World, client: Client, tmp_path: Path) -> None:
    body = client.get(URL, params=SPLIT).json()
    orion, lyra = body["rows"]
    assert orion["half_width"] == pytest.approx((orion["ci_hi"] - orion["ci_lo"]) / 2)
    assert orion["half_width"] > 1
    assert (lyra["ci_lo"], lyra["half_width"]) == (None, None)

    head, *lines = csv.reader(io.StringIO(client.get(f"{URL}.csv", params=SPLIT).text, newline=""))
    assert head[head.index("p_first") :] == [
        "p_first",
        "half_width",
        "size_b",
        "base",
        "tuning",
        "tuning_lo",
        "tuning_hi",
    ]
    assert [line[head.index("half_width")] for line in lines] == [repr(orion["half_width"]), ""]
    table = parquet.read_table(pyarrow.BufferReader(client.get(f"{URL}.parquet", params=SPLIT).content))
    assert table.column_names == head
    assert table.schema.field("half_width").type == pyarrow.float64()
    assert table["half_width"].to_pylist() == [orion["half_width"], None]

    shown = f"{orion['half_width']:.1f}"
    for locale, title, meaning in (
        ("en", "Half width", "half the width of the interval, in points"),
        ("zh", "半宽", "区间宽度的一半（分）"),
    ):
        page = client.get(f"/{locale}/", params=SPLIT).text
        opening = '<th scope="col" class="num" data-sort="half_width" data-kind="number" data-low aria-sort="none"'
        assert page.count(f'{opening} tabindex="-1" data-why="why-half_width">{title}</th>') == 2, "of either table"
        cell = f'<td class="num" data-v="{orion["half_width"]}">{shown}</td>'
        assert '<td class="num" data-v="">—</td>' in page
        assert f'<dt>{title}</dt><dd id="why-half_width">{meaning} <a href="/{locale}/method#half_width">' in page
        assert page.count(f"<div><dt>{title}</dt><dd>{shown}</dd></div>") == 1, "in the opened row"
        method = client.get(f"/{locale}/method").text
        assert f'<div id="half_width"><dt>{title}</dt><dd>{meaning}</dd></div>' in method
        row = page[page.index('id="row-orion') :].partition("</tr>")[0]
        assert row.index("c-ci") < row.index(cell) < row.index("c-level")
        order = re.findall(r'id="row-(\w+)-', client.get(f"/{locale}/", params=SPLIT | {"sort": "half_width"}).text)
        assert order == ["orion", "lyra"], "unknown values are last"

    found = board_views.board(filled.session, parse_query(SPLIT.items()), CubeStore(tmp_path / "cubes"))
    heading, _rule, first = format_board(found).splitlines()[:3]
    end = heading.index(" half ") + len(" half")
    assert first[:end].endswith(f" {shown}")
    narrow = format_board(found, width=60)
    assert "half" not in narrow.splitlines()[0]
    assert "Not shown at this width: half," in " ".join(narrow.split())

    archive = client.get(f"{URL}.zip", params=SPLIT).content
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        assert json.loads(files.read("board.json"))["rows"][0]["half_width"] == orion["half_width"]
    code, printed = recomputed(unpacked(archive, tmp_path / "bundle"))
    assert (code, printed.splitlines()[-1]) == (0, "2 rows, 0 differences")


def test_catalogues_with_the_new_columns_words_have_no_faults(words: Path) -> None:
    assert faults(words / "en.po", words / "en.po") == []
    assert faults(words / "zh.po", words / "en.po") == []
