"""`tidemark shots`: pictures of every kind of page, to look at."""

import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import httpx
import typer

from app.cli.parser import State
from app.config import settings_for_state
from app.domain.errors import NoObjects, Unavailable
from app.services.operations import access
from app.supervise import open_state
from app.supervise.state_folders import StateFolders
from workers.context import make_context, now, use

if TYPE_CHECKING:
    from playwright.sync_api import Browser, StorageState

LANGUAGES: Final = ("en", "zh")
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
WIDTHS: Final = {1280: 800, 390: 844}  # width to height of the window, in pixels
_LOAD_MS: Final = 60_000
_REQUEST_S: Final = 60.0
_LINK = re.compile(r'href="/en(/[^"#]*)"')
# Kinds of pages that no list names: the first link of each form on a page of another kind.
_LINKED_KINDS: Final = tuple(
    re.compile(form) for form in (r"/samples/\d+$", r"/compare\?", r"/snapshots/[0-9a-f]+$", r"/cite\?")
)
# Pages that the site map leaves out, as crawlers should.
_OTHERS: Final = (
    *(f"/?tab={name}" for name in ("cost", "trend", "grid", "skills", "rating")),
    "/compare", "/sampling", "/search?q=a", "/cite", "/login?token=none", "/nothing",
)  # fmt: skip
OPS_PAGES: Final = (
    "/ops", "/ops/activity", "/ops/quarantine", "/ops/drift", "/ops/rejudging", "/ops/runs", "/ops/contamination",
    "/ops/gpus", "/ops/setters", "/ops/tests", "/ops/cutoffs", "/ops/machinery",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """One way of seeing a page."""

    language: str
    theme: Literal["light", "dark"]
    width: int

    def file_name(self, path: str) -> str:
        """Return the name of a page's picture in this look."""
        words = re.sub(r"[^A-Za-z0-9]+", "-", path).strip("-")[:80] or "home"
        return f"{words}.{self.width}.{self.language}.{self.theme}.png"


def shots(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pictures go; it is made.")],
    state: State = None,
) -> None:
    """Take pictures of every kind of page of a running `up`.

    Both languages, both themes, 1280 and 390 pixels wide, whole pages; DIR/index.html shows them side by side.
    Maintainers' pages are included. Needs Chromium.
    """
    running = StateFolders.of(settings_for_state(state)).find_running()
    if running is None:
        raise NoObjects("Nothing is running. Start ./tidemark up first.")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise Unavailable("Chromium was not found. Install it: apt install chromium")
    with open_state(state, begun=True) as settings:
        token = use(make_context(settings)).commit(access.issue_login_link, now(), access.FIRST_MAINTAINER, None)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [*find_pages(running.url), *OPS_PAGES]
    from playwright.sync_api import sync_playwright  # half a second, and only this verb needs it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        session = _sign_in(browser, running.url, token)
        for look in _looks():
            _take(browser, running.url, session, look, paths, folder)
            print(f"{look.width} px, {look.language}, {look.theme}: {len(paths)} pages")
        browser.close()
    (folder / "index.html").write_text(_index(paths), encoding="utf-8")
    print(f"{len(paths) * len(list(_looks()))} pictures: {folder / 'index.html'}")


def _looks() -> Iterator[Look]:
    return (Look(language, theme, width) for width in WIDTHS for language in LANGUAGES for theme in THEMES)


def find_pages(site: str) -> list[str]:
    """Return one address of each kind of page, without the language: from the site map, and by links from those."""
    with httpx.Client(base_url=site, timeout=_REQUEST_S) as client:
        site_map = ET.fromstring(client.get("/sitemap.xml").raise_for_status().content)  # noqa: S314  # our own
        addresses = (urlsplit(loc.text or "").path for loc in site_map.findall(".//{*}loc"))
        listed = [path.removeprefix("/en") or "/" for path in addresses if path == "/en" or path.startswith("/en/")]
        pages = [*first_of_each_kind(listed), *_OTHERS]
        linked = [found for path in pages for found in _LINK.findall(client.get(f"/en{path}").text)]
    links = [link.replace("&amp;", "&") for link in linked]
    others = [next((link for link in links if form.match(link)), None) for form in _LINKED_KINDS]
    return [*pages, *(link for link in others if link is not None and link not in pages)]


def first_of_each_kind(paths: Iterable[str]) -> list[str]:
    """Return each address with one part or of a board, and the first address of each other kind."""
    kinds: dict[str, str] = {}
    for path in paths:
        parts = path.strip("/").split("/")
        listed = len(parts) == 1 or parts[0] in ("boards", "docs")
        kinds.setdefault(path if listed else parts[0] + "/", path)
    return list(kinds.values())


def _sign_in(browser: "Browser", site: str, token: str) -> "StorageState":
    """Return the cookies of a maintainer, from a one-time link."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site}/login?token={token}", timeout=_LOAD_MS)
    page.click("main button")
    page.wait_for_url("**/ops*", timeout=_LOAD_MS)
    cookies = context.storage_state()
    context.close()
    return cookies


def _take(
    browser: "Browser", site: str, cookies: "StorageState", look: Look, paths: Iterable[str], folder: Path
) -> None:
    """Save the pictures of all pages in one look."""
    context = browser.new_context(
        viewport={"width": look.width, "height": WIDTHS[look.width]}, color_scheme=look.theme, storage_state=cookies
    )
    page = context.new_page()
    for path in paths:
        page.goto(f"{site}/{look.language}{path}", wait_until="load", timeout=_LOAD_MS)
        page.screenshot(path=folder / look.file_name(path), full_page=True, timeout=_LOAD_MS)
    context.close()


def _index(paths: Iterable[str]) -> str:
    """Return a page with all pictures, a row for each address."""

    def row(path: str) -> str:
        pictures = "".join(
            f'<a href="{name}"><img src="{name}" alt="{name}" height="400" loading="lazy"></a> '
            for name in (look.file_name(path) for look in _looks())
        )
        return f"<h2>{escape(path)}</h2><p>{pictures}</p>\n"

    return '<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages</title>\n' + "".join(map(row, paths))
