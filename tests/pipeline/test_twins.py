"""One problem of two divisions of a round is one problem with two names."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from factories import World
from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.tables import Difficulty, Problem, ProblemAlias, ProblemVersion
from app.domain.sources.records import DifficultyRating, Record, ScrapedContest, ScrapedProblem
from app.services.sources import ingest

NOW = datetime(2026, 11, 1, tzinfo=UTC)
START = datetime(2026, 10, 30, 14, 35, tzinfo=UTC)


def contest(name: str, start: datetime = START, title: str | None = None) -> ScrapedContest:
    """A contest; those of odd names are for the first division, the others for the second."""
    words = title or f"Codeforces Round 1116 (Div. {2 - int(name) % 2})"
    return ScrapedContest(name, words, starts_at=start)


def problem(name: str, title: str, **facts: Any) -> ScrapedProblem:
    of, _, index = name.partition("/")
    url = f"https://codeforces.com/contest/{of}/problem/{index}"
    return ScrapedProblem(name, **({"contest": of, "index": index, "title": title, "url": url} | facts))


def store(session: Session, source_id: int, *records: Record) -> None:
    ingest.store_records(session, source_id, records, None, NOW)


def test_a_twin_is_another_name_whichever_came_first(session: Session) -> None:
    source = World(session).source("codeforces", demo=False).id
    both = [contest("2255"), contest("2256")]
    store(session, source, *both, problem("2256/C", "Locks"), problem("2256/A", "Buoys"))
    store(session, source, *both, problem("2255/A", "Locks", statements={"en": "Count."}), problem("2255/B", "Ropes"))
    made = {each.external_id: each for each in session.scalars(select(Problem))}
    assert set(made) == {"2256/C", "2256/A", "2255/B"}
    assert made["2256/C"].url == "https://codeforces.com/contest/2256/problem/C"
    assert session.scalars(select(ProblemAlias.alias)).all() == ["2255/A"]
    assert session.scalars(select(ProblemVersion.problem_id)).all() == [made["2256/C"].id]
    store(session, source, problem("2255/A", "Locks"))
    assert len(session.scalars(select(Problem)).all()) == 3, "told again it is no news"


def test_a_rating_reaches_a_problem_under_either_name(session: Session) -> None:
    source = World(session).source("codeforces", demo=False).id
    store(session, source, contest("2255"), contest("2256"), problem("2256/C", "Locks"), problem("2255/A", "Locks"))
    rated = [ScrapedProblem("2255/A", difficulty=DifficultyRating("codeforces", 1400))]
    ingest.store_facts(session, source, rated, NOW)
    assert session.scalars(select(Difficulty.value)).all() == [1400.0]


def test_the_same_title_at_another_time_or_in_the_same_contest_is_another_problem(session: Session) -> None:
    source = World(session).source("codeforces", demo=False).id
    later = contest("2300", START + timedelta(days=1))
    store(session, source, contest("2255"), later, problem("2255/A", "Locks"), problem("2300/A", "Locks"))
    store(session, source, problem("2255/B", "Locks"), problem("9/A", "Locks"))
    assert len(session.scalars(select(Problem)).all()) == 4


@pytest.mark.parametrize(
    ("one", "other", "problems"),
    [
        ("Codeforces Round 1116 (Div. 1)", "Codeforces Round 1116 (Div. 2)", 1),
        ("Codeforces Round 1116 (Div. 1)", "Codeforces Round 1117 (Div. 2)", 2),
        ("Harbour Cup", "Harbour Cup", 2),
        ("Harbour Cup", "Codeforces Round 1116 (Div. 2, based on Harbour Cup)", 1),
    ],
)
def test_only_contests_of_one_round_share_problems(session: Session, one: str, other: str, problems: int) -> None:
    source = World(session).source("codeforces", demo=False).id
    store(session, source, contest("2255", title=one), contest("2256", title=other))
    store(session, source, problem("2255/A", "Locks"), problem("2256/C", "Locks"))
    assert len(session.scalars(select(Problem)).all()) == problems


def test_an_id_that_is_the_problems_own_is_one_problem_whatever_its_title(session: Session) -> None:
    source = World(session).source("atcoder", demo=False).id
    both = [contest(f"arc21{n}", title=f"AtCoder Regular Contest 21{n} (Div. {n})") for n in (1, 2)]
    store(session, source, *both, contest("arc219", title="AtCoder Regular Contest 211 (Div. 2)"))
    tasks = [problem(f"{name}_a", "Locks", contest=name) for name in ("arc211", "arc212", "arc219")]
    store(session, source, *tasks)
    assert len(session.scalars(select(Problem)).all()) == 3
    assert session.scalars(select(ProblemAlias)).all() == []
