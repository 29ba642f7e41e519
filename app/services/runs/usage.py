"""Usage of answers: tokens, time and money per problem, and the speed of accepted programs beside the reference's."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.runs import local_endpoints
from app.db.runs import speeds as store
from app.db.runs.speeds import ServedName, UsageFact
from app.domain.asking.protocols import ANY_LANGUAGE
from app.domain.boards.board import RunUsage, Tokens
from app.domain.judging.speed import Speed, relative_speed

_MAX_NAMES = 5
_FOLDERS = re.compile(r"(?<![^\s=,:])/(?:[^/\s=,:]+/)*")  # an absolute path without its last part


@dataclass(frozen=True, slots=True)
class ServingView:
    """A way in which our weights were served to a run, and since when; paths show only their last part."""

    since: datetime
    facts: Mapping[str, str | int | Sequence[str] | Mapping[str, str] | None]


@dataclass(frozen=True, slots=True)
class RunAnswers:
    """Answers of a run that were asked for: tokens in all, US dollars, finish reasons, and serving models.

    `cost_usd` leaves out `unpriced` answers; `first_token_ms` is the median of those that were streamed. `served` has
    at most five names.
    """

    answers: int
    tokens: Mapping[str, int | None]
    cost_usd: float | None
    unpriced: int
    first_token_ms: float | None
    finish: Mapping[str, int]
    served: tuple[ServedName, ...]
    servings: tuple[ServingView, ...]


def answers_of_run(session: Session, run_id: int) -> RunAnswers | None:
    """Return the usage of a run's answers; None if none was asked for."""
    facts = store.answer_facts(session, run_id)
    if not facts.answers:
        return None
    return RunAnswers(
        answers=facts.answers,
        tokens={kind: None if total is None else int(total) for kind, total in asdict(facts.tokens).items()},
        cost_usd=None if facts.cost_usd is None else float(facts.cost_usd),
        unpriced=facts.unpriced,
        first_token_ms=facts.first_token_ms,
        finish=store.finish_reasons(session, run_id),
        served=tuple(store.served_names(session, run_id, _MAX_NAMES)),
        servings=tuple(
            ServingView(since, {name: _without_folders(value) for name, value in body.items()})
            for since, body in local_endpoints.servings(session, {run_id}).get(run_id, [])
        ),
    )


def _without_folders(value: Any) -> Any:
    """Return a fact without folder names, which tell of our machine and not of an answer."""
    if isinstance(value, list):
        return [_without_folders(item) for item in value]
    return _FOLDERS.sub("", value) if isinstance(value, str) else value


def usage_by_run(session: Session, run_ids: Sequence[int], language: str) -> dict[int, RunUsage]:
    """Return usage by run id, over all answers of a run in any window; runs without answers have no entry."""
    speeds, lags = speeds_by_run(session, run_ids, language), store.lags(session, run_ids)
    beside_rates, chosen = (
        store.in_process_shares(session, run_ids),
        store.languages_chosen(session, run_ids) if language == ANY_LANGUAGE else {},
    )
    return {
        fact.run: _usage(
            fact,
            speeds.get(fact.run, Speed()),
            lags.get(fact.run),
            beside_rates.get(fact.run),
            chosen.get(fact.run, {}),
        )
        for fact in store.usage(session, run_ids)
    }


def costs_by_run(session: Session, run_ids: Sequence[int]) -> dict[int, RunUsage]:
    """Return tokens, seconds and cost by run id, as `usage_by_run` does, without what takes longer to read."""
    return {fact.run: _usage(fact, Speed(), None, None, {}) for fact in store.usage(session, run_ids)}


def speeds_by_run(session: Session, run_ids: Sequence[int], language: str) -> dict[int, Speed]:
    """Return speeds by run id, over all solved problems with a timed reference; none for runs without any."""
    return {
        speed.run: relative_speed(zip(speed.reference, speed.own, strict=True))
        for speed in store.speeds(session, run_ids, language)
    }


def _usage(
    fact: UsageFact, speed: Speed, lag_days: float | None, beside_rate: float | None, chosen: Mapping[str, int]
) -> RunUsage:
    def per_problem(total: float | None) -> float | None:
        return None if total is None else float(total) / fact.problems

    return RunUsage(
        tokens=Tokens(**{kind: per_problem(total) for kind, total in asdict(fact.tokens).items()}),
        seconds_per_problem=None if fact.latency_ms is None else fact.latency_ms / 1000 / fact.problems,
        cost_per_problem=None if fact.cost_usd is None else float(fact.cost_usd) / fact.problems,
        speed=speed,
        lag_days=lag_days,
        format_rate=None if fact.formatted is None else fact.formatted / fact.answers,
        beside_rate=beside_rate,
        languages=tuple((language, answers / fact.answers) for language, answers in chosen.items()),
    )
