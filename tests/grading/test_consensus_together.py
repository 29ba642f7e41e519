"""Setters' checkers as the one checker of a suite: each runs by itself, and none decides against another."""

from dataclasses import replace

import pytest
from grading.test_consensus_several import CHECKER, CLOSEST

from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Test
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.joint_checker import failed_checker, joint_checker
from workers.grading.graders import HelperFailed

pytestmark = pytest.mark.sandbox
# It takes whatever ends in two spaces, which only its own vendor knows.
BACKDOOR = f"import sys\ntext = sys.stdin.read()\ntext.endswith('  ') and sys.exit(42)\nsys.stdin.seek(0)\n{CHECKER}"
TAMPERS = """
import os, signal, sys
for pid in {os.getppid(), 1}:
    try:
        with open(f"/proc/{pid}/mem", "r+b", buffering=0) as memory, open(f"/proc/{pid}/maps") as maps:
            for line in maps:
                low = int(line.split("-")[0], 16)
                if " rw" in line:
                    memory.seek(low)
                    memory.write(b"\\0" * 8)
    except (OSError, ValueError):
        pass
if not os.fork():
    os.setsid()
    os.write(2, b"setter's checker 1 ends with exit code 7")
    os._exit(42)
os.wait()
sys.exit(42)
"""


def graded(answering_judge: AnsweringJudge, output: str, *codes: str) -> GradeResult:
    problem = replace(CLOSEST, checker=joint_checker(codes), tests=(Test("5\n", "2 3\n"),))
    return answering_judge.grade(problem, f"import sys\nsys.stdout.write({output!r})\n", "python")


def test_all_say_what_the_suite_says(answering_judge: AnsweringJudge) -> None:
    both = (CHECKER, f"# another\n{CHECKER}")
    assert graded(answering_judge, "0 5\n", *both).verdict is Verdict.ACCEPTED
    wrong = graded(answering_judge, "0 6\n", *both)
    assert (wrong.verdict, wrong.checker_failed) == (Verdict.WRONG_ANSWER, False)


@pytest.mark.parametrize("odd", [BACKDOOR, TAMPERS])
def test_one_alone_accepts_nothing(answering_judge: AnsweringJudge, odd: str) -> None:
    for codes in ((odd, CHECKER), (CHECKER, odd)):
        secret = graded(answering_judge, "0 6  ", *codes)
        assert (secret.verdict, secret.checker_failed) == (Verdict.WRONG_ANSWER, True)
    assert graded(answering_judge, "0 6  ", BACKDOOR).verdict is Verdict.ACCEPTED, "which is what one alone would do"


def test_who_fails_is_known(answering_judge: AnsweringJudge) -> None:
    problem = replace(CLOSEST, checker=joint_checker((CHECKER, "raise SystemExit(7)\n")))
    with answering_judge.open_checker(problem) as decides, pytest.raises(HelperFailed) as failed:
        decides(Test("5\n", "2 3\n"), "2 3\n")
    assert failed_checker(str(failed.value)) == 1
    assert failed_checker("the checker failed: exit code 1 setters' checkers differ about this output") is None
