"""Problems, test sets and programs: storing facts once, reading what is current."""

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
from app.db.tables import (
    Contest,
    Problem,
    ProblemAlias,
    ProblemVersion,
    ProgramKind,
    ProgramRow,
    ProofState,
    Source,
    TestSet,
)
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
    effective_limits,
    tests_sha256,
)
from app.domain.publishing.holds import UNSENT_REASON
from app.domain.publishing.origins import Origin
from app.domain.sources.flags import FlagReport, add_report, current_flags
from app.domain.states import PROBLEM_MOVES, ProblemState, check_move
from app.domain.unittests.reference import BESIDE_KEY, mark_beside


def sha256_of(text: str) -> str:
    """Return the hex digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def source_by_slug(session: Session, slug: str) -> Source | None:
    """Return the source with that slug."""
    return session.scalar(select(Source).where(Source.slug == slug))


def upsert_source(session: Session, slug: str, values: Mapping[str, Any]) -> Source:
    """Return the source with that slug, created with `values` if new; later settings of an operator stay."""
    source = source_by_slug(session, slug)
    if source is None:
        session.execute(insert(Source).values(slug=slug, **values).on_conflict_do_nothing())
        source = source_by_slug(session, slug)
        assert source is not None  # it existed, or was just added
    return source


def find(session: Session, source_id: int, key: str) -> Problem | None:
    """Return a problem by its external id or an alias, locked for an update."""
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
    """Return (source slug, external id) of each problem."""
    query = select(Problem.id, Source.slug, Problem.external_id).join(Source, Source.id == Problem.source_id)
    rows = session.execute(query.where(Problem.id.in_(problem_ids)))
    return {problem_id: (source, name) for problem_id, source, name in rows}


def namesakes(session: Session, contest: Contest, title: str) -> list[tuple[Problem, str]]:
    """Return problems of that title in other contests of the source with the same start, locked.

    Each comes with its contest's title.
    """
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
    """Return undecided problems, each with the rows that decide about it.

    A problem that was held because models might not be asked is undecided again once they may. While the rows are
    referenced, `session.get` finds them without a query.
    """
    undecided = Problem.state.in_((ProblemState.FOUND, ProblemState.CHECKED))
    undecided_again = and_(
        Problem.state == ProblemState.HELD, Problem.hold_reason == UNSENT_REASON, Source.send_statements
    )
    rows = session.execute(
        select(Problem, ProblemVersion, TestSet, Contest, Source)
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .outerjoin(TestSet, TestSet.id == Problem.current_test_set_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .where(undecided | undecided_again)
        .order_by(Problem.id)
    )
    return [(problem, tuple(rows_beside)) for problem, *rows_beside in rows]


def try_lock_problem(session: Session, problem_id: int) -> Problem | None:
    """Return a problem, locked for an update; None if another transaction has locked it."""
    query = select(Problem).where(Problem.id == problem_id).execution_options(populate_existing=True)
    return session.scalar(query.with_for_update(skip_locked=True, key_share=True))


def lock_problem(session: Session, problem_id: int) -> Problem:
    """Return a problem, locked for an update. Its key is not locked, so that answers can be planned meanwhile."""
    return session.get_one(Problem, problem_id, with_for_update={"key_share": True}, populate_existing=True)


def lock_tests(session: Session, version_id: int) -> int | None:
    """Return the current test set of a version's problem; it cannot be replaced until the transaction ends."""
    return session.scalar(
        select(Problem.current_test_set_id)
        .join(ProblemVersion, ProblemVersion.problem_id == Problem.id)
        .where(ProblemVersion.id == version_id)
        .with_for_update(read=True, of=Problem)
    )


def canaries(session: Session) -> list[Problem]:
    """Return the problems that no program can pass."""
    return list(session.scalars(select(Problem).where(Problem.canary)))


def add_problem(
    session: Session, source_id: int, external_id: str, title: str, state: ProblemState, origin: Origin
) -> Problem:
    """Add a problem in its first state, or return the one that another worker added meanwhile."""
    new = insert(Problem).values(
        source_id=source_id, external_id=external_id, title=title, state=state, named_by=origin
    )
    added = session.scalar(new.on_conflict_do_nothing().returning(Problem))
    problem = added or find(session, source_id, external_id)
    assert problem is not None  # it existed, or was just added
    return problem


def add_alias(session: Session, source_id: int, alias: str, problem_id: int) -> None:
    """Add another name of a problem; a name that exists stays with its problem."""
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
        # Synchronising would look at every row in the session.
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    if moved is None:
        session.refresh(problem)


def take_names(problem: Problem, origin: Origin) -> bool:
    """Take over a problem's title and tags for this origin; return False if a higher one has them."""
    if Origin(problem.named_by).rank > origin.rank:
        return False
    problem.named_by = origin
    return True


def update_flags(problem: Problem, report: FlagReport) -> bool:
    """Add a page's statement about a problem's flags, and return True if the flags changed."""
    reports = add_report(map(FlagReport.from_json, problem.flag_words or ()), report)
    stored_reports, flags = [each.as_json() for each in reports], current_flags(reports)
    if stored_reports != problem.flag_words:
        problem.flag_words = stored_reports
    changed = flags != sorted(problem.flags or ())
    if changed:
        problem.flags = flags
    return changed


def date_by(session: Session, problem: Problem, instant: datetime | None, reason: str, now: datetime) -> None:
    """Date a problem by an instant at which it was out, if that is the earliest known.

    Sources that know a time differ by hours from sources that know a day. The earliest instant is kept, because a
    problem is not fresh after it was first out. Boards are updated, and a published problem's change is in the ledger.
    """
    old = problem.released_on
    if instant is None or (old is not None and old <= instant):
        return
    problem.released_on = instant
    if old is None:
        return
    revision.mark_axes_changed(session)
    if problem.state == ProblemState.PUBLISHED and not problem.canary:
        source = session.get_one(Source, problem.source_id)
        subject = f"{source.slug}/{problem.external_id}"
        logs.write_ledger(session, now, "problem.redated", subject, reason, old.isoformat(), instant.isoformat())


class CataloguedProblem(NamedTuple):
    """A problem known by name and date only."""

    external_id: str
    title: str
    released_on: datetime | None


def catalogue(session: Session, source_id: int, entries: Sequence[CataloguedProblem]) -> dict[str, int]:
    """Return the ids of these problems by external id, and add the new ones as catalogued.

    A problem that exists, under its id or an alias, keeps its facts. A missing date is set, and while the problem is
    only catalogued, an earlier date replaces a later one.
    """
    if not entries:
        return {}
    names = [entry.external_id for entry in entries]
    aliased = select(ProblemAlias.alias, ProblemAlias.problem_id).where(
        ProblemAlias.source_id == source_id, ProblemAlias.alias.in_(names)
    )
    ids_by_alias = _read_pairs(session, aliased)
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
    return ids_by_alias | _read_pairs(session, ids)


def _read_pairs(session: Session, statement: Select[str, int]) -> dict[str, int]:
    return {row[0]: row[1] for row in session.execute(statement)}


def _take_surer_origin(session: Session, known: TestSet, values: Mapping[str, Any]) -> None:
    ranks = list(TestsOrigin)
    if ranks.index(TestsOrigin(values["origin"])) < ranks.index(TestsOrigin(known.origin)):
        known.origin, known.setters, known.vendors = values["origin"], [], []
        known.brought_by = values["brought_by"]
        session.flush()
        revision.mark_axes_changed(session)


def add_test_set(session: Session, problem_id: int, spec: ProblemSpec, values: Mapping[str, Any]) -> tuple[int, bool]:
    """Return (id, whether it is new) of the test set for `spec`; a new one is stored with its tests.

    A known test set takes over the origin if the new origin is surer.
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
        existing = session.scalars(
            select(TestSet).where(TestSet.problem_id == problem_id, TestSet.tests_sha256 == digest)
        ).one()
        _take_surer_origin(session, existing, values)
        return existing.id, False
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
    """Add references and known-wrong programs, each once, in this order, and return whether any is new."""
    rows = [{"problem_id": problem_id, **values} for values in programs]
    if not rows:
        return False
    statement = insert(ProgramRow).on_conflict_do_nothing().returning(ProgramRow.id)
    return session.scalars(statement, rows).first() is not None


def programs(session: Session, problem_id: int) -> list[ProgramRow]:
    """Return the programs that prove a problem's tests."""
    proving = ProgramRow.kind != ProgramKind.VALIDATOR
    return list(
        session.scalars(select(ProgramRow).where(ProgramRow.problem_id == problem_id, proving).order_by(ProgramRow.id))
    )


def short_tests(session: Session, test_set_id: int, form: Form, longest: int) -> tuple[Test, ...]:
    """Return the tests of a set with at most `longest` characters, in order."""
    decode = str if form is Form.STDIN else json.loads
    length = func.length(Tests.input) + func.length(Tests.expected)
    rows = session.execute(
        select(Tests.input, Tests.expected, Tests.visible)
        .where(Tests.test_set_id == test_set_id, length <= longest)
        .order_by(Tests.ordinal)
    )
    return tuple(Test(decode(row.input), decode(row.expected), row.visible) for row in rows)


def problem_spec(session: Session, test_set_id: int, version_id: int) -> ProblemSpec:
    """Return the judge's input: the limits and entry of a version, and the tests of a set."""
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
        tests=mark_beside(tests, test_set.proof_detail.get(BESIDE_KEY) or {}),
        limits=judged_limits(
            effective_limits(version.time_ms, version.memory_mb, version.output_kb), form, test_set.proof_detail
        ),
        checker=checker_of(test_set),
        entry=read_entry(version.entry),
        interactor=_interactor(test_set.interactor),
        proven=test_set.proof in (ProofState.PROVEN, ProofState.SHIPPED, ProofState.UNPROVEN),
    )


def checker_of(test_set: TestSet) -> Checker:
    """Return the checker of a test set."""
    return Checker(CheckerKind(test_set.checker_kind), **test_set.checker)


def _interactor(data: Mapping[str, Any] | None) -> Interactor | None:
    return None if data is None else Interactor(**{**data, "protocol": CheckerKind(data["protocol"])})


def problems_with_tag(session: Session, problem_ids: Collection[int], tag: str) -> frozenset[int]:
    """Return those of these problems that have a tag of their source."""
    tagged_ids = session.scalars(select(Problem.id).where(Problem.id.in_(problem_ids), Problem.tags.contains([tag])))
    return frozenset(tagged_ids)
