"""Waiting until what a verb stored shows on the board."""

import sys
import time

from app.db.runs import samples
from app.services.rejudging.views import Proposal
from app.services.runs import plan
from workers import tasks
from workers.context import Context, now

# With no progress for this long, waiting longer helps nobody: the rows stay due and the sweep goes on.
QUIET_S = 60.0


def settle(ctx: Context, *, running: bool) -> None:
    """Wait for a running `up` to work off what is due, or, without one, do that work here."""
    if not running:
        _work(ctx)
        tasks.make_reports()
        return
    for task in ("plan", "prove", "grade", "aggregate"):
        ctx.wake(task)
    last, since = None, time.monotonic()
    while True:
        due = ctx.commit(plan.due, now())
        left = (due.proofs, due.judging, due.dirty)
        if not any(left):
            ctx.wake("report")
            return
        if left != last:
            last, since = left, time.monotonic()
            _say(due)
        elif time.monotonic() - since > QUIET_S:
            print("tidemark: nothing moved for a minute; see `tidemark status`", file=sys.stderr)
            return
        ctx.wake("sweep")
        time.sleep(1.0)


def told_proposal(proposal: Proposal) -> str:
    """What a person is to know whose tests were not put in use, in one line."""
    return (
        f"rejudging {proposal.id} is {proposal.state}: {proposal.problem} keeps its tests until it is decided on "
        f"{proposal.where} that test set {proposal.test_set} takes their place"
    )


def _work(ctx: Context) -> None:
    """Run the tasks' own bodies in this process until nothing is due or nothing can be done."""
    ctx.commit(plan.plan, now())
    while True:
        before = ctx.commit(plan.due, now())
        if before.proofs:
            tasks.prove_tests()
        if before.grading:
            tasks.grade_answers()
        tasks.aggregate()
        after = ctx.commit(plan.due, now())
        if (after.proofs, after.grading) == (0, 0) or (after.proofs, after.grading) == (before.proofs, before.grading):
            return


def _say(due: samples.Due) -> None:
    parts = ((due.proofs, "test sets to prove"), (due.judging, "answers to judge"), (due.dirty, "cells to count"))
    print(f"tidemark: {', '.join(f'{count} {what}' for count, what in parts if count)}", file=sys.stderr)
