"""Who belongs to a vendor with rows on boards decides nothing that moves the rows of its rivals."""

import pytest
from factories import World

from app.db.tables import AuditEntry, Organisation, Problem
from app.domain.errors import Conflict
from app.domain.rejudging.scope import Scope, ScopeKind
from app.services.operations.access import issue_login_link
from app.services.operations.maintain import Action, Order, carry_out
from app.services.rejudging import rejudge

GRACE = "grace@example.org"
OTHERS = ("source", "contest", "capture", "alert")
DECIDES = [action for action in Action if action.partition(".")[0] not in OTHERS]


@pytest.fixture
def rival(world: World) -> World:
    """A maintainer who belongs to a vendor, whose model has an answer to a problem beside another's."""
    acme = Organisation(slug="acme", name="Acme")
    world.session.add(acme)
    world.session.flush()
    problem = world.problem("a")
    for name, home in (("orion", acme.id), ("lyra", None)):
        model = world.model(name)
        model.organisation_id = home
        world.answer(world.run(model), problem)
    issue_login_link(world.session, world.now, GRACE, "acme")
    world.session.flush()
    return world


@pytest.mark.parametrize("action", DECIDES)
def test_it_decides_nothing_that_moves_a_rival(rival: World, action: Action) -> None:
    outcome = carry_out(rival.session, Order(action, ("1",), "because"), GRACE, rival.now)
    assert outcome.refused == ("you belong to Acme, which has rows on boards: somebody else decides",)
    assert rival.session.query(AuditEntry).filter_by(actor=GRACE).count() == 0


def test_it_approves_no_rejudging(rival: World) -> None:
    scope = Scope(ScopeKind.MODEL, "lyra")
    number = rejudge.propose(rival.session, scope, "a new toolchain", "ada@example.org", rival.now)
    with pytest.raises(Conflict, match="you belong to Acme"):
        rejudge.approve(rival.session, number, 1, GRACE, "because", rival.now)


@pytest.mark.parametrize("who", ["nobody's", "of one without rows"])
def test_others_decide(rival: World, who: str) -> None:
    if who == "nobody's":
        issue_login_link(rival.session, rival.now, "ada@example.org")
    else:
        rival.session.add(Organisation(slug="zenith", name="Zenith"))
        rival.session.flush()
        issue_login_link(rival.session, rival.now, "ada@example.org", "zenith")
    problem = rival.session.query(Problem).one()
    order = Order(Action.PROBLEM_WITHDRAW, (f"house/{problem.external_id}",), "its statement is wrong")
    assert carry_out(rival.session, order, "ada@example.org", rival.now).done == 1
