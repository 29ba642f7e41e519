"""Problems as the judge and the prompts see them: form, limits, checker, entry, tests."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

# Under which starter code, beside languages, says how code that is to be mended fails, and what changed in an API.
FAILURE, CHANGE = "failure", "change"
_FIRST_RULES = ("kind", "abs", "rel", "program")


class Form(StrEnum):
    """How a program is called."""

    STDIN = "stdin"
    FUNCTION = "function"
    CLASS = "class"
    UNITTEST = "unittest"
    INTERACTIVE = "interactive"


class CheckerKind(StrEnum):
    """How an output is compared with the expected one."""

    TOKENS = "tokens"
    LINES = "lines"
    EXACT = "exact"
    FLOAT = "float"
    UNORDERED = "unordered"
    TESTLIB = "testlib"
    KATTIS = "kattis"

    @property
    def runs_program(self) -> bool:
        """Whether a program of the problem decides, by this protocol."""
        return self in (CheckerKind.TESTLIB, CheckerKind.KATTIS)


class TestsOrigin(StrEnum):
    """Who vouches for a problem's tests, the surest first.

    official: its site published them. package: they came whole with the problem, from those who set it or gave the
    set. references: inputs made here, whose answers are those of programs written by people. consensus: the same, with
    the answers of programs that several models wrote.
    """

    __test__ = False  # not a pytest class

    OFFICIAL = "official"
    PACKAGE = "package"
    REFERENCES = "references"
    CONSENSUS = "consensus"


class Level(StrEnum):
    """Difficulty in bands, easiest first, as boards show it; publishing.bands says which problem is in which."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"

    __hash__ = str.__hash__  # an enum's own is a call in Python, and boards have thousands of them


@dataclass(frozen=True, slots=True)
class Limits:
    """Per test: CPU milliseconds, memory in MiB, output in KiB."""

    time_ms: int = 2000
    memory_mb: int = 256
    output_kb: int = 65536


# By these a problem is judged whose source states none: generous, so that only a wrong growth order fails.
UNSTATED = Limits(time_ms=10_000, memory_mb=1024)


def judged_by(time_ms: int | None, memory_mb: int | None, output_kb: int) -> Limits:
    """The limits to judge by, where those that are not known (None) are ours."""
    return Limits(
        UNSTATED.time_ms if time_ms is None else time_ms,
        UNSTATED.memory_mb if memory_mb is None else memory_mb,
        output_kb,
    )


@dataclass(frozen=True, slots=True)
class Checker:
    """How outputs are checked.

    `program` holds the source of a testlib or kattis checker; its `language` is told by the source when not given;
    `flags` are a kattis validator's further arguments, as a shell would split them. `inner`: of kind `unordered`, the
    lists within a returned list are in any order too, however deep. `spaced`: of kind `float`, white space must be the
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
    """The program an interactive problem's programs talk to; `protocol` is testlib or kattis, the rest as above."""

    program: str
    protocol: CheckerKind = CheckerKind.TESTLIB
    language: str | None = None
    flags: str = ""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a function-form problem; `type` in LeetCode's or Python's spelling."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Method:
    """One method of a class-form problem. One that returns "void" answers null, whatever it returns."""

    params: tuple[Param, ...] = ()
    returns: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a program must define: a function, a method of `cls`, or with no `name` the class `cls` itself.

    A class's `params` are its constructor's; of `methods` those not declared take and give plain values. Where
    `output_param` is set, the answer is that argument after the call. `preamble` runs before the program.
    `packages`: it may import the judge's packages, as unittests may.
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

    Class form: LeetCode's pair of names and argument lists, the constructor first, and the list of results.
    Unittest form: the test source, and null or the counts it must come to (see app.domain.unittests.assertions).
    Of an interactive problem the interactor gets both texts, the program neither.
    """

    __test__ = False  # not a pytest class

    input: Any
    expected: Any
    visible: bool = False


@dataclass(frozen=True, slots=True)
class ProblemSpec:
    """Everything the judge needs to grade a program for one problem.

    `proven`: whatever decides on answers is known to come to an end on right ones.
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
        """Whether a program of the problem decides on answers."""
        return self.interactor is not None or self.checker.kind.runs_program

    @property
    def has_packages(self) -> bool:
        """Whether its programs may import the judge's packages."""
        return self.form is Form.UNITTEST or (self.entry is not None and self.entry.packages)

    def uncalibrated(self) -> "ProblemSpec":
        """The same without the lines that it has programs run behind."""
        return self if self.entry is None else replace(self, entry=replace(self.entry, preamble=""))


@dataclass(frozen=True, slots=True)
class Statement:
    """What a model may see of a problem: text in one locale, starter code, public examples, what is called."""

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
    """What a board needs of a problem: when it came out, where, how hard, its cluster, and whose tests.

    `setters` are the vendors whose models made the tests, in one spelling and order; empty where no models did.
    """

    id: int
    slug: str
    platform: str
    released_on: datetime
    cluster: str
    level: Level | None = None
    demo: bool = False
    tests: TestsOrigin | None = None  # None where the board's results were not judged by tests of ours
    setters: tuple[str, ...] = ()

    @property
    def day(self) -> date:
        """The UTC calendar day of release."""
        return self.released_on.date()


def are_calls(value: Any) -> bool:
    """Whether it is LeetCode's pair of names, the constructor first, and their argument lists."""
    match value:
        case [[str(), *names], [list(), *rows]]:
            return len(names) == len(rows) and all(isinstance(row, list) for row in rows)
        case _:
            return False


def tests_sha256(problem: ProblemSpec) -> str:
    """Digest of how a problem is checked: the checker, the interactor, and the tests in order."""
    # What came later does not count at its default: the digests of sets made before stay.
    plain = asdict(Checker())
    rules = asdict(problem.checker)
    body: dict[str, Any] = {
        "checker": {name: value for name, value in rules.items() if name in _FIRST_RULES or value != plain[name]},
        "tests": [{"expected": test.expected, "input": test.input, "visible": test.visible} for test in problem.tests],
    }
    if problem.interactor is not None:
        body["interactor"] = asdict(problem.interactor)
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
