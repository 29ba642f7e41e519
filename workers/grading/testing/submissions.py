"""Trying the submissions that a package brings: each is to get the verdicts that the package says it gets."""

import time
from collections.abc import Iterator
from typing import Final

from app.domain.imports import ImportedProblem, PackageSubmission, SubmissionTrial
from app.domain.judging.verdicts import GradeResult, Verdict
from workers.grading.judge import Judge

MAX_TRIAL_S: Final = 600.0  # for all submissions of a package; what runs then goes on to its end
_WORDS: Final = 200
# For formats with four verdicts.
_AS_RUNTIME_ERROR: Final = {Verdict.MEMORY_LIMIT: "RTE", Verdict.OUTPUT_LIMIT: "RTE"}


def try_submissions(judge: Judge, problem: ImportedProblem, most_s: float = MAX_TRIAL_S) -> Iterator[SubmissionTrial]:
    """What each submission of a problem gets. Raises SandboxUnavailable."""
    until = time.monotonic() + most_s
    for submission in problem.submissions:
        reason = submission.left_out
        if not reason and time.monotonic() > until:
            reason = f"trying the submissions before it took longer than {most_s:.0f} s"
        if reason:
            yield SubmissionTrial(problem.external_id, submission.name, None, as_said=False, reason=reason)
        else:
            yield _try(judge, problem, submission)


def _try(judge: Judge, problem: ImportedProblem, submission: PackageSubmission) -> SubmissionTrial:
    """Judge it as any program, by the first test that fails; where that does not settle it, by all tests."""
    result = judge.grade(problem.spec, submission.code, submission.language)
    if not (_fails(result) or _settles(submission, result)):
        result = judge.grade(problem.spec, submission.code, submission.language, all_tests=True)
    verdict, reason = _short(submission, result.verdict), _fails(result)
    if result.verdict is Verdict.JUDGE_ERROR:
        return SubmissionTrial(problem.external_id, submission.name, None, as_said=False, reason=reason)
    if not reason and not _settles(submission, result):
        verdicts = [_short(submission, test.verdict) for test in result.tests]
        reason = next((breach for rule in submission.rules if (breach := rule.find_breach(verdicts))), "")
    elif result.verdict is Verdict.COMPILE_ERROR and all("CE" in rule.required for rule in submission.rules):
        reason = ""
    return SubmissionTrial(problem.external_id, submission.name, verdict, as_said=not reason, reason=reason)


def _fails(result: GradeResult) -> str:
    """Why there is no verdict of tests; "" if there is one."""
    words = result.message[:_WORDS]
    if result.verdict is Verdict.JUDGE_ERROR:
        return f"the judge failed: {words}"
    return f"it does not compile: {words}" if result.verdict is Verdict.COMPILE_ERROR else ""


def _settles(submission: PackageSubmission, result: GradeResult) -> bool:
    """Whether the first test that failed is what the package says: what tests after it get then decides nothing."""
    verdict = _short(submission, result.verdict)
    return result.verdict is not Verdict.ACCEPTED and all(
        rule.tests is None and verdict in rule.permitted & rule.required for rule in submission.rules
    )


def _short(submission: PackageSubmission, verdict: Verdict) -> str:
    return verdict.short if submission.has_limit_verdicts else _AS_RUNTIME_ERROR.get(verdict, verdict.short)
