"""From nothing to a board: `up` ends with a complete board whose every number was judged in this run."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.installation import Installation, installation

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(1200)]
COMPLETE_S = 600.0


def open_samples(house: Installation) -> int:
    return int(house.scalar("SELECT count(*) FROM samples WHERE state NOT IN ('graded', 'gave_up', 'stuck')"))


def is_complete(house: Installation) -> bool:
    seeded = house.scalar("SELECT count(*) FROM samples")
    return bool(seeded) and open_samples(house) == 0 and not house.scalar("SELECT count(*) FROM dirty_cells")


@dataclass(frozen=True)
class Ended:
    """What an installation showed before it was stopped, and its processes."""

    rows: list[dict[str, Any]]
    pids: dict[str, int]
    exit_code: int | None


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state folder of this module's league."""
    return tmp_path_factory.mktemp("house") / "state"


@pytest.fixture(scope="module")
def first(state: Path) -> Ended:
    """From nothing to a complete board, and stopped."""
    with installation(state) as made:
        made.wait("a complete board", COMPLETE_S, lambda: is_complete(made))
        rows, pids = made.get("/api/v1/boards/codegen").json()["rows"], made.pids()
    return Ended(rows, pids, made.process.returncode)


@pytest.fixture(scope="module")
def house(state: Path, first: Ended) -> Iterator[Installation]:
    """The same, started again."""
    with installation(state) as made:
        yield made


def test_the_board_is_complete(house: Installation) -> None:
    board = house.get("/api/v1/boards/codegen").json()
    assert board["protocol"] == "house"
    assert board["problems"] >= 24
    assert len(board["rows"]) == 6  # five models, one of them at two efforts
    for row in board["rows"]:
        assert row["coverage"] == 1.0, row
        assert row["ci_lo"] < row["score"] < row["ci_hi"]
        assert row["rank_lo"] <= (row["rank"] or row["rank_lo"]) <= row["rank_hi"] if row["rank"] else True
    assert {row["configuration"] for row in board["rows"] if row["model"] == "tern-large"} == {"low", "high"}
    assert house.get("/readyz").status_code == 200


def test_page_and_command_line_show_the_same_rows(house: Installation) -> None:
    rows = house.get("/api/v1/boards/codegen").json()["rows"]
    printed = json.loads(house.call("board", "codegen", "--json").stdout)["rows"]
    assert printed == rows
    page = house.get("/en/").text
    for row in rows:
        assert f"{row['score']:.1f}" in page


def test_each_verdict_was_made_here_and_tells_its_limits(house: Installation) -> None:
    """Every graded sample has one counting verdict with CPU, memory and the mode of its limits."""
    graded = house.scalar("SELECT count(*) FROM samples WHERE state = 'graded'")
    assert graded == house.scalar("SELECT count(*) FROM samples")
    assert graded == house.scalar("SELECT count(*) FROM verdicts WHERE counts")
    ran = "verdict NOT IN ('no_answer', 'compile_error')"
    assert house.scalar(f"SELECT count(*) FROM verdicts WHERE {ran} AND (cpu_ms <= 0 OR memory_kb <= 0)") == 0
    assert house.scalar("SELECT count(*) FROM verdicts WHERE limit_mode NOT IN ('rlimit', 'cgroup')") == 0


def test_a_number_can_be_followed_to_its_programs(house: Installation) -> None:
    """Board -> model -> sample, by the links on the pages."""
    page = house.get("/en/").text
    assert 'href="/en/models/tern-large' in page
    model = house.get("/en/models/tern-large").text
    sample = house.scalar("SELECT min(s.id) FROM samples s JOIN verdicts v ON v.sample_id = s.id")
    assert "/en/samples/" in model
    shown = house.get(f"/en/samples/{sample}").text
    assert "rlimit" in shown or "cgroup" in shown


def test_recall_is_better_before_its_cutoff(house: Installation) -> None:
    """The demo model that remembers: plainly better on problems from before its cutoff."""
    before = house.get("/api/v1/boards/codegen?to=2026-05-01").json()["rows"]
    after = house.get("/api/v1/boards/codegen?from=2026-05-02").json()["rows"]

    def score(rows: list[dict[str, object]]) -> float:
        return next(float(str(row["score"])) for row in rows if row["model"] == "heron-recall")

    assert score(before) > score(after) + 20


def test_a_second_up_is_refused(house: Installation) -> None:
    second = house.call("up", "--port", "0", check=False)
    assert second.returncode == 1
    assert str(house.running().process.pid) in second.stderr + second.stdout


def test_stopping_leaves_no_process(first: Ended) -> None:
    assert first.exit_code == 0
    assert len(first.pids) >= 6
    for name, pid in first.pids.items():
        assert not Path(f"/proc/{pid}").exists(), name


def test_a_second_start_shows_the_same_board(first: Ended, house: Installation) -> None:
    assert house.get("/api/v1/boards/codegen").json()["rows"] == first.rows


def test_without_the_sandbox_nothing_is_graded(tmp_path: Path) -> None:
    """No bubblewrap: the answers wait, the board is empty, and the page and /readyz say why."""
    with installation(tmp_path / "state", bwrap="/nonexistent/bwrap") as house:
        house.wait("answers", 600, lambda: house.scalar("SELECT count(*) FROM samples WHERE state = 'answered'") >= 40)
        house.wait("the reason", 600, lambda: "bwrap" in house.get("/readyz").text)
        assert house.get("/readyz").status_code == 503
        assert house.scalar("SELECT count(*) FROM verdicts") == 0
        page = house.get("/en/").text
        assert "bwrap" in page
        rows = house.get("/api/v1/boards/codegen").json()["rows"]
        assert all(row["score"] is None and row["rank"] is None for row in rows)
