"""Of several verdicts one stands, always the same; a failure of ours goes before everything."""

from itertools import permutations

from app.domain.judging.verdicts import Verdict, worst_verdict

ORDER = (
    Verdict.JUDGE_ERROR, Verdict.NO_ANSWER, Verdict.COMPILE_ERROR, Verdict.OUTPUT_LIMIT, Verdict.MEMORY_LIMIT,
    Verdict.TIME_LIMIT, Verdict.RUNTIME_ERROR, Verdict.WRONG_ANSWER, Verdict.ACCEPTED,
)  # fmt: skip


def test_the_earlier_of_two_stands_whichever_comes_first() -> None:
    for one, other in list(permutations(ORDER, 2)):
        assert worst_verdict((one, other)) is ORDER[min(ORDER.index(one), ORDER.index(other))], (one, other)


def test_every_verdict_has_its_place() -> None:
    assert set(ORDER) == set(Verdict)
    assert worst_verdict(tuple(reversed(ORDER))) is Verdict.JUDGE_ERROR
    assert worst_verdict(()) is Verdict.ACCEPTED
