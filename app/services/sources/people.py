"""Storage of other data in files: participants of a contest, ratings of people, and external scores."""

from datetime import datetime

from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.sources import contests, external_scores, people
from app.db.sources.standings import store_rating_changes, store_standings
from app.domain.errors import InvalidInput, NotFound
from app.domain.imports import ImportBatch, ImportedProblem, ImportedStandings
from app.domain.sources.records import ScrapedRatingChange, ScrapedStanding


def store_people(session: Session, batch: ImportBatch, now: datetime) -> int:
    """Store them; return the number of rows. Raises NotFound for an unknown contest."""
    for standings in batch.standings:
        _keep_standings(session, standings, now)
    if batch.humans:
        people.keep(session, batch.file_sha256, batch.humans, now)
    if batch.external is not None:
        external_scores.keep(session, batch.file_sha256, batch.external, now)
        return len(batch.external.scores)
    return len(batch.humans) + sum(len(standings.rows) for standings in batch.standings)


def _keep_standings(session: Session, standings: ImportedStandings, now: datetime) -> None:
    """Store standings as a site's own are: a list of places and one of ratings, neither with names."""
    source = store.source_by_slug(session, standings.source)
    contest = None if source is None else contests.find(session, source.id, standings.contest)
    if contest is None:
        raise NotFound(f"{standings.source} has no contest {standings.contest} here; import its problems first")
    places = [ScrapedStanding(rank, points=points, penalty=penalty) for rank, points, penalty, _, _ in standings.rows]
    changes = [ScrapedRatingChange(rank, old, new) for rank, _, _, old, new in standings.rows if old is not None]
    store_standings(session, contest.id, places, now)
    store_rating_changes(session, contest.id, changes, now)


def link_rewrite(session: Session, problem_id: int, problem: ImportedProblem) -> None:
    """Record which problem this one rewrites. Raises NotFound if that is not here, InvalidInput if it is itself."""
    if problem.rewrites is None:
        return
    slug, name = problem.rewrites
    source = store.source_by_slug(session, slug)
    original = None if source is None else store.find(session, source.id, name)
    if original is None:
        raise NotFound(f"there is no problem {slug}/{name} here to rewrite")
    if original.id == problem_id:
        raise InvalidInput("a problem cannot be a rewrite of itself", pointer="/rewrites")
    people.set_rewrite(session, problem_id, original.id)
