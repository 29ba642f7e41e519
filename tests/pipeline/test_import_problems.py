"""Problems and recorded answers of other people's sets: asserts are read, never run; answers find their problem."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pipeline.flow import LEASE, NOW, judge_one
from sqlalchemy import select, update
from support.batches import batch, problem
from support.files import answer_row, bad_rows, contest_row, dataset_row, lines, read, write

from app.db.kernel.session import Session
from app.db.tables import Model, Problem, ProgramRow, ProofState, Run, Sample, TestSet
from app.domain.errors import InvalidImport
from app.domain.imports import ImportedProblem
from app.domain.problems import CheckerKind, Form, Test
from app.domain.publishing.holds import ProofOutcome
from app.domain.states import ProblemState, SampleState
from app.services.operations import health_views
from app.services.problems import publishing
from app.services.runs import imports, plan


def one(kind: str, folder: Path, row: dict[str, Any]) -> tuple[ImportedProblem, tuple[str, ...]]:
    batch = read(kind, write(folder, "rows.jsonl", lines(row)))
    [problem] = batch.problems
    return problem, batch.notes


def pairs(problem: ImportedProblem) -> list[tuple[Any, Any]]:
    return [(test.input, test.expected) for test in problem.tests]


def test_row_of_the_leetcode_dataset_becomes_a_problem_with_tests(tmp_path: Path) -> None:
    problem, notes = one("leetcode-dataset", tmp_path, dataset_row("add-all"))
    assert notes == ()
    assert (problem.external_id, problem.title) == ("add-all", "Add All")
    assert (problem.form, problem.released_on) == (Form.FUNCTION, datetime(2026, 2, 1, tzinfo=UTC))
    assert problem.entry is not None
    assert (problem.entry.name, problem.entry.cls, problem.entry.returns) == ("total", "Solution", "int")
    assert problem.tests[0] == Test([[1, 2]], 3, visible=True)
    assert pairs(problem)[1:] == [([[]], 0), ([[-5, 5, 7]], 7)]
    [reference] = problem.programs
    assert reference.reference
    assert reference.code.startswith("from typing import *")


def test_a_contest_row_is_dated_by_its_contest(tmp_path: Path) -> None:
    source = "my_solution = Solution()\n\ntest_input = { 'nums': [3] }\nassert my_solution.run(**test_input) == 3\n"
    problem, _ = one("deepseek-contests", tmp_path, contest_row("do-it", source))
    start = datetime(2026, 2, 7, 2, 30, tzinfo=UTC)
    assert problem.contest is not None
    assert (problem.released_on, problem.contest.starts_at, problem.contest.external_id) == (
        start,
        start,
        "weekly-contest-900",
    )
    assert (pairs(problem), problem.programs) == ([([[3]], 3)], ())


LISTS = """
_f1 = lambda lst: ListNode(lst[0], _f1(lst[1:])) if lst else None
_f2 = lambda node: [node.val] + _f2(node.next) if node else []
test_input = {"nums": _f1([1, 2])}
assert _f2(my_solution.run(**test_input)) == [2, 1]
assert is_same_list(my_solution.run(nums=list_node([7])), list_node([7]))
assert is_same_tree(my_solution.run(nums=tree_node([1, None, 2])), tree_node([2]))
"""


def test_builders_stand_for_the_lists_they_are_given(tmp_path: Path) -> None:
    problem, notes = one("deepseek-contests", tmp_path, contest_row("lists", LISTS))
    assert notes == ()
    assert pairs(problem) == [([[1, 2]], [2, 1]), ([[7]], [7]), ([[1, None, 2]], [2])]


HOSTILE = [
    "assert my_solution.run(nums=open('{mark}', 'w')) == 1",
    "assert my_solution.run(nums=[__import__('os').system('touch {mark}')]) == 1",
    "test_input = {{'nums': open('{mark}', 'w')}}\nassert my_solution.run(**test_input) == 1",
    "assert my_solution.run(nums=[1]) == open('{mark}', 'w')",
    "assert (lambda: open('{mark}', 'w'))() == 1",
    "_f1 = lambda lst: open('{mark}', 'w')\nassert my_solution.run(nums=_f1([1])) == 1",
    "assert sorted(my_solution.run(nums=[1])) == [1]",
    "assert len(my_solution.run(nums=[1])) == 1",
    "assert my_solution.run(nums=[1]) > 1",
    "assert my_solution.run(nums=[1]) == float('inf')",
    "assert my_solution.run(nums=[1e999]) == 1",
    "assert my_solution.run(nums=[1]) == {{1, 2}}",
    "assert my_solution.run(nums=[1]) == b'1'",
    "assert my_solution.run(nums=[1]) == 1 + 2j",
    "assert my_solution.run(nums='\\x00') == 1",
    "assert my_solution.run([1]) == 1",
    "assert my_solution.run(other=[1]) == 1",
    "assert my_solution.run(**unknown) == 1",
    "assert my_solution.run(**{{'nums': [1]}}) == 1",
    "assert anything(my_solution.run(nums=[1]), 1)",
    "assert True",
    "test_input = {{'nums': [1]}}\ntest_input = make()\nassert my_solution.run(**test_input) == 1",
    "test_input = {{[]: [1]}}\nassert my_solution.run(**test_input) == 1",
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_an_assert_that_is_no_literal_is_left_out_and_never_run(tmp_path: Path, number: int) -> None:
    mark = tmp_path / "executed"
    source = HOSTILE[number].format(mark=mark) + "\nassert my_solution.run(nums=[5]) == 5\n"
    problem, notes = one("deepseek-contests", tmp_path, contest_row("hostile", source))
    assert not mark.exists()
    assert pairs(problem) == [([[5]], 5)]
    [note] = notes
    assert "1 asserts left out" in note
    assert " object at 0x" not in note


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"test": "assert False"}, "no test could be read"),
        ({"test": "def check(:"}, "invalid syntax"),
        ({"test": "x = " + "(" * 3000 + ")" * 3000}, "nested"),
        ({"test": "assert candidate(nums=" + "-" * 100_000 + "1) == 1"}, "nested"),
        ({"test": 5}, ""),
        ({"starter_code": "class Solution: pass"}, "defines no function"),
        ({"starter_code": "def ("}, "unreadable starter code"),
        ({"difficulty": "Extreme"}, "difficulty 'Extreme' is not known"),
        ({"estimated_date": "soon"}, "soon"),
        ({"completion": "x = 1", "prompt": ""}, "does not define total"),
        ({"problem_description": "NUL \0"}, "NUL"),
        ({"problem_description": "\ud800"}, "surrogate"),
    ],
)
def test_a_bad_problem_names_its_line_and_costs_no_other(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    path = write(tmp_path, "set.jsonl", lines(dataset_row("good"), dataset_row("bad", **changes)))
    [row] = bad_rows("leetcode-dataset", path)
    assert (row.file, row.line) == ("set.jsonl", 2)
    assert reason in row.reason


def test_lines_that_are_no_objects_are_listed(tmp_path: Path) -> None:
    text = lines(dataset_row("good")) + '{"task_id": "cut\n\n[]\n7\nNaN\n' + lines({"task_id": "x"})
    bad = bad_rows("leetcode-dataset", write(tmp_path, "set.jsonl.gz", text))
    assert [row.line for row in bad] == [2, 4, 5, 6, 7]
    for kind in ("leetcode-dataset", "deepseek-contests", "lcb-submission"):
        with pytest.raises(InvalidImport):
            read(kind, write(tmp_path, "empty.jsonl", "\n"))


@pytest.mark.parametrize(
    ("words", "returns", "kind", "flags"),
    [
        ("You may return the answer in any order.", "List[int]", CheckerKind.UNORDERED, ()),
        ("If there are many, return any of them.", "List[int]", CheckerKind.TOKENS, ("multiple_answers",)),
        ("Return the mean.", "float", CheckerKind.FLOAT, ("float_tolerance",)),
        ("Return the sum.", "int", CheckerKind.TOKENS, ()),
    ],
)
def test_the_checker_follows_the_statement(
    tmp_path: Path, words: str, returns: str, kind: CheckerKind, flags: tuple[str, ...]
) -> None:
    starter = f"class Solution:\n    def total(self, nums: List[int]) -> {returns}:\n        "
    problem, _ = one("leetcode-dataset", tmp_path, dataset_row("x", problem_description=words, starter_code=starter))
    assert (problem.checker.kind, problem.flags) == (kind, flags)


def test_several_right_answers_are_held(session: Session, tmp_path: Path) -> None:
    row = dataset_row("any", problem_description="Return any of them.")
    imports.store_batch(session, read("leetcode-dataset", write(tmp_path, "a.jsonl", lines(row))), NOW)
    job = publishing.claim_proof(session, NOW, LEASE)
    problem = session.scalars(select(Problem)).one()
    assert job is None or publishing.record_proof(session, job, ProofOutcome(True, None, 1, 0), NOW)
    assert (problem.state, problem.hold_reason) == (
        ProblemState.HELD,
        "several answers are right, and no checker knows them",
    )


def proof(session: Session, outcome: ProofOutcome) -> None:
    job = publishing.claim_proof(session, NOW, LEASE)
    assert job is not None
    assert publishing.record_proof(session, job, outcome, NOW)


def test_a_published_problem_keeps_its_tests_until_new_ones_are_proven(session: Session, tmp_path: Path) -> None:
    """Neither a set that waits, nor one that is refuted, nor one without a reference takes a proven one's place."""
    good = ProofOutcome(True, None, 1, 0)
    row = dataset_row("add-all")
    imports.store_batch(session, read("leetcode-dataset", write(tmp_path, "1.jsonl", lines(row))), NOW)
    proof(session, good)
    problem = session.scalars(select(Problem)).one()
    first = problem.current_test_set_id
    assert problem.state == ProblemState.PUBLISHED
    for number, outcome in ((2, ProofOutcome(False, "reference gets WA", 1, 0)), (3, good)):
        changed = row | {"test": f"def check(candidate):\n    assert candidate(nums = [{number}]) == {number}\n"}
        imports.store_batch(session, read("leetcode-dataset", write(tmp_path, f"{number}.jsonl", lines(changed))), NOW)
        assert problem.current_test_set_id == first
        proof(session, outcome)
        assert problem.state == ProblemState.PUBLISHED
    second = problem.current_test_set_id
    assert second != first
    other = contest_row("add-all", "assert s.total(nums=[9]) == 9", prompt='"""\nAdd.\n"""\n' + row["starter_code"])
    imports.store_batch(session, read("deepseek-contests", write(tmp_path, "4.jsonl", lines(other))), NOW)
    session.expire_all()
    assert problem.current_test_set_id == second
    assert {each.proof for each in session.scalars(select(TestSet))} == {
        ProofState.PROVEN,
        ProofState.REFUTED,
        ProofState.UNPROVEN,
    }


def test_a_published_problem_whose_own_tests_are_refuted_leaves_the_boards(session: Session, tmp_path: Path) -> None:
    """As when tests from before a rule are proven again; a proof that succeeds brings it back."""
    imports.store_batch(
        session, read("leetcode-dataset", write(tmp_path, "1.jsonl", lines(dataset_row("add-all")))), NOW
    )
    problem = session.scalars(select(Problem)).one()
    found = []
    for outcome in (ProofOutcome(True, None, 1, 0), ProofOutcome(False, "x", 0, 0), ProofOutcome(True, None, 0, 0)):
        session.execute(update(TestSet).values(proof="waiting", attempts=0))
        proof(session, outcome)
        found.append((problem.state, problem.hold_reason, session.scalars(select(TestSet.proof)).one()))
    assert found == [
        (ProblemState.PUBLISHED, None, ProofState.PROVEN),
        (ProblemState.HELD, "tests refuted: x", ProofState.REFUTED),
        (ProblemState.PUBLISHED, None, ProofState.UNPROVEN),
    ]


def test_a_proof_that_ends_its_workers_is_held(session: Session, tmp_path: Path) -> None:
    row = dataset_row("add-all")
    imports.store_batch(session, read("leetcode-dataset", write(tmp_path, "1.jsonl", lines(row))), NOW)
    now = NOW
    for _attempt in range(3):
        assert publishing.claim_proof(session, now, LEASE) is not None
        plan.plan_samples(session, now)
        assert session.scalars(select(Problem.state)).one() == ProblemState.FOUND
        now += 2 * LEASE
    assert publishing.claim_proof(session, now, LEASE) is None
    plan.plan_samples(session, now)
    session.expire_all()
    assert "by our fault" in (session.scalars(select(Problem.hold_reason)).one() or "")


def test_a_judge_that_fails_waits_before_it_proves_again(session: Session, tmp_path: Path) -> None:
    imports.store_batch(
        session, read("leetcode-dataset", write(tmp_path, "1.jsonl", lines(dataset_row("add-all")))), NOW
    )
    proof(session, ProofOutcome(False, "no memory", 1, 0, ours=True))
    assert publishing.claim_proof(session, NOW, LEASE) is None
    assert publishing.claim_proof(session, NOW + publishing.PROOF_PAUSE, LEASE) is not None


def test_problems_that_guard_the_judge_are_not_announced(session: Session, tmp_path: Path) -> None:
    """Neither when they are published nor when their tests change; the others are, each time."""
    good = ProofOutcome(True, None, 1, 0)
    for turn in (1, 2):
        test = f"def check(candidate):\n    assert candidate(nums = [{turn}]) == {turn}\n"
        rows = (dataset_row("add-all", test=test), dataset_row("sealed-box", test=test))
        read_in = read("leetcode-dataset", write(tmp_path, f"{turn}.jsonl", lines(*rows)))
        problems = tuple(replace(problem, canary=problem.external_id == "sealed-box") for problem in read_in.problems)
        imports.store_batch(session, replace(read_in, problems=problems), NOW)
        proof(session, good)
        proof(session, good)
    assert set(session.scalars(select(Problem.state))) == {ProblemState.PUBLISHED}
    said = [(change.action, change.subject) for change in health_views.status(session, NOW).changes]
    assert sorted(said) == [("problem.added", "leetcode/add-all"), ("problem.retested", "leetcode/add-all")]


def test_recorded_answers_find_their_problem_by_its_slug(session: Session, tmp_path: Path) -> None:
    rows = [
        answer_row("add-all", "class Solution: ...", None),
        answer_row("Unknown Thing", "x = 1"),
        answer_row("A. Elsewhere", "x = 2", platform="codeforces", question_id="1_A"),
    ]
    rows[0] |= {"graded_list": [True, False], "output_list": ["```python\nclass Solution: ...\n```", "no \0 code"]}
    path = write(tmp_path, "submission_Some-Model_N1_x.json", json.dumps(rows))
    batch = read("lcb-submission", path)
    summary = imports.store_batch(session, batch, NOW)
    assert summary.unmatched == (
        "leetcode/add-all",
        "leetcode/add-all",
        "leetcode/unknown-thing",
        "codeforces/1_A",
    )
    imports.store_batch(
        session, read("leetcode-dataset", write(tmp_path, "1.jsonl", lines(dataset_row("add-all")))), NOW
    )
    proof(session, ProofOutcome(True, None, 1, 0))
    for _twice in range(2):
        summary = imports.store_batch(session, batch, NOW)
        assert summary.unmatched == ("leetcode/unknown-thing", "codeforces/1_A")
    assert session.scalars(select(Model.name)).all() == ["Some-Model"]
    assert session.scalars(select(Run.trial)).all() == [1]
    first, second = session.scalars(select(Sample).order_by(Sample.ordinal))
    assert (first.state, first.answer, first.provenance["recorded_passed"]) == (
        SampleState.ANSWERED,
        "class Solution: ...",
        True,
    )
    assert (second.answer, second.followed_format, second.response) == (
        None,
        False,
        "no \N{REPLACEMENT CHARACTER} code",
    )
    assert judge_one(session)
    assert judge_one(session)
    assert not judge_one(session)


@pytest.mark.parametrize(
    "changes",
    [
        {"platform": "topcoder"},
        {"question_title": 7},
        {"code_list": None},
        {"code_list": ["x", "y"]},
        {"graded_list": ["False"]},
        {"metadata": []},
        {"question_title": "nul\0", "platform": "codeforces", "question_id": "nul\0"},
    ],
)
def test_a_bad_answer_names_its_row(tmp_path: Path, changes: dict[str, Any]) -> None:
    rows = [answer_row("a", "x = 1"), answer_row("b", "x = 1") | changes]
    if changes.get("metadata") == []:
        rows[1]["metadata"] = ["", ""]
    text = json.dumps(rows, indent=1)
    where = [number for number, line in enumerate(text.split("\n"), 1) if "question_title" in line]
    [row] = bad_rows("lcb-submission", write(tmp_path, "s.json", text))
    assert (row.line, row.reason[:6]) == (where[1], "row 2:")


def test_reading_programs_is_all_that_is_done_to_them(session: Session, tmp_path: Path) -> None:
    """A reference that would leave a mark when run leaves none on import."""
    mark = tmp_path / "executed"
    row = dataset_row("add-all", completion=f"open({str(mark)!r}, 'w')\nclass Solution:\n    def total(self): ...\n")
    imports.store_batch(session, read("leetcode-dataset", write(tmp_path, "1.jsonl", lines(row))), NOW)
    assert "open(" in session.scalars(select(ProgramRow.code)).one()
    assert not mark.exists()


def test_older_tests_whose_proof_comes_late_take_no_newer_ones_place(session: Session) -> None:
    imports.store_batch(session, batch(replace(problem(0), shipped_proof=None)), NOW)
    older = session.scalars(select(TestSet.id)).one()
    imports.store_batch(session, batch(problem(0, count=4)), NOW)
    row = session.scalars(select(Problem)).one()
    newer = row.current_test_set_id
    assert newer != older
    job = publishing.claim_proof(session, NOW, LEASE)
    assert job is not None
    assert job.test_set_id == older
    assert publishing.record_proof(session, job, ProofOutcome(True, None, 1, 0), NOW)
    assert row.current_test_set_id == newer
