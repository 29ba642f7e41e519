"""`tidemark consensus`: recorded answers in, a verdict on the suite out, with an exit code that says which."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.sandboxes import sandbox_root
from support.setters import KADANE, PROBLEM, TITLE, answers, fenced, few_inputs, row
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser
from app.cli.problems.consensus import is_comparison_known
from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec

DATA = {
    "id": PROBLEM.id, "title": TITLE, "statement": "Find the greatest sum of neighbours.", "form": "stdin",
    "limits": {"time_ms": 400, "memory_mb": 256}, "checker": {"kind": "tokens"},
    "tests": [{"input": t.input, "expected": t.expected, "visible": True} for t in PROBLEM.tests],
}  # fmt: skip


def run(
    folder: Path, recorded: list[SetterAnswer], *words: str, data: object = DATA, more: str = "", bwrap: str = "bwrap"
) -> Result:
    (folder / "problem.json").write_text(json.dumps(data))
    (folder / "answers.jsonl").write_text("".join(json.dumps(row(answer)) + "\n" for answer in recorded) + more)
    files = [str(folder / "problem.json"), "--answers", str(folder / "answers.jsonl")]
    environment = {
        "TIDEMARK_SANDBOX_ROOT": str(sandbox_root()), "TIDEMARK_SCRATCH_DIR": str(folder / "scratch"),
        "TIDEMARK_STATE": str(folder), "TIDEMARK_BWRAP": bwrap,
    }  # fmt: skip
    return CliRunner(env=environment).invoke(build_parser(["consensus"]), ["consensus", *files, *words])


ONE_OF_EACH = fenced(few_inputs("a", seeds=1))  # of its kinds one input: every program is run with each
KEYS = {
    "admitted", "reason", "problem_file", "validator", "checker", "interactor", "setters", "dropped", "calls",
    "judge_s", "evidence",
}  # fmt: skip


@pytest.mark.sandbox
def test_one_vendor_is_not_admitted_and_told_why(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    alone = answers("a", generator=ONE_OF_EACH, solution_1=fenced(f"{KADANE}# again"))
    done = run(tmp_path, alone, "--json", "--out", str(out), more="{\n" + json.dumps({"problem": TITLE}) + "\n")
    assert done.exit_code == 1, done.output
    said: dict[str, Any] = json.loads(done.stdout)
    assert set(said) == KEYS
    assert (said["admitted"], said["problem_file"], said["calls"]) == (False, None, 6)
    assert "one vendor" in said["reason"]
    assert set(said["setters"][0]) == {"setter", "vendor", "role", "ordinal", "state", "witness"}
    assert said["dropped"].keys() == {"illegal", "dissent", "slow"}
    assert "answers.jsonl:7: not JSON; left out" in done.stderr
    assert not out.exists()


ECHO = Entry("echo", "Solution", (Param("x", "integer"),), "integer")


@pytest.mark.sandbox
def test_where_it_is_not_known_how_answers_are_compared_nothing_is_admitted(tmp_path: Path) -> None:
    """However well everybody agrees: right answers of others might be refused."""
    out = tmp_path / "out.json"
    unknown = {name: value for name, value in DATA.items() if name != "checker"}
    quick = {"generator": ONE_OF_EACH, "solution_1": fenced(f"{KADANE}# again")}  # to compile takes longest
    recorded = [*answers("a", **quick, checker=fenced("import sys\nsys.exit(42)")), *answers("b", **quick)]
    done = run(tmp_path, recorded, "--json", "--out", str(out), data=unknown)
    assert done.exit_code == 1, done.output
    said = json.loads(done.stdout)
    assert (said["admitted"], said["problem_file"], said["checker"]) == (False, None, None)
    assert said["reason"] == "several answers may be right, and setters of two vendors agree on no checker"
    states = {one["role"]: one["state"] for one in said["setters"] if one["vendor"] == "a"}
    assert states["generator"] == "used", "nothing shows that its inputs are too few"
    assert states["checker"] == "unused: no other vendor gave a fit one to hold it against"
    assert not out.exists()


@pytest.mark.parametrize(
    ("form", "statement", "known"),
    [
        ({"checker": {"kind": "tokens"}}, "", True),
        ({}, "Print any of them.", False),
        ({}, "Print it.", False),
        ({"entry": ECHO}, "Return it.", True),
        ({"entry": ECHO}, "If there are several answers, return any of them.", False),
    ],
)
def test_values_are_compared_by_their_types_unless_several_are_right(
    form: dict[str, Any], statement: str, known: bool
) -> None:
    spec = ProblemSpec("p", Form.FUNCTION if "entry" in form else Form.STDIN, (), Limits(), entry=form.get("entry"))
    assert is_comparison_known(spec, {"statement": statement, **form}) is known


@pytest.mark.slow
@pytest.mark.sandbox
def test_two_vendors_are_admitted_and_their_suite_judges(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = run(tmp_path, [*answers("a"), *answers("b")], "--json", "--out", str(out))
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert json.loads(out.read_text()) == said["problem_file"]
    assert said["problem_file"]["title"] == TITLE
    assert {test["kind"] for test in said["problem_file"]["tests"]} == {"example", "small", "random", "extreme", "slow"}
    words = run(tmp_path, [*answers("a"), *answers("b", solution_0=fenced(KADANE))])
    assert words.stdout.splitlines()[-1] == "admitted"


@pytest.mark.parametrize(
    ("data", "recorded", "reason"),
    [
        ({**DATA, "title": ""}, answers("a"), "must have a title"),
        ({"title": TITLE, "tests": []}, answers("a"), "field 'id' is missing"),
        ({**DATA, "title": "Another"}, answers("a"), "has no answers to 'Another'"),
        ([], answers("a"), "a JSON object is needed"),
    ],
)
def test_what_cannot_be_read_is_a_wrong_call(
    tmp_path: Path, data: object, recorded: list[SetterAnswer], reason: str
) -> None:
    done = run(tmp_path, recorded, data=data)
    assert done.exit_code == 2
    assert reason in done.stderr


@pytest.mark.parametrize("name", [".", "absent/out.json"])
def test_a_file_that_cannot_be_written_is_told_before_anything_is_judged(tmp_path: Path, name: str) -> None:
    done = run(tmp_path, answers("a"), "--out", str(tmp_path / name), bwrap=str(tmp_path / "absent"))
    assert (done.exit_code, "cannot write" in done.stderr) == (2, True)


@pytest.mark.sandbox
def test_no_name_steers_the_terminal(tmp_path: Path) -> None:
    hostile = replace(answers("a")[0], answer_id=AnswerId("a", "\x1b[2J\ud800\nadmitted", SetterRole.VALIDATOR))
    done = run(tmp_path, [hostile])
    assert (done.exit_code, done.exception.__class__) == (1, SystemExit), done.output
    assert "\n  \ufffd[2J\ufffd\ufffdadmitted validator 0: chosen" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("not admitted: ")


@pytest.mark.sandbox
def test_seconds_of_judging_that_are_used_up_are_no_verdict_on_the_suite(tmp_path: Path) -> None:
    done = run(tmp_path, [*answers("a"), *answers("b")], "--json", "--max-seconds", "1")
    assert done.exit_code == 4, done.output
    said = json.loads(done.stdout)
    assert (said["admitted"], said["reason"]) == (False, "the problem takes more than 1 s of judging")


def test_a_judge_that_cannot_run_is_no_verdict_on_the_suite(tmp_path: Path) -> None:
    done = run(tmp_path, answers("a"), "--json", bwrap=str(tmp_path / "absent"))
    assert done.exit_code == 4, done.output
    assert "cannot judge here" in done.stderr
    assert done.stdout == ""
