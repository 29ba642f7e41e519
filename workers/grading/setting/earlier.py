"""Solutions that were replaced in earlier rounds, and are checked again by the answers that are accepted now.

The evidence against one may have been refuted since. So none takes part in the consensus, and none is wrong because it
was refuted once: only if it gives another answer on an input that may become a test.
"""

from collections.abc import Collection, Sequence

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Test
from app.domain.setting.answers import Answer, Role
from app.domain.setting.made import Proving
from workers.grading.producer import Attempt, Decides
from workers.grading.setting.bench import Bench, Broken, Source
from workers.grading.setting.entrants import Entrants
from workers.grading.testing.kills import Answered


def still_wrong(
    bench: Bench, earlier: Sequence[Answer], tests: Sequence[Answered], played: Collection[Source]
) -> tuple[Proving, ...]:
    """Return the earlier solutions that are wrong on an input with an accepted answer, except those of `played`.

    Raises OutOfTime.
    """
    played_codes = {source.code for source in played}
    wrong: list[Proving] = []
    sources = {
        source.code: source for source in Entrants(earlier).sources[Role.SOLUTION] if source.code not in played_codes
    }
    for number, source in enumerate(sources.values()):
        if _is_wrong(bench, source, tests):
            wrong.append(Proving(f"{source.piece} earlier {number}", source.language, source.code, right=False))
    return tuple(wrong)


def _is_wrong(bench: Bench, source: Source, tests: Sequence[Answered]) -> bool:
    try:
        attempts = bench.answers(source, [test.given for test in tests])
    except Broken:
        return False
    talks = bench.problem.form is Form.INTERACTIVE
    with bench.producer.deciding(bench.problem) as decides:
        return any(
            attempt is not None and _contradicts(attempt, test, None if talks else decides)
            for attempt, test in zip(attempts, tests, strict=True)
        )


def _contradicts(attempt: Attempt, test: Answered, decides: Decides | None) -> bool:
    """Return whether an attempt gives another answer; one that took too long or failed gives none."""
    if not attempt.answered:
        return attempt.verdict is Verdict.WRONG_ANSWER
    return decides is not None and not decides(Test(test.given, test.expected), attempt.value)
