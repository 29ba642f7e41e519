"""The judge, which takes a problem and a program and returns a verdict. Untrusted code runs in the sandbox only."""

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from app.domain.characters import make_printable
from app.domain.errors import JudgeError, SandboxUnavailable
from app.domain.judging.checkers import text_bytes
from app.domain.judging.verdicts import GradeResult, LimitMode, Verdict
from app.domain.problems import Form, ProblemSpec, Test
from app.domain.reasons import Reason
from app.domain.unittests.assertions import OFFERED_PACKAGES
from workers.grading.call_grader import CallGrader
from workers.grading.checker_programs import (
    CALLED_FORMS,
    CheckerGrader,
    CheckerProgram,
    Helper,
    helper_of,
    helper_script,
    helper_toolchain,
    prepare_problem,
    read_testlib,
)
from workers.grading.checker_programs import HELPER_LANGUAGES as HELPER_LANGUAGES
from workers.grading.compile_cache import CompileCache
from workers.grading.graders import Grader, HelperUncompiled, TextGrader
from workers.grading.host_lock import Host, HostLock
from workers.grading.interactive_grader import InteractiveGrader
from workers.grading.judged_program import JudgedProgram, judge_failure, run_tests
from workers.grading.languages import HELLO_INPUT, HELLO_OUTPUT, Language
from workers.grading.run_verdict import CompileError, ProgramLimits, program_limits, stderr_tail
from workers.grading.runner import (
    LAUNCHER_COMMAND,
    AnyRunner,
    LauncherRunner,
    ZygoteRunner,
    add_call,
    preamble_call,
    zygote_command,
)
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.cgroup import CgroupSubtree
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds, Sink
from workers.grading.sandbox.root import Tools, publish_tools, reserved_uid
from workers.grading.sandbox.selftest import LaunchMethod, SelfTestCheck, self_test
from workers.grading.sandbox.session import Session
from workers.grading.settings import HelperLimits, JudgeSettings
from workers.grading.slowness import HostSpeed
from workers.grading.starvation import MachineBusy
from workers.grading.testing.packages import Packages, find_packages
from workers.grading.toolchains import Toolchain, ToolchainRecord, ToolchainRegistry, find_toolchain, known_languages
from workers.grading.unittests import UnittestGrader, has_in_process_tests, reference_decisions

__all__ = ["Judge", "JudgeSettings"]

POLICY = 8  # bumped by hand when limit rules, comparison rules or the preamble change
_NOTHING = SandboxBounds(cpu_ms=5000, wall_ms=10_000, memory_mb=64, output_bytes=1)


class Judge:
    """The judge of programs in the sandbox.

    `self_test` must pass in this process before anything is graded, and is to be called again from time to time: a
    failed check, or a sandbox that no longer starts, stops the grading until it passes again.
    """

    def __init__(self, settings: JudgeSettings) -> None:
        self._settings = settings
        self._tools: Tools | None = None
        self._groups: CgroupSubtree | None = None
        self._proc = True
        self._found = ToolchainRegistry()
        self._packages: Packages | None = None
        self.speed = HostSpeed(settings.sandbox_root, settings.python, settings.slowness)
        self._cache = CompileCache(settings.sandbox_root / "programs", settings.compiling)

    # --- readiness ---

    def self_test(self) -> tuple[SelfTestCheck, ...]:
        """Build the sandbox root if needed and make every check; afterwards `grade` works.

        Returns the checks, all of them ok. Raises SandboxUnavailable that names what is missing or failed.
        """
        self._tools = None
        settings, root = self._settings, self._settings.sandbox_root
        self._groups = self._delegated()
        try:
            settings.scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
            tools = publish_tools(root, settings.python, shutil.which(settings.compiler), settings.scratch)
        except OSError as error:
            raise SandboxUnavailable(f"the sandbox root cannot be made: {error}") from error
        try:
            self._proc = self._can_mount_proc(tools)
            with self._sandbox(tools) as sandbox:
                canaries = self_test(self._ways(sandbox, tools), root)
        except JudgeError as error:
            raise SandboxUnavailable(str(error)) from error
        misses = [f"{canary.name} ({canary.detail})" for canary in canaries if not canary.ok]
        if misses:
            raise SandboxUnavailable(f"the sandbox does not hold: {'; '.join(misses)}")
        self.speed.factors(tools)
        self._found.clear()
        self._packages = find_packages(settings.sandbox_root)
        self._tools = tools
        return canaries

    def find(self, language: str) -> Toolchain | None:
        """Return a language's toolchain; None if it is not judged here for now.

        The first use builds and tries it, which takes seconds. Raises SandboxUnavailable before the self-test.
        """
        if self._tools is None:
            raise SandboxUnavailable("the sandbox has not passed its self-test")
        return self._found.find(language, partial(self._toolchain, language, self._tools))

    def languages(self) -> dict[str, str]:
        """Return the languages found so far that can be judged, by name, with the version of their toolchain."""
        return self._found.languages()

    def refused_languages(self) -> dict[str, str]:
        """Return the languages asked for that cannot be judged here, by name, with the reason."""
        return self._found.refused_languages()

    def languages_to_retry(self) -> list[str]:
        """Return the refused languages that are to be tried again."""
        return self._found.languages_to_retry()

    def importable_modules(self) -> frozenset[str]:
        """Return the names of the modules that unittests may import here."""
        return OFFERED_PACKAGES.union(() if self._packages is None else self._packages.names)

    @property
    def is_ready(self) -> bool:
        """True if the last self-test passed and no sandbox has failed since."""
        return self._tools is not None

    @property
    def limit_mode(self) -> LimitMode:
        """The means that enforces memory and process limits."""
        return LimitMode.RLIMIT if self._groups is None else LimitMode.CGROUP

    def _delegated(self) -> CgroupSubtree | None:
        """Return the delegated subtree for the sandboxes' cgroups; None if there are only rlimits and these suffice."""
        try:
            return CgroupSubtree.of_this_process()
        except SandboxUnavailable as lacking:
            if self._settings.require_cgroup:
                raise SandboxUnavailable(f"{lacking}: only rlimits can be had here") from lacking
            return None

    def _toolchain(self, name: str, tools: Tools) -> Toolchain | str:
        language = known_languages().get(name)
        if language is None:
            return "no such language"
        try:
            tried = ToolchainRecord(language, self._settings, (tools, self._proc, self.limit_mode))
            with tried.lock():
                return self._tried(language, tried, tools)
        except CompileError as error:
            return f"its hello program does not compile: {error}"
        except (SandboxUnavailable, JudgeError) as error:
            return str(error)

    def _tried(self, language: Language, tried: ToolchainRecord, tools: Tools) -> Toolchain | str:
        version = tried.version()
        toolchain = find_toolchain(language, self._settings, tools, version)
        if version is not None:
            return toolchain
        hello = ProblemSpec("hello", Form.STDIN, (Test(HELLO_INPUT, HELLO_OUTPUT),))
        host = Host(self.speed.factors(tools))
        trial = self._try(hello, toolchain, text_bytes(language.hello), host, time_factor=5.0)
        if trial.verdict is not Verdict.ACCEPTED:
            return f"its hello program: {trial.verdict} {trial.message}"
        tried.save(toolchain.version)
        return toolchain

    def _can_mount_proc(self, tools: Tools) -> bool:
        """Return whether sandboxes can have a /proc: containers with a masked one may not mount a fresh one."""
        try:
            self._start_once(tools, proc=True)
        except (SandboxUnavailable, JudgeError):
            self._start_once(tools, proc=False)
            return False
        return True

    def _start_once(self, tools: Tools, *, proc: bool) -> None:
        self._proc = proc
        with self._sandbox(tools) as sandbox, Session(sandbox, zygote_command(self._settings.python)) as session:
            session.run(_NOTHING, lambda _: None, program=b"")

    def _ways(self, sandbox: Sandbox, tools: Tools) -> tuple[LaunchMethod, ...]:
        python = self._settings.python

        def fork(session: Session, source: bytes, bounds: SandboxBounds, sink: Sink, stdin: bytes) -> ProgramRun:
            return session.run(bounds, sink, stdin=stdin, program=source)

        def execute(session: Session, source: bytes, bounds: SandboxBounds, sink: Sink, stdin: bytes) -> ProgramRun:
            return session.run(bounds, sink, stdin=stdin, argv=(python, "-I", "-S", "-c", source.decode()))

        ways = [LaunchMethod("zygote", lambda: Session(sandbox, zygote_command(python)), fork)]
        if tools.launcher:
            ways.append(LaunchMethod("launcher", lambda: Session(sandbox, LAUNCHER_COMMAND), execute))
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
        proving: bool = False,
    ) -> GradeResult:
        """Judge one program: the first failing test decides; with `all_tests` the other tests run too.

        `proving`: the program is a reference, and decides which unittests must run beside programs (`unpacked`).
        Nothing that a program does raises; a failure of the judge is the verdict judge_error, with a message.
        Raises SandboxUnavailable if there is no sandbox, or none that has passed its self-test.
        """
        if self._tools is None:
            raise SandboxUnavailable("the sandbox has not passed its self-test")
        toolchain = self.find(language)  # its version is part of the revision of every verdict
        if code is None or not code.strip():
            return self._result(problem, language, JudgedProgram(Verdict.NO_ANSWER, (), "no program"))
        if toolchain is None:
            refusal: str = Reason("not_judged_here", {"what": language}, self.refused_languages()[language])
        else:
            problem, refusal = prepare_problem(problem, toolchain, self.importable_modules())
        if toolchain is None or refusal:
            return self._result(problem, language, JudgedProgram(Verdict.JUDGE_ERROR, (), refusal))
        slowness = None
        try:
            self._tools.repair()
            now = self.speed.factors(self._tools)
            slowness = now.of(toolchain.language)
            with HostLock.acquire_shared(self._settings.sandbox_root) as turn:
                attempt = partial(
                    self._try, problem, toolchain, text_bytes(code),
                    all_tests=all_tests, time_factor=time_factor, proving=proving,
                )  # fmt: skip
                trial = self._attempt(attempt, Host(now, turn.exclusive), self._tools)
                limit_ms = program_limits(problem.limits, toolchain.language, time_factor, slowness).cpu_ms
                if trial.is_near(limit_ms) and self.speed.has_moved(self._tools, now):
                    with turn.exclusive():
                        now = self.speed.factors(self._tools, max_age_s=0)
                        slowness = now.of(toolchain.language)
                        trial = self._attempt(attempt, Host(now, turn.exclusive), self._tools)
        except CompileError as error:
            trial = JudgedProgram(Verdict.COMPILE_ERROR, (), str(error))
        except SandboxUnavailable:
            self._tools = None
            raise
        except Exception as error:  # a failure on this side must not become the program's verdict
            trial = judge_failure(error)
        return replace(self._result(problem, language, trial), slowness=slowness)

    @staticmethod
    def _attempt(attempt: Callable[[Host], JudgedProgram], host: Host, tools: Tools) -> JudgedProgram:
        try:
            return attempt(host)
        except (MachineBusy, HelperUncompiled):
            raise  # the first was tried alone already, the second after a check of the headers
        except (JudgeError, SandboxUnavailable):  # memory may have been short, or a cached program dropped
            tools.repair(thoroughly=True)
            return attempt(host)

    def _try(
        self, problem: ProblemSpec, toolchain: Toolchain, source: bytes, host: Host,
        *, all_tests: bool = False, time_factor: float = 1.0, proving: bool = False,
    ) -> JudgedProgram:  # fmt: skip
        limits = program_limits(problem.limits, toolchain.language, time_factor, host.slowness.of(toolchain.language))
        with (
            self._sandbox() as sandbox,
            self._runner(sandbox, toolchain, source, problem, host) as runner,
            self._referee(problem, source, limits, sandbox, host, proving=proving) as referee,
        ):
            trial = run_tests(runner, problem.tests, referee, limits, host, all_tests=all_tests)
            if trial.verdict is Verdict.RUNTIME_ERROR and problem.entry is not None and problem.entry.preamble:
                self._try_preamble(sandbox, problem, problem.entry.preamble, limits)
            return trial

    def _try_preamble(self, sandbox: Sandbox, problem: ProblemSpec, preamble: str, limits: ProgramLimits) -> None:
        """Run the problem's preamble without the program. Raises JudgeError if it fails."""
        with self._called(sandbox, b"", problem) as runner:
            run = runner.run(limits.bounds, lambda _: None, call=preamble_call(preamble))
        if run.status != 0:
            raise JudgeError(Reason("preamble_fails", cause=stderr_tail(run)))

    @contextlib.contextmanager
    def _referee(
        self, problem: ProblemSpec, source: bytes, limits: ProgramLimits, sandbox: Sandbox, host: Host, *, proving: bool
    ) -> Iterator[Grader]:
        helper = helper_of(problem)
        if helper is not None:
            with self._sandbox() as another, self._helper(another, helper, host) as runner:
                room = self._room(helper, host)
                if problem.form is Form.INTERACTIVE:
                    yield InteractiveGrader(helper, runner, limits, room, host, proven=problem.proven)
                else:
                    yield CheckerGrader(CheckerProgram(helper, runner, room, host), limits, proven=problem.proven)
        elif problem.form is Form.UNITTEST:
            blank = partial(self._called, sandbox, b"", problem)
            yield UnittestGrader(problem.entry, source, limits, blank, host, proving=proving)
        elif problem.entry is not None:
            yield CallGrader(problem.checker, problem.entry, limits)
        else:
            yield TextGrader(problem.checker, limits)

    def _room(self, helper: Helper, host: Host) -> HelperLimits:
        return self._settings.helpers.scale(host.slowness.of(known_languages()[helper.language]))

    def _helper(self, sandbox: Sandbox, helper: Helper, host: Host) -> AnyRunner:
        """Return a runner of a problem's checker or interactor. Raises JudgeError if it cannot be run."""
        if helper.language not in HELPER_LANGUAGES:
            raise JudgeError(helper.fault("language_allowed", {"what": ", ".join(HELPER_LANGUAGES)}))
        if (toolchain := self.find(helper.language)) is None:
            why = self.refused_languages()[helper.language]
            raise JudgeError(helper.fault("language_missing", {"what": helper.language}, why))
        try:
            return self._helping(sandbox, toolchain, helper.source(read_testlib(self._settings.testlib)), host)
        except CompileError as error:
            raise HelperUncompiled(helper.fault("uncompiled", cause=str(error))) from error

    def _helping(self, sandbox: Sandbox, toolchain: Toolchain, source: bytes, host: Host) -> AnyRunner:
        """Return a runner of a program that makes or checks tests. Raises CompileError if it does not compile."""
        if toolchain.language.zygote:
            return ZygoteRunner(sandbox, self._settings.python, helper_script(source), called=False, imports=source)
        return self._executed(sandbox, helper_toolchain(toolchain), source, host)

    def _runner(
        self, sandbox: Sandbox, toolchain: Toolchain, source: bytes, problem: ProblemSpec, host: Host
    ) -> AnyRunner:
        called = problem.form in CALLED_FORMS
        if toolchain.language.zygote and (called or self._settings.zygote):
            return self._called(sandbox, source, problem, called=called)
        return self._executed(sandbox, toolchain, add_call(toolchain.language, source, problem), host)

    def _called(self, sandbox: Sandbox, source: bytes, problem: ProblemSpec, *, called: bool = True) -> ZygoteRunner:
        more = self._packages if problem.has_packages else None
        packages = None if more is None else self._settings.sandbox_root / more.folder
        return ZygoteRunner(sandbox, self._settings.python, source, called=called, packages=packages, form=problem.form)

    def _executed(self, sandbox: Sandbox, toolchain: Toolchain, source: bytes, host: Host) -> LauncherRunner:
        """Return a runner of a program that the launcher executes. Raises CompileError if it does not compile."""
        toolchain.repair()
        program = self._cache.get(toolchain, source, lambda: Session(sandbox, LAUNCHER_COMMAND, toolchain.mounts), host)
        if program.path is None:
            raise CompileError(program.message)
        base_mb, mounts = toolchain.language.memory_base_mb, {**toolchain.mounts, program.path: "/judge/main"}
        return LauncherRunner(sandbox, toolchain.run, mounts, base_mb=base_mb, mapped_kb=program.mapped_kb)

    @contextlib.contextmanager
    def _sandbox(self, tools: Tools | None = None) -> Iterator[Sandbox]:
        tools = tools or self._tools
        if tools is None:
            raise SandboxUnavailable("the sandbox has not passed its self-test")
        tools.repair()
        settings = self._settings
        with reserved_uid(settings.sandbox_root, settings.first_uid, settings.slots) as uid:
            yield Sandbox(settings.bwrap, tools.path, uid, proc=self._proc, groups=self._groups)

    def _result(self, problem: ProblemSpec, language: str, trial: JudgedProgram) -> GradeResult:
        return GradeResult(
            verdict=trial.verdict,
            passed=trial.passed,
            total=len(problem.tests),
            tests=trial.outcomes,
            limit_mode=self.limit_mode,
            grader_revision=self._revision(problem, language),
            message=make_printable(trial.message),
            in_process=has_in_process_tests(problem) or bool(trial.unpacked),
            checker_failed=trial.checker_failed,
            helper_failed=trial.helper_failed,
            unpacked=reference_decisions(problem, trial),
            got=trial.got,
        )

    def _revision(self, problem: ProblemSpec, language: str) -> str:
        toolchain, digest = self._found.toolchain(language), "none" if self._tools is None else self._tools.digest[:8]
        revision = f"{POLICY}.{toolchain.revision if toolchain else language}.{digest}"
        if problem.has_packages and self._packages is not None:
            revision += f".packages-{self._packages.digest[:8]}"
        helper = helper_of(problem)
        if helper is None:
            return revision
        tools = self._found.toolchain(helper.language)
        revision += f".{tools.revision if tools else helper.language}"
        if helper.language != "cpp":
            return revision
        with contextlib.suppress(JudgeError):
            revision += f".testlib-{hashlib.sha256(text_bytes(read_testlib(self._settings.testlib))).hexdigest()[:8]}"
        return revision
