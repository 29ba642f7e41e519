"""The console in a real browser: an invitation, an app, a key, and every page without a fault."""

import re

import pyotp
import pytest
from playwright.sync_api import Page, expect
from support.browser import check_accessible, without_scripts
from support.console import PASSWORD, Clock, invite_first

from app.db.kernel.session import SessionMaker

PATHS = (
    "", "/models", "/models/orion-1", "/endpoints", "/endpoints/1", "/orders", "/orders/new", "/webhooks", "/disputes",
    "/keys", "/members", "/usage", "/account",
)  # fmt: skip


def check_fits(page: Page) -> None:
    """The page shows whole, without scrolling sideways."""
    wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1], (page.url, wide)


def fill(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        page.locator(f"main [name={name}]:visible").fill(value)


def sign_up(page: Page, address: str, token: str, clock: Clock) -> str:
    """Follow an invitation as far as the console; returns the secret of the app."""
    page.goto(f"{address}/en/console/join?token={token}")
    check_accessible(page)
    fill(page, password=PASSWORD, again=PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    assert page.get_by_role("img", name="QR code").evaluate("image => image.naturalWidth") > 0
    check_accessible(page)
    secret = page.locator("pre.raw").inner_text()
    fill(page, code=pyotp.TOTP(secret).at(clock.now))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    check_accessible(page)
    page.get_by_role("link", name="I have kept them").click()
    expect(page.get_by_role("heading", name="The way to a rank")).to_be_visible()
    return secret


def test_a_person_joins_makes_a_key_and_orders(page: Page, address: str, clock: Clock, sessions: SessionMaker) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    secret = sign_up(page, address, invite_first(sessions, "acme", "ada@example.org"), clock)
    page.get_by_role("link", name="Models", exact=True).last.click()
    fill(page, name="Orion 1", slug="orion-1", cutoff="2026-01-31", evidence="https://example.com/card")
    page.get_by_role("button", name="Register the model").click()
    expect(page.get_by_role("status").first).to_contain_text("The model is registered")
    page.get_by_role("link", name="Endpoints", exact=True).click()
    fill(page, remote_name="orion-1", base_url="https://1.1.1.1/v1", secret="sk-0123456789", price_output="2.5")
    page.get_by_role("button", name="Register the endpoint").click()
    number = re.findall(r"/endpoints/(\d+)", page.url)[0]
    page.get_by_role("link", name="New order").click()
    expect(page.get_by_label("orion-1 · orion-1")).to_be_checked()
    page.get_by_role("button", name="Check without ordering").click()
    expect(page.get_by_text("Nothing was ordered")).to_be_visible()
    page.get_by_role("button", name="Place the order").click()
    expect(page.get_by_text("registered and queued")).to_be_visible()
    order = page.url.partition("/en/console")[2].partition("?")[0]
    page.get_by_role("link", name="Webhooks", exact=True).click()
    fill(page, url="https://1.1.1.1/hook")
    page.get_by_role("button", name="Create the webhook").click()
    webhook = page.url.partition("/en/console")[2].partition("?")[0]
    page.get_by_role("button", name="Send a test event").click()
    page.get_by_role("button", name="Show the secret").click()
    expect(page.locator(".console-secret pre")).to_contain_text("whsec_")
    check_accessible(page)
    page.get_by_role("link", name="Disputes", exact=True).click()
    fill(page, text="The model card states an earlier day.")
    page.get_by_role("button", name="Open a dispute").click()
    dispute = page.url.partition("/en/console")[2].partition("?")[0]
    page.get_by_role("link", name="Keys", exact=True).click()
    fill(page, name="nightly build")
    page.get_by_role("button", name="Create the key").click()
    expect(page.locator(".console-secret pre")).to_contain_text("tm_")
    check_accessible(page)
    page.get_by_role("link", name="Members", exact=True).click()
    fill(page, email="bea@example.org")
    page.get_by_role("button", name="Make the link").click()
    expect(page.locator(".console-secret pre")).to_contain_text("/console/join?token=")
    paths = [
        path.replace("/endpoints/1", f"/endpoints/{number}")
        for path in (*PATHS, order, f"{order}/items", webhook, dispute)
    ]
    for width, locale in ((1280, "en"), (390, "zh")):
        page.set_viewport_size({"width": width, "height": 844})
        for path in paths:
            page.goto(f"{address}/{locale}/console{path}")
            check_fits(page)
            check_accessible(page)
    page.set_viewport_size({"width": 1280, "height": 844})
    page.goto(f"{address}/en/console")
    page.get_by_role("button", name="Sign out").click()
    check_accessible(page)
    clock.pass_time(seconds=31)
    with without_scripts(page):
        fill(
            page, organisation="acme", email="ada@example.org", password=PASSWORD, code=pyotp.TOTP(secret).at(clock.now)
        )
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="The way to a rank")).to_be_visible()
    assert [line for line in said if "Failed to load resource" not in line] == []


@pytest.mark.parametrize("path", ["/sign-in", "/join?token=unknown"])
def test_pages_without_a_session_fit_a_phone(page: Page, address: str, path: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/zh/console{path}")
    check_fits(page)
    check_accessible(page)
