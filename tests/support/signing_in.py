"""A maintainer at the site's door."""

from factories import NOW, World
from httpx import Client

from app.services.operations.access import issue_login_link


def sign_in(world: World, client: Client) -> None:
    """Sign in by a link as `up` tells one."""
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    answer = client.post("/en/login", data={"token": token}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/en/ops"
