"""Real boards, problems and answers of LiveCodeBench and LeetCode, imported and graded."""

import gzip
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select
from support.files import read

from app.db.tables import Problem, Run, Sample, TestSet, VerdictRow
from app.domain.imports import ImportBatch
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState, SampleState
from app.services.runs import imports
from workers import tasks
from workers.context import Context, now

GENERATION = "livecodebench/performances_generation_2025-04-28.json.gz"
REPAIR = "livecodebench/performances_repair.json.gz"
SUBMISSION = "livecodebench/submission_O1-Mini-2024-09-12_N1_codegeneration_eval_all.json.gz"
DATASET = "problems_real/leetcodedataset_v0.3.1_test.jsonl.gz"
CONTESTS = "problems_real/deepseek_leetcode_contests_2023-07_2024-01.jsonl.gz"

Graded = tuple[str, bool, str]  # problem, the recorded verdict, ours


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    return shared / "data"


@pytest.fixture(scope="module")
def generation(data: Path) -> ImportBatch:
    return read("lcb-board", data / GENERATION, board="codegen")


@pytest.fixture(scope="module")
def repair(data: Path) -> ImportBatch:
    return read("lcb-board", data / REPAIR, board="repair")


@pytest.fixture(scope="module")
def dataset(data: Path) -> ImportBatch:
    return read("leetcode-dataset", data / DATASET)


@pytest.fixture(scope="module")
def contests(data: Path) -> ImportBatch:
    return read("deepseek-contests", data / CONTESTS)


@pytest.fixture(scope="module")
def recorded(data: Path) -> ImportBatch:
    return read("lcb-submission", data / SUBMISSION)


def test_the_repair_board(data: Path, repair: ImportBatch) -> None:
    batch = repair
    assert (len(batch.models), len(batch.problems), len(batch.cells)) == (17, 713, 12_121)
    assert {cell.n for cell in batch.cells} <= {1, 2, 5, 10}
    rows = json.loads(gzip.decompress((data / REPAIR).read_bytes()))["performances"]
    for row, cell in zip(rows, batch.cells, strict=True):
        assert math.isclose(100 * cell.c / cell.n, row["pass@1"], abs_tol=1e-9)


def test_the_boards_say_who_makes_each_model(generation: ImportBatch, repair: ImportBatch) -> None:
    for batch, makers in (
        (generation, {"OpenAI": 9, "Anthropic": 3, "Google": 2, "DeepSeek": 1, "xAI": 1}),
        (repair, {"OpenAI": 6, "Anthropic": 3, "Meta": 3, "Alibaba": 2, "Google": 2, "Mistral": 1}),
    ):
        unnamed = sorted(model.name for model in batch.models if not model.organisation)
        print("no organisation:", *unnamed, sep="\n  ")
        assert unnamed == []
        assert Counter(model.organisation for model in batch.models) == makers


def test_one_name_is_of_one_maker_on_both_boards(generation: ImportBatch, repair: ImportBatch) -> None:
    first, second = ({model.slug: model.organisation for model in batch.models} for batch in (generation, repair))
    assert first.keys() & second.keys()
    assert {slug: first[slug] for slug in first.keys() & second.keys()} == {
        slug: second[slug] for slug in first.keys() & second.keys()
    }


def test_every_real_assert_is_read_as_a_literal(data: Path, dataset: ImportBatch, contests: ImportBatch) -> None:
    assert (len(dataset.problems), len(contests.problems)) == (113, 93)
    # Two problems expect minus infinity, which JSON cannot hold: the generated inputs have no answer.
    assert [note.partition(" asserts")[0] for note in dataset.notes] == [
        "find-maximum-removals-from-source-string: 1",
        "identify-the-largest-outlier-in-an-array: 68",
    ]
    assert contests.notes == (), "no assert is left out"
    for batch, kind in ((dataset, DATASET), (contests, CONTESTS)):
        texts = [json.loads(line)["test"] for line in gzip.decompress((data / kind).read_bytes()).splitlines()]
        for problem, text in zip(batch.problems, texts, strict=True):
            asserts = text.count("assert ")
            assert 0 < len(problem.tests) <= min(asserts, 100), problem.external_id
    assert all(len(problem.programs) == 1 for problem in dataset.problems)
    assert all(problem.contest is not None for problem in contests.problems)
    dates = {problem.released_on.date() for problem in contests.problems if problem.released_on}
    assert date(2023, 7, 1) <= min(dates) <= max(dates) <= date(2024, 1, 31)


def test_recorded_answers(dataset: ImportBatch, contests: ImportBatch, recorded: ImportBatch) -> None:
    assert [model.name for model in recorded.models] == ["O1-Mini-2024-09-12"]
    assert (len(recorded.answers), recorded.protocol) == (880, "lcb-recorded")
    slugs = {problem.external_id for batch in (dataset, contests) for problem in batch.problems}
    assert sum(answer.problem in slugs for answer in recorded.answers if answer.source == "leetcode") > 80


def graded(ctx: Context, sets: Sequence[ImportBatch], recorded: ImportBatch, limit: int | None) -> list[Graded]:
    """What became of the answers, imported, proven and graded; `limit` bounds a set, then with 6 tests each."""
    answered = {answer.problem for answer in recorded.answers}
    batches = []
    for whole in sets:
        wanted = [problem for problem in whole.problems if limit is None or problem.external_id in answered]
        few = [replace(each, tests=each.tests[:6]) for each in wanted[:limit]]
        batches.append(replace(whole, problems=tuple(wanted if limit is None else few)))
    for batch in (*batches, recorded):
        ctx.commit(imports.store_batch, batch, now())
    for _turn in range(20):
        tasks.prove_tests()
        tasks.grade_answers()
        with ctx.sessions() as session:
            left = session.scalars(
                select(Sample.state).where(Sample.state.in_((SampleState.ANSWERED, SampleState.GRADING)))
            ).all()
            waiting = session.scalars(select(Problem.id).where(Problem.state == ProblemState.FOUND)).all()
        if not left and not waiting:
            break
    with ctx.sessions() as session:
        held = session.execute(
            select(Problem.external_id, Problem.hold_reason).where(Problem.state == ProblemState.HELD)
        ).all()
        print("held:", *(f"{row[0]}: {row[1]}" for row in held), sep="\n  ")
        rows = session.execute(
            select(Problem.external_id, Sample.provenance, VerdictRow.verdict)
            .join(Sample, Sample.problem_id == Problem.id)
            .join(VerdictRow, VerdictRow.sample_id == Sample.id)
            .where(VerdictRow.counts)
        )
        found = [(row[0], row[1]["recorded_passed"], row[2]) for row in rows]
        assert len(found) == len(
            session.scalars(
                select(Sample.id)
                .join(Run, Run.id == Sample.run_id)
                .join(Problem, Problem.id == Sample.problem_id)
                .where(Problem.state == ProblemState.PUBLISHED)
            ).all()
        )
        assert set(session.scalars(select(TestSet.proof))) <= {"proven", "unproven", "refuted"}
    return found


def disagreements(found: list[Graded]) -> list[Graded]:
    differ = [each for each in found if each[1] != (each[2] == Verdict.ACCEPTED)]
    print("ours differ from the recorded:", *differ, sep="\n  ")
    return differ


@pytest.mark.sandbox
@pytest.mark.timeout(1200)
def test_a_few_real_answers_are_graded_as_recorded(
    ctx: Context, dataset: ImportBatch, contests: ImportBatch, recorded: ImportBatch
) -> None:
    found = graded(ctx, (dataset, contests), recorded, 2)
    assert len(found) >= 3
    assert disagreements(found) == []


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.timeout(1800)
def test_all_real_answers_are_graded_as_recorded(
    ctx: Context, dataset: ImportBatch, contests: ImportBatch, recorded: ImportBatch
) -> None:
    found = graded(ctx, (dataset, contests), recorded, None)
    assert len(found) >= 80
    assert 1 - len(disagreements(found)) / len(found) >= 0.93
