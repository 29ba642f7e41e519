"""Problems as the judge and the prompts see them: form, limits, checker, entry, tests."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from app.domain.errors import InvalidProblem


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
    """How outputs are checked; `program` holds the source of a testlib or kattis checker."""

    kind: CheckerKind = CheckerKind.TOKENS
    abs: float | None = None
    rel: float | None = None
    program: str | None = None


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a function-form problem; `type` in LeetCode's or Python's spelling."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a function-form program must define: a function, or a method of `cls`."""

    name: str
    cls: str | None = None
    params: tuple[Param, ...] = ()
    returns: str = ""
    preamble: str = ""


@dataclass(frozen=True, slots=True)
class Test:
    """One test: text in and out (stdin form), or a list of arguments and a JSON value (function form)."""

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
    interactor: str | None = None


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
        entry = _parse_entry(data.get("entry"))
        if form is Form.FUNCTION and entry is None:
            raise InvalidProblem("form 'function' needs an 'entry'", pointer="/entry")
        interactor = data.get("interactor")
        return ProblemSpec(
            id=str(data["id"]),
            form=form,
            tests=tuple(_parse_test(form, index, test) for index, test in enumerate(data["tests"])),
            limits=_parse_limits(data.get("limits") or {}),
            checker=_parse_checker(data.get("checker") or {}),
            entry=entry,
            interactor=interactor.get("program") if interactor else None,
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
    return Checker(
        kind=CheckerKind(data.get("kind", "tokens")),
        abs=_parse_tolerance(data, "abs"),
        rel=_parse_tolerance(data, "rel"),
        program=data.get("program"),
    )


def _parse_tolerance(data: Mapping[str, Any], name: str) -> float | None:
    if data.get(name) is None:
        return None
    value = float(data[name])
    if not 0 <= value < math.inf:
        raise InvalidProblem(f"{name} must be a number from 0", pointer=f"/checker/{name}")
    return value


def _parse_entry(data: Mapping[str, Any] | None) -> Entry | None:
    if data is None:
        return None
    params = tuple(Param(str(each["name"]), str(each.get("type") or "")) for each in data.get("params") or ())
    return Entry(
        name=str(data["name"]),
        cls=data.get("class"),
        params=params,
        returns=str(data.get("returns") or ""),
        preamble=str(data.get("preamble") or ""),
    )


def _parse_test(form: Form, index: int, data: Mapping[str, Any]) -> Test:
    given, expected = data["input"], data.get("expected")
    if form is Form.FUNCTION and not isinstance(given, list):
        raise InvalidProblem("a function test's input is the list of arguments", pointer=f"/tests/{index}/input")
    if form is Form.STDIN and not isinstance(given, str):
        raise InvalidProblem("a stdin test's input is text", pointer=f"/tests/{index}/input")
    if form is Form.STDIN and not isinstance(expected, str):
        raise InvalidProblem("a stdin test's expected output is text", pointer=f"/tests/{index}/expected")
    return Test(given, expected, bool(data.get("visible", False)))


def tests_sha256(checker: Checker, tests: Sequence[Test]) -> str:
    """Digest of how a problem is checked: the checker and its tests, in order."""
    body = {"checker": asdict(checker), "tests": [asdict(test) for test in tests]}
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
