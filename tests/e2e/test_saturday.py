"""A contest day without a hand: from a contest's end to the board, by `up` with its own workers and clock."""

import gzip
import json
import re
import resource
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import NO_AUTHORITIES
from sqlalchemy import select
from support.files import READ_AT
from support.installation import ROOT, Installation
from support.saturday import Ranked, SetBy, Task, saturday
from support.setters import FROM_ZERO, KADANE, PROBES, PROBLEM, TITLE, answers, fenced, few_inputs, row
from support.waiting import patience
from support.work import others_time

from app.db.tables import ConsensusRow, ProgramRow, TestRow
from scrapers.suites.house import LeagueProblem, load_league

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(900)]
MINUTE_S = 60.0
STEPS = ["ended", "visited", "statement", "answers", "setting", "proof", "publication", "judged", "board"]
BEST = Task(
    TITLE, "Given $N$ numbers, print the greatest sum of neighbours.",
    [(str(test.input), str(test.expected)) for test in PROBLEM.tests], KADANE, FROM_ZERO, time_ms=400,
)  # fmt: skip


MARK, HIDDEN = "quokka", "271828182"


def marked(recorded: Mapping[str, Any]) -> Mapping[str, Any]:
    """A setter's answer with a mark around and inside its program."""
    text = str(recorded["text"]).replace("```python\n", f"```python\n# {MARK}\n")
    return {**recorded, "text": f"{MARK}\n{text}"}


PREFIXES = """
n = int(input())
low = total = 0
found = []
for x in map(int, input().split()):
    total += x
    found.append(total - low)
    low = min(low, total)
print(max(found))
"""


def test_one_problem_comes_to_the_board_by_itself(tmp_path: Path) -> None:
    """In a minute, of which half a minute is other work than programs that run: so nothing waits for a turn."""
    probes = fenced(json.dumps({**PROBES, "legal": [f"2\n{HIDDEN} -{HIDDEN}\n"]}), "json")
    setters = [
        SetBy(
            f"of-{name}", name,
            [marked(row(each)) for each in answers(name, generator=few, solution_1=fenced(other), probes=probes)],
        )
        for name, other in (("a", PREFIXES), ("b", FROM_ZERO))
        for few in [fenced(few_inputs(name))]
    ]  # fmt: skip
    models = [Ranked("tern", "a"), Ranked("gull", "Gull", frozenset({TITLE}))]
    began = _cpu_s()
    with others_time() as others, saturday(tmp_path, [BEST], setters, models) as day:
        day.house.wait("the board", patience(5 * MINUTE_S), lambda: day.shows(2, 1), every_s=2.0)
        took, way = day.seconds(), day.way()
        assert {row["model"]: row["score"] for row in day.board()} == {"tern": 100.0, "gull": 0.0}
        with day.house.sessions() as session:
            assert [test.visible for test in session.scalars(select(TestRow)) if HIDDEN in test.input] == [False]
            assert any(MARK in program.code for program in session.scalars(select(ProgramRow)))
            judged_s = session.scalars(select(ConsensusRow.judge_s)).one()
        logs = day.logs()
        assert '"level": "debug"' in logs
        assert [word for word in (MARK, HIDDEN) if word in logs] == [], "no log shows what is hidden"
    # Where others have the processors for a part of the time, all takes so much longer: what is meant is without them.
    ours = 1 - others(_cpu_s() - began)
    print(f"{took:.0f} s, {judged_s:.0f} s of judging, {ours:.0%} of the machine: {way}")
    assert list(way) == STEPS
    assert way["answers"] < way["setting"], "who is ranked is asked first"
    assert took * ours < MINUTE_S
    # But for the seconds in which programs run (setters', those that prove the suite, models'), nothing waits.
    programs_s = judged_s + way["proof"] - way["setting"] + way["judged"] - way["publication"]
    assert (took - programs_s) * ours < MINUTE_S / 2


# --- six problems, three setters, four models ---

FIVE = ("ferry-split", "gull-flight", "kelp-prefix", "lantern-order", "night-watch")
DISPUTED = "buoy-chain"
RECORDED = ROOT / "tests" / "league" / "setters"
TEN_MINUTES_S = 600.0


def recorded(name: str) -> list[dict[str, Any]]:
    with gzip.open(RECORDED / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def task_of(problem: LeagueProblem) -> Task:
    """A problem of the league as the site shows it, with a right and a wrong program."""
    statement = problem.statements["en"]
    right, wrong = (
        next(
            each.code
            for each in problem.programs
            if (each.language, each.reference) == ("python", reference) and "slow" not in each.name
        )
        for reference in (True, False)
    )
    samples = [(str(test.input), str(test.expected)) for test in problem.spec.tests if test.visible]
    story = statement.text.split("\n\n")[0].replace("`", "")
    return Task(statement.title, story, samples, right, wrong, problem.spec.limits.time_ms)


def rows_of(name: str, tasks: Sequence[Task], misread: Mapping[str, str], like: str = "") -> list[dict[str, Any]]:
    """A setter's recorded answers. What it has `misread`, by title, it solves with that program, however asked.

    Who answers `like` another setter does so under a name of its own, and one solution of each problem is wrong.
    """
    wrong, rows = {task.title: task.wrong for task in tasks}, []
    for each in recorded(like or name):
        title, role = each["problem"], each["role"]
        code = misread.get(title) if role in ("brute", "solution") else None
        if like and code is None and (role, each["ordinal"]) == ("solution", 2):
            code = wrong.get(title)
        rows.append(each | {"setter": name, "vendor": name.title()} | ({} if code is None else {"text": fenced(code)}))
    return rows


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_five_problems_of_six_come_to_the_board_by_themselves(tmp_path: Path) -> None:
    """Three setters of whom two or three speak, one solution in nine wrong; all read the sixth problem differently."""
    league = load_league(ROOT / "league", READ_AT).problems
    tasks = [task_of(league[slug]) for slug in (*FIVE, DISPUTED)]
    *titles, sixth = [task.title for task in tasks]
    other = tasks[-1].wrong
    setters = [
        SetBy("alder", "Alder", rows_of("alder", tasks, {})),
        SetBy("birch", "Birch", rows_of("birch", tasks, {sixth: other})),
        SetBy("cedar", "Cedar", rows_of("cedar", tasks, {sixth: f"{other}\nif n == 3:\n    print(0)\n"}, like="alder")),
    ]
    models = [
        Ranked("tern", "Alder"), Ranked("gull", "Birch", frozenset(titles[:2])),
        Ranked("wren", "Wren", frozenset(titles)), Ranked("knot", "Knot", frozenset(titles[2:3])),
    ]  # fmt: skip
    began = _cpu_s()
    with saturday(tmp_path, tasks, setters, models) as day:
        day.house.wait("the board", patience(1500), lambda: day.shows(4, 5) and day.held(), every_s=2.0)
        took, way, held = day.seconds(), day.way(), day.held()
        print(f"{took:.0f} s: {way}, held {held}")
        scores = {row["model"]: row["score"] for row in day.board()}
        with closing(maintainer(day.house)) as client:
            page = client.get("/en/ops/quarantine").text
        pace = day.house.get("/api/v1/status").json()["pace"]
        with day.house.sessions() as session:
            ended = {consensus.state: consensus.evidence for consensus in session.scalars(select(ConsensusRow))}
    assert scores == {"tern": 100.0, "gull": 60.0, "wren": 0.0, "knot": 80.0}
    assert list(way) == STEPS
    assert list(held) == ["atcoder/abc999_f"]
    assert "contradict each other" in held["atcoder/abc999_f"]
    assert "abc999_f" in page
    assert "contradict each other" in page
    assert any(answer["witness"] for answer in ended["held"]["answers"]), "who said what to which input"
    assert pace["steps"][-1]["step"] == "board"
    assert pace["weeks"][0]["problems"] == 5
    # Where others use the machine too, what two cores would have taken is told by the time on them.
    assert min(took, (_cpu_s() - began) / 2) < TEN_MINUTES_S


def _cpu_s() -> float:
    """CPU seconds of all that was started here and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def maintainer(house: Installation) -> httpx.Client:
    """A browser signed in by the link that `up` told."""
    found = re.search(r"one-time maintainer link: (\S+)", house.log.read_text())
    assert found is not None
    client = httpx.Client(base_url=house.url, follow_redirects=True, timeout=60, verify=NO_AUTHORITIES)
    token = found[1].partition("token=")[2]
    assert client.post("/en/login", data={"token": token}).status_code == 200
    return client
