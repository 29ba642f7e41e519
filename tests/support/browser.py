"""A real Chromium. It sees loopback only, and a test fails when a page asks anybody else or throws."""

import os
import re
import shutil
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

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
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
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


@pytest.fixture
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page in a context of its own; after a failure its picture and trace lie in tests/artifacts."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB", timezone_id="UTC")
    context.tracing.start(screenshots=False, snapshots=True)
    outside: list[str] = []
    thrown: list[str] = []

    def note(asked: Request) -> None:
        parts = urlsplit(asked.url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in _LOOPBACK:
            outside.append(asked.url)

    context.on("request", note)
    opened = context.new_page()
    opened.on("pageerror", lambda error: thrown.append(str(error)))
    yield opened
    if request.node.stash.get(_failed, False):
        ARTIFACTS.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.nodeid)[-120:]
        opened.screenshot(path=ARTIFACTS / f"{name}.png", full_page=True)
        context.tracing.stop(path=ARTIFACTS / f"{name}.zip")
    context.close()
    assert not outside, f"the page asked other hosts: {outside}"
    assert not thrown, f"the page's scripts threw: {thrown}"
