"""Every gap of every board while runs are unfinished, equal on all faces to what a loop over verdicts finds."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import httpx
import numpy as np
import pytest
from factories import World
from pipeline.flow import NOW
from sqlalchemy import select
from support.files import board_row, board_text, read, stored_date, write

from app.db.tables import Model, Problem, ProtocolRow, Run, Sample, VerdictRow
from app.domain.judging.verdicts import Verdict
from app.domain.metrics.intervals import paired_difference
from app.domain.problems import Form
from app.domain.scenarios import shipped_protocols
from app.services.boards import recompute
from app.services.runs import cell_updates, imports

START: Final = date(2026, 6, 1)
CUTOFF: Final = START + timedelta(days=2)  # that of one model: it may have seen the first three contests
# Of each protocol a board shows, its gaps: the column, the protocol taken from it, and whether that is of the base.
GAPS: Final = {
    ("codegen", "fresh"): [("tuning", "fresh-base", True)],
    ("repair", "house-repair"): [("gain", "house", False)],
    ("repair", "house-repair-2"): [("gain", "house", False)],
    ("repair", "fresh-repair"): [("gain", "fresh", False)],
    ("execution", "house-execution"): [("gain", "house-execution-cot", False)],
    ("execution-input", "house-execution-input"): [("gap", "house-execution", False)],
    ("bug-fix", "house-bug-fix"): [("gap", "house", False)],
    ("codeelo", "codeelo-4k"): [("gap", "codeelo-4k-python", False)],
    ("tools", "house-tools-2"): [("gain", "house-tools-0", False), ("above", "house-samples", False)],
}
NEGATED: Final = ("execution", "gain")  # the part's score minus the row's
ANSWERS: Final = {"codeelo-4k": 8, "codeelo-4k-python": 8, "house-samples": 3}
BASES: Final = {"orion": "orion-base"}
MODELS: Final = {"orion": None, "orion-base": CUTOFF, "lyra": CUTOFF, "vega": None}
VIEWS: Final[Sequence[Mapping[str, str]]] = (
    {}, {"difficulty": "medium"}, {"from": "2026-06-03", "to": "2026-06-06"}, {"exposure": "split"},
    {"exposure": "hide"}, {"model": "orion"}, {"language": "python"}, {"cutoff_before": "2026-06-02"},
    {"difficulty": "hard", "exposure": "split"}, {"from": "2026-06-07"},
)  # fmt: skip


@dataclass(frozen=True)
class Verdicts:
    """What is judged: pass rates by (protocol, model, problem), and the problems' contests, days and levels."""

    counts: Mapping[tuple[str, str, int], tuple[int, int]]
    problems: Mapping[int, tuple[int | None, date, str]]

    def rates(self, protocol: str, model: str, k: int) -> dict[int, float]:
        """Problem -> pass@k, where there are k answers."""
        found = {key[2]: pair for key, pair in self.counts.items() if key[:2] == (protocol, model)}
        return {number: float(recompute._pass_at(k, [[pair]]) or 0.0) / 100 for number, pair in found.items()
                if pair[0] >= k}  # fmt: skip

    def selected(self, view: Mapping[str, str]) -> set[int]:
        """The problems of a view."""
        start, end = (date.fromisoformat(view.get(name, "2999-01-01")) for name in ("from", "to"))
        return {
            number for number, (_, day, level) in self.problems.items()
            if ("from" not in view or day >= start) and day < end and level == view.get("difficulty", level)
        }  # fmt: skip

    def seen(self, model: str, problems: set[int]) -> set[int]:
        """Those that a model may have seen."""
        cutoff = MODELS[model]
        return {number for number in problems if cutoff is not None and self.problems[number][1] <= cutoff}


def verdicts(world: World) -> Verdicts:
    """Read from the answers themselves: no cell and no cube has a part in it."""
    passed: dict[tuple[str, str, int], list[bool]] = {}
    lines = (
        select(ProtocolRow.slug, Model.slug, Sample.problem_id, VerdictRow.verdict)
        .join(Run, Run.protocol_id == ProtocolRow.id).join(Model, Model.id == Run.model_id)
        .join(Sample, Sample.run_id == Run.id).join(VerdictRow, VerdictRow.sample_id == Sample.id)
        .where(VerdictRow.counts)
    )  # fmt: skip
    for protocol, model, problem, verdict in world.session.execute(lines):
        passed.setdefault((protocol, model, problem), []).append(verdict == Verdict.ACCEPTED)
    problems = {
        each.id: (each.contest_id, each.released_on.date(), ("easy", "medium", "hard")[int(each.external_id) % 3])
        for each in world.session.scalars(select(Problem)) if each.released_on is not None
    }  # fmt: skip
    return Verdicts({key: (len(line), sum(line)) for key, line in passed.items()}, problems)


def expected(
    found: Verdicts, view: Mapping[str, str], sides: tuple[tuple[str, str], tuple[str, str]], k: int
) -> tuple[float, float | None, float | None, int] | None:
    """The mean difference over what is judged for both, its interval and how many these are."""
    both = found.selected(view)
    if view.get("exposure") == "hide" and any(found.seen(model, both) for _, model in sides):
        return None
    if view.get("exposure") == "split":
        both -= found.seen(sides[0][1], both) | found.seen(sides[1][1], both)
    ours, theirs = found.rates(*sides[0], 1), found.rates(*sides[1], k)
    numbers = sorted(both & ours.keys() & theirs.keys())
    if not numbers:
        return None
    told = paired_difference(
        [ours[number] for number in numbers], [theirs[number] for number in numbers],
        [found.problems[number][0] for number in numbers],
    )  # fmt: skip
    lo, hi = (100 * told.lo, 100 * told.hi) if told.clusters > 1 else (None, None)
    return 100 * told.mean, lo, hi, len(numbers)


@pytest.fixture
def asked(world: World) -> World:
    """Ten problems of five contests each in the league and on a site, and every run of the boards, none judged."""
    for number in range(10):
        day = START + timedelta(days=number // 2 * 2)
        for source, tags, form in (("house", ["simulation"], Form.FUNCTION), ("codeforces", [], Form.STDIN)):
            world.problem(
                f"{number if source == 'house' else 300 + number}", day=day, source=source,
                contest=f"c{number // 2}", level=number % 3 + 1, tags=tags, form=form,
            )  # fmt: skip
    models = {slug: world.model(slug, cutoff_on=cutoff or date(2020, 1, 1)) for slug, cutoff in MODELS.items()}
    models["orion"].tuned_from_id = models["orion-base"].id
    slugs = {slug for board in GAPS for slug in (board[1], *(gap[1] for gap in GAPS[board]))}
    for slug in sorted(slugs):
        for model in models.values():
            world.run(model, protocol=shipped_protocols()[slug])
    return world


def judge_some(world: World, rng: np.random.Generator, share: float) -> None:
    """A share of all answers that are not judged yet is."""
    known = {(sample.run_id, sample.problem_id, sample.ordinal) for sample in world.session.scalars(select(Sample))}
    problems = {
        source: [each for each in world.session.scalars(select(Problem)) if each.source_id == world.source(source).id]
        for source in ("house", "codeforces")
    }
    runs = select(Run, ProtocolRow.slug).join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
    for run, slug in world.session.execute(runs):
        for problem in problems["house" if slug.startswith("house") else "codeforces"]:
            for ordinal in range(ANSWERS.get(slug, 1)):
                if (run.id, problem.id, ordinal) not in known and rng.random() < share:
                    right = rng.random() < (0.4 + 0.3 * ("repair" in slug))
                    verdict = Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER
                    world.answer(run, problem, verdict, ordinal=ordinal)
    world.count()
    world.session.commit()


def gaps_told(client: httpx.Client, found: Verdicts, view: Mapping[str, str]) -> Iterator[str]:
    """Compare every gap of a view with the loop's; yield the name of each that is told."""
    for (board, protocol), columns in GAPS.items():
        answer = client.get(f"/api/v1/boards/{board}", params={"protocol": protocol, **view})
        if answer.status_code == 422:  # nothing has the name that is asked for
            continue
        for row in answer.json()["rows"]:
            for column, other, of_base in columns:
                model = BASES.get(row["model"], "") if of_base else row["model"]
                k = 3 if other == "house-samples" else 1
                told = expected(found, view, ((protocol, row["model"]), (other, model)), k) if model else None
                where = (board, protocol, row["model"], column, dict(view))
                values = [row["columns"][f"{column}{end}"] for end in ("", "_lo", "_hi")]
                if told is None:
                    assert values == [None, None, None], where
                    continue
                mean, lo, hi, n = told
                if (board, column) == NEGATED:
                    mean, lo, hi = -mean, None if hi is None else -hi, None if lo is None else -lo
                assert values == pytest.approx([mean, lo, hi], abs=1e-7), where
                assert n in [gap["n"] for gap in row["paired"].values() if gap is not None], where
                yield f"{board} {column}"


def test_every_gap_is_paired_however_little_is_judged(asked: World, client: httpx.Client) -> None:
    """From a few verdicts to all of them, in every kind of view: no gap without its paired value."""
    rng, every = np.random.default_rng(11), {f"{board} {gap[0]}" for (board, _), gaps in GAPS.items() for gap in gaps}
    for share, views, least in ((0.15, VIEWS[:2], 4), (0.6, VIEWS, len(every)), (1.0, VIEWS[:1], len(every))):
        judge_some(asked, rng, share)
        found = verdicts(asked)
        told = {name for view in views for name in gaps_told(client, found, view)}
        assert told <= every
        assert len(told) >= least, "some are told already"


def test_no_filter_of_rows_takes_the_other_side_away(asked: World, client: httpx.Client) -> None:
    """The base model is another model, with another cutoff, and the same model in Python is no row in C++."""
    judge_some(asked, np.random.default_rng(7), 0.7)
    views = (
        ("codegen", "fresh", "tuning", ({"model": "orion"}, {"cutoff_before": "2026-06-02"})),
        ("codeelo", "codeelo-4k", "gap", ({"language": "cpp"},)),
    )
    for board, protocol, column, filters in views:
        every, *filtered = (
            client.get(f"/api/v1/boards/{board}", params={"protocol": protocol, **view}).json()["rows"]
            for view in ({}, *filters)
        )
        own = {row["model"]: row["columns"] for row in every}
        assert own["orion"][column] is not None
        for rows in filtered:
            assert "orion" in {row["model"] for row in rows}
            assert all(row["columns"] == own[row["model"]] for row in rows)


def test_scores_over_other_problems_are_no_gap(asked: World, client: httpx.Client) -> None:
    """A row lacks one problem that its first try has: its score rises, and it gained nothing by being told."""
    of_vega = select(ProtocolRow.slug, Run).join(Run, Run.protocol_id == ProtocolRow.id).join(Model)
    runs = {line.slug: line.Run for line in asked.session.execute(of_vega.where(Model.slug == "vega"))}
    league = [each for each in asked.session.scalars(select(Problem)) if each.source_id == asked.source().id]
    for number, problem in enumerate(league):
        verdict = Verdict.ACCEPTED if number < 5 else Verdict.WRONG_ANSWER
        asked.answer(runs["house"], problem, verdict)
        if number < 9:
            asked.answer(runs["house-repair"], problem, verdict)
    asked.count()
    asked.session.commit()
    [row] = client.get("/api/v1/boards/repair", params={"protocol": "house-repair"}).json()["rows"]
    assert (row["score"], row["columns"]["first"]) == (pytest.approx(500 / 9), 50.0)
    assert (row["columns"]["gain"], row["paired"]["first"]["n"]) == (0.0, 9)
    [line] = csv.DictReader(io.StringIO(client.get("/api/v1/boards/repair.csv?protocol=house-repair").text[1:]))
    told = ("gain", "gain_lo", "gain_hi")
    assert [float(line[name]) for name in told] == [row["columns"][name] for name in told]
    page = client.get("/en/boards/repair?protocol=house-repair").text
    ends = row["columns"]["gain_lo"], row["columns"]["gain_hi"]
    assert f'0.0 <small class="nowrap">[{ends[0]:+.1f}, {ends[1]:+.1f}]</small>' in page
    [archive] = [client.get("/api/v1/boards/repair.zip", params={"protocol": "house-repair"}).content]
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        frozen = json.loads(packed.read("board.json"))
    assert frozen["rows"][0]["columns"] == row["columns"]
    one = client.get("/en/boards/repair?protocol=house-repair&from=2026-06-01&to=2026-06-02").text
    assert "[-100.0" not in one, "of one contest nothing is known but the mean"


def imported(world: World, tmp_path: Path, kind: str, name: str, text: str, **options: str) -> None:
    imports.store_batch(world.session, read(kind, write(tmp_path, f"{name}.json", text), **options), NOW)
    while cell_updates.update_changed_cells(world.session):
        pass
    world.session.commit()


def test_results_of_others_have_gaps_once_both_are_imported(world: World, client: httpx.Client, tmp_path: Path) -> None:
    """LiveCodeBench's boards before and after a repair, over the problems that both files have of a model."""
    days = [date(2026, 2, 1) + timedelta(days=7 * number) for number in range(4)]
    before = {"a": (100.0, 0.0, 50.0), "b": (0.0, 0.0, 0.0)}
    after = {"a": (None, 50.0, 50.0, 100.0), "c": (10.0, 10.0, 10.0, 10.0)}
    for board, table in (("repair", after), ("codegen", before)):
        rows = [
            board_row(model, f"p{number}", share, date=stored_date(days[number]))
            for model, shares in table.items() for number, share in enumerate(shares) if share is not None
        ]  # fmt: skip
        imported(world, tmp_path, "lcb-board", board, board_text(rows), board=board)
        shown = client.get("/api/v1/boards/repair", params={"protocol": "lcb-repair"}).json()["rows"]
        gains = {row["model"]: row["columns"]["gain"] for row in shown}
        assert gains == {"a": 25.0 if board == "codegen" else None, "c": None}
    told = paired_difference([0.5, 0.5], [0.0, 0.5], [1, 2])
    [row] = [row for row in shown if row["model"] == "a"]
    assert row["columns"] | {"refine_2": None} == pytest.approx(
        dict.fromkeys(row["columns"])
        | {"first": 50.0, "gain": 25.0, "gain_lo": 100 * told.lo, "gain_hi": 100 * told.hi}
    )
    assert row["columns"]["refine_2"] == row["score"]


def test_of_two_published_totals_the_gap_is_exact(world: World, client: httpx.Client, tmp_path: Path) -> None:
    """Both are of all tasks: there is a difference, and no interval that anybody could know."""
    table = {name: {"pass@1": {"complete": complete, "instruct": instruct}}
             for name, complete, instruct in (("Orion", 47.1, 38.0), ("Lyra", 30.0, None))}  # fmt: skip
    for board, part in (("full", ""), ("hard", "-hard")):
        imported(world, tmp_path, "bigcodebench-results", board, json.dumps(table, indent=1), board=board)
        rows = client.get("/api/v1/boards/bigcode", params={"protocol": f"bcb{part}-complete-published"}).json()["rows"]
        found = {
            row["model"]: [row["columns"][name] for name in ("instruct", "gap", "gap_lo", "gap_hi")] for row in rows
        }
        assert found == {"orion": [pytest.approx(38.0), pytest.approx(9.1), None, None], "lyra": [None] * 4}
    page = client.get("/en/boards/bigcode?protocol=bcb-complete-published").text
    assert '<td class="num" data-v="9.' in page
    assert ">9.1</td>" in page, "without brackets"
