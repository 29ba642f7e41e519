"""Solutions that were replaced in earlier rounds, and are checked again by the answers that are accepted now.

The evidence against one may have been refuted since. So none takes part in the consensus, and none is wrong because it
was refuted once: only if it gives another answer on an input that may become a test.
"""

from collections.abc import Collection, Sequence

from app.domain.consensus.answers import SetterAnswer, SetterRole
from app.domain.consensus.result import ProvingProgram
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Test
from workers.grading.answering_judge import AnswerCheck, Attempt
from workers.grading.consensus.contributions import SetterContributions
from workers.grading.consensus.program_runner import ProgramRunner, SetterProgram, UnrunnableProgram
from workers.grading.testing.catching_tests import AnsweredInput


def find_wrong_solutions(
    runner: ProgramRunner,
    earlier: Sequence[SetterAnswer],
    tests: Sequence[AnsweredInput],
    draft: Collection[SetterProgram],
) -> tuple[ProvingProgram, ...]:
    """Return the earlier solutions that are wrong on an input with an accepted answer, except those of `draft`.

    Raises TimeBudgetExceeded.
    """
    played_codes = {source.code for source in draft}
    wrong: list[ProvingProgram] = []
    sources = {
        source.code: source
        for source in SetterContributions(earlier).sources[SetterRole.SOLUTION]
        if source.code not in played_codes
    }
    for number, source in enumerate(sources.values()):
        if _is_wrong(runner, source, tests):
            wrong.append(
                ProvingProgram(f"{source.answer_id} earlier {number}", source.language, source.code, right=False)
            )
    return tuple(wrong)


def _is_wrong(runner: ProgramRunner, source: SetterProgram, tests: Sequence[AnsweredInput]) -> bool:
    try:
        attempts = runner.answers(source, [test.given for test in tests])
    except UnrunnableProgram:
        return False
    talks = runner.problem.form is Form.INTERACTIVE
    with runner.judge.open_checker(runner.problem) as decides:
        return any(
            attempt is not None and _contradicts(attempt, test, None if talks else decides)
            for attempt, test in zip(attempts, tests, strict=True)
        )


def _contradicts(attempt: Attempt, test: AnsweredInput, decides: AnswerCheck | None) -> bool:
    """Return whether an attempt gives another answer; one that took too long or failed gives none."""
    if not attempt.answered:
        return attempt.verdict is Verdict.WRONG_ANSWER
    return decides is not None and not decides(Test(test.given, test.expected), attempt.value)
