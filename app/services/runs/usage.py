"""What answers took: tokens, time and money per problem, and how fast accepted programs are beside the reference's."""

from collections.abc import Mapping, Sequence

from app.db.boards import cells
from app.db.boards.cells import UsageFact
from app.db.kernel.session import Session
from app.db.runs import speeds as store
from app.domain.boards.board import RunUsage, Tokens
from app.domain.judging.speed import Speed, relative_speed


def of_runs(session: Session, run_ids: Sequence[int], speeds: Mapping[int, Speed]) -> dict[int, RunUsage]:
    """By run id, over all answers of a run, whatever window a board shows; runs without answers have no entry."""
    return {fact.run: _usage(fact, speeds.get(fact.run, Speed())) for fact in cells.usage(session, run_ids)}


def speeds_of(session: Session, run_ids: Sequence[int], language: str) -> dict[int, Speed]:
    """By run id, over all problems solved; runs that solved none whose reference was timed have no entry."""
    return {
        speed.run: relative_speed(zip(speed.reference, speed.own, strict=True))
        for speed in store.speeds(session, run_ids, language)
    }


def _usage(fact: UsageFact, speed: Speed) -> RunUsage:
    def per_problem(total: float | None) -> float | None:
        return None if total is None else float(total) / fact.problems

    return RunUsage(
        tokens=Tokens(
            per_problem(fact.input), per_problem(fact.cached), per_problem(fact.reasoning), per_problem(fact.answer)
        ),
        seconds_per_problem=None if fact.latency_ms is None else fact.latency_ms / 1000 / fact.problems,
        cost_per_problem=None if fact.cost_usd is None else float(fact.cost_usd) / fact.problems,
        speed=speed,
    )
