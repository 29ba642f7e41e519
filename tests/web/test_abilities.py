"""Where things stand on the charts of the holistic board."""

from web.board_tabs.skill_charts import CELL, bars, matrix, radar, scatter, trend_line


def test_a_radar_goes_from_the_middle_to_the_rim() -> None:
    chart = radar([100.0, 0.0, 50.0, 100.0])
    assert chart is not None
    assert [spoke.number for spoke in chart.spokes] == [1, 2, 3, 4]
    assert [spoke.dot for spoke in chart.spokes] == [(100.0, 26.0), (100.0, 100.0), (100.0, 137.0), (26.0, 100.0)]
    assert chart.shape == "100.0,26.0 100.0,100.0 100.0,137.0 26.0,100.0"
    assert len(chart.rings) == 4


def test_a_missing_score_leaves_no_shape_that_would_hide_it() -> None:
    chart = radar([100.0, None, 50.0])
    assert chart is not None
    assert chart.shape == ""
    assert [spoke.dot is None for spoke in chart.spokes] == [False, True, False]
    assert radar([50.0, 50.0]) is None


def test_a_matrix_a_scatter_and_gaps() -> None:
    field, other = matrix([(0, 0, 0.5), (1, 2, -1.0)])
    assert (field.x, field.y, field.text, field.weight, field.negative) == (0, 0, ".50", 0.5, False)
    assert (other.x, other.y, other.text, other.weight, other.negative) == (CELL, 2 * CELL, "-1.00", 1.0, True)
    [dot] = scatter([(50.0, 100.0, "lower")])
    assert (dot.number, dot.x, dot.y, dot.group) == (1, 120.0, 0.0, "lower")
    assert [(bar.x, bar.lo, bar.hi) for bar in bars([(0.0, -50.0, 120.0)])] == [(50.0, 25.0, 100.0)]


def test_a_trend_ends_where_the_square_does() -> None:
    assert trend_line(1.0, 0.0) == (0.0, 240.0, 240.0, 0.0)
    assert trend_line(0.0, 50.0) == (0.0, 120.0, 240.0, 120.0)
    assert trend_line(2.0, -50.0) == (60.0, 240.0, 180.0, 0.0)
    assert trend_line(-1.0, 150.0) == (120.0, 0.0, 240.0, 120.0)
    assert trend_line(0.0, 120.0) is None
    assert trend_line(1.0, 110.0) is None
