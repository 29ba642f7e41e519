"""Problems as the judge and the prompts see them: form, limits, checker, entry, tests."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

# Keys of starter code beside languages: how the code to be fixed fails, and what changed in an API.
FAILURE, CHANGE = "failure", "change"
_ORIGINAL_FIELDS = ("kind", "abs", "rel", "program")


class Form(StrEnum):
    """Way in which a program is called."""

    STDIN = "stdin"
    FUNCTION = "function"
    CLASS = "class"
    UNITTEST = "unittest"
    INTERACTIVE = "interactive"


class CheckerKind(StrEnum):
    """Way in which an output is compared with the expected one."""

    TOKENS = "tokens"
    LINES = "lines"
    EXACT = "exact"
    FLOAT = "float"
    UNORDERED = "unordered"
    TESTLIB = "testlib"
    KATTIS = "kattis"

    @property
    def runs_program(self) -> bool:
        """True if a checker program of the problem decides, by this protocol."""
        return self in (CheckerKind.TESTLIB, CheckerKind.KATTIS)


class TestsOrigin(StrEnum):
    """Source that vouches for a problem's tests, the surest first.

    official: its site published them. package: they came whole with the problem, from its authors or from the authors
    of the set. references: inputs made here, answered by programs that people wrote. consensus: inputs made here,
    answered by programs that several models wrote.
    """

    __test__ = False  # not a pytest class

    OFFICIAL = "official"
    PACKAGE = "package"
    REFERENCES = "references"
    CONSENSUS = "consensus"


class Level(StrEnum):
    """Difficulty bands of boards, easiest first; publishing.bands assigns problems to them."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"

    __hash__ = str.__hash__  # faster than an enum's own, and boards have thousands of them


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one test: CPU milliseconds, memory in MiB, output in KiB."""

    time_ms: int = 2000
    memory_mb: int = 256
    output_kb: int = 65536


# Limits of a problem whose source states none: generous, so that only a worse growth order fails.
UNSTATED_LIMITS = Limits(time_ms=10_000, memory_mb=1024)


def effective_limits(time_ms: int | None, memory_mb: int | None, output_kb: int) -> Limits:
    """Return the limits to judge by; unknown ones (None) are replaced by our own."""
    return Limits(
        UNSTATED_LIMITS.time_ms if time_ms is None else time_ms,
        UNSTATED_LIMITS.memory_mb if memory_mb is None else memory_mb,
        output_kb,
    )


@dataclass(frozen=True, slots=True)
class Checker:
    """Rule by which outputs are checked.

    `program` holds the source of a testlib or kattis checker; its `language` is detected from the source if not given;
    `flags` are further arguments of a kattis validator, split as a shell would. `inner`: for kind `unordered`, the
    lists within a returned list are in any order too, however deep. `spaced`: for kind `float`, white space must be the
    same, too.
    """

    kind: CheckerKind = CheckerKind.TOKENS
    abs: float | None = None
    rel: float | None = None
    program: str | None = None
    ignore_case: bool = False
    language: str | None = None
    flags: str = ""
    inner: bool = False
    spaced: bool = False


@dataclass(frozen=True, slots=True)
class Interactor:
    """Program that an interactive problem's programs talk to.

    `protocol` is testlib or kattis; `language` and `flags` are as for a checker.
    """

    program: str
    protocol: CheckerKind = CheckerKind.TESTLIB
    language: str | None = None
    flags: str = ""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a function-form problem; `type` is in LeetCode's or Python's spelling."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Method:
    """One method of a class-form problem. One that returns "void" answers null, whatever it returns."""

    params: tuple[Param, ...] = ()
    returns: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """Definition that a program must contain: a function, a method of `cls`, or with no `name` the class `cls` itself.

    A class's `params` are its constructor's; methods missing from `methods` take and give plain values. If
    `output_param` is set, the answer is that argument after the call. `preamble` runs before the program. `packages`:
    it may import the judge's packages, as unittests may.
    """

    name: str
    cls: str | None = None
    params: tuple[Param, ...] = ()
    returns: str = ""
    preamble: str = ""
    methods: Mapping[str, Method] = field(default_factory=dict)
    output_param: int | None = None
    packages: bool = False


@dataclass(frozen=True, slots=True)
class Test:
    """One test: text in and out (stdin form), or a list of arguments and a JSON value (function form).

    Class form: LeetCode's pair of names and argument lists, the constructor first, and the list of results. Unittest
    form: the test source, and null or the expected counts (see app.domain.unittests.assertions). Of an interactive
    problem the interactor gets both texts, the program neither.
    """

    __test__ = False  # not a pytest class

    input: Any
    expected: Any
    visible: bool = False

    def as_call(self) -> "Test | None":
        """Return the example of a function with its arguments as values; None if it cannot be read.

        A site shows them as text, a literal on each line.
        """
        if not isinstance(self.input, str):
            return self
        try:
            arguments = [json.loads(line) for line in self.input.splitlines() if line.strip()]
            return replace(self, input=arguments, expected=json.loads(self.expected))
        except (ValueError, TypeError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class ProblemSpec:
    """Everything the judge needs to grade a program for one problem.

    `proven`: the checker or interactor is known to terminate on right answers.
    """

    id: str
    form: Form
    tests: tuple[Test, ...]
    limits: Limits = field(default_factory=Limits)
    checker: Checker = field(default_factory=Checker)
    entry: Entry | None = None
    interactor: Interactor | None = None
    proven: bool = False

    @property
    def decided_by_program(self) -> bool:
        """True if a program of the problem, a checker or an interactor, decides on answers."""
        return self.interactor is not None or self.checker.kind.runs_program

    @property
    def has_packages(self) -> bool:
        """True if its programs may import the judge's packages."""
        return self.form is Form.UNITTEST or (self.entry is not None and self.entry.packages)

    def without_preamble(self) -> "ProblemSpec":
        """Return the problem without the preamble that runs before its programs."""
        return self if self.entry is None else replace(self, entry=replace(self.entry, preamble=""))


@dataclass(frozen=True, slots=True)
class Statement:
    """Part of a problem that a model may see: text in one locale, starter code, public examples and the entry."""

    problem: str
    locale: str
    form: Form
    title: str
    text: str
    starter_code: Mapping[str, str]
    examples: tuple[Test, ...]
    limits: Limits
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class ProblemFact:
    """Facts of a problem that a board needs: release time, platform, level, cluster, and the origin of its tests.

    `setters` are the vendors whose models made the tests, normalised and sorted; empty if no models did.
    """

    id: int
    slug: str
    platform: str
    released_on: datetime
    cluster: str
    level: Level | None = None
    demo: bool = False
    tests: TestsOrigin | None = None  # None if the board's results were not judged by our tests
    setters: tuple[str, ...] = ()

    @property
    def day(self) -> date:
        """UTC calendar day of release."""
        return self.released_on.date()


def are_calls(value: Any) -> bool:
    """Return whether a value is LeetCode's pair of names, the constructor first, and their argument lists."""
    match value:
        case [[str(), *names], [list(), *rows]]:
            return len(names) == len(rows) and all(isinstance(row, list) for row in rows)
        case _:
            return False


def tests_sha256(problem: ProblemSpec) -> str:
    """Return a digest of the checker, the interactor, and the tests in order."""
    # Later fields do not count at their defaults, so that the digests of older sets stay.
    plain = asdict(Checker())
    rules = asdict(problem.checker)
    body: dict[str, Any] = {
        "checker": {name: value for name, value in rules.items() if name in _ORIGINAL_FIELDS or value != plain[name]},
        "tests": [{"expected": test.expected, "input": test.input, "visible": test.visible} for test in problem.tests],
    }
    if problem.interactor is not None:
        body["interactor"] = asdict(problem.interactor)
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
