"""Compute a board again from its cells, and compare: `python3 recompute.py [FOLDER]`, with numpy and nothing else.

Reads board.json, filters.json, cells.parquet and problems.parquet beside it (or in FOLDER), and exits with 1 if a
number of board.json differs from its cells. It shares no code with the service that made them: `bundle` assembles it
from this file and the two that it imports.
"""

import json
import math
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import numpy as np

from app.services.boards.recompute_intervals import RATE_TOLERANCE, interval, separate_rows
from app.services.boards.recompute_parquet import read_parquet

Columns = dict[str, list[Any]]  # by column
Record = dict[str, Any]  # one row
TOLERANCE = 1e-6  # on the scale from 0 to 100


@dataclass
class RecomputedRow:
    """A run as its cells give it: `facts`, `counts` (n, c) by item, all `items`, pass `rates` on selected problems, the
    share `kept` of its score in ranks, `result`."""

    facts: Record
    wanted: set[str] = field(default_factory=set)
    served: set[str] = field(default_factory=set)
    counts: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    result: dict[str, Any] = field(default_factory=dict)
    kept: float = 0.0
    unfit: bool = False

    def may_know(self, problem: Record) -> bool:
        """Return True if the model may know the problem: by its cutoff, or its vendor ordered the run and was sent
        it."""
        sent = self.facts["started_by"] == "vendor" and problem["problem"] in self.served
        return sent or problem["released"].date().isoformat() <= (self.facts["cutoff_on"] or "")


def recompute(board: dict[str, Any], problems: Columns, cells: Columns) -> dict[int, RecomputedRow]:
    """Return the rows of a board, by run; `board` holds its query, the tables its data."""
    selected = {slug: problem for slug, problem in _problems(problems).items() if _is_selected(board, problem)}
    rows = _rows(cells, lcb=board["filters"]["rules"] == "lcb")
    for row in rows.values():
        _score(board, row, selected)
    board["found"] = _rank(board, rows, selected)
    return rows


def _problems(table: Columns) -> dict[str, Record]:
    lines = (dict(zip(table, line, strict=True)) for line in zip(*table.values(), strict=True))
    if len(set(table["problem"])) < len(table["problem"]):
        raise ValueError("a problem stands twice in problems.parquet")
    return {line["problem"]: line | {"released": datetime.fromisoformat(line["released_on"])} for line in lines}


def _is_selected(board: dict[str, Any], problem: Record) -> bool:
    window, lcb = board["window"], board["filters"]["rules"] == "lcb"
    moment = problem["released"] + timedelta(days=lcb)  # as LiveCodeBench stores it; its windows include the end
    days = window["from"] or "0001-01-01", window["to"] or "9999-12-30"
    start, end = (datetime.fromisoformat(f"{day}T00Z") for day in days)
    return start <= moment < end + timedelta(microseconds=lcb) and _passes(board, "problems", problem)


def _passes(board: dict[str, Any], over: str, facts: Record) -> bool:
    """Return True if every filter accepts a problem or a row with these facts."""
    used = [entry for entry in board["declared"] if entry["over"] == over and board["filters"][entry["name"]]]
    return all(PREDICATES[entry["kind"]](facts[entry["column"]], board["filters"][entry["name"]]) for entry in used)


# By the kind in filters.json; days compare as text.
PREDICATES: dict[str, Callable[[Any, Any], bool]] = {
    "one_of": lambda fact, value: fact in value,
    "before": lambda fact, value: fact is None or fact < value,
}


def _rows(cells: Columns, *, lcb: bool) -> dict[int, RecomputedRow]:
    rows: dict[int, RecomputedRow] = {}
    seen_cells = set[tuple[Any, ...]]()
    for place, run in enumerate(cells["run"]):
        cell = {name: values[place] for name, values in cells.items()}
        row = rows[run] = rows.get(run) or RecomputedRow(cell)
        key = run, cell["problem"], cell["item"]
        if (
            key in seen_cells
            or not 0 <= cell["c"] <= cell["n"]
            or any(cell[name] != row.facts[name] for name in _RUN_FACTS)
        ):
            raise ValueError(f"cells of run {run} on {cell['problem']} contradict one another")
        seen_cells.add(key)
        if cell["wanted"]:
            row.wanted.add(cell["problem"])
        if cell["served"] and not lcb:
            row.served.add(cell["problem"])
        row.items[cell["problem"]] = row.items.get(cell["problem"], 0) + 1
        if cell["n"] > 0:
            row.counts.setdefault(cell["problem"], []).append((cell["n"], cell["c"]))
    return rows


def _score(board: dict[str, Any], row: RecomputedRow, selected: dict[str, Record]) -> None:
    split, lcb = board["filters"]["exposure"] == "split", board["filters"]["rules"] == "lcb"
    scored = {slug: problem for slug, problem in selected.items() if not (split and row.may_know(problem))}
    judged = {slug: items for slug, items in row.counts.items() if slug in selected}
    rates = row.rates = {slug: sum(c / n for n, c in items) / len(items) for slug, items in judged.items()}
    mine = [slug for slug in scored if slug in rates]
    wanted = [slug for slug in selected if not row.facts["limited"] or slug in row.wanted]
    exposed = sum(row.may_know(selected[slug]) for slug in wanted)
    parts = {slug: [(c / n, min(n / row.facts["samples"], 1.0)) for n, c in row.counts[slug]] for slug in mine}
    covered = len(mine) - round(math.fsum(1 - sum(p for _, p in parts[slug]) / row.items[slug] for slug in mine), 9)
    share, total = covered / len(scored) if scored else 0.0, math.fsum(rates[slug] for slug in mine)
    credit = math.fsum(sum(rate * part for rate, part in parts[slug]) / row.items[slug] for slug in mine)
    row.kept = credit * len(mine) / len(scored) / total if total else share  # missing problems count as failed
    contests = [scored[slug]["cluster"] for slug in mine]
    ends = interval(np.array([rates[slug] for slug in mine]), contests) if mine else None
    own_vendors = set(json.loads(row.facts["run_vendors"]))
    setters = {slug: json.loads(problem["setters"]) for slug, problem in selected.items()}
    without_own, all_vendors = (
        _percent([rates[slug] for slug in mine if own_vendors.isdisjoint(setters[slug])]),
        set().union(*setters.values()),
    )
    part = "two_vendors" if len(all_vendors) < 3 else None if without_own["n"] else "nothing_left"
    none = "no_part" if own_vendors.isdisjoint(all_vendors) else part
    row.result = {
        "score": _percent([rates[slug] for slug in mine])["score"],
        "pass_at": {str(k): _pass_at(k, [row.counts[slug] for slug in mine]) for k in (1, 5, 10)},
        **({"groups": _group_scores(board["groups"], row, list(scored.values()))} if "groups" in board else {}),
        "ci_lo": None if ends is None else 100 * ends[0],
        "ci_hi": None if ends is None else 100 * ends[1],
        "n_problems": len(mine),
        "wanted": (wanted_count := len(wanted) - exposed * split),
        "coverage": min(covered / wanted_count, 1.0) if wanted_count else 0.0,
        "exposed": exposed,
        "served": len(row.served & selected.keys()),
        "prospective": bool(at := row.facts["registered_at"])
        and row.served.isdisjoint(selected)
        and all(datetime.fromisoformat(at) < problem["released"] for problem in selected.values()),
        "provisional": bool(scored) and share < 0.95,
        "by_difficulty": {
            level: _percent([rates[slug] for slug in mine if scored[slug]["level"] == level])
            for level in board["by_difficulty"]
        },
        "split": {name: _percent([rate for slug, rate in rates.items() if row.may_know(selected[slug]) == is_exposed])
                  for is_exposed, name in enumerate(("clean", "exposed"))} if split else None,
        "without_own": None if none else without_own,
        "without_own_reason": none,
        **dict.fromkeys(("rank", "rank_lo", "rank_hi", "tier", "rank_overlap")),
    }  # fmt: skip
    first = board["window"]["from"] or min((str(problem["released"])[:10] for problem in selected.values()), default="")
    row.unfit = (row.facts["cutoff_on"] or "") >= (first or " ") if lcb else exposed > 0


def _percent(rates: list[float]) -> dict[str, Any]:
    return {"score": 100 * math.fsum(rates) / len(rates) if rates else None, "n": len(rates)}


def _pass_at(k: int, problems: list[list[tuple[int, int]]]) -> float | None:
    """Return pass@k in percent; None if nothing is judged, or some item has fewer than `k` answers."""
    if not problems or min(n for items in problems for n, _ in items) < k:
        return None
    means = (sum(1 - math.comb(n - c, k) / math.comb(n, k) for n, c in items) / len(items) for items in problems)
    return 100 * math.fsum(means) / len(problems)


def _group_scores(tables: dict[str, Any], row: RecomputedRow, problems: list[Record]) -> dict[str, Any]:
    """Return pass@k over the judged problems of each group."""
    scores: dict[str, Any] = {}
    for name, table in tables.items():
        inside = {group: [row.counts[problem["problem"]] for problem in problems
                          if group in (problem[f"group_{name}"] or "").split("\n") and problem["problem"] in row.counts]
                  for group in table["problems"]}  # fmt: skip
        scores[name] = {
            group: {"n": len(counts), "pass_at": {str(k): _pass_at(k, counts) for k in table["ks"]}}
            for group, counts in inside.items()
        }
    return scores


def _rank(board: dict[str, Any], rows: dict[int, RecomputedRow], selected: dict[str, Record]) -> dict[str, Any]:
    """Rank the rows, and return the board's own figures over all of them."""
    figures: dict[str, Any] = {"resolution": None, "first_separated": None}
    fit = {run: row.result for run, row in rows.items() if not row.unfit and row.result["n_problems"]}
    if board["filters"]["rules"] == "lcb":
        order = sorted(
            fit, key=lambda run: (-Decimal(round(fit[run]["score"], 9)).quantize(Decimal("0.1"), ROUND_HALF_UP), run)
        )
        for place, run in enumerate(order, 1):
            rows[run].result |= dict.fromkeys(("rank", "rank_lo", "rank_hi"), place)
        return figures
    fit = {run: result for run, result in fit.items() if not (result["provisional"] or rows[run].facts["extra"])}
    stands = {run: [rows[run].kept * fit[run][key] for key in ("score", "ci_lo", "ci_hi")] for run in fit}
    for run, (score, lo, hi) in stands.items():
        fit[run]["rank"] = 1 + sum(stand[0] > score + 100 * RATE_TOLERANCE for stand in stands.values())
        fit[run]["rank_overlap"] = {
            "lo": _rank_bounds(1, (stand[1] - hi for stand in stands.values())),
            "hi": _rank_bounds(0, (stand[2] - lo for stand in stands.values())),
        }
    scores = {run: round(stand[0] / 100, 10) for run, stand in stands.items()}
    order = sorted(fit, key=lambda run: (-scores[run], run))
    sizes = Counter(problem["cluster"] for problem in selected.values())
    contests = {cluster: place for place, cluster in enumerate(sizes)}
    sums = np.zeros((len(sizes), len(order)))
    for place, run in enumerate(order):
        scale = len(selected) * scores[run] / max(math.fsum(rows[run].rates.values()), RATE_TOLERANCE)
        for slug, rate in rows[run].rates.items():
            sums[contests[selected[slug]["cluster"]], place] += scale * rate
    better, needed = separate_rows(sums, np.array(list(sizes.values())), np.array([scores[run] for run in order]))
    tier = 1
    for place, run in enumerate(order):
        tier += bool(place and better[:place, place:].all())
        lo, hi = 1 + int(better[:, place].sum()), len(order) - int(better[place].sum())
        fit[run] |= {"rank_lo": lo, "rank_hi": hi, "tier": tier}
        if lo > 1:
            figures["first_separated"] = figures["first_separated"] or fit[run]["rank"]
    return figures | {"resolution": None if needed is None else 100 * needed}


def _rank_bounds(start: int, leads: Iterable[float]) -> range:
    """Return `start` plus the number of positive leads, as a range: leads within the tolerance may count or not."""
    ahead = sorted(leads)
    least, most = (len(ahead) - bisect_right(ahead, margin) for margin in (TOLERANCE, -TOLERANCE))
    return range(start + least, start + most + 1)


# Filters about how a board is computed, which the code above implements.
_BOARD_FILTERS = {"exposure", "prospective", "rules"}
# Facts of a run that both a row of the board and its cells have.
_RUN_FACTS = ("model", "name", "organisation", "configuration", "started_by", "registered_at")


def compare(board: dict[str, Any], problems: Columns, rows: dict[int, RecomputedRow]) -> Iterator[str]:
    """Yield the differences between a board and its rows from `recompute`, as lines."""
    board_rows = {row["run"]: row for row in board["rows"]}
    yield from _board_faults(board)
    shown = {
        run for run, row in rows.items() if _passes(board, "rows", row.facts)
    }  # the others only take part in ranks
    if board["filters"]["prospective"] == "only":
        shown = {run for run in shown if rows[run].result["prospective"]}
    for run in sorted((shown - board_rows.keys()) | (board_rows.keys() - rows.keys())):
        yield f"run {run} stands only {'in the cells' if run in rows else 'on the board'}"
    chosen = [problem for problem in _problems(problems).values() if _is_selected(board, problem)]
    yield from _differences("board", board, {
        "problems": len(chosen),
        "clusters": len({facts["cluster"] for facts in chosen}),
        **board["found"],
        **{key: {name: sum(facts[fact] == name for facts in chosen) for name in board[key]}
           for key, fact in (("by_difficulty", "level"), ("by_platform", "platform"), ("test_origins", "tests"))},
    })  # fmt: skip
    for run in sorted(rows.keys() & board_rows.keys()):
        row, facts, name = rows[run], rows[run].facts, f"run {run}, {rows[run].facts['model']}"
        about = {key: facts[key] for key in _RUN_FACTS}
        about["cutoff"] = {"date": facts["cutoff_on"], "basis": facts["cutoff_basis"]}
        yield from _differences(name, board_rows[run], row.result | about)
        if (chance := board_rows[run]["p_first"]) is not None:
            sure = {1: 1.0}.get(row.result["rank_hi"]) if row.result["rank_lo"] == 1 else 0.0
            if sure not in (None, chance) or not 0 <= chance <= 1 or board["clusters"] < 10:
                yield f"{name}: p_first is {chance} on the board, outside its ranks"
        if (board["filters"]["exposure"] == "hide" and row.unfit) or run not in shown:
            yield f"{name}: the filters of the board do not let it stand there"


def _board_faults(board: dict[str, Any]) -> Iterator[str]:
    """Yield faults of a board that no number of a row shows."""
    for run, times in Counter(row["run"] for row in board["rows"]).items():
        if times > 1:
            yield f"run {run} stands {times} times on the board"
    compared = {entry["name"] for entry in board["declared"] if entry["over"] in ("problems", "rows")} | _BOARD_FILTERS
    for name in sorted(name for name, value in board["filters"].items() if value and name not in compared):
        yield f"nothing compares the filter {name}"
    # LiveCodeBench's site mixes rows without a rank with the others.
    last = [] if board["filters"]["rules"] == "lcb" else [math.inf]
    places = [place for row in board["rows"] for place in ([row["rank"]] if row["rank"] is not None else last)]
    if places != sorted(places):
        yield "the rows of the board do not stand in the order of their ranks"


def _differences(name: str, on_board: Any, by_cells: Any) -> Iterator[str]:
    if isinstance(by_cells, dict) and isinstance(on_board, dict):
        for key, value in by_cells.items():
            yield from _differences(f"{name}: {key}", on_board.get(key), value)
        return
    same = on_board in by_cells if isinstance(by_cells, range) else by_cells == on_board
    if isinstance(on_board, bool) != isinstance(by_cells, bool):  # in Python True equals 1
        same = False
    elif isinstance(by_cells, float) and isinstance(on_board, int | float):
        same = abs(by_cells - on_board) <= TOLERANCE
    if not same:
        yield f"{name} is {on_board} on the board, and {by_cells} by its cells"


def main(folder: Path) -> int:
    """Print the findings; return 0 if everything agrees, else 1."""
    try:
        board, declared = (_read_json(folder / f"{name}.json") for name in ("board", "filters"))
        problems, cells = (read_parquet((folder / f"{name}.parquet").read_bytes()) for name in ("problems", "cells"))
        board["declared"] = declared
        rows = recompute(board, problems, cells)
        wrong = [f"DIFFERS: {difference}" for difference in compare(board, problems, rows)]
    except (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError) as broken:
        _print_safe(f"UNREADABLE: {type(broken).__name__}: {broken}"[:500])
        return 1
    for run, row in sorted(rows.items(), key=lambda pair: (pair[1].result["rank"] or math.inf, pair[0])):
        result, configuration = row.result, row.facts["configuration"]
        name = f"{row.facts['model']} ({configuration})" if configuration else row.facts["model"]
        points = [math.nan if result[key] is None else result[key] for key in ("score", "ci_lo", "ci_hi")]
        _print_safe(f"{result['rank'] or '-':>4}  {points[0]:7.3f} [{points[1]:7.3f}, {points[2]:7.3f}]"
               f" {result['n_problems']:6} of {result['wanted']:<6} run {run}  {name}")  # fmt: skip
    for line in [*wrong, f"{len(rows)} rows, {len(wrong)} differences"]:
        _print_safe(line)
    return 1 if wrong else 0


def _read_json(path: Path) -> Any:
    """Read JSON strictly: a name may come only once in an object, and NaN is not a number."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        named = dict(pairs)
        if len(named) < len(pairs):
            raise ValueError(f"{path.name} has a name twice in one object")
        return named

    def number(text: str) -> Any:
        raise ValueError(f"{path.name} has {text} for a number")

    return json.loads(path.read_text("utf-8"), object_pairs_hook=once, parse_constant=number)


def _print_safe(line: str) -> None:
    # Names come from others: no control characters may reach a terminal.
    text = "".join(character if character.isprintable() else "?" for character in line)
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent))
