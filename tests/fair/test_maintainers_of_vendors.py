"""Who belongs to a vendor with rows on boards decides nothing that moves the rows of its rivals."""

from pathlib import Path

import pytest
from factories import World
from httpx import Client

from app.db.runs.runs import ensure_endpoint
from app.db.tables import AuditEntry, Organisation, Problem, Setter, Submission
from app.domain.errors import Conflict
from app.domain.rejudging.scope import RejudgingScope, ScopeKind
from app.services.boards.cubes import CubeStore
from app.services.operations.access import issue_login_link
from app.services.operations.maintenance import Action, ActionRequest, carry_out
from app.services.rejudging import rejudge
from app.services.runs.consensus import held_problems
from app.services.runs.consensus.held_problems import AdditionRequest

GRACE = "grace@example.org"
OTHERS = ("source", "contest", "capture", "alert")
# A contest that is given up gives the boards no problems, and which ones is known by then.
DECIDES = [action for action in Action if action.partition(".")[0] not in OTHERS or action is Action.CONTEST_CLOSE]


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
    outcome = carry_out(rival.session, ActionRequest(action, ("1",), "because"), GRACE, rival.now)
    assert outcome.refused == (
        "you belong to Acme, which has rows on boards or makes tests: another maintainer must decide",
    )
    assert rival.session.query(AuditEntry).filter_by(actor=GRACE).count() == 0


def test_it_approves_no_rejudging(rival: World) -> None:
    scope = RejudgingScope(ScopeKind.MODEL, "lyra")
    number = rejudge.propose(rival.session, scope, "a new toolchain", "ada@example.org", rival.now)
    with pytest.raises(Conflict, match="you belong to Acme"):
        rejudge.approve(rival.session, number, 1, GRACE, "because", rival.now)


def test_it_ends_no_rejudging_either_way(rival: World) -> None:
    """Alone it would commit one by typing; and what two others approved it would drop."""
    number = rejudge.propose(
        rival.session, RejudgingScope(ScopeKind.MODEL, "lyra"), "a toolchain", "ada@example.org", rival.now
    )
    with pytest.raises(Conflict, match="you belong to Acme"):
        rejudge.drop(rival.session, number, "because", GRACE, rival.now)
    with pytest.raises(Conflict, match="you belong to Acme"):
        rejudge.commit(rival.session, CubeStore(Path("unused")), number, "because", GRACE, rival.now, "1 yes")


def test_it_adds_nothing_to_what_makes_tests(rival: World) -> None:
    """A person's pieces are a voice beside the drawn vendors': one vendor would have two."""
    with pytest.raises(Conflict, match="you belong to Acme"):
        held_problems.add(
            rival.session, AdditionRequest("house/a", "input", "python", "1\n", "I know it"), rival.now, GRACE
        )


def test_it_reads_no_hidden_test_and_nothing_that_setters_wrote(rival: World, client: Client) -> None:
    pages = ("/ops/tests?problem=house/a", "/ops/tests.json?problem=house/a", "/ops/setters/1")
    for email, statuses in ((GRACE, {403}), ("ada@example.org", {200, 404})):
        token = issue_login_link(rival.session, rival.now, email)
        rival.session.commit()
        client.cookies.clear()
        assert client.post("/en/login", data={"token": token}).status_code == 303
        assert {client.get(f"/en{path}").status_code for path in pages} == statuses, email
        assert client.get("/en/ops/quarantine").status_code == 200
    client.cookies.clear()


@pytest.mark.parametrize("way", ["ordered", "under an embargo", "by its name", "as a setter"])
def test_rows_that_come_and_what_goes_by_its_name_are_its_own(world: World, way: str) -> None:
    acme = Organisation(slug="acme", name="Acme")
    world.session.add(acme)
    world.session.flush()
    model = world.model("orion", organisation_name=" ACME " if way == "by its name" else "Other")
    run = world.run(model)
    if way == "as a setter":
        run.public = False
        world.session.add(Setter(name="one", vendor="acme ", run_id=run.id, added_at=world.now))
    elif way != "by its name":
        model.organisation_id, run.public = acme.id, False
        values = {
            "backend": "openai_chat",
            "remote_name": "orion",
            "base_url": "https://example.com",
            "max_concurrency": 1,
        }
        endpoint = ensure_endpoint(world.session, model.id, values).id
        world.session.add(
            Submission(
                public_id="sub_1", organisation_id=acme.id, endpoint_id=endpoint, protocol_id=run.protocol_id,
                configuration={}, continuous=True, visibility="public", state="queued", state_since=world.now,
                owner="us", created_at=world.now, run_id=None if way == "ordered" else run.id,
            )
        )  # fmt: skip
    issue_login_link(world.session, world.now, GRACE, "acme")
    world.problem("a")
    world.session.flush()
    order = ActionRequest(Action.PROBLEM_WITHDRAW, ("house/a",), "its statement is wrong")
    assert "you belong to Acme" in carry_out(world.session, order, GRACE, world.now).refused[0]


@pytest.mark.parametrize("who", ["nobody's", "of one without rows"])
def test_others_decide(rival: World, who: str) -> None:
    if who == "nobody's":
        issue_login_link(rival.session, rival.now, "ada@example.org")
    else:
        rival.session.add(Organisation(slug="zenith", name="Zenith"))
        rival.session.flush()
        issue_login_link(rival.session, rival.now, "ada@example.org", "zenith")
    problem = rival.session.query(Problem).one()
    order = ActionRequest(Action.PROBLEM_WITHDRAW, (f"house/{problem.external_id}",), "its statement is wrong")
    assert carry_out(rival.session, order, "ada@example.org", rival.now).done == 1
