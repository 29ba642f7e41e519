"""Trials of a package's submissions, each of which should get the verdicts that the package states."""

import time
from collections.abc import Iterator
from typing import Final

from app.domain.imports import ImportedProblem, PackageSubmission, SubmissionTrial
from app.domain.judging.verdicts import GradeResult, Verdict
from workers.grading.judge import Judge

MAX_TRIAL_S: Final = 600.0  # for all submissions of a package; the one that runs then goes on to its end
_MAX_REASON_CHARS: Final = 200
# In formats with four verdicts these two count as runtime errors.
_AS_RUNTIME_ERROR: Final = {Verdict.MEMORY_LIMIT: "RTE", Verdict.OUTPUT_LIMIT: "RTE"}


def try_submissions(judge: Judge, problem: ImportedProblem, most_s: float = MAX_TRIAL_S) -> Iterator[SubmissionTrial]:
    """Yield the result of each submission of a problem. Raises SandboxUnavailable."""
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
    """Judge a submission by the first test that fails; if that does not settle it, by all tests."""
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
    """Return why there is no verdict from tests; "" if there is one."""
    words = result.message[:_MAX_REASON_CHARS]
    if result.verdict is Verdict.JUDGE_ERROR:
        return f"the judge failed: {words}"
    return f"it does not compile: {words}" if result.verdict is Verdict.COMPILE_ERROR else ""


def _settles(submission: PackageSubmission, result: GradeResult) -> bool:
    """Return whether the first failed test has the stated verdict, so that later tests do not matter."""
    verdict = _short(submission, result.verdict)
    return result.verdict is not Verdict.ACCEPTED and all(
        rule.tests is None and verdict in rule.permitted & rule.required for rule in submission.rules
    )


def _short(submission: PackageSubmission, verdict: Verdict) -> str:
    return verdict.short if submission.has_limit_verdicts else _AS_RUNTIME_ERROR.get(verdict, verdict.short)
