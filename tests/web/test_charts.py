"""Coordinates of charts: scales that hold what is drawn, and names that overlap nothing."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from support.board_worlds import board_of

from app.db.boards.cells import ProtocolFact
from app.domain.asking.protocols import HOUSE
from app.domain.boards.board import BoardQuery, RunUsage
from app.domain.windows import Window
from app.services.boards.board_views import BoardView
from app.services.runs.judge_state import GradingState
from web.board_tabs.charts import ChartLine, DotLabel, LogScale, PlotDot, ScoreScale, place_labels, text_px
from web.board_tabs.cost import cost_view
from web.context import PageRequest
from web.i18n import ENGLISH
from web.tideline import tideline

SCORES = st.floats(0, 100)
DOTS = st.lists(
    st.builds(PlotDot, SCORES, SCORES, st.sampled_from(["Tern Large (high)", "Orion", "千问 3", "a" * 60])), max_size=12
)


def shown(scores: dict[int, list[float]], costs: dict[int, float | None]) -> tuple[PageRequest, BoardView]:
    """A board of these rows, and a request for its page."""
    board = board_of(scores, BoardQuery())
    rows = tuple(row._replace(usage=RunUsage(cost_per_problem=costs[row.run])) for row in board.rows)
    scope = {"type": "http", "method": "GET", "path": "/en/", "query_string": b"", "headers": []}
    fact = ProtocolFact(1, HOUSE.slug, HOUSE.title, HOUSE)
    view = BoardView(replace(board, rows=rows), fact, (fact,), ("codegen",), (), GradingState("ready", None), 0, None)
    return PageRequest(Request(scope), ENGLISH, "/", negotiated=False), view


def test_rows_without_a_place_on_the_axis_are_counted() -> None:
    costs: dict[int, float | None] = {1: 0.01, 2: None, 3: 0.0, 4: 0.02}
    found = cost_view(*shown({run: [run / 4] * 9 for run in costs}, costs))
    assert (len(found.dots), found.free, found.unknown, found.more) == (2, 1, 1, 0)
    assert [dot.key for dot in found.dots if dot.on_frontier] == ["model-4-4", "model-1-1"]
    bare = cost_view(*shown({1: [0.5] * 9}, {1: None}))
    assert (bare.dots, bare.unknown, bare.axis) == ((), 1, "cost")


def test_a_large_board_draws_its_first_rows_and_the_frontier() -> None:
    costs: dict[int, float | None] = {run: 0.001 if run == 1 else 0.5 for run in range(1, 201)}
    found = cost_view(*shown({run: [1.0 if run == 200 else run / 250] * 12 for run in costs}, costs))
    assert (len(found.dots), found.more) == (151, 49)
    assert {dot.key for dot in found.dots if dot.on_frontier} == {"model-1-1", "model-200-200"}
    assert len(found.wide_labels) <= 22


def box_of(label: DotLabel, width: float, height: float) -> tuple[float, float, float, float]:
    length = text_px(label.text)
    left = label.x * width / 100 + label.dx - {"start": 0.0, "middle": length / 2, "end": length}[label.anchor]
    base = label.y * height / 100 + label.dy
    return left, base - 10, left + length, base


def overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@given(DOTS, st.floats(1, 4))
def test_labels_overlap_neither_dots_nor_one_another_on_any_wider_plot(dots: list[PlotDot], times: float) -> None:
    labels = list(place_labels(dots, range(len(dots)), (), 300, 240))
    assert len({(label.x, label.y, label.dx, label.dy, label.text) for label in labels}) == len(labels)
    for width in (300, 300 * times):
        boxes = [box_of(label, width, 240) for label in labels]
        assert all(box[0] >= -1e-9 and box[2] <= width + 1e-9 for box in boxes)
        for place, box in enumerate(boxes):
            assert not any(overlap(box, other) for other in boxes[place + 1 :])
            for dot in dots:
                x, y = dot.x * width / 100, dot.y * 240 / 100
                own = (dot.x, dot.y) == (labels[place].x, labels[place].y)
                assert own or not overlap(box, (x - 4, y - 4, x + 4, y + 4))


def test_a_label_keeps_clear_of_a_line_if_it_can() -> None:
    dot = PlotDot(50, 50, "Orion")
    [free] = place_labels([dot], [0], (), 300, 240)
    assert (free.anchor, free.dy) == ("end", 4)
    [moved] = place_labels([dot], [0], [ChartLine(0, 50, 50, 50)], 300, 240)
    assert (moved.anchor, moved.dy) == ("end", -9)
    hemmed = [ChartLine(0, y, 100, y) for y in range(0, 101, 4)]
    assert len(list(place_labels([dot], [0], hemmed, 300, 240))) == 1, "else it lies over lines"
    assert list(place_labels([PlotDot(50, 50, "a" * 60)], [0], (), 300, 240)) == []


@given(st.lists(st.floats(1e-5, 1e5), min_size=1, max_size=9))
def test_a_logarithmic_axis_has_room_on_both_sides(values: list[float]) -> None:
    scale = LogScale.around(values)
    assert scale.most / scale.least >= 1.3
    places = [scale.place(value) for value in values]
    assert all(2 <= place <= 98 for place in places)
    assert sorted(values) == [value for _, value in sorted(zip(places, values, strict=True))]


@given(st.lists(SCORES, min_size=1, max_size=9))
def test_an_axis_of_scores_holds_all_of_them(scores: list[float]) -> None:
    scale = ScoreScale.around(scores)
    assert 0 <= scale.least <= min(scores) <= max(scores) <= scale.most <= 100
    assert scale.most - scale.least >= 20
    assert all(0 <= scale.place(score) <= 100 for score in (*scores, -5, 105))
    assert [tick.at for tick in scale.ticks] == sorted((tick.at for tick in scale.ticks), reverse=True)


@pytest.mark.parametrize(
    ("window", "start", "end", "whole"),
    [
        (Window(), 0, 28, True),
        (Window(date(2020, 1, 1), date(2030, 1, 1)), 0, 28, True),
        (Window(date(2026, 1, 8)), 3, 28, False),
        (Window(None, date(2026, 1, 20)), 0, 15, False),
    ],
)
def test_the_window_lies_where_its_days_are(window: Window, start: int, end: int, whole: bool) -> None:
    days = [(date(2026, 1, 7), 4), (date(2026, 1, 8), 1), (date(2026, 2, 1), 2)]
    found = tideline(days, window, {}, None)
    assert found is not None
    assert (found.first, found.last, found.days, found.problems) == (date(2026, 1, 5), date(2026, 2, 2), 28, 7)
    assert (found.start, found.end, found.is_whole) == (start, end, whole)
    assert found.counts == "2:4 1:1 24:2"
    assert found.bars == "M0 30V0h6V30zM21 30V18h6V30z"
