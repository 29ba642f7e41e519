"""A problem of a site that has no tests, setters of it whose answers a test gives, and ranked models."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from factories import World
from pipeline.flow import LEASE, NOW, VAULT, completion, offer, waiting
from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.tables import ConsensusRow, Problem, ProblemVersion, Sample
from app.domain.asking.completions import AnsweredSample, InferenceRequest
from app.domain.asking.protocols import FRESH
from app.domain.consensus.prompts import setter_tasks
from app.domain.problems import Form
from app.domain.states import ProblemState
from app.services.problems import publishing
from app.services.runs import inference, plan
from app.services.runs.consensus import setters
from app.services.runs.consensus.setters import NewSetter
from app.services.runs.control.endpoints import NewEndpoint
from support.setters import KADANE, PROBLEM, TITLE, answers, fenced

Says = Callable[[InferenceRequest], str | None]


def fresh(
    session: Session, name: str = "best", day: date = date(2026, 10, 31), source: str = "atcoder",
    world: World | None = None,
) -> Problem:  # fmt: skip
    """A problem of a contest that is over, with samples and no tests, as a visit leaves it."""
    problem = (world or World(session, now=NOW)).problem(
        name, day=day, source=source, contest="abc1", title=TITLE, state=ProblemState.FOUND,
        statement="Print the greatest sum of neighbours.",
    )  # fmt: skip
    problem.current_test_set_id = None
    version = session.get_one(ProblemVersion, problem.current_version_id)
    version.examples = [{"input": test.input, "expected": test.expected} for test in PROBLEM.tests]
    version.time_ms = 400
    session.flush()
    return problem


def add_setter(session: Session, name: str, vendor: str, now: datetime = NOW) -> None:
    """A setter at an endpoint that nobody calls here."""
    endpoint = NewEndpoint(name, "openai_chat", name, "http://127.0.0.1:9/v1")
    setters.add(session, NewSetter(name, vendor, endpoint, "a test"), now, VAULT, lambda *_: None)


def ranked(session: Session, slug: str, organisation: str) -> None:
    """A model with a standing run over fresh problems."""
    model = offer(slug)
    plan.register_demo(session, (replace(model, model=replace(model.model, organisation=organisation)),), FRESH, NOW)


def settle(session: Session, problem: Problem, now: datetime = NOW) -> str:
    """What becomes of a problem, and what is planned of it."""
    publishing.update_state(session, problem, now)
    plan.plan_samples(session, now)
    return str(problem.state)


def says(vendor: str, **changes: str | None) -> Says:
    """What a good setter says to each item; `changes` as in `support.setters.answers`."""
    texts = {(answer.answer_id.role, answer.answer_id.ordinal): answer.text for answer in answers(vendor, **changes)}

    def say(request: InferenceRequest) -> str | None:
        assert request.subject is not None
        return texts.get(setter_tasks(Form.STDIN)[request.subject.item])

    return say


def asked(
    session: Session, says: Callable[[str], Says] | None = None,
    now: datetime = NOW, only: str = "",
) -> list[str]:  # fmt: skip
    """Ask every endpoint that is due for its next samples, `only` those of this name; whom was asked what.

    Setters answer what `says` gives for their remote name, an empty text where that is None; ranked models a program.
    """
    found = []
    for endpoint_id in waiting(session, now):
        work = inference.open_slice(session, endpoint_id, now, LEASE, VAULT)
        if work is None:
            continue
        name, outcomes = work.endpoint.remote_name, []
        for sample_id, request in work.requests.items():
            assert request.subject is not None
            found.append(f"{name} {request.subject.scenario} {request.subject.item}")
            text = fenced(KADANE) if request.subject.scenario == "codegen" else says(name)(request) if says else None
            if not only or only == name:
                outcomes.append(AnsweredSample(sample_id, completion(text or "nothing")))
        inference.record_all(session, work, outcomes, now)
        inference.close_slice(session, work)
    session.expire_all()
    return sorted(found)


def setting_of(session: Session, problem: Problem) -> ConsensusRow:
    """The making of a problem's tests."""
    return session.scalars(select(ConsensusRow).where(ConsensusRow.problem_id == problem.id)).one()


def samples_of(session: Session, problem: Problem) -> list[Sample]:
    """Every sample of a problem, whoever is asked."""
    return list(session.scalars(select(Sample).where(Sample.problem_id == problem.id).order_by(Sample.id)))


MINUTE = timedelta(minutes=1)
