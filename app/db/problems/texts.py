"""The texts of problems: versions by locale, of which one each is in use, asked and counted."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Capture, ProblemVersion
from app.domain.problems import Form, Statement, Test, judged_by


def add(
    session: Session, problem_id: int, locale: str, digest: str, values: Mapping[str, Any],
    corrections: Sequence[str] = (),
) -> int:  # fmt: skip
    """The id of this text of a problem, written if it is new; of one that is known only `corrections` are taken.

    A page read while it was incomplete, or whose limits were changed, is mended so without a new version.
    """
    statement = insert(ProblemVersion).values(problem_id=problem_id, locale=locale, statement_sha256=digest, **values)
    if corrections:
        changed = or_(
            *(getattr(ProblemVersion, name).is_distinct_from(statement.excluded[name]) for name in corrections)
        )
        statement = statement.on_conflict_do_update(
            index_elements=["problem_id", "locale", "statement_sha256"],
            set_={name: statement.excluded[name] for name in (*corrections, "capture_id")},
            where=changed,
        )
    else:
        statement = statement.on_conflict_do_nothing()
    version_id = session.scalar(statement.returning(ProblemVersion.id))
    if version_id is not None:
        return int(version_id)
    return session.scalars(
        select(ProblemVersion.id).where(
            ProblemVersion.problem_id == problem_id,
            ProblemVersion.locale == locale,
            ProblemVersion.statement_sha256 == digest,
        )
    ).one()


def state_limits(session: Session, version_id: int, limits: Mapping[str, int | None]) -> None:
    """Take the limits of a text that were not known."""
    for name, value in limits.items():
        column = getattr(ProblemVersion, name)
        unknown = update(ProblemVersion).where(ProblemVersion.id == version_id, column.is_(None))
        if value is not None:
            session.execute(unknown.values({name: value}))


class Change(NamedTuple):
    """What became of the texts in use."""

    begun: bool  # a text is in use that was not
    replaced: bool  # and another is not any more


def put_in_use(session: Session, problem_id: int, versions: Mapping[str, int], capture_id: int | None) -> Change:
    """Let these versions, by locale, be in use, as a capture showed them; other locales keep theirs."""
    chosen = ProblemVersion.id.in_(versions.values())
    one = update(ProblemVersion).returning(ProblemVersion.id).execution_options(synchronize_session=False)
    others = (ProblemVersion.problem_id == problem_id, ProblemVersion.locale.in_(versions), ProblemVersion.in_use)
    replaced = session.scalars(one.where(*others, ~chosen).values(in_use=False)).all()
    begun = session.scalars(one.where(chosen, ~ProblemVersion.in_use).values(in_use=True, capture_id=capture_id)).all()
    return Change(bool(begun), bool(replaced))


def main(session: Session, problem_id: int) -> int:
    """The version in use that stands for a problem: the English one where there is one."""
    in_use = (ProblemVersion.problem_id == problem_id, ProblemVersion.in_use)
    order = ((ProblemVersion.locale == "en").desc(), ProblemVersion.locale)
    return session.scalars(select(ProblemVersion.id).where(*in_use).order_by(*order).limit(1)).one()


def read_later(session: Session, problem_id: int, seen: datetime) -> set[str]:
    """The locales whose text in use was read from a capture later than `seen`."""
    return set(
        session.scalars(
            select(ProblemVersion.locale)
            .join(Capture, Capture.id == ProblemVersion.capture_id)
            .where(ProblemVersion.problem_id == problem_id, ProblemVersion.in_use, Capture.fetched_at > seen)
        )
    )


def not_interactive(session: Session, problem_id: int) -> None:
    """A person has said that programs only read and print, whatever their page seems to say."""
    conditions = (ProblemVersion.problem_id == problem_id, ProblemVersion.form == Form.INTERACTIVE)
    session.execute(update(ProblemVersion).where(*conditions).values(form=Form.STDIN))


def statement(session: Session, version_id: int) -> Statement:
    """What a model may see of a problem version."""
    version = session.get_one(ProblemVersion, version_id)
    examples = tuple(Test(example["input"], example["expected"], visible=True) for example in version.examples)
    return Statement(
        problem=str(version.problem_id),
        locale=version.locale,
        form=Form(version.form),
        title=version.title,
        text=version.statement,
        starter_code=version.starter_code,
        examples=examples,
        limits=judged_by(version.time_ms, version.memory_mb, version.output_kb),
    )
