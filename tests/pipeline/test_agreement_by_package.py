"""A package for a problem whose tests models agreed on: its rejudging judges kept answers, and the figure follows."""

from datetime import timedelta

import pytest
from pipeline.flow import NOW
from pipeline.rejudging import Desk, judge
from sqlalchemy import select, update

from app.db.tables import Problem, TestSet
from app.domain.judging.verdicts import Verdict
from app.domain.problems import TestsOrigin
from app.services.problems.suite_agreement import SuiteAgreement, suite_agreement
from app.services.rejudging import rejudge

LATER = NOW + timedelta(hours=1)
NOTHING = SuiteAgreement(0, 0, 0, 0, 0, None, None, None)


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """The first problem's tests are a consensus, by which every model was right."""
    of_first = select(Problem.current_test_set_id).where(Problem.external_id == "sum-0").scalar_subquery()
    desk.session.execute(
        update(TestSet).where(TestSet.id == of_first).values(origin=TestsOrigin.CONSENSUS, setters=["a", "b"])
    )
    return desk


def all_but_tern(model: str, _name: str) -> Verdict:
    return Verdict.WRONG_ANSWER if model == "tern" else Verdict.ACCEPTED


def test_the_answers_that_a_package_judges_again_are_compared(desk: Desk) -> None:
    made = desk.retest()
    assert suite_agreement(desk.session) == NOTHING, "nothing is judged by the package yet"
    rejudge.begin(desk.session, made, "let us see", "operator", NOW)
    assert judge(desk.session, all_but_tern, now=LATER) == 3
    assert rejudge.predict_all(desk.session, desk.cubes, LATER) == 1
    judged = suite_agreement(desk.session)
    assert (judged.agreed, judged.answers, judged.problems) == (2, 3, 1)
    assert (judged.wrongly_accepted, judged.wrongly_rejected) == (1, 0)
    desk.commit(made)
    assert suite_agreement(desk.session) == judged, "the figure outlives the consensus that it is about"


def test_a_dropped_rejudging_is_counted_too(desk: Desk) -> None:
    """Else dropping what speaks against a consensus would raise the figure."""
    made = desk.retest()
    rejudge.begin(desk.session, made, "let us see", "operator", NOW)
    judge(desk.session, all_but_tern, now=LATER)
    rejudge.predict_all(desk.session, desk.cubes, LATER)
    rejudge.drop(desk.session, made, "not now", "operator", LATER)
    assert suite_agreement(desk.session).answers == 3
