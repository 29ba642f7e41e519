"""The maintainers' page of setters: who makes tests, what they answered, and what that cost."""

from factories import NOW, World
from httpx import Client
from support.setting import add_setter

from app.services.operations.access import issue_login_link
from app.services.runs.setting import setters


def test_setters_are_shown_to_maintainers_alone(world: World, client: Client) -> None:
    add_setter(world.session, "orion", "Acme Labs")
    add_setter(world.session, "tern", "Birds")
    setters.remove(world.session, "tern", "it lies", NOW)
    world.session.commit()
    assert client.get("/en/ops/setters").status_code == 401
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    client.post("/en/login", data={"token": token}, follow_redirects=False)
    for locale, words in (("en", ("asked", "removed")), ("zh", ("提问中", "已移除"))):
        page = client.get(f"/{locale}/ops/setters").text
        for shown in ("orion", "acme labs", "birds", "$0.00", *words):
            assert shown in page
