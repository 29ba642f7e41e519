"""A small board whose answers are judged again: claims and records as the task does, with a test's own verdicts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.flow import LANGUAGES, LEASE, NOW, answer_all, result, standing
from sqlalchemy import select
from support.batches import batch, problem, sum_tests

from app.db.kernel.session import Session
from app.db.tables import Model, Problem, Rejudging, Run, Sample, VerdictRow
from app.domain.boards.board import Board, BoardQuery
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.rejudging.scope import RejudgingScope, ScopeKind
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.rejudging import grading_queue, rejudge
from app.services.runs import cell_updates, imports

Says = Callable[[str, str], Verdict]  # of a model's answer to a problem

# By model: how many of the four problems were accepted at first.
FIRST = {"orion": 3, "tern": 2, "pipit": 1}
REVISION = "2.python-3.11.2.0123abcd"


def judged_board(session: Session) -> None:
    """Four problems and three models with different scores, counted."""
    imports.store_batch(session, batch(*(problem(number) for number in range(4))), NOW)
    standing(session, *FIRST)
    answer_all(session)
    judge(session, lambda model, name: _as(int(name[-1]) < FIRST[model]), again=False)
    count(session)


def _as(accepted: bool) -> Verdict:  # one word or the other
    return Verdict.ACCEPTED if accepted else Verdict.WRONG_ANSWER


def count(session: Session) -> None:
    while cell_updates.update_changed_cells(session):
        pass


def judge(session: Session, says: Says, *, again: bool = True, now: datetime = NOW, limit: int = 1000) -> int:
    """Judge what waits, fresh or kept, as the task does; returns how many answers that were."""
    done = 0
    while done < limit:
        job = grading_queue.claim(session, now, LEASE, LANGUAGES)
        if job is None:
            break
        assert (job.rejudging_id is not None) is again
        assert grading_queue.record(session, job, graded(says(*named(session, job.sample_id))), now)
        done += 1
    return done


def graded(verdict: Verdict, revision: str = REVISION) -> GradeResult:
    return replace(result(verdict), grader_revision=revision)


def named(session: Session, sample_id: int) -> tuple[str, str]:
    """The model and the problem of an answer."""
    row = session.execute(
        select(Model.slug, Problem.external_id)
        .join(Run, Run.model_id == Model.id)
        .join(Sample, Sample.run_id == Run.id)
        .join(Problem, Problem.id == Sample.problem_id)
        .where(Sample.id == sample_id)
    ).one()
    return row[0], row[1]


def sum_zero_was_wrong(model: str, name: str) -> Verdict:
    """The mended tests of the first problem: only the weakest model is right on it."""
    assert name == "sum-0"
    return _as(model == "pipit")


@dataclass
class Desk:
    """One rejudging over a session, its cubes in a folder."""

    session: Session
    folder: Path

    @property
    def cubes(self) -> CubeStore:
        """A store of a process that has just begun."""
        return CubeStore(self.folder)

    def begun(self, kind: str = "problem", name: str = "house/sum-0") -> int:
        """A rejudging under way."""
        made = rejudge.propose(
            self.session, RejudgingScope(ScopeKind(kind), name), "its tests were mended", "operator", NOW
        )
        rejudge.begin(self.session, made, "now", "operator", NOW)
        return made

    def predicted(self, says: Says = sum_zero_was_wrong) -> Rejudging:
        """A rejudging with its prediction."""
        made = self.begun()
        judge(self.session, says)
        assert rejudge.predict_all(self.session, self.cubes, NOW) == 1
        return self.row(made)

    def retest(self, number: int = 0, tests: int = 5) -> int:
        """Import the number-th problem with other tests; the rejudging that is proposed for it."""
        imports.store_batch(self.session, batch(replace(problem(number), tests=sum_tests(tests))), NOW)
        return max(self.session.scalars(select(Rejudging.id).where(Rejudging.state == "proposed")))

    def retested(self, says: Says, number: int = 0, tests: int = 5) -> Rejudging:
        """The same, judged and predicted."""
        made = self.retest(number, tests)
        rejudge.begin(self.session, made, "let us see", "operator", NOW)
        judge(self.session, says)
        assert rejudge.predict_all(self.session, self.cubes, NOW) == 1
        return self.row(made)

    def row(self, rejudging_id: int) -> Rejudging:
        """As it is stored."""
        self.session.flush()
        self.session.expire_all()
        return self.session.get_one(Rejudging, rejudging_id)

    def words(self, rejudging_id: int) -> str:
        """What is to be typed."""
        return rejudge.demand(self.session, self.row(rejudging_id)).words

    def commit(self, rejudging_id: int, confirm: str | None = None) -> Mapping[str, Any]:
        """Commit it, typing the words unless others are given."""
        typed = self.words(rejudging_id) if confirm is None else confirm
        return rejudge.commit(self.session, self.cubes, rejudging_id, "agreed", "operator", NOW, typed)

    def board(self) -> Board:
        """The board anyone sees."""
        return board_views.board(self.session, BoardQuery(), self.cubes)

    def standing(self) -> dict[str, tuple[int | None, float | None]]:
        """(rank, score) by model."""
        return {row.model: (row.rank, row.score) for row in self.board().rows}

    def verdicts(self) -> list[tuple[int, str, bool, int | None]]:
        """Every verdict as it is stored."""
        self.session.flush()
        self.session.expire_all()
        rows = self.session.scalars(select(VerdictRow).order_by(VerdictRow.id))
        return [(row.sample_id, row.verdict, row.counts, row.rejudging_id) for row in rows]


def side(row: Mapping[str, Any], name: str) -> tuple[int | None, float | None]:
    """(rank, score) of one side of a move."""
    return row[name]["rank"], row[name]["score"]
