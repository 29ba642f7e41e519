"""One problem of two divisions of a round is one problem with two names."""

from datetime import UTC, datetime
from typing import Any

from factories import World
from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.tables import Difficulty, Problem, ProblemAlias, ProblemVersion
from app.services.sources import ingest

NOW = datetime(2026, 11, 1, tzinfo=UTC)
START = "2026-10-30T14:35:00Z"


def contest(name: str, start: str = START) -> dict[str, Any]:
    return {"type": "contest", "external_id": name, "title": f"Round {name}", "starts_at": start, "ends_at": None}


def problem(name: str, title: str, **facts: Any) -> dict[str, Any]:
    of, _, index = name.partition("/")
    return {"type": "problem", "external_id": name, "contest": of, "index": index, "title": title, "samples": [],
            "url": f"https://codeforces.com/contest/{of}/problem/{index}", **facts}  # fmt: skip


def store(session: Session, source_id: int, *records: dict[str, Any]) -> None:
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
    rated = [{"type": "problem", "external_id": "2255/A", "difficulty": {"scale": "codeforces", "value": 1400}}]
    ingest.store_facts(session, source, rated, NOW)
    assert session.scalars(select(Difficulty.value)).all() == [1400.0]


def test_the_same_title_at_another_time_or_in_the_same_contest_is_another_problem(session: Session) -> None:
    source = World(session).source("codeforces", demo=False).id
    later = contest("2300", "2026-10-31T14:35:00Z")
    store(session, source, contest("2255"), later, problem("2255/A", "Locks"), problem("2300/A", "Locks"))
    store(session, source, problem("2255/B", "Locks"), problem("9/A", "Locks"))
    assert len(session.scalars(select(Problem)).all()) == 4
