"""Helper programs of a problem, which decide on answers: testlib checkers and Kattis output validators.

They read the output of hostile programs, so they are confined like these, in a sandbox of their own and in fresh
namespaces for each test. Their exit code alone decides; an exit code that is no verdict is a failure of the judge.
"""

import contextlib
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from app.domain.errors import InvalidProblem, JudgeError
from app.domain.judging.checkers import text_bytes
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, Interactor, ProblemSpec, Test
from app.domain.reasons import Params, Reason
from workers.grading.graders import HelperFailed, JudgedTest
from workers.grading.host_lock import Host
from workers.grading.run_verdict import ProgramLimits, decide, describe_exit, stderr_tail
from workers.grading.runner import AnyRunner, Runner, foreign_type
from workers.grading.sandbox.guest import SCRIPT_OUT_OF_MEMORY
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds
from workers.grading.sandbox.session import append, create_memory_file, create_sealed_file, seal
from workers.grading.settings import HelperLimits
from workers.grading.starvation import MachineBusy, busy_reason, starved_by_others
from workers.grading.toolchains import Toolchain, language_named
from workers.grading.unittests import expand_tests

OWN_TESTLIB = Path(__file__).parent / "testlib" / "testlib.h"
# In other languages the exit code of a crash is a verdict.
HELPER_LANGUAGES = ("c", "cpp", "python")
FEEDBACK_FOLDER = "feedback/"
CALLED_FORMS = (Form.FUNCTION, Form.CLASS, Form.UNITTEST)
_SPARE_DISK_MB, _MAX_NOTE_CHARS = 64, 200
_WORKING_SHARE = 0.5  # of the time that it had a CPU: a helper that worked for so long does not end by itself
_CPP = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[\"<]", re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<](?:[\w./]*/)?testlib\.h[">][^\n]*$', re.MULTILINE)
_RIGHT, _POINTS, _PARTIAL, _FULL = 0, 7, 16, 200
_WRONG = {1: "wrong answer", 2: "wrong format", 4: "wrong output", 8: "unexpected end of the output"}
_KATTIS_RIGHT, _KATTIS_WRONG = 42, 43
_SCORE = re.compile(r"^points +([0-9]+(?:\.[0-9]*)?)(?![^\s])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Helper:
    """A checker or interactor as its problem gives it; `role` is its name for people, and the code of its faults."""

    role: str
    program: str
    protocol: CheckerKind
    language: str
    flags: str

    def fault(self, code: str, params: Params | None = None, cause: str | None = None) -> Reason:
        """Return a reason about this helper."""
        return Reason(self.role, cause=Reason(code, params, cause))

    def source(self, testlib: str) -> bytes:
        """Return the source to compile, with `testlib` in the place of its include."""
        if self.language == "python":
            return text_bytes(self.program)

        def included(place: re.Match[str]) -> str:
            number = place.string.count("\n", 0, place.end()) + 2
            return f'{testlib}\n#line {number} "main.cpp"'

        return text_bytes(_INCLUDE.sub(included, self.program))


def helper_of(problem: ProblemSpec) -> Helper | None:
    """Return the program that decides on a problem's answers; None if a plain comparison does."""
    spec: Checker | Interactor | None = problem.checker
    if problem.form is Form.INTERACTIVE:
        spec = problem.interactor
    if spec is None:
        return None
    protocol = spec.kind if isinstance(spec, Checker) else spec.protocol
    if not protocol.runs_program:
        return None
    program = (spec.program or "").removeprefix("\ufeff")
    named = language_named(spec.language) if spec.language else None
    language = named.name if named else spec.language or ("cpp" if _CPP.search(program) else "python")
    role = "checker" if isinstance(spec, Checker) else "interactor"
    return Helper(role, program, protocol, language, spec.flags)


def helper_toolchain(toolchain: Toolchain) -> Toolchain:
    """Return the toolchain with the commands that compile helpers."""
    return replace(toolchain, compile=(*toolchain.helper_compile, *toolchain.compile))


def helper_script(source: bytes) -> bytes:
    """Return a helper in Python as the zygote runs it, so that an uncaught error is no verdict."""
    return f"__import__('guest').run_helper({source!r})".encode()


def read_testlib(path: Path | None) -> str:
    """Read the header that helpers in C++ include, the operator's or ours. Raises JudgeError."""
    path = path or OWN_TESTLIB
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise JudgeError(f"cannot read {path}: {error.strerror}") from error


class HelperVerdict(NamedTuple):
    """The decision of a helper, and its message."""

    right: bool
    note: str


def read_verdict(helper: Helper, run: ProgramRun) -> HelperVerdict:
    """Read a helper's exit code. Raises HelperFailed if it is no verdict, and Busy if the helper had no CPU."""
    if starved_by_others(run) and (run.starved_cut or run.cpu_ms < _WORKING_SHARE * (run.wall_ms - run.starved_ms)):
        raise MachineBusy(Reason(f"{helper.role}_waits", cause=busy_reason(run)))
    if run.cpu_cut or run.wall_cut or run.memory_cut or run.output_cut:
        raise HelperFailed(Reason(helper.role, cause=_broken(run)))
    words, code = stderr_tail(run), run.exit_code
    if helper.language == "python" and code == SCRIPT_OUT_OF_MEMORY:
        raise HelperFailed(helper.fault("short_of_memory", {"n": code}, words))
    if helper.protocol is CheckerKind.KATTIS and code in (_KATTIS_RIGHT, _KATTIS_WRONG):
        return HelperVerdict(code == _KATTIS_RIGHT, words[:_MAX_NOTE_CHARS])
    if helper.protocol is CheckerKind.TESTLIB and code is not None:
        if code == _RIGHT or code in _WRONG:
            return HelperVerdict(code == _RIGHT, words[:_MAX_NOTE_CHARS] or _WRONG.get(code, ""))
        if code == _POINTS or code >= _PARTIAL:
            score = min(code / _FULL, 1.0) if code >= _PARTIAL else _score(helper, run)
            return HelperVerdict(score == 1, f"score {score:g}: {words[:_MAX_NOTE_CHARS]}")
    raise HelperFailed(helper.fault("ended_with", cause=f"{describe_exit(run)} {words}".strip()))


def _broken(run: ProgramRun) -> Reason:
    if run.memory_cut:
        return Reason("out_of_memory")
    if run.output_cut:
        return Reason("out_of_output")
    return Reason("out_of_time", {"cpu": round(run.cpu_ms), "wall": round(run.wall_ms)})


def _score(helper: Helper, run: ProgramRun) -> float:
    scores = _SCORE.findall(run.stderr.decode(errors="replace"))
    if len(scores) != 1:
        raise HelperFailed(helper.fault("many_scores", {"n": len(scores)}))
    score = float(scores[0])
    if score > 1:
        raise HelperFailed(helper.fault("score_range", {"value": scores[0]}))
    return score


class CheckerProgram:
    """A problem's checker, run once for each output."""

    def __init__(self, helper: Helper, runner: AnyRunner, room: HelperLimits, host: Host) -> None:
        self._helper, self._runner, self._room, self._host = helper, runner, room, host

    def check_output(self, files: Mapping[str, int]) -> HelperVerdict:
        """Judge the output among `helper_files`. Raises HelperFailed, JudgeError or SandboxUnavailable."""
        seal(files["output.txt"])
        run = self._host.run_with_retry(partial(self._ask, files), self._room.bounds, self._runner.renew)
        return read_verdict(self._helper, run)

    def accepts(self, test: Test, output: bytes) -> bool:
        """Return whether the checker accepts an output. Raises as `rule` does."""
        with helper_files(test) as files:
            append(files["output.txt"], output)
            return self.check_output(files).right

    def _ask(self, files: Mapping[str, int], bounds: SandboxBounds) -> ProgramRun:
        bounds = replace(bounds, disk_mb=_SPARE_DISK_MB + (sum(os.fstat(fd).st_size for fd in files.values()) >> 20))
        stdin: bytes | int = b""
        arguments: tuple[str, ...] = ("input.txt", "output.txt", "answer.txt")
        if self._helper.protocol is CheckerKind.KATTIS:
            arguments = ("input.txt", "answer.txt", FEEDBACK_FOLDER, *shlex.split(self._helper.flags))
            stdin = files["output.txt"]
            os.lseek(stdin, 0, os.SEEK_SET)  # the checker may run again
            files = {"input.txt": files["input.txt"], "answer.txt": files["answer.txt"], FEEDBACK_FOLDER: stdin}
        with self._runner.start(bounds, _nowhere, stdin=stdin, arguments=arguments, files=files) as pump:
            return pump.run()


class CheckerGrader:
    """The form for text in and text out on which the problem's checker decides."""

    def __init__(self, checker: CheckerProgram, limits: ProgramLimits, *, proven: bool) -> None:
        """Take the checker; `proven`: it is known to end normally on right outputs."""
        self._checker, self._limits, self._proven = checker, limits, proven

    def judge(self, runner: Runner, test: Test) -> JudgedTest:
        """Run the checker on the program's output, unless the program fails."""
        with helper_files(test) as files:
            run = runner.run(self._limits.bounds, partial(append, files["output.txt"]), stdin=text_bytes(test.input))
            verdict = decide(run, True, self._limits)  # noqa: FBT003  # the checker decides next
            if verdict is not Verdict.ACCEPTED:
                return JudgedTest(verdict, run)
            try:
                right, note = self._checker.check_output(files)
            except HelperFailed as failure:
                if not (self._proven or self.ends_by_itself(test)):
                    raise
                note = f"the checker fails on this output, and not on right ones: {failure}"
                return JudgedTest(Verdict.WRONG_ANSWER, run, note, checker_failed=True)
        return JudgedTest(Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER, run, note)

    def ends_by_itself(self, test: Test) -> bool:
        """Return whether the checker ends normally on the jury's answer."""
        try:
            self._checker.accepts(test, text_bytes(test.expected or ""))
        except HelperFailed:
            return False
        return True


@contextlib.contextmanager
def helper_files(test: Test) -> Iterator[dict[str, int]]:
    """Yield memory files by the names that helpers use; the program's output is yet to be written."""
    with contextlib.ExitStack() as stack:
        files = {}
        for name, text in (("input.txt", test.input), ("answer.txt", test.expected or "")):
            files[name] = create_sealed_file(text_bytes(text))
            stack.callback(os.close, files[name])
        files["output.txt"] = create_memory_file()
        stack.callback(os.close, files["output.txt"])
        yield files


def _nowhere(_piece: bytes) -> None:
    """Discard the output of a checker."""


# --- problems that can be judged ------------------------------------------------------------------------------------


def prepare_problem(problem: ProblemSpec, toolchain: Toolchain, offered: frozenset[str]) -> tuple[ProblemSpec, str]:
    """Return the problem as it is judged and "", or the reason why it cannot be judged.

    A unittest problem gets one test for each test of its sources, which may import the modules `offered`.
    """
    refusal = _refusal(problem, toolchain)
    if refusal or problem.form is not Form.UNITTEST:
        return problem, refusal
    try:
        return expand_tests(problem, offered), ""
    except InvalidProblem as wrong:
        return problem, str(wrong)


def _refusal(problem: ProblemSpec, toolchain: Toolchain) -> str:
    """Return why this judge does not judge such a problem; "" if it does."""
    language = toolchain.language
    if problem.form in CALLED_FORMS and (
        not language.function_form or (language.caller and problem.form is Form.UNITTEST)
    ):
        return f"{toolchain.language.name} programs are not judged in {problem.form} form"
    if problem.form is Form.CLASS and language.caller and not (problem.entry and problem.entry.methods):
        return f"classes in {toolchain.language.name} are judged where the problem declares their methods"
    foreign = foreign_type(problem.entry) if problem.entry is not None else ""
    if foreign:
        return f"values of type {foreign} are not made here: of LeetCode's nodes only ListNode and TreeNode"
    if problem.checker.kind.runs_program and problem.form is not Form.STDIN:
        return f"checkers of kind {problem.checker.kind} judge no problems of form {problem.form} here"
    helper = helper_of(problem)
    if helper is None and problem.form is Form.INTERACTIVE:
        return "the problem has no interactor"
    if helper is not None and not helper.program.strip():
        return f"the problem's {helper.role} is empty"
    return "" if problem.tests else "the problem has no tests"
