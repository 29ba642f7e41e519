"""A real Chromium. It sees loopback only, and a test fails when a page asks anybody else or throws."""

import json
import os
import re
import shutil
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, Request, sync_playwright

from support.missing import missing

ARTIFACTS = Path(__file__).resolve().parents[1] / "artifacts"
# How every page is looked through. Of what is no violation, axe names one element each: to name all takes longest.
AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]},
    "resultTypes": ["violations"],
}
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # One process for all pages: they come from one site, and to start one cold takes longer than to show a page.
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
_TURN = """async path => {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    const shown = new DOMParser().parseFromString(await answer.text(), "text/html").documentElement;
    history.replaceState(null, "", path);
    document.replaceChild(document.adoptNode(shown), document.documentElement);
    const styles = [...document.querySelectorAll("link[rel=stylesheet]")];
    await Promise.all(styles.map(each => each.sheet ?? new Promise(done => { each.onload = done; })));
}"""
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_failed = pytest.StashKey[bool]()


def find_chromium() -> str | None:
    """The browser to use: TIDEMARK_CHROMIUM, else the system's."""
    named = os.environ.get("TIDEMARK_CHROMIUM")
    found = (shutil.which(name) for name in ((named,) if named else _NAMES))
    return next((path for path in found if path), _MAC if sys.platform == "darwin" and Path(_MAC).exists() else None)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A running browser. Once a module, not a session: while it is open, no other event loop may run here."""
    path = find_chromium() or missing("chromium", "apt install chromium")
    with sync_playwright() as playwright:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=[*_FLAGS, *root])
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember failures, so that a page can keep what it showed."""
    report = yield
    if report.when == "call":
        item.stash[_failed] = report.failed
    return report


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    """The one page of a module: each new one is a process that starts cold, for a second of the processor."""
    context = chromium.new_context(locale="en-GB", timezone_id="UTC")
    yield context.new_page()
    context.close()


@pytest.fixture
def page(window: Page, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page as if just opened; after a failure its picture and its HTML lie in tests/artifacts."""
    window.goto("about:blank")
    window.context.clear_cookies()
    window.context.clear_permissions()
    window.set_viewport_size({"width": 1280, "height": 900})
    window.emulate_media(media="null", color_scheme="light", forced_colors="null", reduced_motion="null")
    outside: list[str] = []
    thrown: list[str] = []

    def note(asked: Request) -> None:
        parts = urlsplit(asked.url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in _LOOPBACK:
            outside.append(asked.url)

    def fell(error: Error) -> None:
        thrown.append(str(error))

    window.context.on("request", note)
    window.on("pageerror", fell)
    yield window
    window.context.remove_listener("request", note)
    window.remove_listener("pageerror", fell)
    if request.node.stash.get(_failed, False):
        ARTIFACTS.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.nodeid)[-120:]
        window.screenshot(path=ARTIFACTS / f"{name}.png", full_page=True)
        (ARTIFACTS / f"{name}.html").write_text(window.content())
    assert not outside, f"the page asked other hosts: {outside}"
    assert not thrown, f"the page's scripts threw: {thrown}"


def check_accessible(page: Page) -> None:
    """What axe has against a page: nothing. Only that is asked for: to hand over all it looked at takes as long."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("options => axe.run(document, options).then(each => each.violations)", AXE)
    assert found == [], f"{page.url}: {json.dumps(found, indent=1)}"


def turn_to(page: Page, path: str) -> None:
    """Show another page of the site, on which no script of the site acts, in the window as it is.

    What axe has compiled stays with it: of a small page that is most of the time that loading and checking take."""
    page.evaluate(_TURN, path)


@contextmanager
def without_scripts(page: Page) -> Iterator[None]:
    """No script of the site runs in what the page loads meanwhile."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        yield
    finally:
        devtools.send("Emulation.setScriptExecutionDisabled", {"value": False})
        devtools.detach()
