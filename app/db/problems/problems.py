"""Problems, versions, test sets, programs: writing facts once, reading what is current."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, func, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.problems.texts import read_entry
from app.db.tables import Contest, Problem, ProblemAlias, ProblemVersion, Program, ProgramKind, Proof, Source, TestSet
from app.db.tables import TestRow as Tests
from app.domain.judging.speed import judged_limits
from app.domain.problems import (
    Checker,
    CheckerKind,
    Form,
    Interactor,
    ProblemSpec,
    Test,
    TestsOrigin,
    judged_by,
    tests_sha256,
)
from app.domain.publishing.holds import UNSENT
from app.domain.publishing.origins import Origin
from app.domain.sources.flags import Word, heard, in_force
from app.domain.states import PROBLEM_MOVES, ProblemState, check_move
from app.domain.unittests.reference import BESIDE, settled


def sha256_of(text: str) -> str:
    """Hex digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def source_by_slug(session: Session, slug: str) -> Source | None:
    """The source of that name."""
    return session.scalar(select(Source).where(Source.slug == slug))


def upsert_source(session: Session, slug: str, values: Mapping[str, Any]) -> Source:
    """The source of that name, made with `values` when it is new; an operator's later settings stay."""
    known = source_by_slug(session, slug)
    if known is None:
        session.execute(insert(Source).values(slug=slug, **values).on_conflict_do_nothing())
        known = source_by_slug(session, slug)
        assert known is not None  # it was there, or is now
    return known


def find(session: Session, source_id: int, key: str) -> Problem | None:
    """A problem by its external id or an alias, locked for the change that follows."""
    problem = session.scalar(
        select(Problem).where(Problem.source_id == source_id, Problem.external_id == key).with_for_update()
    )
    if problem is not None:
        return problem
    return session.scalar(
        select(Problem)
        .join(ProblemAlias, ProblemAlias.problem_id == Problem.id)
        .where(ProblemAlias.source_id == source_id, ProblemAlias.alias == key)
        .with_for_update(of=Problem)
    )


def names_of(session: Session, problem_ids: Collection[int]) -> dict[int, tuple[str, str]]:
    """The source's slug and its own name of each problem."""
    query = select(Problem.id, Source.slug, Problem.external_id).join(Source, Source.id == Problem.source_id)
    rows = session.execute(query.where(Problem.id.in_(problem_ids)))
    return {problem_id: (source, name) for problem_id, source, name in rows}


def namesakes(session: Session, contest: Contest, title: str) -> list[tuple[Problem, str]]:
    """Problems of that title in other contests of the source that began when this one did, each with its contest's
    title, locked."""
    rows = session.execute(
        select(Problem, Contest.title)
        .join(Contest, Contest.id == Problem.contest_id)
        .where(
            Problem.source_id == contest.source_id,
            Problem.title == title,
            Contest.starts_at == contest.starts_at,
            Contest.id != contest.id,
        )
        .order_by(Problem.id)
        .with_for_update(of=Problem)
    )
    return [(problem, name) for problem, name in rows]


def waiting_problems(session: Session) -> list[tuple[Problem, tuple[object, ...]]]:
    """Problems found but neither published nor held yet, each with what it is decided by.

    One that was held because models might not be asked is undecided once they may. `get` finds the text, the tests, the
    contest and the source of each without asking for them, for as long as these are kept.
    """
    undecided = Problem.state.in_((ProblemState.FOUND, ProblemState.CHECKED))
    again = and_(Problem.state == ProblemState.HELD, Problem.hold_reason == UNSENT, Source.send_statements)
    rows = session.execute(
        select(Problem, ProblemVersion, TestSet, Contest, Source)
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .outerjoin(TestSet, TestSet.id == Problem.current_test_set_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .where(undecided | again)
        .order_by(Problem.id)
    )
    return [(problem, tuple(beside)) for problem, *beside in rows]


def locked_unless_taken(session: Session, problem_id: int) -> Problem | None:
    """A problem, locked for the change that follows; None where another transaction holds it."""
    asked = select(Problem).where(Problem.id == problem_id).execution_options(populate_existing=True)
    return session.scalar(asked.with_for_update(skip_locked=True, key_share=True))


def locked(session: Session, problem_id: int) -> Problem:
    """A problem, locked for the change that follows. Answers to it may be planned meanwhile: its key stays."""
    return session.get_one(Problem, problem_id, with_for_update={"key_share": True}, populate_existing=True)


def lock_tests(session: Session, version_id: int) -> int | None:
    """The current test set of a version's problem, which stays so until the transaction ends."""
    return session.scalar(
        select(Problem.current_test_set_id)
        .join(ProblemVersion, ProblemVersion.problem_id == Problem.id)
        .where(ProblemVersion.id == version_id)
        .with_for_update(read=True, of=Problem)
    )


def canaries(session: Session) -> list[Problem]:
    """The problems no program can pass."""
    return list(session.scalars(select(Problem).where(Problem.canary)))


def add_problem(
    session: Session, source_id: int, external_id: str, title: str, state: ProblemState, origin: Origin
) -> Problem:
    """A new problem in its first state; where another worker made it meanwhile, that one."""
    new = insert(Problem).values(
        source_id=source_id, external_id=external_id, title=title, state=state, named_by=origin
    )
    made = session.scalar(new.on_conflict_do_nothing().returning(Problem))
    problem = made or find(session, source_id, external_id)
    assert problem is not None  # it was there, or is now
    return problem


def add_alias(session: Session, source_id: int, alias: str, problem_id: int) -> None:
    """Another name for a problem; a name already given stays where it is."""
    session.execute(
        insert(ProblemAlias).values(source_id=source_id, alias=alias, problem_id=problem_id).on_conflict_do_nothing()
    )


def move(session: Session, problem: Problem, new: ProblemState, *, hold_reason: str | None = None) -> None:
    """Change a problem's state by compare-and-set. Raises Conflict on a forbidden move."""
    old = ProblemState(problem.state)
    check_move(PROBLEM_MOVES, old, new)
    session.flush()
    moved = session.scalar(
        update(Problem)
        .where(Problem.id == problem.id, Problem.state == old)
        .values(state=new, hold_reason=hold_reason)
        .returning(Problem)
        # To synchronise would look at every row this session has seen.
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    if moved is None:
        session.refresh(problem)


def names(problem: Problem, origin: Origin) -> bool:
    """Whether a title and tags of this origin are the problem's; from then on those of a lower one are not."""
    if Origin(problem.named_by).rank > origin.rank:
        return False
    problem.named_by = origin
    return True


def hear(problem: Problem, word: Word) -> bool:
    """Take a page's word of a problem's flags; True when they are others now."""
    words = heard(map(Word.stored, problem.flag_words or ()), word)
    stored_words, flags = [word.as_json() for word in words], in_force(words)
    if stored_words != problem.flag_words:
        problem.flag_words = stored_words
    changed = flags != sorted(problem.flags or ())
    if changed:
        problem.flags = flags
    return changed


def date_by(session: Session, problem: Problem, instant: datetime | None, reason: str, now: datetime) -> None:
    """Date a problem by an instant at which it was out, if it is the earliest known.

    Sources that know a time disagree by hours with sources that know a day; the earliest instant is kept, because a
    problem cannot have been fresh after it was first out. Boards follow, and of a published problem the ledger says so.
    """
    old = problem.released_on
    if instant is None or (old is not None and old <= instant):
        return
    problem.released_on = instant
    if old is None:
        return
    revision.axes_changed(session)
    if problem.state == ProblemState.PUBLISHED and not problem.canary:
        source = session.get_one(Source, problem.source_id)
        subject = f"{source.slug}/{problem.external_id}"
        logs.ledger(session, now, "problem.redated", subject, reason, old.isoformat(), instant.isoformat())


class Catalogued(NamedTuple):
    """A problem that is known by name and date only."""

    external_id: str
    title: str
    released_on: datetime | None


def catalogue(session: Session, source_id: int, entries: Sequence[Catalogued]) -> dict[str, int]:
    """The id of each of these problems, by external id; those that are new are made as catalogued.

    One that is here already, under its id or an alias, keeps what is known of it; a date is set where there is
    none, and while it is no more than catalogued, an earlier date takes the place of a later one.
    """
    if not entries:
        return {}
    names = [entry.external_id for entry in entries]
    aliased = select(ProblemAlias.alias, ProblemAlias.problem_id).where(
        ProblemAlias.source_id == source_id, ProblemAlias.alias.in_(names)
    )
    ids_by_alias = _pairs(session, aliased)
    fresh = [
        {**entry._asdict(), "source_id": source_id, "state": ProblemState.CATALOGUED}
        for entry in entries
        if entry.external_id not in ids_by_alias
    ]
    if fresh:
        new = insert(Problem)
        later = (Problem.state == ProblemState.CATALOGUED) & (new.excluded.released_on < Problem.released_on)
        session.execute(
            new.on_conflict_do_update(
                index_elements=["source_id", "external_id"],
                set_={"released_on": new.excluded.released_on},
                where=Problem.released_on.is_(None) | later,
            ),
            fresh,
        )
    ids = select(Problem.external_id, Problem.id).where(Problem.source_id == source_id, Problem.external_id.in_(names))
    return ids_by_alias | _pairs(session, ids)


def _pairs(session: Session, statement: Select[str, int]) -> dict[str, int]:
    return {row[0]: row[1] for row in session.execute(statement)}


def _vouch(session: Session, known: TestSet, values: Mapping[str, Any]) -> None:
    ranks = list(TestsOrigin)
    if ranks.index(TestsOrigin(values["origin"])) < ranks.index(TestsOrigin(known.origin)):
        known.origin, known.setters, known.vendors = values["origin"], [], []
        known.brought_by = values["brought_by"]
        session.flush()
        revision.axes_changed(session)


def add_test_set(session: Session, problem_id: int, spec: ProblemSpec, values: Mapping[str, Any]) -> tuple[int, bool]:
    """(id, whether it is new) of the test set by which `spec` judges; its tests are written with it.

    The same tests from a surer origin are of that origin from then on.
    """
    digest, checker = tests_sha256(spec), asdict(spec.checker)
    test_set_id = session.scalar(
        insert(TestSet)
        .values(
            problem_id=problem_id,
            tests_sha256=digest,
            checker_kind=checker.pop("kind"),
            checker={key: value for key, value in checker.items() if value is not None},
            **({"interactor": asdict(spec.interactor)} if spec.interactor else {}),
            **values,
        )
        .on_conflict_do_nothing()
        .returning(TestSet.id)
    )
    if test_set_id is None:
        known = session.scalars(
            select(TestSet).where(TestSet.problem_id == problem_id, TestSet.tests_sha256 == digest)
        ).one()
        _vouch(session, known, values)
        return known.id, False
    encode = str if spec.form is Form.STDIN else _json
    session.execute(
        insert(Tests),
        [
            {
                "test_set_id": test_set_id,
                "ordinal": ordinal,
                "input": encode(test.input),
                "expected": encode(test.expected),
                "visible": test.visible,
            }
            for ordinal, test in enumerate(spec.tests)
        ],
    )
    return int(test_set_id), True


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def add_programs(session: Session, problem_id: int, programs: Iterable[Mapping[str, Any]]) -> bool:
    """References and known-wrong programs, each once, in this order; returns whether any is new."""
    rows = [{"problem_id": problem_id, **values} for values in programs]
    if not rows:
        return False
    made = insert(Program).on_conflict_do_nothing().returning(Program.id)
    return session.scalars(made, rows).first() is not None


def programs(session: Session, problem_id: int) -> list[Program]:
    """The programs that prove a problem's tests."""
    proving = Program.kind != ProgramKind.VALIDATOR
    return list(session.scalars(select(Program).where(Program.problem_id == problem_id, proving).order_by(Program.id)))


def short_tests(session: Session, test_set_id: int, form: Form, longest: int) -> tuple[Test, ...]:
    """The tests of a set that are at most `longest` characters long, in order."""
    decode = str if form is Form.STDIN else json.loads
    length = func.length(Tests.input) + func.length(Tests.expected)
    rows = session.execute(
        select(Tests.input, Tests.expected, Tests.visible)
        .where(Tests.test_set_id == test_set_id, length <= longest)
        .order_by(Tests.ordinal)
    )
    return tuple(Test(decode(row.input), decode(row.expected), row.visible) for row in rows)


def problem_spec(session: Session, test_set_id: int, version_id: int) -> ProblemSpec:
    """Everything the judge needs: the limits and entry of a version, the tests of a set."""
    test_set = session.get_one(TestSet, test_set_id)
    version = session.get_one(ProblemVersion, version_id)
    form = Form(version.form)
    decode = str if form is Form.STDIN else json.loads
    rows = session.execute(
        select(Tests.input, Tests.expected, Tests.visible)
        .where(Tests.test_set_id == test_set_id)
        .order_by(Tests.ordinal)
    )
    tests = tuple(Test(decode(row.input), decode(row.expected), row.visible) for row in rows)
    return ProblemSpec(
        id=str(version.problem_id),
        form=form,
        tests=settled(tests, test_set.proof_detail.get(BESIDE) or {}),
        limits=judged_limits(
            judged_by(version.time_ms, version.memory_mb, version.output_kb), form, test_set.proof_detail
        ),
        checker=checker_of(test_set),
        entry=read_entry(version.entry),
        interactor=_interactor(test_set.interactor),
        proven=test_set.proof in (Proof.PROVEN, Proof.SHIPPED, Proof.UNPROVEN),
    )


def checker_of(test_set: TestSet) -> Checker:
    """How the answers to a test set are compared."""
    return Checker(CheckerKind(test_set.checker_kind), **test_set.checker)


def _interactor(data: Mapping[str, Any] | None) -> Interactor | None:
    return None if data is None else Interactor(**{**data, "protocol": CheckerKind(data["protocol"])})


def tagged(session: Session, problem_ids: Collection[int], tag: str) -> frozenset[int]:
    """Which of these problems bear a tag of their source."""
    found = session.scalars(select(Problem.id).where(Problem.id.in_(problem_ids), Problem.tags.contains([tag])))
    return frozenset(found)
