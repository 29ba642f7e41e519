"""Reader of PROBLEM.json, for `grade` and every importer. Pure."""

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from app.domain.errors import InvalidProblem
from app.domain.judging.kattis_validator_flags import MAX_FLAGS, MAX_FLAGS_CHARS, default_validator
from app.domain.problems import (
    Checker,
    CheckerKind,
    Entry,
    Form,
    Interactor,
    Limits,
    Method,
    Param,
    ProblemSpec,
    Test,
    are_calls,
)

_MAX_LIMITS = {"time_ms": 3_600_000, "memory_mb": 65_536, "output_kb": 1 << 20}
_CHECKER_FIELDS = ("kind", "abs", "rel", "program", "ignore_case", "language", "flags", "inner", "spaced")
_INTERACTOR_FIELDS = ("program", "protocol", "language", "flags")


def parse_problem(data: Mapping[str, Any]) -> ProblemSpec:
    """Read a PROBLEM.json object. Raises InvalidProblem naming the field that is wrong."""
    try:
        form = Form(data.get("form", "stdin"))
        entry = parse_entry(data.get("entry"), form) if form not in (Form.STDIN, Form.INTERACTIVE) else None
        if entry is None and form in (Form.FUNCTION, Form.CLASS):
            raise InvalidProblem(f"form '{form}' needs an 'entry'", pointer="/entry")
        return ProblemSpec(
            id=_parse_id(data["id"]),
            form=form,
            tests=tuple(_parse_test(form, index, test) for index, test in enumerate(_test_entries(data, form))),
            limits=_parse_limits(_parse_object(data, "limits")),
            checker=_parse_checker(_parse_object(data, "checker"), form),
            entry=entry,
            interactor=None if data.get("interactor") is None else _parse_interactor(_parse_object(data, "interactor")),
        )
    except InvalidProblem:
        raise
    except KeyError as missing:
        raise InvalidProblem(f"field {missing} is missing", pointer=f"/{missing.args[0]}") from missing
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InvalidProblem(f"unreadable problem: {error}") from error


def _parse_id(value: Any) -> str:
    if type(value) not in (str, int):
        raise InvalidProblem("a problem's id must be text or a number", pointer="/id")
    return str(value)


def _parse_object(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    if value is not None and not isinstance(value, dict):
        raise InvalidProblem(f"{name} must be an object", pointer=f"/{name}")
    return value or {}


def _refuse_unknown(data: Mapping[str, Any], names: Sequence[str], where: str) -> None:
    """Refuse unknown fields: an unknown rule would be ignored silently."""
    for name in data:
        if name not in names:
            raise InvalidProblem(f"{name} is none of {', '.join(names)}", pointer=f"{where}/{name}")


def _parse_limits(data: Mapping[str, Any]) -> Limits:
    _refuse_unknown(data, tuple(_MAX_LIMITS), "/limits")
    defaults = Limits()
    limits = {name: data.get(name) for name in ("time_ms", "memory_mb", "output_kb")}
    values = {name: getattr(defaults, name) if value is None else value for name, value in limits.items()}
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _MAX_LIMITS[name]:
            raise InvalidProblem(
                f"{name} must be a whole number from 1 to {_MAX_LIMITS[name]}", pointer=f"/limits/{name}"
            )
    return Limits(**values)


def _parse_checker(data: Mapping[str, Any], form: Form) -> Checker:
    _refuse_unknown(data, _CHECKER_FIELDS, "/checker")
    ignore_case = data.get("ignore_case", False)
    if not isinstance(ignore_case, bool):
        raise InvalidProblem("ignore_case must be true or false", pointer="/checker/ignore_case")
    if ignore_case and form not in (Form.STDIN, Form.INTERACTIVE):
        raise InvalidProblem("ignore_case applies to text, not to values", pointer="/checker/ignore_case")
    inner = data.get("inner", False)
    if not isinstance(inner, bool):
        raise InvalidProblem("inner must be true or false", pointer="/checker/inner")
    spaced = data.get("spaced", False)
    if not isinstance(spaced, bool):
        raise InvalidProblem("spaced must be true or false", pointer="/checker/spaced")
    checker = Checker(
        kind=CheckerKind(data.get("kind", "tokens")),
        abs=_parse_tolerance(data, "abs"),
        rel=_parse_tolerance(data, "rel"),
        program=_parse_text(data, "program", "/checker"),
        ignore_case=ignore_case,
        language=_parse_text(data, "language", "/checker"),
        flags=_parse_flags(data, "/checker"),
        inner=inner,
        spaced=spaced,
    )
    if spaced and (checker.kind is not CheckerKind.FLOAT or form not in (Form.STDIN, Form.INTERACTIVE)):
        raise InvalidProblem("spaced applies to text of kind float", pointer="/checker/spaced")
    if inner and (checker.kind is not CheckerKind.UNORDERED or form not in (Form.FUNCTION, Form.CLASS)):
        raise InvalidProblem("inner applies to returned values of kind unordered", pointer="/checker/inner")
    if checker.kind is CheckerKind.KATTIS and checker.program is None:
        return default_validator(checker.flags)
    return checker


def _parse_interactor(data: Mapping[str, Any]) -> Interactor:
    _refuse_unknown(data, _INTERACTOR_FIELDS, "/interactor")
    protocol = CheckerKind(data.get("protocol") or CheckerKind.TESTLIB)
    if not protocol.runs_program:
        raise InvalidProblem("an interactor's protocol must be testlib or kattis", pointer="/interactor/protocol")
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
    """Read flags: a line as in a problem.yaml, or a list of words."""
    value = data.get("flags") or ""
    flags = shlex.join(map(str, value)) if isinstance(value, list) else value
    if (
        not isinstance(flags, str)
        or len(flags) > MAX_FLAGS_CHARS
        or "\0" in flags
        or len(shlex.split(flags)) > MAX_FLAGS
    ):
        raise InvalidProblem(f"flags must be text of at most {MAX_FLAGS} words", pointer=f"{where}/flags")
    return flags


def _parse_tolerance(data: Mapping[str, Any], name: str) -> float | None:
    if data.get(name) is None:
        return None
    if isinstance(data[name], bool):
        raise InvalidProblem(f"{name} must be a number, 0 or more", pointer=f"/checker/{name}")
    value = float(data[name])
    if not 0 <= value < math.inf:
        raise InvalidProblem(f"{name} must be a number, 0 or more", pointer=f"/checker/{name}")
    return value


def parse_entry(data: Mapping[str, Any] | None, form: Form) -> Entry | None:
    """Read the entry that a program must define. Raises InvalidProblem, KeyError or TypeError."""
    if data is None:
        return None
    name, cls = data.get("name"), data.get("class")
    if form is Form.CLASS:
        name, cls = "", cls or name
    params, output = _parse_params(data), data.get("output_param")
    if output is None and params and str(data.get("returns")).lower() in ("void", "none"):
        output = 0  # a function that returns nothing changes its first argument
    if (name is None and form is not Form.UNITTEST) or (form is Form.CLASS and not cls):
        raise InvalidProblem("an entry must name a function or, in class form, a class", pointer="/entry/name")
    if output is not None and (type(output) is not int or not 0 <= output < len(params)):
        raise InvalidProblem("output_param must be the number of a parameter, from 0", pointer="/entry/output_param")
    return Entry(
        name=str(name or ""),
        cls=cls,
        params=params,
        returns=str(data.get("returns") or ""),
        preamble=str(data.get("preamble") or ""),
        methods={
            str(method): Method(_parse_params(signature), str(signature.get("returns") or ""))
            for method, signature in (data.get("methods") or {}).items()
        },
        output_param=output,
        packages=bool(data.get("packages")),
    )


def _parse_params(data: Mapping[str, Any]) -> tuple[Param, ...]:
    return tuple(Param(str(param["name"]), str(param.get("type") or "")) for param in data.get("params") or ())


def _test_entries(data: Mapping[str, Any], form: Form) -> Sequence[Mapping[str, Any]]:
    """Return the tests; those of a unittest problem may be in the field `test`, as in BigCodeBench."""
    if form is Form.UNITTEST and data.get("test") is not None:
        return ({"input": data["test"]},)
    tests: Sequence[Mapping[str, Any]] = data["tests"]
    return tests


def _parse_test(form: Form, index: int, data: Mapping[str, Any]) -> Test:
    test_input, expected = data["input"], data.get("expected")
    if form is Form.FUNCTION and "expected" not in data:
        raise InvalidProblem("a function test needs an expected value", pointer=f"/tests/{index}/expected")
    if form is Form.FUNCTION and not isinstance(test_input, list):
        raise InvalidProblem("a function test's input must be the list of arguments", pointer=f"/tests/{index}/input")
    if form in (Form.STDIN, Form.INTERACTIVE) and not isinstance(test_input, str):
        raise InvalidProblem(f"a test's input must be text in form {form}", pointer=f"/tests/{index}/input")
    if form is Form.INTERACTIVE and not isinstance(expected, str | None):
        raise InvalidProblem(
            "a test's expected value for an interactor must be text", pointer=f"/tests/{index}/expected"
        )
    if form is Form.CLASS:
        _check_calls(test_input, expected, f"/tests/{index}")
    if form is Form.UNITTEST and not (isinstance(test_input, str) and isinstance(expected, Mapping | None)):
        raise InvalidProblem("a unittest test's input is source; expected null or counts", pointer=f"/tests/{index}")
    if form is Form.STDIN and not isinstance(expected, str):
        raise InvalidProblem("a stdin test's expected output must be text", pointer=f"/tests/{index}/expected")
    return Test(test_input, expected, bool(data.get("visible", False)))


def _check_calls(calls: Any, expected: Any, where: str) -> None:
    """Require LeetCode's pair of names and argument lists, as many as there are results."""
    if not are_calls(calls):
        raise InvalidProblem("a class test's input must be [[names], [[arguments], ...]]", pointer=f"{where}/input")
    if not isinstance(expected, list) or len(expected) != len(calls[0]):
        raise InvalidProblem("a class test's expected value must list one result per call", pointer=f"{where}/expected")


def problem_as_json(problem: ProblemSpec) -> dict[str, Any]:
    """Return a problem without its tests as `parse_problem` reads it. It must have no checker program or interactor."""

    def params(of: Entry | Method) -> list[dict[str, str]]:
        return [{"name": param.name, "type": param.type} for param in of.params]

    entry = problem.entry
    # Keep a tolerance of 0, which is not the default.
    checker = {name: value for name, value in asdict(problem.checker).items() if value or isinstance(value, float)}
    return {
        "id": problem.id,
        "form": problem.form.value,
        "limits": asdict(problem.limits),
        "checker": checker,
        "tests": [],
        "entry": None if entry is None else {
            "name": entry.name or None, "class": entry.cls, "params": params(entry), "returns": entry.returns,
            "preamble": entry.preamble, "output_param": entry.output_param, "packages": entry.packages,
            "methods": {
                name: {"params": params(method), "returns": method.returns} for name, method in entry.methods.items()
            },
        },
    }  # fmt: skip
