"""A sign of life to a monitor outside: after each look at what is wrong, and never more than word of its failure."""

from pathlib import Path

import pytest
from fakes.fake_site import FakeSite, Reply, fake_site
from pydantic import SecretStr, ValidationError

from app.config import Settings
from app.db.kernel.errors import DatabaseDown
from workers import notify, upkeep
from workers.context import leave, make_context, use
from workers.notify import MonitorHeartbeat


def test_the_monitor_is_asked_once_a_minute_and_a_failure_is_told_once() -> None:
    moment = [0.0]
    heart = MonitorHeartbeat(clock=lambda: moment[0])
    with fake_site({"/alive": Reply(b"", 200)}) as site:

        def give(at: float) -> str | None:
            moment[0] = at
            return heart.send(f"{site.url}/alive")

        assert [give(0), give(1), give(60)] == [None, None, None]
        assert [(each.method, each.path) for each in site.asked] == [("GET", "/alive")] * 2
        site.pages["/alive"] = Reply(b"", 500)
        assert [give(120), give(180)] == ["it answered 500", None]
        site.pages["/alive"] = Reply(b"", 200)
        assert give(240) is None
        site.pages["/alive"] = Reply(drop=True)
        assert "RemoteProtocolError" in (give(300) or "")
        assert len(site.asked) == 6


def test_the_watch_gives_a_sign_of_life(settings: Settings) -> None:
    with fake_site({"/alive": Reply(b"", 200)}) as site:
        alive = settings.model_copy(update={"heartbeat_url": SecretStr(f"{site.url}/alive")})
        use(make_context(alive))
        upkeep.watch()
        upkeep.watch()
        assert seen(site) == ["/alive"]
        leave()
        use(make_context(alive.model_copy(update={"database_url": "postgresql+psycopg://nobody@127.0.0.1:1/none"})))
        with pytest.raises(DatabaseDown):
            upkeep.watch()
        assert seen(site) == ["/alive"], "a watch that fails is no sign of life"
        leave()


def seen(site: FakeSite) -> list[str]:
    return [each.path for each in site.asked]


def test_its_address_is_a_secret_and_https(tmp_path: Path) -> None:
    given = "https://monitor.example/ping/secret"
    made = Settings(_env_file=None, state_dir=tmp_path, heartbeat_url=SecretStr(given))
    assert made.heartbeat_url is not None
    assert "ping" not in repr(made)
    for bad in ("http://monitor.example/ping", "ftp://x", "monitor"):
        with pytest.raises(ValidationError, match="https"):
            Settings(_env_file=None, state_dir=tmp_path, heartbeat_url=SecretStr(bad))


@pytest.mark.parametrize("url", ["https://127.0.0.1:secret/", "https://\u2028secret.example/", "https://[secret]/a"])
def test_an_address_that_cannot_be_read_is_not_repeated(url: str) -> None:
    for failure in (notify.post(url, {"text": "a"}), MonitorHeartbeat().send(url)):
        assert failure is not None
        assert "secret" not in failure
