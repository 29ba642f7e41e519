"""Problems as the judge and the prompts see them: form, limits, checker, entry, tests."""

import hashlib
import json
import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from app.domain.errors import InvalidProblem

_FLAGS, _FLAGS_LENGTH = 32, 2000
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


class Level(StrEnum):
    """Difficulty in three bins, as boards show it."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Limits:
    """Per test: CPU milliseconds, memory in MiB, output in KiB."""

    time_ms: int = 2000
    memory_mb: int = 256
    output_kb: int = 65536


@dataclass(frozen=True, slots=True)
class Checker:
    """How outputs are checked.

    `program` holds the source of a testlib or kattis checker; its `language` is told by the source when not given;
    `flags` are a kattis validator's further arguments, as a shell would split them.
    """

    kind: CheckerKind = CheckerKind.TOKENS
    abs: float | None = None
    rel: float | None = None
    program: str | None = None
    ignore_case: bool = False
    language: str | None = None
    flags: str = ""


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
    """

    name: str
    cls: str | None = None
    params: tuple[Param, ...] = ()
    returns: str = ""
    preamble: str = ""
    methods: Mapping[str, Method] = field(default_factory=dict)
    output_param: int | None = None


@dataclass(frozen=True, slots=True)
class Test:
    """One test: text in and out (stdin form), or a list of arguments and a JSON value (function form).

    Class form: LeetCode's pair of names and argument lists, the constructor first, and the list of results.
    Unittest form: the test source, and null or the counts it must come to (see app.domain.assertions).
    Of an interactive problem the interactor gets both texts, the program neither.
    """

    __test__ = False  # not a pytest class

    input: Any
    expected: Any
    visible: bool = False


@dataclass(frozen=True, slots=True)
class ProblemSpec:
    """Everything the judge needs to grade a program for one problem."""

    id: str
    form: Form
    tests: tuple[Test, ...]
    limits: Limits = field(default_factory=Limits)
    checker: Checker = field(default_factory=Checker)
    entry: Entry | None = None
    interactor: Interactor | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """What a model may see of a problem: text in one locale, starter code, public examples."""

    problem: str
    locale: str
    form: Form
    title: str
    text: str
    starter_code: Mapping[str, str]
    examples: tuple[Test, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class ProblemFact:
    """What a board needs of a problem: when it came out, where, how hard, and its cluster."""

    id: int
    slug: str
    platform: str
    released_on: datetime
    cluster: str
    level: Level | None = None
    demo: bool = False

    @property
    def day(self) -> date:
        """The UTC calendar day of release."""
        return self.released_on.date()


def parse_problem(data: Mapping[str, Any]) -> ProblemSpec:
    """Read a PROBLEM.json object. Raises InvalidProblem naming the field that is wrong."""
    try:
        form = Form(data.get("form", "stdin"))
        entry = _parse_entry(data.get("entry"), form)
        if entry is None and form in (Form.FUNCTION, Form.CLASS):
            raise InvalidProblem(f"form '{form}' needs an 'entry'", pointer="/entry")
        return ProblemSpec(
            id=str(data["id"]),
            form=form,
            tests=tuple(_parse_test(form, index, test) for index, test in enumerate(_given_tests(data, form))),
            limits=_parse_limits(data.get("limits") or {}),
            checker=_parse_checker(data.get("checker") or {}),
            entry=entry,
            interactor=_parse_interactor(data.get("interactor")),
        )
    except InvalidProblem:
        raise
    except KeyError as missing:
        raise InvalidProblem(f"field {missing} is missing", pointer=f"/{missing.args[0]}") from missing
    except (TypeError, ValueError, AttributeError) as wrong:
        raise InvalidProblem(f"unreadable problem: {wrong}") from wrong


def _parse_limits(data: Mapping[str, Any]) -> Limits:
    defaults = Limits()
    given = {name: data.get(name) for name in ("time_ms", "memory_mb", "output_kb")}
    values = {name: getattr(defaults, name) if value is None else value for name, value in given.items()}
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
            raise InvalidProblem(f"{name} must be a positive whole number", pointer=f"/limits/{name}")
    return Limits(**values)


def _parse_checker(data: Mapping[str, Any]) -> Checker:
    ignore_case = data.get("ignore_case", False)
    if not isinstance(ignore_case, bool):
        raise InvalidProblem("ignore_case must be true or false", pointer="/checker/ignore_case")
    return Checker(
        kind=CheckerKind(data.get("kind", "tokens")),
        abs=_parse_tolerance(data, "abs"),
        rel=_parse_tolerance(data, "rel"),
        program=_parse_text(data, "program", "/checker"),
        ignore_case=ignore_case,
        language=_parse_text(data, "language", "/checker"),
        flags=_parse_flags(data, "/checker"),
    )


def _parse_interactor(data: Mapping[str, Any] | None) -> Interactor | None:
    if data is None:
        return None
    protocol = CheckerKind(data.get("protocol") or CheckerKind.TESTLIB)
    if not protocol.runs_program:
        raise InvalidProblem("an interactor's protocol is testlib or kattis", pointer="/interactor/protocol")
    return Interactor(
        program=_parse_text(data, "program", "/interactor") or "",
        protocol=protocol,
        language=_parse_text(data, "language", "/interactor"),
        flags=_parse_flags(data, "/interactor"),
    )


def _parse_text(data: Mapping[str, Any], name: str, where: str) -> str | None:
    value = data.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidProblem(f"{name} must be text", pointer=f"{where}/{name}")
    return value


def _parse_flags(data: Mapping[str, Any], where: str) -> str:
    """A line as in a problem.yaml, or a list of words."""
    given = data.get("flags") or ""
    flags = shlex.join(map(str, given)) if isinstance(given, list) else given
    if not isinstance(flags, str) or len(flags) > _FLAGS_LENGTH or "\0" in flags or len(shlex.split(flags)) > _FLAGS:
        raise InvalidProblem(f"flags must be text of at most {_FLAGS} words", pointer=f"{where}/flags")
    return flags


def _parse_tolerance(data: Mapping[str, Any], name: str) -> float | None:
    if data.get(name) is None:
        return None
    value = float(data[name])
    if not 0 <= value < math.inf:
        raise InvalidProblem(f"{name} must be a number from 0", pointer=f"/checker/{name}")
    return value


def _parse_entry(data: Mapping[str, Any] | None, form: Form) -> Entry | None:
    if data is None:
        return None
    name, cls = data.get("name"), data.get("class")
    if form is Form.CLASS:
        name, cls = "", cls or name
    params, output = _parse_params(data), data.get("output_param")
    if (name is None and form is not Form.UNITTEST) or (form is Form.CLASS and not cls):
        raise InvalidProblem("an entry names a function or, in class form, a class", pointer="/entry/name")
    if output is not None and (type(output) is not int or not 0 <= output < len(params)):
        raise InvalidProblem("output_param must be the number of a parameter, from 0", pointer="/entry/output_param")
    return Entry(
        name=str(name or ""),
        cls=cls,
        params=params,
        returns=str(data.get("returns") or ""),
        preamble=str(data.get("preamble") or ""),
        methods={
            str(method): Method(_parse_params(each), str(each.get("returns") or ""))
            for method, each in (data.get("methods") or {}).items()
        },
        output_param=output,
    )


def _parse_params(data: Mapping[str, Any]) -> tuple[Param, ...]:
    return tuple(Param(str(each["name"]), str(each.get("type") or "")) for each in data.get("params") or ())


def _given_tests(data: Mapping[str, Any], form: Form) -> Sequence[Mapping[str, Any]]:
    """The tests; of a unittest problem also the field `test`, as BigCodeBench has it."""
    if form is Form.UNITTEST and data.get("test") is not None:
        return ({"input": data["test"]},)
    given: Sequence[Mapping[str, Any]] = data["tests"]
    return given


def _parse_test(form: Form, index: int, data: Mapping[str, Any]) -> Test:
    given, expected = data["input"], data.get("expected")
    if form is Form.FUNCTION and not isinstance(given, list):
        raise InvalidProblem("a function test's input is the list of arguments", pointer=f"/tests/{index}/input")
    if form in (Form.STDIN, Form.INTERACTIVE) and not isinstance(given, str):
        raise InvalidProblem(f"a test's input is text in form {form}", pointer=f"/tests/{index}/input")
    if form is Form.INTERACTIVE and not isinstance(expected, str | None):
        raise InvalidProblem("what an interactor is to expect is text", pointer=f"/tests/{index}/expected")
    if form is Form.CLASS:
        _check_calls(given, expected, f"/tests/{index}")
    if form is Form.UNITTEST and not (isinstance(given, str) and isinstance(expected, Mapping | None)):
        raise InvalidProblem("a unittest test's input is source; expected null or counts", pointer=f"/tests/{index}")
    if form is Form.STDIN and not isinstance(expected, str):
        raise InvalidProblem("a stdin test's expected output is text", pointer=f"/tests/{index}/expected")
    return Test(given, expected, bool(data.get("visible", False)))


def _check_calls(given: Any, expected: Any, where: str) -> None:
    """Whether it is LeetCode's pair of names and argument lists, as many as there are results."""
    if not are_calls(given):
        raise InvalidProblem("a class test's input is [[names], [[arguments], ...]]", pointer=f"{where}/input")
    if not isinstance(expected, list) or len(expected) != len(given[0]):
        raise InvalidProblem("a class test expects a list of as many results as calls", pointer=f"{where}/expected")


def are_calls(given: Any) -> bool:
    """Whether it is LeetCode's pair of names, the constructor first, and their argument lists."""
    match given:
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
        "tests": [asdict(test) for test in problem.tests],
    }
    if problem.interactor is not None:
        body["interactor"] = asdict(problem.interactor)
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


# Site ratings fall into the three bins here; a source's own level (scale "level") is 1, 2 or 3.
_LEVEL_EDGES = {"level": (1.5, 2.5), "kenkoooo": (800.0, 1600.0), "codeforces": (1300.0, 2000.0)}


def level_of(scale: str, value: float) -> Level | None:
    """The bin of a difficulty on a known scale; None on a scale this table does not know."""
    edges = _LEVEL_EDGES.get(scale)
    if edges is None:
        return None
    if value < edges[0]:
        return Level.EASY
    return Level.MEDIUM if value < edges[1] else Level.HARD
