"""Real boards, problems and answers of LiveCodeBench and LeetCode, imported and graded."""

import gzip
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import correlation, fmean
from typing import Any

import pytest
from conformance.conftest import LcbBoards
from sqlalchemy import select
from support.files import read

from app.db.kernel.session import Session
from app.db.tables import Model, Problem, Run, Sample, TestSet, VerdictRow
from app.domain.asking.protocols import LCB
from app.domain.boards.board import BoardQuery
from app.domain.imports import ImportBatch
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState, SampleState
from app.domain.windows import Window
from app.services.boards import reading
from app.services.evidence import holistic
from app.services.runs import imports
from workers import tasks
from workers.context import Context, now

WINDOW = Window(date(2024, 8, 1), date(2025, 5, 1))
GENERATION = "livecodebench/performances_generation_2025-04-28.json.gz"
REPAIR = "livecodebench/performances_repair.json.gz"
SUBMISSION = "livecodebench/submission_O1-Mini-2024-09-12_N1_codegeneration_eval_all.json.gz"
DATASET = "problems_real/leetcodedataset_v0.3.1_test.jsonl.gz"
CONTESTS = "problems_real/deepseek_leetcode_contests_2023-07_2024-01.jsonl.gz"

Graded = tuple[str, bool, str]  # problem, the recorded verdict, ours


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    return shared / "data"


@pytest.fixture
def lcb_session(lcb_boards: LcbBoards) -> Iterator[Session]:
    with lcb_boards.sessions() as session:
        yield session


@pytest.fixture(scope="module")
def dataset(data: Path) -> ImportBatch:
    return read("leetcode-dataset", data / DATASET)


@pytest.fixture(scope="module")
def contests(data: Path) -> ImportBatch:
    return read("deepseek-contests", data / CONTESTS)


@pytest.fixture(scope="module")
def recorded(data: Path) -> ImportBatch:
    return read("lcb-submission", data / SUBMISSION)


def naive_means(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Each model's mean over the file's rows in the window, by the dates of their contests, as a pencil would."""
    shares: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        day = (datetime.fromtimestamp(row["date"] / 1000, UTC) - timedelta(hours=24)).date()
        if date(2024, 8, 1) <= day < date(2025, 5, 1):
            shares[row["model"]].append(row["pass@1"])
    return {model: fmean(values) for model, values in shares.items()}


def test_the_board_equals_the_naive_mean(
    lcb_session: Session, lcb_boards: LcbBoards, data: Path, tmp_path: Path
) -> None:
    session, summary = lcb_session, lcb_boards.stored["codegen"]
    assert (summary.protocol, summary.models, summary.problems, summary.rows) == ("lcb", 16, 1055, 16_880)
    rows = json.loads(gzip.decompress((data / GENERATION).read_bytes()))["performances"]
    expected = naive_means(rows)
    found = reading.board(session, BoardQuery(protocol=LCB.slug, window=WINDOW), reading.CubeStore(tmp_path / "cubes"))
    shown = {row["model"]: row for row in reading.board_json(found)["rows"]}
    names = {model.slug: model.name for model in session.scalars(select(Model))}
    assert {names[slug] for slug in shown} == set(expected)
    for slug, row in shown.items():
        assert math.isclose(row["score"], expected[names[slug]], rel_tol=0, abs_tol=1e-9), slug
        assert row["coverage"] == 1
    in_window = {row["question_id"] for row in rows if row["model"] == "O4-Mini (High)"} & {
        each.external_id
        for each in session.scalars(select(Problem))
        if each.released_on and WINDOW.contains(each.released_on)
    }
    assert {row["n_problems"] for row in shown.values()} == {len(in_window)}


def test_two_imported_boards_stand_side_by_side(lcb_session: Session, data: Path, tmp_path: Path) -> None:
    """The holistic board of LiveCodeBench's own results: means, and how they go together, as a pencil has them."""
    session = lcb_session
    pencil: list[dict[str, float]] = []
    for file in (GENERATION, REPAIR):
        shares: dict[str, list[float]] = defaultdict(list)
        for row in json.loads(gzip.decompress((data / file).read_bytes()))["performances"]:
            shares[row["model"]].append(row["pass@1"])
        pencil.append({model: fmean(values) for model, values in shares.items()})
    found = holistic.as_json(
        holistic.holistic(session, *holistic.parse([("family", "lcb")]), reading.CubeStore(tmp_path / "cubes"))
    )
    assert [(each["name"], each["problems"]) for each in found["scenarios"]] == [
        ("codegen", 1055), ("repair", 713), ("execution", 0), ("test-output", 0),
    ]  # fmt: skip
    names = {model.slug: model.name for model in session.scalars(select(Model))}
    assert {names[row["model"]] for row in found["rows"]} == pencil[0].keys() | pencil[1].keys()
    for row in found["rows"]:
        for ability, means in zip(("codegen", "repair"), pencil, strict=True):
            score, mean = row["scores"][ability], means.get(names[row["model"]])
            assert score == (None if mean is None else pytest.approx(mean, abs=1e-9))
    both = sorted(pencil[0].keys() & pencil[1].keys())
    [pair] = [each for each in found["correlations"] if (each["one"], each["other"]) == ("codegen", "repair")]
    assert pair["pearson"]["n"] == len(both) == 5
    assert math.isclose(pair["pearson"]["value"], correlation(*([side[name] for name in both] for side in pencil)))


def test_the_repair_board(data: Path) -> None:
    batch = read("lcb-board", data / REPAIR, board="repair")
    assert (len(batch.models), len(batch.problems), len(batch.cells)) == (17, 713, 12_121)
    assert {cell.n for cell in batch.cells} <= {1, 2, 5, 10}
    rows = json.loads(gzip.decompress((data / REPAIR).read_bytes()))["performances"]
    for row, cell in zip(rows, batch.cells, strict=True):
        assert math.isclose(100 * cell.c / cell.n, row["pass@1"], abs_tol=1e-9)


@pytest.mark.parametrize(
    ("file", "makers"),
    [
        (GENERATION, {"OpenAI": 9, "Anthropic": 3, "Google": 2, "DeepSeek": 1, "xAI": 1}),
        (REPAIR, {"OpenAI": 6, "Anthropic": 3, "Meta": 3, "Alibaba": 2, "Google": 2, "Mistral": 1}),
    ],
)
def test_the_boards_say_who_makes_each_model(data: Path, file: str, makers: dict[str, int]) -> None:
    batch = read("lcb-board", data / file)
    unnamed = sorted(model.name for model in batch.models if not model.organisation)
    print("no organisation:", *unnamed, sep="\n  ")
    assert unnamed == []
    assert Counter(model.organisation for model in batch.models) == makers


def test_one_name_is_of_one_maker_on_both_boards(data: Path) -> None:
    first, second = (
        {model.slug: model.organisation for model in read("lcb-board", data / file).models}
        for file in (GENERATION, REPAIR)
    )
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
