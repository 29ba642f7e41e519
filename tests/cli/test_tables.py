"""Tables in a narrow terminal: cut, then without their least important columns, and never silently."""

import re

import pytest

from app.cli.operations.perf import format_figures
from app.cli.operations.up import format_status
from app.cli.tables import TableColumn, TextTable, format_table, paragraph, terminal_width
from perf.figures import PerfFigure

COLUMNS = [
    TableColumn("model", min_width=8),
    TableColumn("score", right=True),
    TableColumn("cutoff", drop_order=1),
    TableColumn("cost", drop_order=2),
]
ROWS = [("a model of a very long name (high)", "71.0", "2026-01-31", "0.1234"), ("tern", "9.5", "-", "-")]


@pytest.mark.parametrize(("width", "left_out"), [(100, []), (40, []), (30, ["cost"]), (20, ["cutoff", "cost"])])
def test_columns_are_cut_then_left_out_and_named(width: int, left_out: list[str]) -> None:
    made = TextTable(COLUMNS, ROWS, width)
    assert made.left_out == left_out
    lines = [*made.head(), *(made.line(row) for row in ROWS)]
    assert max(map(len, lines)) <= width
    assert (made.note is None) == (not left_out)
    assert all(name in format_table(COLUMNS, ROWS, width) for name in left_out)
    assert lines[2].endswith("0.1234") == (not left_out)
    assert re.search(r"[h)]\s", lines[2]), "the end of a name tells configurations apart"


def test_a_terminal_obeys_nothing_that_is_in_a_cell() -> None:
    assert "\x1b" not in format_table([TableColumn("name")], [("\x1b[31mred",)], 80)


def test_a_long_word_stays_whole_so_that_it_can_be_copied() -> None:
    path = "/a/" + "long/" * 30
    assert path in paragraph(f"it is in {path} now", 80)


def test_the_width_is_that_of_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert terminal_width() == 80
    monkeypatch.setenv("COLUMNS", "3")
    assert terminal_width() == 40


def test_figures_fit_eighty_columns() -> None:
    rows = [
        PerfFigure("inference.c64.cpu_s_per_1000", 12345.678, "requests/s", 1.0, 123456.0, ok=False),
        PerfFigure("judge.python.per_s", 21.5, "per s", 20.0, None, ok=True),
    ]
    shown = format_figures(rows, 80)
    assert max(map(len, shown.splitlines())) <= 80
    assert "MISSED" in shown
    assert "inference.c64.cpu_s_per_1000" in shown


def test_a_status_fits_eighty_columns_and_reads_as_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    process = {"name": "postgres", "state": "RUNNING", "pid": 1234567, "uptime_s": 86400}
    reasons = [f"no worker of queue {name} has been heard of lately" for name in ("ingest", "infer", "grade")]
    facts = {
        "url": "http://127.0.0.1:8321",
        "pid": 1,
        "state": "/srv/tidemark",
        "processes": [process],
        "shortage": None,
        "grading": None,
        "alerts": [],
    }
    shown = format_status({**facts, "readiness": {"status": "not ready", "reasons": reasons}})
    assert max(map(len, shown.splitlines())) <= 80
    assert f"not ready; {'; '.join(reasons)}" in " ".join(shown.split())
    assert "the site does not answer" in format_status({**facts, "readiness": None})
    full = format_status(
        {**facts, "shortage": "/srv has 3 MB left on its disk; work goes on with 200 MB", "readiness": None}
    )
    judged = format_status({**facts, "grading": "no bubblewrap at /usr/bin/bwrap", "readiness": None})
    assert "\ngrading paused: no bubblewrap at /usr/bin/bwrap\nthe site does not" in judged
    told = format_status({**facts, "alerts": [f"the job {job} failed" for job in "abcdefghijkl"], "readiness": None})
    assert "\nalert: the job a failed\n" in told
    assert "\nalert: the job j failed\n2 more alerts: see /ops\nthe site does not" in told
    assert "\nwork paused: /srv has 3 MB left on its disk; work goes on with 200 MB\nthe site does not" in full
