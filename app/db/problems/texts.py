"""Texts of problems: versions by locale, one of each in use, asked and counted."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Update, bindparam, insert, or_, select, update

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.tables import ProblemVersion
from app.domain.problems import Entry, Form, Method, Param, Statement, Test, effective_limits
from app.domain.publishing.holds import statement_sha256
from app.domain.publishing.origins import Origin, Sighting, current_text, precedence
from app.domain.publishing.wording import REVISION, wording

_SIGHTING_COLUMNS = (ProblemVersion.origin, ProblemVersion.seen_at, ProblemVersion.capture_id)
_LIMIT_NAMES = ("time_ms", "memory_mb")  # limits, which some origins of a text do not state
_CHUNK_TEXTS = 1000  # texts per query


@dataclass(frozen=True, slots=True)
class NewText:
    """A problem's text in one language, as a page or an import states it; a limit that is not stated is None."""

    title: str
    statement: str
    starter_code: Mapping[str, str]
    form: Form
    entry: Entry | None
    examples: Sequence[Test]
    time_ms: int | None
    memory_mb: int | None
    output_kb: int

    def columns(self) -> dict[str, Any]:
        """Return the columns of a version that hold it."""
        return {
            "title": self.title,
            "statement": self.statement,
            "starter_code": dict(self.starter_code),
            "form": self.form,
            "entry": None if self.entry is None else asdict(self.entry),
            "examples": [{"input": example.input, "expected": example.expected} for example in self.examples],
            "time_ms": self.time_ms,
            "memory_mb": self.memory_mb,
            "output_kb": self.output_kb,
        }


def record_sighting(
    session: Session, problem_id: int, locale: str, text: NewText, sighting: Sighting, corrections: Sequence[str]
) -> None:
    """Record a sighting of a problem's text; the transaction has locked the problem.

    For a known text, the fields named by `corrections` are updated: a page that was incomplete, or whose limits
    changed, is corrected without a new version. A sighting that another one outranks changes nothing but limits that
    the better origin does not state; a known limit never becomes unknown. The previous text of the same reading of the
    same page loses its sighting.
    """
    values, digest = text.columns(), statement_sha256(text.title, text.statement, text.starter_code)
    same_locale = (ProblemVersion.problem_id == problem_id, ProblemVersion.locale == locale)
    rows = session.execute(
        select(ProblemVersion.id, ProblemVersion.statement_sha256, *_SIGHTING_COLUMNS).where(*same_locale)
    )
    known = {row.statement_sha256: (row.id, _sighting(row)) for row in rows}
    seen = {"origin": sighting.origin, "seen_at": sighting.at, "capture_id": sighting.capture}
    if any(before is not None and precedence(before) > precedence(sighting) for _, before in known.values()):
        version_id, before = known.get(digest, (None, None))
        if version_id is not None and before is not None and before.origin != sighting.origin:
            _state_limits(session, version_id, values)
        return
    if digest in known:
        version_id = known[digest][0]
        changed = {name: values[name] for name in corrections if values[name] is not None or name not in _LIMIT_NAMES}
        session.execute(_update_version(version_id).values(**changed, **seen))
    else:
        new_wording = wording(text.title, text.statement, text.starter_code)
        new = {"problem_id": problem_id, "locale": locale, "statement_sha256": digest, "wording": new_wording}
        session.execute(insert(ProblemVersion).values(**new, **values, **seen))
    for other_digest, (version_id, other) in known.items():
        if other_digest != digest and other is not None and precedence(other) == precedence(sighting):
            session.execute(_update_version(version_id).values(seen_at=None))


def confirm_text(session: Session, problem_id: int, locale: str, words: str, capture: int | None) -> bool:
    """Note the capture that shows a problem's text in use in the same words; return False if it has other words."""
    in_use = (ProblemVersion.problem_id == problem_id, ProblemVersion.locale == locale, ProblemVersion.in_use)
    found = session.execute(select(ProblemVersion.id, ProblemVersion.wording).where(*in_use)).one_or_none()
    if found is None or found.wording != words:
        return False
    session.execute(_update_version(found.id).values(capture_id=capture))
    return True


def _update_version(version_id: int) -> Update:
    return _update_versions(ProblemVersion.id == version_id)


def _update_versions(condition: ColumnElement[bool]) -> Update:
    # Synchronising would look at every row in the session.
    return update(ProblemVersion).where(condition).execution_options(synchronize_session=False)


def _sighting(row: Any) -> Sighting | None:
    return None if row.seen_at is None else Sighting(Origin(row.origin), row.seen_at, row.capture_id)


def _state_limits(session: Session, version_id: int, values: Mapping[str, Any]) -> None:
    for name in _LIMIT_NAMES:
        if values[name] is not None:
            unknown = _update_version(version_id).where(getattr(ProblemVersion, name).is_(None))
            session.execute(unknown.values({name: values[name]}))


def update_wordings(session: Session) -> int:
    """Recompute the wordings that are missing or made by an older rule, and return their number."""
    stale = or_(ProblemVersion.wording.is_(None), ~ProblemVersion.wording.startswith(f"{REVISION}:"))
    columns = (ProblemVersion.title, ProblemVersion.statement, ProblemVersion.starter_code)
    count = 0
    while rows := session.execute(select(ProblemVersion.id, *columns).where(stale).limit(_CHUNK_TEXTS)).all():
        new_wordings = [{"of": row.id, "new": wording(row.title, row.statement, row.starter_code)} for row in rows]
        one = update(ProblemVersion).where(ProblemVersion.id == bindparam("of")).values(wording=bindparam("new"))
        session.connection().execute(one, new_wordings)
        count += len(rows)
    if count:
        revision.mark_axes_changed(session)  # problems with one wording count as served together
    return count


class TextChange(NamedTuple):
    """Effect of a sighting on the texts in use."""

    begun: bool  # a text came into use
    replaced: bool  # an earlier text went out of use


def put_in_use(session: Session, problem_id: int) -> TextChange:
    """Put the text of each locale with the best sighting in use."""
    rows = session.execute(
        select(ProblemVersion.id, ProblemVersion.locale, ProblemVersion.in_use, *_SIGHTING_COLUMNS).where(
            ProblemVersion.problem_id == problem_id
        )
    )
    seen: dict[str, dict[int, Sighting]] = {}
    in_use: dict[str, int] = {}
    for row in rows:
        sighting = _sighting(row)
        if sighting is not None:
            seen.setdefault(row.locale, {})[row.id] = sighting
        if row.in_use:
            in_use[row.locale] = row.id
    changed = {
        locale: current_text(texts) for locale, texts in seen.items() if current_text(texts) != in_use.get(locale)
    }
    replaced = [in_use[locale] for locale in changed if locale in in_use]
    for version_ids, in_use_now in ((replaced, False), ([version for version in changed.values() if version], True)):
        if version_ids:
            session.execute(_update_versions(ProblemVersion.id.in_(version_ids)).values(in_use=in_use_now))
    return TextChange(bool(changed), bool(replaced))


def main_version(session: Session, problem_id: int) -> int:
    """Return the version in use that stands for a problem: the English one if there is one."""
    in_use = (ProblemVersion.problem_id == problem_id, ProblemVersion.in_use)
    order = ((ProblemVersion.locale == "en").desc(), ProblemVersion.locale)
    return session.scalars(select(ProblemVersion.id).where(*in_use).order_by(*order).limit(1)).one()


def version_in_use(session: Session, problem_id: int, locale: str) -> int | None:
    """Return the version in use of a problem in one locale."""
    in_use = (ProblemVersion.problem_id == problem_id, ProblemVersion.in_use, ProblemVersion.locale == locale)
    return session.scalar(select(ProblemVersion.id).where(*in_use))


def titles_and_examples(session: Session, problem_id: int) -> tuple[set[str], list[Test]]:
    """Return (titles, examples) from the problem's own pages; the examples of the latest page that has any."""
    rows = session.execute(
        select(ProblemVersion.title, ProblemVersion.examples)
        .where(
            ProblemVersion.problem_id == problem_id,
            ProblemVersion.origin == Origin.PAGE,
            ProblemVersion.seen_at.is_not(None),
        )
        .order_by(ProblemVersion.seen_at.desc(), ProblemVersion.id)
    ).all()
    samples: list[Any] = next((row.examples for row in rows if row.examples), [])
    return {row.title for row in rows}, [_example(example) for example in samples]


def _example(stored: Mapping[str, Any]) -> Test:
    return Test(stored["input"], stored["expected"], visible=True)


def mark_not_interactive(session: Session, problem_id: int) -> None:
    """Change a problem's versions from interactive to stdin, because a person has said so."""
    conditions = (ProblemVersion.problem_id == problem_id, ProblemVersion.form == Form.INTERACTIVE)
    session.execute(update(ProblemVersion).where(*conditions).values(form=Form.STDIN))


def statement(session: Session, version_id: int) -> Statement:
    """Return the part of a problem version that a model may see."""
    version = session.get_one(ProblemVersion, version_id)
    examples = tuple(map(_example, version.examples))
    return Statement(
        problem=str(version.problem_id),
        locale=version.locale,
        form=Form(version.form),
        title=version.title,
        text=version.statement,
        starter_code=version.starter_code,
        examples=examples,
        limits=effective_limits(version.time_ms, version.memory_mb, version.output_kb),
        entry=read_entry(version.entry),
    )


def read_entry(data: Mapping[str, Any] | None) -> Entry | None:
    """Return an entry as stored by `asdict`."""
    if data is None:
        return None

    def params(rows: Sequence[Mapping[str, str]]) -> tuple[Param, ...]:
        return tuple(Param(**row) for row in rows)

    return Entry(
        data["name"],
        data["cls"],
        params(data["params"]),
        data["returns"],
        data["preamble"],
        methods={name: Method(params(method["params"]), method["returns"]) for name, method in data["methods"].items()},
        output_param=data["output_param"],
        packages=data.get("packages", False),
    )
