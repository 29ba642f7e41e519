"""Check that an imported package is of the site's problem that it names, or has a reason why it differs."""

from datetime import datetime

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.problems import texts
from app.domain.audit_reason import check_reason
from app.domain.errors import BadRow, InvalidImport
from app.domain.imports import ImportBatch, ImportedProblem
from app.domain.problems import Form
from app.domain.publishing.origins import Origin
from app.domain.publishing.package_match import package_differences


def check_packages(session: Session, batch: ImportBatch, force: str | None, actor: str, now: datetime) -> None:
    """Raise InvalidImport for packages whose title or samples are not those of the site's problem here.

    With `force`, a reason, they pass, and the audit log records the differences.
    """
    bad = []
    for problem in batch.problems:
        said = _differences(session, problem)
        name = f"{problem.source}/{problem.external_id}"
        if not said:
            continue
        if force is None:
            words = f"this is not {name} as it is known here: {'; '.join(said)}; if it is, say why: --force --reason"
            bad.append(BadRow(batch.file_name, 1, words))
        else:
            reason = check_reason(force)
            logs.write_audit(session, now, actor, "import.forced", name, reason, after={"differences": said})
    if bad:
        lines = "\n".join(f"  {row}" for row in bad)
        raise InvalidImport(f"{batch.file_name}: nothing was imported\n{lines}", bad)


def _differences(session: Session, record: ImportedProblem) -> list[str]:
    source = store.source_by_slug(session, record.source)
    problem = None if source is None else store.find(session, source.id, record.external_id)
    if problem is None:
        return []
    titles, samples = texts.titles_and_examples(session, problem.id)
    if problem.named_by == Origin.PAGE:
        titles.add(problem.title)
    talks = Form.INTERACTIVE in (record.form, *problem.flags)  # their samples are dialogues
    own = {record.title, *record.titles.values()}
    return package_differences(titles, [] if talks else samples, own, record.tests, record.checker.kind)
