"""Directory of public problems and models, newest first, searched by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.db.evidence import directory as store
from app.db.evidence.directory import ListedProblem
from app.db.kernel.session import Session
from app.db.operations import status
from app.db.runs.models import ListedModel
from app.domain.errors import InvalidInput, UnknownName
from app.domain.states import SampleState

_MAX_QUERY_CHARS = 200


@dataclass(frozen=True, slots=True)
class SiteTotals:
    """Totals of the site; `oldest` and `newest` are releases, `answers` are judged."""

    problems: int
    models: int
    answers: int
    oldest: datetime | None
    newest: datetime | None


def site_totals(session: Session) -> SiteTotals:
    """Return the numbers of public problems, shown models and judged answers."""
    found = store.totals(session)
    graded = sum(depth.count for depth in status.depths(session) if depth.state == SampleState.GRADED)
    return SiteTotals(found.problems, found.models, graded, found.oldest, found.newest)


def problems(
    session: Session, before: int | None, limit: int, *, platform: str | None = None, text: str | None = None
) -> list[ListedProblem]:
    """Return problems by release, undated ones last, after the one with the number `before`.

    `text` is searched in titles, in any language, and in problems' names, ignoring case. Raises InvalidInput for an
    impossible text, and UnknownName for a platform without problems.
    """
    text = check_text(text)
    if platform is not None and platform not in (names := platforms(session)):
        raise UnknownName("platform", platform, names)
    return store.problems(session, before, limit, source=platform, text=text)


def problems_in_order(session: Session, problem_ids: Sequence[int]) -> list[ListedProblem]:
    """Return the problems with these ids, in that order."""
    listed = store.problems_by_id(session, problem_ids)
    return [listed[problem] for problem in problem_ids if problem in listed]


def platforms(session: Session) -> dict[str, str]:
    """Return the names of the sources of public problems, by slug."""
    return store.sources(session)


def models(session: Session, before: int | None, limit: int, *, text: str | None = None) -> list[ListedModel]:
    """Return models by registration, newest first, before the one with the number `before`.

    `text` is searched in names and organisations, ignoring case. Raises InvalidInput for an impossible text.
    """
    return store.models(session, before, limit, text=check_text(text))


def addresses(session: Session, limit: int) -> list[str]:
    """Return the paths of everything that has a page, without a language: models, then the newest problems."""
    paths = [f"/models/{model.slug}" for model in store.models(session, None, limit, text=None)]
    problems = store.problem_names(session, limit - len(paths))
    return paths + [f"/problems/{source}/{name}" for source, name in problems]


def check_text(text: str | None) -> str | None:
    """Return a search text without surrounding spaces, which some keyboards leave; None if it is empty."""
    # Titles in Chinese and Japanese use the wide space, which counts as unprintable.
    if text is not None and (len(text) > _MAX_QUERY_CHARS or not text.replace("\u3000", " ").isprintable()):
        raise InvalidInput("q is too long or has characters that are not allowed", pointer="/q")
    return text.strip() or None if text else None
