"""Waiting until the data that a verb stored shows on the board."""

import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from app.db.kernel import revision as board_state
from app.db.kernel.session import Session
from app.db.runs import due_work
from app.db.runs.import_backlog import ImportBacklog, import_backlog
from app.db.runs.runs import protocols_of_runs
from app.services.evidence import reports
from app.services.rejudging.views import Proposal
from app.services.runs import plan
from workers import tasks, upkeep
from workers.context import Context, now

# After this long without progress the verb stops waiting; the rows stay due, and the sweep continues the work.
QUIET_S = 60.0
REPORT_S = 300.0  # the longest wait for one report


@dataclass(frozen=True, slots=True)
class _Progress:
    """The work that a verb waits for, and all due work: that of others may have to be judged first."""

    own: ImportBacklog
    due: due_work.DueWork

    @property
    def is_done(self) -> bool:
        return not (self.own.proofs or self.own.judging or self.own.dirty)


def wait_for_board(
    ctx: Context,
    *,
    running: bool,
    runs: Collection[int] = (),
    test_sets: Collection[int] = (),
    of_people: bool = False,
) -> None:
    """Wait until these runs and test sets are processed, and the reports over their protocols are made.

    A running `up` does the work; without one it is done here. `of_people` also waits for the reports over people's
    ratings. Other due work is not waited for.
    """

    def progress() -> _Progress:
        return ctx.commit(_progress, runs, test_sets)

    judged = bool(progress().own.judging)
    if running:
        is_shown = _wait_for_up(ctx, progress)
    else:
        is_shown = True
        _work_here(ctx, progress)
    if judged:  # reports made meanwhile lack the last verdicts
        ctx.commit(_request_reports, runs)
    if is_shown:
        _wait_for_reports(ctx, runs, running=running, of_people=of_people)


def _wait_for_up(ctx: Context, progress: Callable[[], _Progress]) -> bool:
    """Wait for a running `up` and return True if it finished."""
    for task in ("plan", "prove", "grade", "aggregate"):
        ctx.wake(task)
    last, since = None, time.monotonic()
    while not (rest := progress()).is_done:
        if rest != last:
            if last is None or rest.own != last.own:
                _print_rest(rest.own)
            last, since = rest, time.monotonic()
        elif time.monotonic() - since > QUIET_S:
            print("tidemark: no progress for a minute; see `tidemark status`", file=sys.stderr)
            return False
        ctx.wake("sweep")
        time.sleep(1.0)
    return True


def _wait_for_reports(ctx: Context, runs: Collection[int], *, running: bool, of_people: bool) -> None:
    """Wait until the reports over these runs' protocols, and over people's ratings, include the stored data."""
    if running:
        ctx.wake("report")
    else:
        upkeep.make_reports()
    before, since = None, time.monotonic()
    while left := ctx.commit(_reports_wanted, runs, of_people=of_people):
        if left != before:
            before, since = left, time.monotonic()
        elif not running or time.monotonic() - since > REPORT_S:
            print("tidemark: a report is not ready yet; see `tidemark status`", file=sys.stderr)
            return
        if running:
            time.sleep(0.5)
        else:
            upkeep.make_reports()  # one call is limited in time and may leave work


def _request_reports(session: Session, runs: Collection[int]) -> None:
    board_state.request_reports(session, protocols_of_runs(session, runs))


def _reports_wanted(session: Session, runs: Collection[int], *, of_people: bool) -> int:
    return reports.count_wanted(session, now(), protocols_of_runs(session, runs), of_people=of_people)


def _progress(session: Session, runs: Collection[int], test_sets: Collection[int]) -> _Progress:
    return _Progress(import_backlog(session, runs, test_sets), plan.find_due_work(session, now()))


def describe_proposal(proposal: Proposal) -> str:
    """Return one line that says why new tests are not in use yet."""
    return (
        f"rejudging {proposal.id} is {proposal.state}: {proposal.problem} keeps its tests until a maintainer decides "
        f"on {proposal.where} that test set {proposal.test_set} replaces them"
    )


def _work_here(ctx: Context, progress: Callable[[], _Progress]) -> None:
    """Run the task bodies in this process until all is done or nothing more can be done."""
    ctx.commit(plan.plan_samples, now(), ctx.settings.consensus_bounds())
    while True:
        before = progress()
        if before.own.proofs:
            tasks.prove_tests()
        if before.own.judging:
            tasks.grade_answers()
        tasks.aggregate()
        after = progress()
        if after.is_done or after == before:
            return


def _print_rest(rest: ImportBacklog) -> None:
    parts = ((rest.proofs, "test sets to prove"), (rest.judging, "answers to judge"), (rest.dirty, "cells to count"))
    print(f"tidemark: {', '.join(f'{count} {what}' for count, what in parts if count)}", file=sys.stderr)
