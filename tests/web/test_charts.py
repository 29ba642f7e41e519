"""Coordinates of charts: scales that hold what is drawn, and names that overlap nothing."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.windows import Window
from web.charts import ChartLine, DotLabel, LogScale, PlotDot, ScoreScale, place_labels, text_px
from web.tideline import tideline

SCORES = st.floats(0, 100)
DOTS = st.lists(
    st.builds(PlotDot, SCORES, SCORES, st.sampled_from(["Tern Large (high)", "Orion", "千问 3", "a" * 60])), max_size=12
)


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
