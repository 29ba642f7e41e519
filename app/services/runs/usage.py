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
    return {each.run: _usage(each, speeds.get(each.run, Speed())) for each in cells.usage(session, run_ids)}


def speeds_of(session: Session, run_ids: Sequence[int], language: str) -> dict[int, Speed]:
    """By run id, over all problems solved; runs that solved none whose reference was timed have no entry."""
    return {
        speed.run: relative_speed(zip(speed.reference, speed.own, strict=True))
        for speed in store.speeds(session, run_ids, language)
    }


def _usage(found: UsageFact, speed: Speed) -> RunUsage:
    def each(total: float | None) -> float | None:
        return None if total is None else float(total) / found.problems

    return RunUsage(
        tokens=Tokens(each(found.input), each(found.cached), each(found.reasoning), each(found.answer)),
        seconds_per_problem=None if found.latency_ms is None else found.latency_ms / 1000 / found.problems,
        cost_per_problem=None if found.cost_usd is None else float(found.cost_usd) / found.problems,
        speed=speed,
    )
