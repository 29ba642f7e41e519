"""The scenarios of docs/adding-a-scenario.md from a plan to a board; what planning promises of items and children."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from factories import World
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import LEASE, NOW, VAULT, answer_all, completion, decided, judge_one, offer, standing, waiting
from pipeline.rejudging import Desk, count, judge
from sqlalchemy import select
from support.batches import SUM, WRONG, batch, problem
from support.facts import facts_may_change
from support.toys import plugged_in, sources

from app.db.kernel.session import Session
from app.db.tables import CellRow, Endpoint, Model, Problem, ProofState, ProtocolRow, Run, Sample, TestSet, VerdictRow
from app.domain.asking.completions import AnsweredSample
from app.domain.asking.protocols import HOUSE, Protocol
from app.domain.boards.board import BoardRow
from app.domain.boards.named_boards import boards
from app.domain.errors import NotFound
from app.domain.imports import ImportedModel
from app.domain.judging.non_program_answers import AnswerRun
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form
from app.domain.scenarios import Scenario
from app.domain.states import ProblemState, SampleState
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from app.services.evidence import problem_views
from app.services.rejudging import grading_queue, rejudge
from app.services.runs import cell_updates, grade, imports, inference, plan, result_views, sample_views
from workers import tasks
from workers.context import Context, now

# A scenario of the same items that makes no board, and is asked before its problems are published.
HIDDEN = (
    sources()["prediction"]
    .replace('name="prediction"', 'name="hidden"')
    .replace('scenario="prediction"', 'scenario="hidden"')
    .replace('slug="prediction"', 'slug="hidden"')
    .replace("    needs=", "    ranked=False,\n    states=frozenset({ProblemState.CHECKED}),\n    needs=")
    .replace("\n_MAX_ITEMS", "from app.domain.states import ProblemState\n\n_MAX_ITEMS", 1)
)


@pytest.fixture
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Scenario]]:
    with plugged_in(tmp_path_factory.mktemp("scenarios"), ("hidden", HIDDEN)) as found:
        yield found


@pytest.fixture
def prediction(known: Mapping[str, Scenario]) -> Protocol:
    return known["prediction"].protocols[0]


@pytest.fixture
def second_try(known: Mapping[str, Scenario]) -> Protocol:
    return known["second_try"].protocols[0]


def begin(ctx: Context, problems: int, url: str, *protocols: Protocol) -> None:
    """The model tern stands under these protocols, and is planned."""
    ctx.commit(imports.store_batch, batch(*(problem(number) for number in range(problems))), now())
    tern = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), url)
    for protocol in protocols:
        ctx.commit(plan.register_demo, (tern,), protocol, now())
    tasks.plan_runs()


def ask(ctx: Context) -> None:
    with ctx.sessions() as session:
        endpoints = session.scalars(select(Endpoint.id)).all()
    for endpoint in endpoints:
        tasks.infer_slice(endpoint)


def rows(session: Session, protocol: Protocol) -> list[tuple[str, int, int, str]]:
    """(problem, item, ordinal, state) of every sample under a protocol."""
    found = session.execute(
        select(Problem.external_id, Sample.item, Sample.ordinal, Sample.state)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(ProtocolRow.slug == protocol.slug)
        .order_by(Problem.external_id, Sample.item, Sample.ordinal)
    )
    return [(row[0], row[1], row[2], row[3]) for row in found]


def states(session: Session, protocol: Protocol) -> dict[str, str]:
    session.expire_all()
    return {name: state for name, _item, _ordinal, state in rows(session, protocol)}


def cells(session: Session, protocol: Protocol) -> dict[tuple[str, int], tuple[int, int]]:
    """(n, c) by problem and item."""
    found = session.execute(
        select(Problem.external_id, CellRow.item, CellRow.n, CellRow.c)
        .join(Problem, Problem.id == CellRow.problem_id)
        .join(Run, Run.id == CellRow.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(ProtocolRow.slug == protocol.slug)
    )
    return {(row[0], row[1]): (row[2], row[3]) for row in found}


def only_row(session: Session, board: str, folder: Path) -> BoardRow:
    (row,) = board_views.board(session, parse_query([], board), CubeStore(folder)).rows
    return row


# By problem and item, what is said to each ordinal: right, wrong, or nothing at all.
PREDICTED = {
    ("0", 0): "rr", ("0", 1): "rw", ("0", 2): "r-",
    ("1", 0): "ww", ("1", 1): "wr", ("1", 2): "ww",
}  # fmt: skip


def predict(asked: Asked) -> Say:
    found = re.search(r"\((\d)\)\..*\n(\d) (\d)\n", asked.last_message, re.DOTALL)
    assert found is not None
    number, first, second = found.groups()
    word = PREDICTED[number, int(first)][asked.json["seed"] % 1000]
    if word == "-":
        return model_server.error(400, "no")
    right = int(first) + int(second)
    return model_server.message(f"I add.\nOUTPUT\n{right if word == 'r' else right + 1}\n")


@pytest.mark.sandbox
def test_three_items_with_facts_of_their_own_are_graded_by_value(
    ctx: Context, prediction: Protocol, tmp_path: Path
) -> None:
    with ModelServer(predict) as server:
        begin(ctx, 2, server.url, prediction)
        with ctx.sessions() as session:
            assert [row[:3] for row in rows(session, prediction)] == [
                (f"sum-{number}", item, ordinal) for number in range(2) for item in range(3) for ordinal in range(2)
            ]
        ask(ctx)
        assert len({asked.last_message for asked in server.asked}) == len(PREDICTED)
    tasks.grade_answers()
    tasks.aggregate()
    by_hand = {
        (f"sum-{number}", item): (len(words.replace("-", "")), words.count("r"))
        for (number, item), words in PREDICTED.items()
    }
    assert by_hand["sum-0", 2] == (1, 1)
    with ctx.sessions() as session:
        assert cells(session, prediction) == by_hand
        assert {row.limit_mode for row in session.scalars(select(VerdictRow))} == {"none"}, "nothing was run"
        row = only_row(session, "prediction", tmp_path)
        problems = [
            [c / n for (name, _item), (n, c) in by_hand.items() if name == f"sum-{number}"] for number in range(2)
        ]
        assert row.score == pytest.approx(100 * sum(sum(rates) / 3 for rates in problems) / 2)
        assert row.score == pytest.approx(100 * ((1 + 1 / 2 + 1) / 3 + (0 + 1 / 2 + 0) / 3) / 2)
        assert row.n_problems == 2
        assert row.coverage == pytest.approx((2 - 1 / 2 / 3) / 2), "of one item one of two answers is judged"
        sample = session.scalars(select(Sample).where(Sample.item == 1, Sample.answer == "3")).first()
        assert sample is not None
        page = sample_views.sample(session, sample.id)
        assert page.prompt is None
        assert page.prompt_withheld, "it shows a hidden test"


@pytest.mark.sandbox
def test_a_child_is_asked_after_its_parents_verdict_and_passes_are_carried_over(
    ctx: Context, second_try: Protocol, tmp_path: Path
) -> None:
    first = {"0": SUM, "1": WRONG, "2": None, "3": WRONG}
    second = {"1": SUM, "2": SUM, "3": WRONG}
    tries: list[tuple[int, str]] = []

    def answer(asked: Asked) -> Say:
        found = re.search(r"\((\d)\)", asked.last_message)
        assert found is not None
        again = "It failed" in asked.last_message
        tries.append((1 + again, found[1]))
        code = (second if again else first)[found[1]]
        return model_server.message("I cannot." if code is None else f"```python\n{code}```\n")

    with ModelServer(answer) as server:
        begin(ctx, 4, server.url, HOUSE, second_try)
        with ctx.sessions() as session:
            assert rows(session, second_try) == [], "no parent was judged"
        ask(ctx)
        tasks.plan_runs()
        with ctx.sessions() as session:
            assert len(rows(session, HOUSE)) == 4
            assert rows(session, second_try) == [], "answered is not judged"
        tasks.grade_answers()
        tasks.plan_runs()
        with ctx.sessions() as session:
            assert states(session, second_try) == {
                "sum-0": "graded", "sum-1": "pending", "sum-2": "pending", "sum-3": "pending",
            }  # fmt: skip
        ask(ctx)
        told = [asked.last_message for asked in server.asked if "It failed" in asked.last_message]
    assert sorted(tries) == [(1, "0"), (1, "1"), (1, "2"), (1, "3"), (2, "1"), (2, "2"), (2, "3")]
    assert sum(WRONG.strip() in words and "It failed: wrong_answer" in words for words in told) == 2
    assert sum("(none)" in words and "It failed: no_answer" in words for words in told) == 1
    assert all("Input: 0 1\n\nExpected: 1\n" in words for words in told if WRONG.strip() in words), "its public test"
    tasks.grade_answers()
    tasks.plan_runs()
    tasks.aggregate()
    with ctx.sessions() as session:
        assert set(states(session, second_try).values()) == {"graded"}
        assert cells(session, HOUSE) == {(f"sum-{n}", 0): (1, int(n == 0)) for n in range(4)}
        assert cells(session, second_try) == {(f"sum-{n}", 0): (1, int(n != 3)) for n in range(4)}
        row = only_row(session, "second_try", tmp_path)
        assert (row.score, row.n_problems, row.coverage) == (75.0, 4, 1.0)
        assert only_row(session, "codegen", tmp_path).score == 25.0
        carried = session.scalars(select(Sample).where(Sample.parent_id.is_not(None), Sample.response.is_(None))).one()
        page = sample_views.sample(session, carried.id)
        assert (page.answer, page.prompt) == (SUM.strip("\n") + "\n", None)
        assert page.provenance == {"carried_over_from": str(carried.parent_id)}
        assert [line.verdict for line in page.verdicts] == ["accepted"]


def test_every_item_that_is_gone_is_planned_anew_and_it_alone(session: Session, prediction: Protocol) -> None:
    imports.store_batch(session, batch(problem(0), problem(1)), NOW)
    standing(session, "tern", protocol=prediction)
    before = rows(session, prediction)
    assert len(before) == 12
    assert plan.plan_samples(session, NOW) == 0
    for item in (0, 1, 2):
        session.delete(session.scalars(select(Sample).where(Sample.item == item, Sample.ordinal == 1).limit(1)).one())
        session.flush()
        assert plan.plan_samples(session, NOW) == 1, "one cell grew"
    assert rows(session, prediction) == before
    run = session.scalars(select(Run)).one()
    assert not plan.has_missing_samples(session, run, NOW)


def test_an_answer_is_compared_with_what_it_was_asked_for(session: Session, prediction: Protocol) -> None:
    """Other tests make another item of the same number: no verdict on the model comes of it."""
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern", protocol=prediction)
    assert answer_all(session, "OUTPUT\n1") == 6
    sample = session.scalars(select(Sample).order_by(Sample.id)).first()
    assert sample is not None
    with facts_may_change(session):
        sample.prompt_sha256 = "0" * 64
    verdicts = []
    while (job := grading_queue.claim(session, NOW, LEASE, ())) is not None:
        result = decided(job)
        verdicts.append(result.verdict)
        grading_queue.record(session, job, result, NOW)
    assert verdicts == [Verdict.JUDGE_ERROR, Verdict.ACCEPTED, *[Verdict.WRONG_ANSWER] * 4]
    session.expire_all()
    assert sample.state == SampleState.ANSWERED
    assert "asks something else" in (sample.error or "")


def test_a_program_is_not_compared_and_its_language_must_be_judged(session: Session, known: object) -> None:
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern")
    answer_all(session)
    assert grading_queue.claim(session, NOW, LEASE, ("cpp",)) is None
    job = grading_queue.claim(session, NOW, LEASE, ("python",))
    assert job is not None
    run = job.decide(partial(grade.spec, session, job))
    assert isinstance(run, AnswerRun)
    assert (run.language, run.problem.form, run.code) == ("python", Form.STDIN, job.answer)


def two_tries(session: Session, second_try: Protocol) -> None:
    """tern passes sum-0 and fails sum-1; its second tries are planned."""
    imports.store_batch(session, batch(problem(0), problem(1)), NOW)
    plan.register_demo(session, (offer("tern"),), second_try, NOW)
    standing(session, "tern")
    answer_all(session)
    for number in range(2):
        name = session.scalars(
            select(Problem.external_id).join(Sample).where(Sample.state == SampleState.ANSWERED).order_by(Sample.id)
        ).first()
        assert judge_one(session, Verdict.ACCEPTED if name == "sum-0" else Verdict.WRONG_ANSWER), number
    assert plan.plan_samples(session, NOW) == 2
    assert states(session, second_try) == {"sum-0": "graded", "sum-1": "pending"}


def rejudged(session: Session, folder: Path, name: str, verdict: Verdict) -> None:
    """Every answer to a problem is judged again, with one outcome that counts from now on."""
    desk = Desk(session, folder)
    made = desk.begun(name=f"house/{name}")
    judge(session, lambda _model, _name: verdict)
    rejudge.predict_all(session, desk.cubes, NOW)
    desk.commit(made)
    session.expire_all()


def test_a_child_that_nobody_asked_follows_its_parents_verdict(
    session: Session, second_try: Protocol, tmp_path: Path
) -> None:
    two_tries(session, second_try)
    count(session)
    assert cells(session, second_try) == {("sum-0", 0): (1, 1), ("sum-1", 0): (0, 0)}
    rejudged(session, tmp_path, "sum-0", Verdict.WRONG_ANSWER)
    plan.plan_samples(session, NOW)
    count(session)
    assert states(session, second_try) == {"sum-0": "pending", "sum-1": "pending"}
    assert cells(session, second_try) == {("sum-0", 0): (0, 0), ("sum-1", 0): (0, 0)}
    rejudged(session, tmp_path, "sum-1", Verdict.ACCEPTED)
    assert asked_now(session) == {"sum-0"}, "its parent passed: it waits to be carried over"
    plan.plan_samples(session, NOW)
    count(session)
    assert states(session, second_try) == {"sum-0": "inferring", "sum-1": "graded"}
    assert cells(session, second_try) == {("sum-0", 0): (0, 0), ("sum-1", 0): (1, 1)}
    cell_updates.rebuild_cells(session)
    assert cells(session, second_try) == {("sum-0", 0): (0, 0), ("sum-1", 0): (1, 1)}


def asked_now(session: Session) -> set[str]:
    """The problems of what an endpoint would be asked next; they stay leased."""
    (endpoint,) = session.scalars(select(Endpoint.id)).all()
    work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT)
    if work is None:
        return set()
    found = select(Problem.external_id).join(Sample).where(Sample.id.in_(list(work.requests)))
    return set(session.scalars(found))


def test_a_child_that_was_answered_keeps_its_answer(session: Session, second_try: Protocol, tmp_path: Path) -> None:
    two_tries(session, second_try)
    [endpoint] = waiting(session)
    work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT)
    assert work is not None
    (sample_id,) = work.requests
    assert inference.record(session, work, AnsweredSample(sample_id, completion("```python\nprint(7)\n```")), NOW)
    assert judge_one(session, Verdict.WRONG_ANSWER)
    parent = select(Run.id).join(ProtocolRow, ProtocolRow.id == Run.protocol_id).where(ProtocolRow.slug == "house")
    flipped = session.scalars(
        select(VerdictRow)
        .join(Sample, Sample.id == VerdictRow.sample_id)
        .where(Sample.run_id.in_(parent), VerdictRow.verdict == Verdict.WRONG_ANSWER)
    ).one()
    with facts_may_change(session):
        flipped.verdict = Verdict.ACCEPTED
    assert plan.plan_samples(session, NOW) == 0
    session.expire_all()
    kept = session.get_one(Sample, sample_id)
    assert (kept.state, kept.answer) == (SampleState.GRADED, "print(7)\n")


def test_a_run_lacks_the_children_of_parents_that_wait(session: Session, second_try: Protocol) -> None:
    imports.store_batch(session, batch(problem(0)), NOW)
    plan.register_demo(session, (offer("tern"),), second_try, NOW)
    standing(session, "tern")
    run = session.scalars(
        select(Run).join(ProtocolRow, ProtocolRow.id == Run.protocol_id).where(ProtocolRow.slug == second_try.slug)
    ).one()
    assert plan.has_missing_samples(session, run, NOW)
    assert rows(session, second_try) == []


def test_what_is_not_ranked_is_asked_of_its_states_and_shown_nowhere(
    session: Session, known: Mapping[str, Scenario], tmp_path: Path
) -> None:
    hidden = known["hidden"].protocols[0]
    world = World(session, now=NOW)
    checked = world.problem("checked", contest="over", state=ProblemState.CHECKED)
    world.problem("published")
    world.problem("running", day=date(2026, 11, 1), contest="now", state=ProblemState.CHECKED)
    for row in session.scalars(select(TestSet)):
        row.proof = ProofState.WAITING  # else planning publishes what is checked
    standing(session, "tern", protocol=hidden)
    assert {name for name, *_rest in rows(session, hidden)} == {"checked"}
    assert plan.sweep(session, NOW).endpoints
    assert answer_all(session, "OUTPUT\n1") == 6
    assert plan.find_due_work(session, NOW).grading == 6
    while (job := grading_queue.claim(session, NOW, LEASE, ())) is not None:
        assert grading_queue.record(session, job, decided(job), NOW)
    count(session)
    assert cells(session, hidden) == {("checked", item): (2, 2) for item in range(3)}
    checked.state = ProblemState.PUBLISHED
    session.flush()
    assert "hidden" not in boards()
    assert set(boards()) == {
        "prediction", "second_try", "codegen", "repair", "execution", "execution-input", "test-output", "code3",
        "bigcode", "codeelo", "bug-fix", "review", "coco", "hack", "tools",
    }  # fmt: skip
    assert all(not shown for shown in board_views.protocols(session).values())
    with pytest.raises(NotFound):
        result_views.model(session, "tern", result_views.CellFilter())
    assert problem_views.problem(session, "house", "checked").answers == ()
    with pytest.raises(NotFound):
        sample_views.sample(session, session.scalars(select(Sample.id)).first() or 0)
    assert session.scalars(select(Model.slug)).all() == ["tern"]
