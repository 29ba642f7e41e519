"""The way of a vendor through the console in a real browser, from an invitation to a tombstone.

Site, workers and endpoint are real; a maintainer invites, decides on the cutoff and answers the dispute.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pyotp
import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from playwright.sync_api import Page, expect
from served import served
from standardwebhooks.webhooks import Webhook as Verifier
from support.batches import START
from support.commands import tidemark
from support.console import PASSWORD
from support.orders import PassingClock, context_over, site_of
from support.vendors import SECRET, Maintainer, infer, judge, publish, right, rows_of, show

from app.config import Settings
from app.services.vendors.submission_steps import advance_submissions
from workers import tasks, upkeep
from workers.context import Context, now, use

DAYS = 3


@pytest.fixture
def clock() -> PassingClock:
    return PassingClock(-timedelta(days=DAYS))


@pytest.fixture
def ctx(settings: Settings, clock: PassingClock) -> Iterator[Context]:
    with context_over(settings) as made:
        made.clock = clock
        yield made


@pytest.fixture
def url(ctx: Context, clock: PassingClock) -> Iterator[str]:
    app = site_of(ctx)
    app.state.web = replace(app.state.web, now=clock)
    with served(app) as address:
        yield address


def work(ctx: Context, step: Callable[[], object]) -> None:
    """Let workers do something, and move orders on; in another thread, since the browser's loop runs in this one."""

    def done() -> None:
        step()
        ctx.commit(advance_submissions, now())

    with ThreadPoolExecutor(1) as thread:
        thread.submit(done).result()


def fill(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        page.locator(f"main [name={name}]:visible").first.fill(value)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def under_v1(asked: Asked) -> Say:
    return right(asked) if asked.path.startswith("/v1/") else model_server.error(404, "no such page")


def join(page: Page, ctx: Context, url: str, clock: PassingClock) -> str:
    """Follow the link that the maintainer's command prints; returns the secret of the app."""
    said = tidemark(ctx.settings, "vendor", "invite", "acme", "eve@acme.example")
    use(ctx)  # the command has a context of its own
    token = re.findall(r"token=([\w-]+)", said.stdout)[0]
    page.goto(f"{url}/en/console/join?token={token}")
    fill(page, password=PASSWORD, again=PASSWORD)
    press(page, "Set the password")
    secret = page.locator("pre.raw").inner_text()
    fill(page, code=pyotp.TOTP(secret).at(clock.now))
    press(page, "Confirm")
    page.get_by_role("link", name="I have kept them").click()
    return secret


def sign_in(page: Page, secret: str, clock: PassingClock) -> None:
    """Sign in on the page to which an ended session leads."""
    code = pyotp.TOTP(secret).at(clock.now)
    fill(page, organisation="acme", email="eve@acme.example", password=PASSWORD, code=code)
    press(page, "Sign in")
    expect(page.get_by_role("heading", name="The way to a rank")).to_be_visible()


def decide(maintainer: Maintainer, path: str, action: str, reason: str) -> None:
    number = re.findall(r'name="subject" value="(\d+)"', maintainer.page(path))[0]
    assert maintainer.decide(action, number, reason).status_code == 200


def test_from_an_invitation_to_a_tombstone_in_the_console(
    page: Page, ctx: Context, url: str, clock: PassingClock
) -> None:
    publish(ctx)
    maintainer = Maintainer(ctx, url, "ada@example.org")
    main = page.locator("main")
    with ModelServer(under_v1) as server, ModelServer(Say(b"", 204)) as receiver:
        secret = join(page, ctx, url, clock)
        page.goto(f"{url}/en/console/models")
        fill(page, name="Orion", slug="orion", cutoff="2020-01-01", evidence="https://example.com/card")
        press(page, "Register the model")
        page.goto(f"{url}/en/console/webhooks")
        fill(page, url=receiver.url)
        press(page, "Create the webhook")
        press(page, "Show the secret")
        verifier = Verifier(page.locator(".console-secret pre").first.inner_text())

        # A wrong path, which the probe names; the right one passes.
        page.goto(f"{url}/en/console/endpoints")
        fill(page, remote_name="orion-1", base_url=server.url[:-3], secret=SECRET)
        press(page, "Register the endpoint")
        endpoint = int(re.findall(r"/endpoints/(\d+)", page.url)[0])
        here = f"{url}/en/console/endpoints/{endpoint}"
        probe = main.locator("form", has=page.locator("input[name=act][value=probe]")).get_by_role("button")
        probe.click()
        work(ctx, tasks.probe_endpoints)
        page.goto(here)
        expect(main).to_contain_text(f"base_url must end before /chat/completions; we called {server.url[:-3]}")
        change = main.locator("form", has=page.locator("input[name=act][value=change]"))
        change.locator("[name=base_url]").fill(server.url)
        change.locator("[name=secret]").fill(SECRET)
        change.get_by_role("button").click()
        page.goto(here)
        probe.click()
        work(ctx, tasks.probe_endpoints)
        page.goto(here)
        expect(main.locator("#live-probe")).not_to_contain_text("base_url must end")

        # A dry run, and the order under an embargo.
        page.goto(f"{url}/en/console/orders/new?endpoint={endpoint}")
        page.locator("#p-window").check()
        last = START + timedelta(days=30)
        embargo = clock.now + timedelta(days=DAYS - 1)
        fill(
            page,
            **{"from": f"{START:%Y-%m-%d}", "to": f"{last:%Y-%m-%d}", "embargo_until": f"{embargo:%Y-%m-%dT%H:%M}"},
        )
        press(page, "Check without ordering")
        expect(main.locator(".console-forecast")).to_be_visible()
        press(page, "Place the order")
        order = page.url.partition("?")[0]
        work(ctx, lambda: None)
        page.goto(order)
        expect(page.locator("#live-order")).to_have_attribute("data-events", re.compile("/events$"))
        work(ctx, lambda: infer(ctx, endpoint))
        work(ctx, lambda: judge(ctx))
        expect(page.locator("#progress")).to_have_attribute("value", "3", timeout=30_000)

        # The preview under the embargo; then publication, and the rank.
        work(ctx, show)
        page.goto(f"{order}/preview")
        expect(main).to_contain_text("100.0")
        assert rows_of(url) == {}
        clock.pass_time(days=DAYS)
        work(ctx, show)
        decide(maintainer, "/en/ops/cutoffs", "cutoff.accept", "read its card")
        work(ctx, tasks.aggregate)
        [row] = rows_of(url).values()
        assert (row["rank"], row["served"], row["score"]) == (1, 0, 100.0)
        work(ctx, upkeep.notify_vendors)
        told = [verifier.verify(asked.body, dict(asked.headers))["type"] for asked in receiver.asked]
        assert {"submission.embargoed", "submission.published", "cutoff.decided"} <= set(told)

        # A dispute and its answer; the withdrawal.
        page.goto(f"{url}/en/console/disputes")
        sign_in(page, secret, clock)  # days have passed
        page.goto(f"{url}/en/console/disputes")
        page.locator("#f-about").select_option("exposure")
        fill(page, text="No prompt was sent to us before.")
        press(page, "Open a dispute")
        dispute = page.url.partition("?")[0]
        decide(maintainer, "/en/ops/quarantine", "dispute.reject", "the log says otherwise")
        page.goto(dispute)
        expect(main).to_contain_text("the log says otherwise")
        page.goto(f"{url}/en/console/models/orion")
        form = main.locator("form", has=page.locator("input[name=act][value=withdraw]"))
        form.locator("[name=reason]").fill("A newer model took its place.")
        for box in form.locator("input[type=checkbox]").all():
            box.check()
        form.get_by_role("button").click()
        work(ctx, tasks.aggregate)
        assert rows_of(url) == {}
        page.goto(f"{url}/en/changes?kind=model.withdrawn")
        expect(main).to_contain_text("A newer model took its place.")
