"""The browser under the page tests: real, and deaf to everything but loopback."""

import pytest
from fakes.fake_site import FakeSite, Reply
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
HTML = {"Content-Type": "text/html; charset=utf-8"}


def test_a_page_is_shown_and_its_scripts_run(page: Page) -> None:
    body = b"<!doctype html><title>Tide</title><p id=p>low</p><script>p.textContent = 'high \xe6\xbd\xae'</script>"
    with FakeSite({"/": Reply(body, headers=HTML)}) as site:
        page.goto(site.url + "/")
        assert page.title() == "Tide"
        assert page.inner_text("#p") == "high 潮"


def test_no_other_host_is_reached(chromium: Browser) -> None:
    """In a context of its own, since the `page` fixture fails a test that so much as asks."""
    with FakeSite({"/": Reply(b"<p>", headers=HTML)}) as site:
        page = chromium.new_page()
        page.goto(site.url + "/")
        ask = "url => fetch(url, {mode: 'no-cors'}).then(() => 'answered', () => 'refused')"
        assert page.evaluate(ask, "http://tidemark.example/") == "refused"
        assert page.evaluate(ask, site.url + "/again") == "answered"
        page.close()
