"""What keeps work from going on is shown where people look, and the pages stay."""

from dataclasses import replace
from pathlib import Path

import pytest
from factories import NOW, World, web_app
from httpx import Client
from served import NO_AUTHORITIES, served

from app.config import Settings
from app.db.kernel.session import SessionMaker
from app.db.tables import Endpoint
from app.services.operations.access import issue_login_link
from app.services.runs.endpoint_secrets import Vault, new_key

ENDLESS = 1 << 40  # megabytes that no disk has


@pytest.fixture
def full(tmp_path: Path) -> Settings:
    """Settings under which every disk is too full."""
    return Settings(_env_file=None, state_dir=tmp_path, least_free_mb=ENDLESS)


def test_a_full_disk_pauses_work_and_not_the_pages(
    world: World, sessions: SessionMaker, tmp_path: Path, full: Settings
) -> None:
    world.workers()
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    app = web_app(sessions, tmp_path)
    app.state.web = replace(app.state.web, shortage=full.shortage)
    with served(app) as url, Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["reasons"]) == (
            503, ["work paused: too little room on a disk; it goes on by itself when there is room"]
        )  # fmt: skip
        assert client.get("/api/v1/status").json()["paused"] == ["disk"]
        for language, words in (("en", "Work is paused: too little disk space"), ("zh", "工作已暂停")):
            page = client.get(f"/{language}/status")
            assert words in page.text
            assert str(tmp_path) not in page.text + ready.text, "where our folders are is nobody's business"
        assert client.get("/en/").status_code == 200
        client.post("/en/login", data={"token": token})
        assert f"{tmp_path} has" in client.get("/en/ops").text


def test_nothing_is_paused_where_nothing_is_wrong(world: World, client: Client) -> None:
    world.workers()
    world.session.commit()
    assert client.get("/api/v1/status").json()["paused"] == []
    assert "paused" not in client.get("/en/status").text


def test_a_lost_key_is_told_to_everybody_as_our_fault(world: World, sessions: SessionMaker, tmp_path: Path) -> None:
    sealed, model = Vault(new_key()).seal("a"), world.model("orion")
    where = {"backend": "openai_chat", "remote_name": "a", "base_url": "https://a.invalid", "max_concurrency": 1}
    world.session.add(Endpoint(model_id=model.id, secret_encrypted=sealed, **where))
    world.workers()
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    with served(web_app(sessions, tmp_path)) as url, Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        assert client.get("/api/v1/status").json()["paused"] == ["secrets"]
        assert "our key to endpoints' secrets is lost" in client.get("/readyz").text
        page = client.get("/en/status").text
        assert "Some endpoints are not called" in page
        assert "our fault" in page
        client.post("/en/login", data={"token": token})
        assert "put secret.key (or TIDEMARK_SECRET_KEY) back from a backup" in client.get("/en/ops").text
