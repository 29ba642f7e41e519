"""What a vendor declares of its model and a maintainer decides: both days count, and each decision is kept as made."""

from dataclasses import replace
from datetime import date

import pytest
from pipeline.flow import NOW
from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Declaration, Model
from app.domain.errors import Conflict, InvalidInput
from app.domain.imports import ImportedModel
from app.services.operations.access import issue_login_link
from app.services.runs import models
from app.services.runs.cutoffs import CutoffFacts
from app.services.vendors import declarations
from app.services.vendors.declarations import DeclaredDates

CARD = "https://example.com/card"
SAID = DeclaredDates(date(2025, 6, 1), date(2025, 9, 1), CARD)
ADA = "ada@example.org"


def model_of(session: Session, slug: str) -> Model:
    acme = run_store.ensure_organisation(session, "acme", "Acme").id
    made = run_store.add_model(session, ImportedModel(slug, slug.title(), "Acme"), NOW, acme)
    assert made is not None
    return made


def decided(session: Session) -> list[tuple[str, str | None, str | None]]:
    rows = session.scalars(select(Declaration).order_by(Declaration.id))
    return [(row.state, row.decided_by, row.reason) for row in rows]


def test_what_is_accepted_counts_whole_and_what_is_refused_does_not(session: Session) -> None:
    model, other = model_of(session, "orion"), model_of(session, "lyra")
    declarations.store_declaration(session, other, SAID, NOW)
    declarations.store_declaration(session, model, DeclaredDates(), NOW)
    declarations.store_declaration(session, model, SAID, NOW)
    first, second = declarations.declarations_to_review(session, ADA)
    assert (first.model, second.model) == ("lyra", "orion"), "the oldest first, and nothing said is nothing"
    declarations.decide_declaration(session, second.id, "its card says so", NOW, ADA, accept=True)
    assert (model.cutoff_on, model.released_on, model.cutoff_evidence) == (SAID.cutoff_on, SAID.released_on, CARD)
    issue_login_link(session, NOW, "grace@example.org", "acme")
    with pytest.raises(Conflict, match="another maintainer must decide"):
        declarations.decide_declaration(session, first.id, "it is ours", NOW, "grace@example.org", accept=True)
    declarations.decide_declaration(session, first.id, "it does not", NOW, ADA, accept=False)
    assert (other.cutoff_on, other.released_on) == (None, None)
    assert decided(session) == [("refused", ADA, "it does not"), ("accepted", ADA, "its card says so")]


def test_what_a_maintainer_entered_before_is_accepted_all_the_same(session: Session) -> None:
    model = model_of(session, "orion")
    declarations.store_declaration(session, model, DeclaredDates(SAID.cutoff_on, None, CARD), NOW)
    models.edit_cutoff(session, "orion", CutoffFacts(SAID.cutoff_on, CARD), "read it", NOW)
    [waits] = declarations.declarations_to_review(session, ADA)
    declarations.decide_declaration(session, waits.id, "as known", NOW, ADA, accept=True)
    assert decided(session) == [("accepted", ADA, "as known")]
    assert declarations.declarations_to_review(session, ADA) == []


@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        (replace(SAID, cutoff_on=date(1999, 12, 31)), "/cutoff/date"),
        (replace(SAID, released_on=date(2031, 1, 1)), "/released_on"),
    ],
)
def test_days_that_cannot_be_true_are_refused(said: DeclaredDates, pointer: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        declarations.check(said, NOW)
    assert refused.value.pointer == pointer
