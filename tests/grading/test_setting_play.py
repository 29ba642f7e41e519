"""Suites by consensus, in the sandbox: what setters write is run, weighed, and proven, however it behaves."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.setters import (
    FROM_ZERO,
    KADANE,
    OVERFLOWS,
    PREFIXES,
    PROBLEM,
    SLOW,
    answers,
    fenced,
    row,
)

from app.domain.judging.verdicts import Verdict
from app.domain.problems import ProblemSpec
from app.domain.setting.answers import Answer, Piece, Role
from app.domain.testgen.sampling.sample import Kind
from workers.grading.judge import JudgeSettings
from workers.grading.producer import Producer
from workers.grading.setting.inputs import Effort
from workers.grading.setting.play import Played
from workers.grading.setting.play import play as played_with

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="session")
def producer(settings: JudgeSettings) -> Producer:
    producer = Producer(settings)
    producer.self_test()
    return producer


# Enough here, where inputs are short; a tenth of what a problem is given.
FEW = Effort({Kind.SMALL: 12, Kind.RANDOM: 3, Kind.EXTREME: 3, Kind.SLOW: 2}, sought=12, mutants=6)


def play(producer: Producer, problem: ProblemSpec, recorded: Sequence[Answer]) -> Played:
    return played_with(producer, problem, recorded, effort=FEW)


def words(played: Played) -> dict[str, str]:
    """What became of everybody's answers: by vendor, role and ordinal."""
    return {f"{p.vendor} {p.role} {p.ordinal}": state.word for p, state in played.states.items()}


def test_two_vendors_make_a_suite_that_refuses_what_is_wrong(producer: Producer) -> None:
    played = play(
        producer, PROBLEM,
        [*answers("a", solution_2=fenced(FROM_ZERO)), *answers("b", solution_3=fenced(OVERFLOWS, "cpp"))],
    )  # fmt: skip
    assert played.reason is None, played.states
    states = words(played)
    assert {name for name, word in states.items() if word == "refuted"} == {"a solution 2", "b solution 3"}
    wrong = played.states[Piece("a", "a-model", Role.SOLUTION, 2)]
    assert len(wrong.witness) <= len("2\n-1 -1\n") + 2, "the smallest input found"
    for code, language in ((FROM_ZERO, "python"), (OVERFLOWS, "cpp"), (SLOW, "python")):
        assert producer.grade(played.problem, code, language).verdict is not Verdict.ACCEPTED
    for code, language in ((KADANE, "python"), (PREFIXES, "cpp")):
        assert producer.grade(played.problem, code, language).verdict is Verdict.ACCEPTED
    assert {source.piece.vendor for source in played.references} == {"a", "b"}
    assert played.validator is not None


def test_no_vendor_alone(producer: Producer) -> None:
    alone = [*answers("a"), *(replace(a, piece=replace(a.piece, setter="other")) for a in answers("a"))]
    played = play(producer, PROBLEM, alone)
    assert "validators of one vendor" in str(played.reason)


@pytest.mark.parametrize("third", ["brute", "solution_0"])
def test_two_that_misread_alike_are_held_by_a_third(producer: Producer, third: str) -> None:
    """They take the greatest sum of at most two numbers: no sample says otherwise."""
    misread = fenced(
        "n = int(input())\nrow = list(map(int, input().split()))\n"
        "print(max([*row, *(x + y for x, y in zip(row, row[1:]))]))"
    )
    liars = [
        answer
        for vendor in "ab"
        for answer in answers(vendor, brute=misread, solution_0=misread, solution_1=misread.replace("n =", "m ="))
    ]
    honest = answers("c", **{name: None for name in ("brute", "solution_0", "solution_1") if name != third})
    played = play(producer, PROBLEM, [*liars, *honest])
    assert "contradict each other" in str(played.reason)
    witness = played.states[Piece("c", "c-model", Role(third.partition("_")[0]), 0)].witness
    assert isinstance(witness, str)


HOSTILE = "import os\nwhile True:\n    os.fork()\n"
SAYS_YES = "print(4)\n"


@pytest.mark.parametrize(
    "hostile", [HOSTILE, SAYS_YES, "while True: pass\n", "raise SystemExit(7)\n", "x = [0] * 10**10\n"]
)
def test_hostile_programs_change_nothing_and_are_named(producer: Producer, hostile: str) -> None:
    text = fenced(hostile)
    roles = dict.fromkeys(("validator", "generator", "brute", "solution_0", "solution_1"), text)
    good = [*answers("a"), *answers("b")]
    played = play(producer, PROBLEM, [*good, *answers("c", **roles)])
    assert played.reason is None, played.states
    states = words(played)
    for name in ("validator 0", "brute 0", "solution 0", "solution 1", "generator 0"):
        assert states[f"c {name}"] in ("refuted", "failed", "unused"), (name, states)


def command(tmp_path: Path, problem: dict[str, object], recorded: list[Answer]) -> tuple[Path, Path]:
    (tmp_path / "problem.json").write_text(json.dumps(problem))
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row(answer)) + "\n" for answer in recorded))
    return tmp_path / "problem.json", tmp_path / "answers.jsonl"
