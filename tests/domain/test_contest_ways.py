"""How far a contest is: the step that its last problem took, without those that are held."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.domain.sources.contest_progress import (
    ContestStep,
    FinishedContest,
    ProblemProgress,
    contest_progress,
    step_times,
)

END = datetime(2026, 6, 6, 13, 40, tzinfo=UTC)
LATER = [step for step in ContestStep if step not in (ContestStep.ENDED, ContestStep.VISITED)]


def after(minutes: float) -> datetime:
    return END + timedelta(minutes=minutes)


def test_a_contest_is_as_far_as_the_last_of_its_problems() -> None:
    problems = [
        ProblemProgress(
            "s/a", {ContestStep.STATEMENT: after(15), ContestStep.PROOF: after(40), ContestStep.PUBLICATION: after(41)}
        ),
        ProblemProgress("s/b", {ContestStep.STATEMENT: after(16), ContestStep.PROOF: after(30)}),
        ProblemProgress("s/c", {ContestStep.STATEMENT: after(99)}, reason="no full tests"),
    ]
    found = contest_progress(FinishedContest("s/1", END, after(12), problems))
    assert [(taken.step, taken.since) for taken in found.steps] == [
        (ContestStep.ENDED, END),
        (ContestStep.VISITED, after(12)),
        (ContestStep.STATEMENT, after(16)),
        (ContestStep.PROOF, after(40)),
    ]
    assert [(held.problem, held.reason) for held in found.held] == [("s/c", "no full tests")]


def test_a_step_that_a_problem_leaves_out_is_not_waited_for() -> None:
    tested = ProblemProgress("s/a", {ContestStep.PROOF: after(20)}, leaves_out=frozenset((ContestStep.SETTING,)))
    found = contest_progress(
        FinishedContest("s/1", END, after(12), [tested, ProblemProgress("s/b", {ContestStep.SETTING: after(30)})])
    )
    assert [taken.step for taken in found.steps] == [ContestStep.ENDED, ContestStep.VISITED, ContestStep.SETTING]
    alone = contest_progress(FinishedContest("s/1", END, after(12), [tested]))
    assert [taken.step for taken in alone.steps] == [ContestStep.ENDED, ContestStep.VISITED, ContestStep.PROOF]


def test_where_all_are_held_they_say_how_far_it_came() -> None:
    held = ProblemProgress("s/a", {ContestStep.STATEMENT: after(15)}, reason="no full tests")
    assert [taken.step for taken in contest_progress(FinishedContest("s/1", END, after(12), [held])).steps][
        -1
    ] is ContestStep.STATEMENT


def test_a_contest_that_nobody_has_visited_has_only_ended() -> None:
    assert [taken.step for taken in contest_progress(FinishedContest("s/1", END)).steps] == [ContestStep.ENDED]


def test_times_are_those_of_the_last_ten_that_took_a_step() -> None:
    ways = [contest_progress(FinishedContest(f"s/{n}", END, after(n) if n != 3 else None)) for n in range(1, 14)]
    [visited] = step_times(ways)
    # 1, 2, 4, ..., 11: the third was not visited, and two older ones are left out.
    assert (visited.step, visited.contests, visited.median_s, visited.worst_s) == (
        ContestStep.VISITED,
        10,
        390.0,
        660.0,
    )
    assert step_times([contest_progress(FinishedContest("s/1", END))]) == ()


def test_the_time_of_a_step_begins_with_the_last_of_the_steps_before() -> None:
    # The second was judged before it was published: other models answered again.
    minutes = [(12, 20, 40, 41, 45), (10, 13, 33, 60, 50)]
    steps = (ContestStep.STATEMENT, ContestStep.ANSWERS, ContestStep.PROOF, ContestStep.PUBLICATION, ContestStep.JUDGED)
    found = step_times(
        contest_progress(
            FinishedContest(
                str(moments), END, None, [ProblemProgress("s/a", dict(zip(steps, map(after, moments), strict=True)))]
            )
        )
        for moments in minutes
    )
    own = {time.step: (time.took_median_s / 60, time.took_worst_s / 60) for time in found}
    assert own == {
        ContestStep.STATEMENT: (11, 12),
        ContestStep.ANSWERS: (5.5, 8),
        ContestStep.PROOF: (20, 20),
        ContestStep.PUBLICATION: (14, 27),
        ContestStep.JUDGED: (2, 4),
    }
    whole = {time.step: (time.median_s / 60, time.worst_s / 60) for time in found}
    assert whole[ContestStep.PROOF] == (36.5, 40)


@given(st.lists(st.dictionaries(st.sampled_from(LATER), st.integers(0, 9999)), max_size=6), st.data())
def test_a_problem_that_is_held_never_keeps_a_contest_from_a_step(
    moments: list[dict[ContestStep, int]], data: st.DataObject
) -> None:
    problems = [
        ProblemProgress(str(n), {step: after(at) for step, at in taken.items()}) for n, taken in enumerate(moments)
    ]
    before = contest_progress(FinishedContest("s", END, None, problems))
    late = ProblemProgress("held", {}, reason=data.draw(st.text(min_size=1)))
    assert not problems or contest_progress(FinishedContest("s", END, None, [*problems, late])).steps == before.steps
    steps = [taken.step for taken in before.steps]
    assert steps == [step for step in ContestStep if step in steps], "in the order of the way"
