"""Waiting until what a verb stored shows on the board."""

import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from app.db.kernel import revision as board_state
from app.db.kernel.session import Session
from app.db.runs import wanted
from app.db.runs.awaited import Awaited, awaited
from app.db.runs.runs import protocols_of_runs
from app.services.evidence import reports
from app.services.rejudging.views import Proposal
from app.services.runs import plan
from workers import tasks, upkeep
from workers.context import Context, now

# With no progress for this long, waiting longer helps nobody: the rows stay due and the sweep goes on.
QUIET_S = 60.0
REPORT_S = 300.0  # that one report may take before it is no longer waited for


@dataclass(frozen=True, slots=True)
class _Progress:
    """What a verb waits for, and what is due at all: others may have to be judged before it."""

    own: Awaited
    due: wanted.Due

    @property
    def done(self) -> bool:
        return not (self.own.proofs or self.own.judging or self.own.dirty)


def settle(
    ctx: Context,
    *,
    running: bool,
    runs: Collection[int] = (),
    test_sets: Collection[int] = (),
    of_people: bool = False,
) -> None:
    """Wait for a running `up` to work off these runs and test sets and the reports over their protocols, and of
    ratings `of_people`, or, without one, do that work here.

    What else is due, of other runs and problems, is not waited for.
    """

    def progress() -> _Progress:
        return ctx.commit(_progress, runs, test_sets)

    judged = bool(progress().own.judging)
    if running:
        is_shown = _wait(ctx, progress)
    else:
        is_shown = True
        _work(ctx, progress)
    if judged:  # reports that were made meanwhile are without the last verdicts
        ctx.commit(_ask_again, runs)
    if is_shown:
        _wait_for_reports(ctx, runs, running=running, of_people=of_people)


def _wait(ctx: Context, progress: Callable[[], _Progress]) -> bool:
    """Wait for a running `up` to do it; return whether it did."""
    for task in ("plan", "prove", "grade", "aggregate"):
        ctx.wake(task)
    last, since = None, time.monotonic()
    while not (rest := progress()).done:
        if rest != last:
            if last is None or rest.own != last.own:
                _say(rest.own)
            last, since = rest, time.monotonic()
        elif time.monotonic() - since > QUIET_S:
            print("tidemark: no progress for a minute; see `tidemark status`", file=sys.stderr)
            return False
        ctx.wake("sweep")
        time.sleep(1.0)
    return True


def _wait_for_reports(ctx: Context, runs: Collection[int], *, running: bool, of_people: bool) -> None:
    """Wait until the reports over the protocols of these runs, and of people's ratings, have what was stored."""
    if running:
        ctx.wake("report")
    else:
        upkeep.make_reports()
    before, since = None, time.monotonic()
    while left := ctx.commit(_reports_wanted, runs, of_people=of_people):
        if left != before:
            before, since = left, time.monotonic()
        elif not running or time.monotonic() - since > REPORT_S:
            print("tidemark: a report is not made yet; see `tidemark status`", file=sys.stderr)
            return
        if running:
            time.sleep(0.5)
        else:
            upkeep.make_reports()  # a turn has its time, and may end before its work


def _ask_again(session: Session, runs: Collection[int]) -> None:
    board_state.ask_reports(session, protocols_of_runs(session, runs))


def _reports_wanted(session: Session, runs: Collection[int], *, of_people: bool) -> int:
    return reports.wanted(session, now(), protocols_of_runs(session, runs), of_people=of_people)


def _progress(session: Session, runs: Collection[int], test_sets: Collection[int]) -> _Progress:
    return _Progress(awaited(session, runs, test_sets), plan.due(session, now()))


def told_proposal(proposal: Proposal) -> str:
    """Why new tests are not in use yet, in one line."""
    return (
        f"rejudging {proposal.id} is {proposal.state}: {proposal.problem} keeps its tests until a maintainer decides "
        f"on {proposal.where} that test set {proposal.test_set} replaces them"
    )


def _work(ctx: Context, progress: Callable[[], _Progress]) -> None:
    """Run the tasks' own bodies in this process until it is done or nothing can be done."""
    ctx.commit(plan.plan, now(), ctx.settings.setting_bounds())
    while True:
        before = progress()
        if before.own.proofs:
            tasks.prove_tests()
        if before.own.judging:
            tasks.grade_answers()
        tasks.aggregate()
        after = progress()
        if after.done or after == before:
            return


def _say(rest: Awaited) -> None:
    parts = ((rest.proofs, "test sets to prove"), (rest.judging, "answers to judge"), (rest.dirty, "cells to count"))
    print(f"tidemark: {', '.join(f'{count} {what}' for count, what in parts if count)}", file=sys.stderr)
