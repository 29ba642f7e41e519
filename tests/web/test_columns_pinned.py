"""The columns that boards began with: their names, order, types and classes on every face, as readers know them."""

import re
from dataclasses import replace
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet
from support.column_worlds import board_page, column_board
from support.snippets import Snippet, plugged

from app.cli.boards.text import format_board
from app.domain.boards.board import RunUsage
from app.domain.boards.columns import columns
from app.domain.boards.snapshots import board_csv
from app.services.boards.json_shape import board_json
from app.services.boards.table import board_parquet
from web.i18n import ENGLISH, Locale, locales, translator

LINK = "ref=orion"
JSON_KEYS = (
    "model name organisation configuration run trials rank rank_lo rank_hi tier score ci_lo ci_hi pass_at n_problems "
    "wanted coverage pending judge_errors exposed served prospective started_by registered_at by_difficulty split "
    "cutoff provisional unranked estimate demo imported n_inferred unknown_model tokens seconds_per_problem "
    "cost_per_solve speed_vs_reference speed_problems lag_days languages weights tuned_from unpublished_variants "
    "unmatched difference without_own without_own_reason p_first rank_overlap columns paired"
)
OPTIONAL = {"languages", "weights", "tuned_from"}
FILE_COLUMNS = {
    "int64": "rank rank_lo rank_hi tier",
    "string": "model configuration organisation",
    "double": "score ci_lo ci_hi",
    "int64 ": "n_problems wanted",
    "double ": "coverage",
    "int64  ": "exposed",
    "double  ": "easy medium hard expert extreme",
    "string ": "cutoff_date cutoff_basis",
    "bool": "provisional",
    "double   ": "estimate estimate_lo estimate_hi",
    "bool ": "n_inferred imported demo",
    "double    ": "tokens_input tokens_cached tokens_reasoning tokens_answer seconds_per_problem cost_per_solve "
    "speed_vs_reference",
    "int64   ": "speed_problems",
    "double     ": "without_own",
    "int64    ": "without_own_n",
    "string  ": "without_own_reason",
    "int64     ": "served",
    "bool  ": "prospective",
    "string   ": "started_by registered_at",
    "double      ": "lag_days pass_at_5 pass_at_10 p_first size_b base tuning tuning_lo tuning_hi",
}
HEADS = (
    ("c-rank", "col.rank"), ("c-model", "col.model"), ("num c-score", "col.score"), ("c-ci", "col.ci"),
    ("num c-diff", "col.difference"),
    ("num", "pass@5"), ("num", "pass@10"),
    *(("num c-level", f"level.short.{level}") for level in ("easy", "medium", "hard", "expert", "extreme")),
    *(("num", f"usage.{name}") for name in ("cost", "tokens", "seconds")), ("num", "size"), ("num", "base"),
    ("num", "tuning"), ("c-day", "col.cutoff"), ("c-day", "col.released"),
)  # fmt: skip
# An opened row has all of them, and these.
OPENED = ("col.n.label", "col.coverage", "usage.lag", "usage.speed")


def words(key: str) -> str:
    return translator(ENGLISH)(key) if "." in key else key


def test_json_has_them_in_order() -> None:
    rows, names = board_json(column_board(LINK))["rows"], JSON_KEYS.split()
    for row in rows:
        assert list(row) == [name for name in names if name in row or name not in OPTIONAL]
    assert set().union(*rows) >= set(names) - {"weights"}


def test_files_have_them_in_order_and_with_their_types() -> None:
    body = board_json(column_board(LINK))
    expected = [(name, kind.strip()) for kind, names in FILE_COLUMNS.items() for name in names.split()]
    assert board_csv(body).splitlines()[0].split(",") == [name for name, _kind in expected]
    schema = parquet.read_schema(pyarrow.BufferReader(board_parquet(body)))
    assert [(field.name, str(field.type)) for field in schema] == expected


def test_the_page_has_them_in_order_and_with_their_classes() -> None:
    page = board_page(column_board(LINK), LINK)
    table = page[page.index("<thead>") : page.index("</table>")]
    heads = re.findall(r'<th scope="col"(?: class="([^"]*)")?[^>]*>(?:<abbr[^>]*>)?([^<]*)', table)
    assert [(css, text.strip()) for css, text in heads] == [(css, words(key)) for css, key in HEADS]
    [first, *_] = re.findall(r'<tr id="row-.*?</tr>', table, re.DOTALL)
    assert re.findall(r'<t[dh](?: scope="row")? class="([^"]*)"', first) == [css for css, _key in HEADS]
    assert f'colspan="{len(heads)}"' in table


def test_an_opened_row_has_every_value_under_its_name() -> None:
    page = board_page(column_board(LINK), LINK)
    opened = page[page.index('<dl class="values">') :].partition("</dl>")[0]
    named = re.findall(r"<dt>([^<]*)</dt>", opened)
    shown = [words(key.replace("level.short", "level")) for _css, key in HEADS if key not in ("col.rank", "col.model")]
    assert [name for name in named if name in shown] == shown
    assert {words(key) for key in OPENED} <= set(named)


def test_heads_that_sort_say_so_and_rows_carry_what_they_are_sorted_by() -> None:
    page = board_page(column_board(LINK), f"{LINK}&sort=hard")
    table = page[page.index("<thead>") : page.index("</table>")]
    assert re.findall(r'data-sort="(\w+)"[^>]*aria-sort="(?!none)(\w+)"', table) == [("hard", "descending")]
    values = [float(value) for value in re.findall(r'<td class="num c-level" data-v="([^"]*)"', table)[2::5]]
    assert len(values) > 1
    assert values == sorted(values, reverse=True)
    assert 'class="tier"' not in table, "tiers stand in the order of ranks alone"
    up = board_page(column_board(LINK), f"{LINK}&sort=hard&dir=asc")
    assert re.findall(r'aria-sort="(?!none)(\w+)"', up[: up.index("</table>")]) == ["ascending"]


@pytest.mark.parametrize("locale", locales())
def test_every_catalogue_has_their_words(locale: Locale) -> None:
    page = board_page(column_board(LINK), LINK, locale)
    for key in (*(key for _css, key in HEADS), *OPENED):
        assert key.partition(".")[0] not in ("col", "usage") or translator(locale)(key) in page


def test_a_board_without_a_reference_or_several_answers_has_fewer() -> None:
    board = column_board("difficulty=easy", "coco")
    page = board_page(board, "difficulty=easy")
    assert "c-diff" not in page
    assert words("col.difference") not in page
    imported = replace(board, rows=tuple(row._replace(usage=RunUsage()) for row in board.rows))
    without = board_page(imported, "difficulty=easy").partition("<thead>")[2]
    for key in ("usage.cost", "usage.tokens", "usage.seconds", "usage.lag", "usage.speed"):
        assert f">{words(key)}<" in page
        assert f">{words(key)}<" not in without, "no row has a value there"


def test_a_terminal_has_them_in_order_and_leaves_out_the_same_ones_first() -> None:
    board = column_board(LINK)
    heads = "rank model pass@1 95 % interval pass@5 pass@10 E M H X XX size base tuning n cover cutoff"
    assert " ".join(format_board(board, width=200).splitlines()[0].split()) == heads
    first = "pass@5, pass@10, E, M, H, X, XX"
    for width, missing in (
        (100, first),
        (60, f"{first}, tuning, cutoff"),
        (40, f"{first}, size, base, tuning, cover, cutoff"),
    ):
        assert f"Not shown at this width: {missing}." in " ".join(format_board(board, width=width).split()), width


def test_two_columns_with_one_name_are_refused(tmp_path: Path) -> None:
    text = 'from app.domain.boards.columns import Column\n\nCOLUMN = Column(name="score")\n'
    twice = Snippet("python", "app/domain/boards/columns/again.py", text)
    with plugged(twice, tmp_path), pytest.raises(ValueError, match="two columns are named score"):
        columns()
