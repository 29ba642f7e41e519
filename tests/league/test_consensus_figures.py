"""What docs/evidence.md says of suites by consensus follows from the files that are measured, as far as files tell."""

import gzip
import json
import re
from functools import cache
from math import comb
from pathlib import Path

import pytest
from conformance.test_consensus_real import ADMITTED, RECORDED, WRONG
from league.test_consensus_judged import MEASURED, read
from league.test_consensus_measured import ACCEPTED, BY_SETTERS, SET
from league.test_consensus_measured import RECORDED as OF_THE_LEAGUE
from support.rules import ROOT

from app.domain.problems import CheckerKind, Form
from scrapers.suites.house import League

_ROW = re.compile(r"\| ([^|]+?) \| (\d+) of (\d+) \| at most ([\d.]+) % [a-z ]+\|")


@cache
def section() -> str:
    text = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")
    return text.partition("\n## Suites by consensus\n")[2].partition("\n## ")[0]


@cache
def rows() -> dict[str, tuple[int, int]]:
    return {what: (int(k), int(n)) for what, k, n, _bound in _ROW.findall(section())}


def asked(folder: Path) -> set[str]:
    """The titles of problems that both setters answered."""
    titles = [
        {json.loads(line)["problem"] for line in gzip.decompress(path.read_bytes()).splitlines()}
        for path in sorted(folder.glob("*.jsonl.gz"))
    ]
    assert len(titles) == 2
    return set.intersection(*titles)


def most(failed: int, of: int) -> float:
    """The share of failures that a measured `failed` of `of` rules out with 95 % confidence (Clopper-Pearson)."""
    low, high = 0.0, 1.0
    for _ in range(60):
        share = (low + high) / 2
        chance = sum(comb(of, i) * share**i * (1 - share) ** (of - i) for i in range(failed + 1))
        low, high = (share, high) if chance > 0.05 else (low, share)
    return low


def test_every_bound_follows_from_its_count() -> None:
    found = _ROW.findall(section())
    assert len(found) == section().count("\n| ") - 1 > 0, "every row but the head has a count and a bound"
    for what, k, n, bound in found:
        failed = int(k) if "wrong expected output" in what or "held" in what else int(n) - int(k)
        assert float(bound) == pytest.approx(100 * most(failed, int(n)), abs=0.051), what


def test_the_problems_are_those_whose_answers_are_kept(league: League) -> None:
    of_league, of_measure, of_leetcode = map(asked, (OF_THE_LEAGUE, MEASURED / "setters", RECORDED))
    problems = [read(path.stem) for path in MEASURED.glob("*.toml")]
    assert of_measure == {problem["title"] for problem in problems}
    total = len(of_league) + len(of_measure) + len(of_leetcode)
    said = " ".join(section().split())
    assert f"answered {total} problems: {len(of_league)} of the house league" in said
    assert f"{len(of_measure)} written for this measurement, and {len(of_leetcode)} of LeetCode" in said
    specs = [each.spec for each in league.problems.values() if each.statements["en"].title in of_league]
    talking = [spec for spec in specs if spec.form is Form.INTERACTIVE]
    talking_too = [problem for problem in problems if problem["form"] == "interactive"]
    several = sum(spec.checker.kind is not CheckerKind.TOKENS for spec in specs)
    assert (
        f"{several + len(problems) - len(talking_too)} have a checker, {len(talking) + len(talking_too)} are "
        "interactive" in said
    )
    admitted = len({*SET, *BY_SETTERS}) + len(problems) + len(ADMITTED)
    assert rows()["problems held"] == (total - admitted, total)
    assert rows()["suites with every label right"][1] == admitted
    assert rows()["suites with a wrong expected output"][1] == admitted - len(talking) - len(talking_too)


def test_the_programs_are_those_that_are_kept(league: League) -> None:
    problems = [read(path.stem) for path in MEASURED.glob("*.toml")]
    programs = [one for slug in {*SET, *BY_SETTERS} for one in league.problems[slug].programs]
    right = sum(one.reference for one in programs) + sum(len(one["right"]) for one in problems) + len(ADMITTED)
    assert rows()["right programs accepted"] == (right, right)
    slow = sum("slow" in one.name for one in programs) + sum(len(one.get("slow", ())) for one in problems)
    assert rows()["too slow ones rejected"] == (slow, slow)
    wrong = sum(not one.reference and "slow" not in one.name for one in programs)
    wrong += sum(len(one["wrong"]) for one in problems)
    rejected, tried = rows()["wrong programs rejected"]
    assert rejected == tried - len(ACCEPTED)
    assert wrong < tried <= wrong + WRONG * len(ADMITTED), "of LeetCode mutants are judged"
    illegal = sum(len(one["illegal"]) for one in problems)
    assert rows()["known illegal inputs refused"] == (illegal, illegal)
