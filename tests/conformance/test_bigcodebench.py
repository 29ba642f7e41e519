"""BigCodeBench's own data: recorded answers with official verdicts, tasks that need packages, the published boards."""

import json
from pathlib import Path
from typing import Any

import pytest
from pipeline.flow import NOW
from support.files import lines, read, write

from app.config import Settings
from app.db.kernel.session import Session
from app.domain.asking.extraction import Extraction
from app.domain.boards.board import BoardQuery
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios.completion import PUBLISHED, SCENARIO
from app.services.boards import board_views
from app.services.runs import cell_updates, imports
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import Judge
from workers.grading.proofs import prove
from workers.grading.testing.packages import find_packages

TASKS = "data/bigcodebench/tasks.jsonl"
VERDICTS = "data/bigcodebench/official_verdicts.jsonl"
BOARDS = {"full": "data/bigcodebench/leaderboard_full.json", "hard": "data/bigcodebench/leaderboard_hard.json"}


def answer(code: str) -> Extraction:
    """What is read of an answer that holds a program."""
    return SCENARIO.extract(f"Here it is:\n\n```python\n{code}\n```\n", SCENARIO.protocols[0])


def test_every_reference_is_read_from_an_answer_as_it_is(shared: Path) -> None:
    for problem in read("bigcodebench", shared / TASKS).problems:
        found = answer(problem.programs[0].code)
        assert found.followed_format
        assert "def task_func(" in (found.code or "")


@pytest.mark.sandbox
def test_recorded_answers_get_the_official_verdict(shared: Path, tmp_path: Path, judge: Judge) -> None:
    told = [json.loads(line) for line in (shared / VERDICTS).read_text().splitlines()]
    for row in told:
        task = {
            "task_id": row["task_id"], "complete_prompt": row["code_prompt"], "instruct_prompt": "Do it.",
            "canonical_solution": "    pass", "code_prompt": row["code_prompt"], "test": row["test"],
            "entry_point": row["entry_point"], "libs": "[]",
        }  # fmt: skip
        [problem] = read("bigcodebench", write(tmp_path, "task.jsonl", lines(task))).problems
        verdict = judge.grade(problem.spec, answer(row["solution"]).code, "python").verdict
        assert verdict is not Verdict.JUDGE_ERROR
        assert (verdict is Verdict.ACCEPTED) == (row["official_status"] == "pass"), row["task_id"]


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_all_tasks_are_proven_with_packages(shared: Path) -> None:
    settings = Settings().judge_settings()
    if find_packages(settings.sandbox_root) is None:
        pytest.skip("./tidemark judge-env build bigcode was not run here")
    judge = AnsweringJudge(settings)
    judge.self_test()
    for problem in read("bigcodebench", shared / TASKS).problems:
        assert prove(judge, problem.spec, problem.programs).reason is None, problem.external_id


@pytest.mark.parametrize("subset", BOARDS)
def test_the_published_boards_are_shown_to_the_digit(
    session: Session, shared: Path, tmp_path: Path, subset: str
) -> None:
    published: dict[str, Any] = json.loads((shared / BOARDS[subset]).read_text())
    imports.store_batch(session, read("bigcodebench-results", shared / BOARDS[subset], board=subset), NOW)
    while cell_updates.update_changed_cells(session):
        pass
    session.flush()
    for style in ("complete", "instruct"):
        query = BoardQuery(board="bigcode", protocol=PUBLISHED[subset, style].slug)
        board = board_views.board_json(board_views.board(session, query, board_views.CubeStore(tmp_path / style)))
        shown = {row["name"]: round(row["score"], 4) for row in board["rows"]}
        assert shown == {
            name: row["pass@1"][style] for name, row in published.items() if row["pass@1"][style] is not None
        }
        # Parts of a percentage are no answers, of which several could be drawn.
        assert {(row["pass_at"]["5"], row["pass_at"]["10"]) for row in board["rows"]} == {(None, None)}
