"""The judge: a problem and a program in, a verdict out. Untrusted code runs in the sandbox or not at all."""

import contextlib
import shutil
import threading
from collections.abc import Iterator

from app.domain.checkers import text_bytes
from app.domain.errors import JudgeError, SandboxUnavailable
from app.domain.problems import CheckerKind, Form, ProblemSpec, Test
from app.domain.verdicts import GradeResult, LimitMode, Verdict
from workers.grading.compile_cache import CompileCache
from workers.grading.languages import HELLO_INPUT, HELLO_OUTPUT
from workers.grading.outcome import Allowance, allowance
from workers.grading.referees import CallReferee, Referee, TextReferee
from workers.grading.runner import LAUNCHER, LauncherRunner, ZygoteRunner, zygote
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.protocol import Bounds, Run, Sink
from workers.grading.sandbox.root import Tools, ensure_root, publish_tools, reserved_uid
from workers.grading.sandbox.selftest import Canary, Way, self_test
from workers.grading.sandbox.session import Session
from workers.grading.settings import JudgeSettings
from workers.grading.toolchains import Toolchain, find_toolchain, known_languages
from workers.grading.trial import Trial, run_trial

__all__ = ["Judge", "JudgeSettings"]

POLICY = 1  # bumped by hand when limit rules, comparison rules or the preamble change
_FORMS = (Form.STDIN, Form.FUNCTION)
_PROGRAM_CHECKERS = (CheckerKind.TESTLIB, CheckerKind.KATTIS)
_NOTHING = Bounds(cpu_ms=5000, wall_ms=10_000, memory_mb=64, output_bytes=1)


class _CompileError(Exception):
    """The program does not compile; the argument is the compiler's words."""


class Judge:
    """Grades programs in the sandbox.

    `self_test` must have passed in this process before anything is graded, and is to be called again from time to
    time: a miss, or a sandbox that no longer starts, stops the grading until it passes again.
    """

    def __init__(self, settings: JudgeSettings) -> None:
        self._settings = settings
        self._tools: Tools | None = None
        self._proc = True
        self._found: dict[str, Toolchain | str] = {}  # a language's toolchain, or why it is not judged here
        self._finding = threading.Lock()
        self._cache = CompileCache(settings.sandbox_root / "programs")

    # --- readiness ---

    def self_test(self) -> tuple[Canary, ...]:
        """Build the sandbox root where needed and try every canary; afterwards `grade` works.

        Languages are found when first asked for: some build what they need first, which takes seconds.

        Returns the canaries, all of them ok. Raises SandboxUnavailable naming what is missing or did not hold.
        """
        self._tools = None
        settings = self._settings
        if settings.require_cgroup:
            raise SandboxUnavailable("no delegated cgroup v2 with memory and pids: only rlimits can be had here")
        root = ensure_root(settings.sandbox_root)
        settings.scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
        tools = publish_tools(root, settings.python, shutil.which(settings.compiler), settings.scratch)
        try:
            self._proc = self._can_mount_proc(tools)
            with self._sandbox(tools) as sandbox:
                canaries = self_test(self._ways(sandbox, tools), root)
        except JudgeError as error:
            raise SandboxUnavailable(str(error)) from error
        missed = [f"{canary.name} ({canary.detail})" for canary in canaries if not canary.ok]
        if missed:
            raise SandboxUnavailable(f"the sandbox does not hold: {'; '.join(missed)}")
        self._found.clear()
        self._tools = tools
        return canaries

    def find(self, language: str) -> Toolchain | None:
        """The toolchain of a language, built and tried at the first question; None when it is not judged here.

        Raises SandboxUnavailable before the self-test has passed.
        """
        if self._tools is None:
            raise SandboxUnavailable("the sandbox has not passed its self-test")
        with self._finding:
            if language not in self._found:
                self._found[language] = self._toolchain(language, self._tools)
            found = self._found[language]
        return found if isinstance(found, Toolchain) else None

    def languages(self) -> dict[str, str]:
        """Languages found so far that can be judged, by name, with the version of their toolchain."""
        return {name: found.version for name, found in dict(self._found).items() if isinstance(found, Toolchain)}

    def refused(self) -> dict[str, str]:
        """Languages asked for that cannot be judged here, with the reason."""
        return {name: found for name, found in dict(self._found).items() if isinstance(found, str)}

    @property
    def limit_mode(self) -> LimitMode:
        """What enforces memory and process limits."""
        return LimitMode.RLIMIT

    def _toolchain(self, name: str, tools: Tools) -> Toolchain | str:
        language = known_languages().get(name)
        if language is None:
            return "no such language"
        try:
            toolchain = find_toolchain(language, self._settings, tools)
            hello = ProblemSpec("hello", Form.STDIN, (Test(HELLO_INPUT, HELLO_OUTPUT),))
            trial = self._try(hello, toolchain, text_bytes(language.hello), all_tests=False, time_factor=5.0)
        except _CompileError as error:
            return f"its hello program does not compile: {error}"
        except (SandboxUnavailable, JudgeError) as error:
            return str(error)
        return toolchain if trial.verdict is Verdict.ACCEPTED else f"its hello program: {trial.verdict} {trial.message}"

    def _can_mount_proc(self, tools: Tools) -> bool:
        """Whether sandboxes get a /proc; containers with a masked one may not mount a fresh one.

        Raises SandboxUnavailable or JudgeError when a sandbox does not work without one either.
        """
        try:
            self._start_once(tools, proc=True)
        except (SandboxUnavailable, JudgeError):
            self._start_once(tools, proc=False)
            return False
        return True

    def _start_once(self, tools: Tools, *, proc: bool) -> None:
        self._proc = proc
        with self._sandbox(tools) as sandbox, Session(sandbox, zygote(self._settings.python)) as session:
            session.run(_NOTHING, lambda _: None, program=b"")

    def _ways(self, sandbox: Sandbox, tools: Tools) -> tuple[Way, ...]:
        python = self._settings.python

        def fork(session: Session, source: bytes, bounds: Bounds, sink: Sink, stdin: bytes) -> Run:
            return session.run(bounds, sink, stdin=stdin, program=source)

        def execute(session: Session, source: bytes, bounds: Bounds, sink: Sink, stdin: bytes) -> Run:
            return session.run(bounds, sink, stdin=stdin, argv=(python, "-I", "-S", "-c", source.decode()))

        ways = [Way("zygote", lambda: Session(sandbox, zygote(python)), fork)]
        if tools.launcher:
            ways.append(Way("launcher", lambda: Session(sandbox, LAUNCHER), execute))
        return tuple(ways)

    # --- grading ---

    def grade(
        self,
        problem: ProblemSpec,
        code: str | None,
        language: str,
        *,
        all_tests: bool = False,
        time_factor: float = 1.0,
    ) -> GradeResult:
        """Judge one program: the first failing test decides; with `all_tests` the others are run all the same.

        Never raises for anything a program does; a failure of ours is the verdict judge_error, with a message.
        Raises SandboxUnavailable when there is no sandbox, or none that has passed its self-test.
        """
        if self._tools is None:
            raise SandboxUnavailable("the sandbox has not passed its self-test")
        if code is None or not code.strip():
            return self._result(problem, language, Trial(Verdict.NO_ANSWER, (), "no program"))
        toolchain = self.find(language)
        if toolchain is None:
            refusal = f"{language} is not judged here: {self.refused()[language]}"
        else:
            refusal = _refusal(problem, toolchain)
        if toolchain is None or refusal:
            return self._result(problem, language, Trial(Verdict.JUDGE_ERROR, (), refusal))
        source = text_bytes(code)
        try:
            try:
                trial = self._try(problem, toolchain, source, all_tests=all_tests, time_factor=time_factor)
            except (JudgeError, SandboxUnavailable):  # once more: memory may have been short, a cached program dropped
                trial = self._try(problem, toolchain, source, all_tests=all_tests, time_factor=time_factor)
        except _CompileError as error:
            trial = Trial(Verdict.COMPILE_ERROR, (), str(error))
        except SandboxUnavailable:
            self._tools = None
            raise
        except Exception as error:  # whatever goes wrong on this side must not become the program's verdict
            trial = Trial(Verdict.JUDGE_ERROR, (), f"{type(error).__name__}: {error}")
        return self._result(problem, language, trial)

    def _try(
        self, problem: ProblemSpec, toolchain: Toolchain, source: bytes, *, all_tests: bool, time_factor: float
    ) -> Trial:
        allowed = allowance(problem.limits, toolchain.language, time_factor)
        with self._sandbox() as sandbox, self._runner(sandbox, toolchain, source, problem.form) as runner:
            referee = self._referee(problem, allowed)
            return run_trial(runner, problem.tests, referee, allowed, all_tests=all_tests)

    def _referee(self, problem: ProblemSpec, allowed: Allowance) -> Referee:
        if problem.entry is not None:
            return CallReferee(problem.checker, problem.entry, allowed)
        return TextReferee(problem.checker, allowed)

    def _runner(
        self, sandbox: Sandbox, toolchain: Toolchain, source: bytes, form: Form
    ) -> ZygoteRunner | LauncherRunner:
        called = form is Form.FUNCTION
        if toolchain.language.zygote and (called or self._settings.zygote):
            return ZygoteRunner(sandbox, self._settings.python, source, called=called)
        return self._executed(sandbox, toolchain, source)

    def _executed(self, sandbox: Sandbox, toolchain: Toolchain, source: bytes) -> LauncherRunner:
        """A program as the launcher executes it. Raises _CompileError when it does not compile."""
        mounts = toolchain.mounts
        program = self._cache.get(toolchain, source, lambda: Session(sandbox, LAUNCHER, mounts))
        if program.path is None:
            raise _CompileError(program.message)
        base_mb = toolchain.language.memory_base_mb
        return LauncherRunner(sandbox, toolchain.run, {**mounts, program.path: "/judge/main"}, base_mb=base_mb)

    @contextlib.contextmanager
    def _sandbox(self, tools: Tools | None = None) -> Iterator[Sandbox]:
        tools = tools or self._tools
        if tools is None:
            raise SandboxUnavailable("the sandbox has not passed its self-test")
        settings = self._settings
        with reserved_uid(settings.sandbox_root, settings.first_uid, settings.slots) as uid:
            yield Sandbox(settings.bwrap, tools.path, uid, proc=self._proc)

    def _result(self, problem: ProblemSpec, language: str, trial: Trial) -> GradeResult:
        return GradeResult(
            verdict=trial.verdict,
            passed=trial.passed,
            total=len(problem.tests),
            tests=trial.outcomes,
            limit_mode=self.limit_mode,
            grader_revision=self._revision(language),
            message=trial.message,
        )

    def _revision(self, language: str) -> str:
        found = self._found.get(language)
        digest = self._tools.digest[:8] if self._tools is not None else "none"
        return f"{POLICY}.{found.revision if isinstance(found, Toolchain) else language}.{digest}"


def _refusal(problem: ProblemSpec, toolchain: Toolchain) -> str:
    """Why this judge does not judge such a problem; "" when it does."""
    if problem.form not in _FORMS:
        return f"problems of form {problem.form} are not judged here"
    if problem.form is Form.FUNCTION and not toolchain.language.function_form:
        return f"{toolchain.language.name} programs are not judged in function form"
    if problem.checker.kind in _PROGRAM_CHECKERS:
        return f"checkers of kind {problem.checker.kind} are not run here"
    return "" if problem.tests else "the problem has no tests"
