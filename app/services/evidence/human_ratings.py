"""Human-comparable ratings: each row as one more participant of contests that rated people took part in.

A contest counts for a row if all its problems are graded under the row's protocol, and its standings hold at least 200
rated people, with no known score for at most one in twenty. Contests for the first division alone do not count, as in
CodeElo (arXiv 2501.01257, section 4.1): their participants are not a sample of people. People are compared by their
true ratings. A displayed 0 stands for a newcomer's 1400; what later contests will add to another newcomer's displayed
rating is not known.

`compat` "codeelo" repeats the rules of CodeElo's published tool: people as displayed, its places and rounding, and only
contests with more than 200 people, each of whom has a score.

The house league has an invented field. It never counts beside people, and gives no percentile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, get_args

import numpy as np

from app.db.boards import cells
from app.db.evidence import evidence
from app.db.kernel.session import Session
from app.db.sources import people, standings
from app.db.sources.standings import RatedContest
from app.domain.cube.facts import RunFact
from app.domain.errors import NotFound
from app.domain.metrics.intervals import Ints
from app.domain.ratings import expected_contest_rating, mean_rating, percentile_table
from app.domain.ratings.contests import Style
from app.domain.ratings.human_rating import Compat, HumanField, HumanRating, joint_rating, percentile, true_rating
from app.services.boards.cubes import LoadedProtocol
from app.services.boards.query import Params, take_parameter
from app.services.runs.result_views import check_name

KIND = "human_rating"
EMPTY: Mapping[str, Any] = {"contests": [], "counted": 0, "invented": False, "rows": []}
SOURCES = ("codeforces", "house")
COMPATS: tuple[Compat, ...] = get_args(Compat)
LEAST_PEOPLE, MOST_UNMATCHED = 200, 0.05
_POINTS_KIND = "CF"
_FIRST_DIVISION = "Div. 1"
# From this month on people may have used models themselves.
AIDED_SINCE = "2024-07"


@dataclass(frozen=True, slots=True)
class HumanRatingInputs:
    """Rows of a protocol with their counts, and the contests they can be entered in."""

    runs: tuple[RunFact, ...]
    contests: tuple[RatedContest, ...]
    n: Ints
    c: Ints
    row: Mapping[int, int]


def prepare(session: Session, loaded: LoadedProtocol) -> HumanRatingInputs:
    """Read the inputs of ratings under a protocol; no contest if it has no problem of the sources."""
    axes = loaded.cube.axes
    lineup = loaded.lineup.standing_trials
    columns = axes.columns_of(lineup.ids)
    n, c = loaded.cube.lines(np.arange(len(axes.problems)), columns).by_problem()
    sources = [source for source in SOURCES if source in axes.platforms]
    contests = [contest for source in sources for contest in standings.rated_contests(session, source, axes.row)]
    return HumanRatingInputs(lineup.runs, tuple(contests), n, c, axes.row)


def rate_rows(inputs: HumanRatingInputs) -> dict[str, Any]:
    """Return every row's rating by contest, their mean with its interval, and the one rating that fits all places best;
    also by the rules of each compat."""
    return {
        **_rating_table(inputs, None),
        "aided_since": AIDED_SINCE,
        "compat": {compat: _rating_table(inputs, compat) for compat in COMPATS},
    }


def _rating_table(inputs: HumanRatingInputs, compat: Compat | None) -> dict[str, Any]:
    people_took_part = not all(contest.invented for contest in inputs.contests)
    reasons = [_reason_left_out(contest, compat, people_took_part=people_took_part) for contest in inputs.contests]
    listed = list(zip(inputs.contests, reasons, strict=True))
    entered = [_Field.of(contest, compat) for contest, reason in listed if reason is None]
    rows = []
    for place, run in enumerate(inputs.runs):
        ratings = [(field, rating) for field in entered if (rating := field.rate(inputs, place)) is not None]
        rows.append({"model": run.model, "name": run.name, "configuration": run.configuration, **_row_json(ratings)})
    return {
        "contests": [_contest_json(contest, reason) for contest, reason in listed],
        "counted": len(entered),
        "invented": any(field.contest.invented for field in entered),
        "rows": sorted(rows, key=lambda row: (row["rating"] is None, -(row["rating"] or 0.0), row["model"])),
    }


@dataclass(frozen=True, slots=True)
class _Field:
    contest: RatedContest
    scores: Any
    humans: HumanField
    compat: Compat | None

    @classmethod
    def of(cls, contest: RatedContest, compat: Compat | None) -> "_Field":
        people = np.array(contest.people)
        displayed = people[:, 2]
        # Only for people who were never rated is the number of contests still missing from their rating known.
        true = np.where(displayed == 0, true_rating(0, 0), displayed)
        return cls(contest, people[:, :2], HumanField.of(displayed if compat else true), compat)

    def rate(self, inputs: HumanRatingInputs, place: int) -> HumanRating | None:
        """Return the rating of a row; None if a problem of the contest is not graded."""
        lines = [inputs.row[problem] for problem in self.contest.problems]
        if not all(inputs.n[line, place] for line in lines):
            return None
        counts = [
            (int(inputs.n[line, place]), int(inputs.c[line, place]), worth)
            for line, worth in zip(lines, self.contest.problems.values(), strict=True)
        ]
        return expected_contest_rating(counts, self.scores, self.humans, _style(self.contest), compat=self.compat)


def _style(contest: RatedContest) -> Style:
    return "points" if contest.kind == _POINTS_KIND else "icpc"


def _reason_left_out(contest: RatedContest, compat: Compat | None, *, people_took_part: bool) -> str | None:
    """Return why a contest does not count, or None."""
    if contest.invented and people_took_part:
        return "invented"
    if contest.division == _FIRST_DIVISION:
        return "first_division"
    if contest.lacking or _has_unknown_problems(contest):
        return "problems"
    if _style(contest) == "points" and None in contest.problems.values():
        return "points"
    everybody = len(contest.people) + contest.unmatched
    if compat:
        return None if len(contest.people) > LEAST_PEOPLE and not contest.unmatched else "few_people"
    enough = len(contest.people) >= LEAST_PEOPLE and contest.unmatched <= MOST_UNMATCHED * everybody
    return None if enough else "few_people"


def _has_unknown_problems(contest: RatedContest) -> bool:
    """Return True if a participant solved more problems than are known here, in a contest that counts problems."""
    most_solved = max((points for points, *_ in contest.people), default=0.0)
    return _style(contest) == "icpc" and most_solved > len(contest.problems)


def _row_json(ratings: Sequence[tuple[_Field, HumanRating]]) -> dict[str, Any]:
    by_contest = [
        {
            "contest": field.contest.external_id,
            "rating": float(rating),
            "better": rating.better,
            "censored": rating.censored,
        }
        for field, rating in ratings
    ]
    if not ratings:
        none = dict.fromkeys(("rating", "lo", "hi", "sd", "joint"))
        return {**none, "contests": 0, "censored": 0, "by_contest": [], "by_division": []}
    mean = mean_rating([rating for _, rating in ratings])
    joint = joint_rating([(rating.better, field.humans) for field, rating in ratings])
    return {
        "rating": mean.mean,
        "lo": mean.lo if isfinite(mean.lo) else None,
        "hi": mean.hi if isfinite(mean.hi) else None,
        "sd": mean.sd if isfinite(mean.sd) else None,
        "joint": float(joint),
        "contests": mean.contests,
        "censored": mean.censored,
        "by_contest": by_contest,
        "by_division": _by_division(ratings),
    }


def _by_division(ratings: Sequence[tuple[_Field, HumanRating]]) -> list[dict[str, Any]]:
    """Return the mean rating in the contests of each division; division None is that of contests for everybody."""
    divisions: dict[str | None, list[HumanRating]] = {}
    for field, rating in ratings:
        divisions.setdefault(field.contest.division, []).append(rating)
    return [
        {"division": division, "rating": mean_rating(group).mean, "contests": len(group)}
        for division, group in sorted(divisions.items(), key=lambda entry: entry[0] or "")
    ]


def _contest_json(contest: RatedContest, left_out: str | None) -> dict[str, Any]:
    return {
        "source": contest.source,
        "contest": contest.external_id,
        "title": contest.title,
        "division": contest.division,
        "left_out": left_out,
        "starts_at": None if contest.starts_at is None else contest.starts_at.isoformat(),
        "standings_of": contest.captured_at.isoformat(),
        "people": len(contest.people),
        "problems": len(contest.problems),
        "lacking": contest.lacking,
        "invented": contest.invented,
    }


def parse_compat(params: Params) -> tuple[Compat | None, list[tuple[str, str]]]:
    """Return whose rules to apply, None for ours, and the parameters left. Raises InvalidInput."""
    asked, rest = take_parameter(params, "compat", COMPATS)
    return next((compat for compat in COMPATS if compat == asked), None), rest


def report(session: Session, slug: str, compat: Compat | None = None) -> dict[str, Any]:
    """Return the newest ratings under a protocol, empty before the first report.

    A rating's percentile is the share of all people rated below it; None if those are not known here, or against an
    invented field. `percentiles` are the ratings of all people at the percentiles 1 to 100. Raises NotFound for an
    unknown protocol.
    """
    protocol = cells.protocol(session, check_name(slug))
    if protocol is None:
        raise NotFound(f"there is no protocol {slug!r:.80}")
    last = evidence.report(session, KIND, protocol.id)
    body = {**EMPTY, **({} if last is None else last.body)}
    by_compat = body.pop("compat", {})
    if compat:
        body |= by_compat.get(compat, EMPTY)
    histogram = people.newest(session)
    humans = None if histogram is None else HumanField.from_histogram(*zip(*histogram.ratings, strict=True))
    population = None if histogram is None else {"count": histogram.total, "stored_at": histogram.stored_at.isoformat()}
    public = cells.public_models(session, protocol.id)
    compared = None if body.get("invented") else humans
    return {
        "protocol": slug,
        "people": population,
        "percentiles": None if humans is None else percentile_table(humans),
        "revision": None if last is None else last.revision,
        "made_at": None if last is None else last.made_at.isoformat(),
        "compat": compat,
        **body,
        "rows": [
            {**row, "percentile": _percentile(row["rating"], compared)}
            for row in body["rows"]
            if row["model"] in public
        ],
    }


def _percentile(rating: float | None, humans: HumanField | None) -> float | None:
    return None if rating is None or humans is None else percentile(rating, humans)
