"""Models in operators' hands: adding one by name, and editing its cutoff and the facts of its weights."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.runs import models as store
from app.db.runs import runs as run_store
from app.db.runs.models import ListedModel
from app.db.tables import Model
from app.domain.audit_reason import check_reason
from app.domain.cube.facts import WeightsAccess
from app.domain.cutoffs import is_public_url
from app.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from app.domain.imports import ImportedModel, is_plausible
from app.domain.windows import midnight
from app.services.runs import cutoffs
from app.services.runs.cutoffs import CutoffFacts

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_MAX_NAME_CHARS = 200
_MAX_SIZE_B = 100_000


@dataclass(frozen=True, slots=True)
class WeightFacts:
    """New facts of a model's weights; None leaves a fact as it is.

    `size_b` are billions of parameters, `tuned_from` is a slug.
    """

    weights: WeightsAccess | None = None
    size_b: float | None = None
    tuned_from: str | None = None


def models(session: Session) -> list[ListedModel]:
    """Return every model, public or not, by slug."""
    return store.all_models(session)


def add(session: Session, new: ImportedModel, reason: str, now: datetime, actor: str = "operator") -> None:
    """Store a model; it shows once it has a public run. Raises Conflict when its slug is taken, InvalidInput."""
    if not SLUG.fullmatch(new.slug):
        raise InvalidInput(
            "a slug must have 1 to 64 characters a-z, 0-9 and -, and must not start with -", pointer="/slug"
        )
    for name, value in (("name", new.name), ("organisation", new.organisation or "-")):
        if not value.strip() or len(value) > _MAX_NAME_CHARS or not value.isprintable():
            raise InvalidInput(f"{name} must have 1 to {_MAX_NAME_CHARS} visible characters", pointer=f"/{name}")
    for name, day in (("released", new.released_on), ("cutoff", new.cutoff_on)):
        _check_day(name, day, now)
    _check_url("link", new.link)
    if new.cutoff_on is not None or new.cutoff_evidence is not None:
        _check_evidence(new.cutoff_evidence)
    model = run_store.add_model(session, new, now)
    if model is None:
        raise Conflict(f"the slug {new.slug} is taken")
    logs.write_audit(
        session, now, actor, "model.created", model.slug, check_reason(reason), after=cutoffs.cutoff_record(model)
    )


def refuse_own_run(session: Session, run_id: int, person: str) -> None:
    """Raise Conflict if a person belongs to the organisation of a run's model, so that another maintainer decides."""
    for _, model in store.of_runs(session, [run_id]):
        refuse_own_model(session, model, person)


def refuse_own_model(session: Session, model: Model, person: str) -> None:
    """Raise Conflict if a person belongs to the organisation of a model."""
    if store.is_own_model(session, model, person):
        raise Conflict(f"you belong to the organisation of {model.slug}: another maintainer must decide")


def refuse_rivals(session: Session, person: str) -> None:
    """Raise Conflict if a person belongs to an organisation with setters or with rows on boards.

    Its rows gain when others lose.
    """
    home = store.organisation_on_boards(session, person)
    if home is not None:
        raise Conflict(f"you belong to {home}, which has rows on boards or makes tests: another maintainer must decide")


def is_rival(session: Session, person: str) -> bool:
    """Return True if a person belongs to an organisation that `refuse_rivals` refuses."""
    return store.organisation_on_boards(session, person) is not None


def keep_out_rivals(session: Session, person: str) -> None:
    """Raise Forbidden if `refuse_rivals` refuses: hidden tests, and others' answers, are worth points."""
    home = store.organisation_on_boards(session, person)
    if home is not None:
        raise Forbidden(f"you belong to {home}, which has rows on boards or makes tests: you may not see hidden tests")


def edit_cutoff(
    session: Session, slug: str, new: CutoffFacts, reason: str, now: datetime, actor: str = "operator"
) -> None:
    """Change a model's cutoff. Boards follow; the change and its reason are public.

    Raises NotFound, Conflict when nothing would change, InvalidInput.
    """
    words = check_reason(reason)
    _check_day("on", new.cutoff_on, now)
    _check_evidence(new.evidence)
    model = store.lock_model(session, slug) if SLUG.fullmatch(slug) else None
    if model is None:
        raise NotFound(f"there is no model {slug}")
    cutoffs.change_cutoff(session, model, new, words, now, actor)


def edit_weights(
    session: Session, slug: str, new: WeightFacts, reason: str, now: datetime, actor: str = "operator"
) -> None:
    """Store facts of a model's weights. Boards show them; no ranking uses them.

    Raises NotFound, InvalidInput, Conflict when nothing would change.
    """
    words = check_reason(reason)
    if new.size_b is not None and not 0 < new.size_b < _MAX_SIZE_B:
        raise InvalidInput("the size must be in billions of parameters, above 0", pointer="/size")
    model = store.lock_model(session, slug) if SLUG.fullmatch(slug) else None
    if model is None:
        raise NotFound(f"there is no model {slug}")
    before = _weights_record(session, model)
    if new.weights is not None:
        model.open_weights = new.weights is WeightsAccess.OPEN
    if new.size_b is not None:
        model.size_b = new.size_b
    if new.tuned_from is not None:
        model.tuned_from_id = _find_base(session, model, new.tuned_from).id
    after = _weights_record(session, model)
    if before == after:
        raise Conflict(f"{slug} already has these facts")
    logs.write_audit(session, now, actor, "model.weights", slug, words, before, after)
    revision.mark_axes_changed(session)


def _find_base(session: Session, model: Model, slug: str) -> Model:
    base = store.by_slug(session, slug)
    if base is None:
        raise NotFound(f"there is no model {slug}")
    if base.id == model.id:
        raise InvalidInput("a model cannot be tuned from itself", pointer="/tuned_from")
    return base


def _weights_record(session: Session, model: Model) -> dict[str, Any]:
    return {
        "open": model.open_weights,
        "size_b": model.size_b,
        "tuned_from": store.base_slugs(session, [model]).get(model.id),
    }


def _check_day(name: str, day: date | None, now: datetime) -> None:
    if day is not None and not is_plausible(midnight(day), now):
        raise InvalidInput("dates must lie between the year 2000 and a year from now", pointer=f"/{name}")


def _check_evidence(text: str | None) -> None:
    if not is_public_url(text):
        raise InvalidInput(
            "a cutoff counts only with evidence: give a public http or https address", pointer="/evidence"
        )


def _check_url(name: str, url: str | None) -> None:
    if url is None:
        return
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"https", "http"} or not parts.hostname or len(url) > 2000 or not url.isprintable():
        raise InvalidInput(f"{name} must be an http or https address", pointer=f"/{name}")
