"""Readers' reports: one visitor cannot write all that all may write."""

from datetime import date

from factories import World
from httpx import Client


def test_each_visitor_has_a_share_of_the_reports(world: World, client: Client) -> None:
    for name in "abcdef":
        world.problem(name, source="atcoder", day=date(2026, 6, 1))
    world.session.commit()

    def of(visitor: str, name: str, text: str = "Sample 2 is wrong.") -> int:
        # A proxy on this machine is believed whom it speaks for.
        sent = {"X-Forwarded-For": f"9.9.9.9, {visitor}"}
        path = f"/en/problems/atcoder/{name}/reports"
        return client.post(path, data={"text": text}, headers=sent, follow_redirects=False).status_code

    assert [of("8.8.8.8", "a", "short"), *(of("8.8.8.8", "a") for _ in range(3))] == [422, 303, 303, 429]
    assert [of(f"2606:4700:4700::{n}", "a") for n in range(3)] == [303, 303, 429], "a network is one visitor"
    assert [of("8.8.8.8", name) for name in "bbccddee"] == [303] * 6 + [429] * 2, "eight a day in all"
    assert of("8.8.4.4", "e") == 303
