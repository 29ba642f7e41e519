"""Each way in which an endpoint fails an order: what the vendor sees within a minute, and how it recovers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from _pytest.mark import ParameterSet
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from served import served
from support.batches import SUM, batch, problem
from support.orders import PassingClock, site_of
from support.vendors import SECRET, Vendor, infer, judge, right, rows_of, show, trials_of

from app.domain.asking.completions import EndpointSpec
from app.services.runs import imports
from app.services.vendors.submission_steps import advance_submissions
from workers import asking, tasks
from workers.context import Context, now
from workers.inference.limiter import EndpointPace, pace_key
from workers.inference.shared_paces import SharedPaces

pytestmark = pytest.mark.usefixtures("published")

COUNT = 3  # problems


class QuickPace(EndpointPace):
    """A pace that rests a tenth of a second where the real one rests for up to two minutes."""

    def _count_failure(self, now: float, wait_s: float) -> None:
        super()._count_failure(now, wait_s)
        self.opens_at = min(self.opens_at, now + max(wait_s, 0.1))


class QuickPaces(SharedPaces):
    """Quick paces, with short waits between two tries of a request."""

    def of(self, endpoint: EndpointSpec) -> EndpointPace:
        self.backoff_s = 0.02
        self._known.setdefault(pace_key(endpoint), QuickPace(max(1, endpoint.max_concurrency), 0.05))
        return super().of(endpoint)


@pytest.fixture
def clock(ctx: Context) -> PassingClock:
    """The clock of the site and of workers, who wait less between two tries."""
    ctx.clock = made = PassingClock()
    ctx.parts[asking._paces] = QuickPaces(ctx.redis)
    return made


@pytest.fixture
def url(ctx: Context, clock: PassingClock) -> Iterator[str]:
    app = site_of(ctx)
    app.state.web = replace(app.state.web, now=clock)
    with served(app) as address:
        yield address


USAGE = {"prompt_tokens": 11, "completion_tokens": 20, "total_tokens": 31}
PROGRAM = f"```python\n{SUM}```"
STREAM = model_server.streamed(
    model_server.said(PROGRAM), model_server.said(finish_reason="stop"), model_server.USED, "[DONE]"
)


@dataclass(frozen=True)
class Failure:
    """What an endpoint says, the words of it that the vendor reads, and those of the fix; no fix where it may go on.

    `requests` is how many a probe sends. `ends` if what is said in the middle of an order stands as its results.
    """

    say: Say | None
    words: str
    fix: str | None
    requests: int = 1
    ends: bool = False


FAILURES = {
    "401": Failure(model_server.error(401, "wrong key"), "answered 401: wrong key", "with a key that it accepts"),
    "402": Failure(model_server.error(402, "no money"), "answered 402: no money", "add credit"),
    "404": Failure(model_server.error(404, "no page"), "answered 404: no page", "must end before /chat/completions"),
    "400": Failure(model_server.error(400, "odd"), "answered 400: odd", "says what it refused", 2, ends=True),
    "429": Failure(model_server.rate_limited("30"), "answered 429: slow down", "raise the rate limit"),
    "500": Failure(model_server.error(500, "boom"), "answered 500: boom", "log of the endpoint"),
    "HTML": Failure(model_server.html(), "answered HTML", "leads to a web page"),
    "cut body": Failure(
        Say(headers={"content-type": "application/json"}, pieces=[b'{"choices": ['], cut=True),
        "broke the connection", "send whole responses",
    ),
    "dropped": Failure(Say(drop=True), "broke the connection", "send whole responses"),
    "16 MiB": Failure(Say(b" " * 65536, endless=True), "answered more than 16 MiB", "are not read"),
    "hang": Failure(Say(stall=True), "did not answer within 1 s", "answer a plain question"),
    "empty": Failure(Say(), "no JSON", "in the format"),
    "closed port": Failure(None, "", "start the server", 0),
    "wrong path": Failure(None, "answered 404", "must end before /chat/completions"),
    "truncated": Failure(
        model_server.message("rea", finish_reason="length", usage=USAGE), "cut off after 20 tokens",
        "up to the limit", 2, ends=True,
    ),
    "slow": Failure(model_server.message(PROGRAM, delay_s=0.3), "", None, 2, ends=True),
    "prose": Failure(model_server.message("It depends.", usage=USAGE), "", None, 2, ends=True),
    "unasked SSE": Failure(STREAM, "", None, 2, ends=True),
}  # fmt: skip
WAITING = [name for name, failure in FAILURES.items() if failure.fix is not None]
GOING_ON = [name for name, failure in FAILURES.items() if failure.fix is None]
LASTING = [name for name, failure in FAILURES.items() if failure.say is not None and not failure.ends]
ENDING = ["400", "truncated"]
QUICK = {("401", False), ("500", False)}  # both ways of these are in every run


def each_way(names: list[str]) -> list[ParameterSet]:
    """Each failure, healed by itself and by one call; what takes long is slow."""
    return [
        pytest.param(
            name, called, id=f"{name} {'by one call' if called else 'by itself'}",
            marks=[] if (name, called) in QUICK or (called and name not in ("hang", "16 MiB")) else pytest.mark.slow,
        )
        for name in names for called in (False, True)
    ]  # fmt: skip


def is_prompt(asked: Asked) -> bool:
    """Whether a request holds a problem that counts, and not a question of a probe."""
    return "Reply with the one word" not in asked.last_message and "reads two integers from" not in asked.last_message


def sweep(ctx: Context, endpoint: int) -> None:
    """What all workers do at once."""
    ctx.commit(advance_submissions, now())
    tasks.probe_endpoints()
    ctx.commit(advance_submissions, now())
    infer(ctx, endpoint)
    judge(ctx)


def pass_minute(ctx: Context, clock: PassingClock, endpoint: int) -> None:
    """A little less than a minute of sweeps."""
    for _ in range(6):
        sweep(ctx, endpoint)
        clock.passed += timedelta(seconds=9)


def check_rank(ctx: Context, url: str, clock: PassingClock, vendor: Vendor, order: str, endpoint: int) -> None:
    """The order is published within an hour, by itself, and its row has the rank that it would have had."""
    for _ in range(30):
        sweep(ctx, endpoint)
        if vendor.state(order)["state"] == "judging":
            ctx.commit(advance_submissions, now())
        if vendor.state(order)["state"] == "published":
            break
        clock.passed += timedelta(minutes=2)
    show()
    assert vendor.state(order)["state"] == "published", vendor.state(order)
    [row] = rows_of(url).values()
    assert (row["rank"], row["served"], row["trials"], row["score"]) == (1, 0, 1, 100.0)
    assert trials_of(url)["hidden"] == []


@pytest.mark.parametrize(("name", "called"), each_way(WAITING))
def test_an_order_waits_for_its_vendor_without_a_prompt_and_goes_on(
    ctx: Context, url: str, clock: PassingClock, vendor: Vendor, name: str, called: bool
) -> None:
    failure, healed = FAILURES[name], list[bool]()
    path = "/wrong" if name == "wrong path" else ""

    def say(asked: Asked) -> Say:
        if "/wrong/" in asked.path:
            return model_server.error(404, "no page")
        return right(asked) if healed or failure.say is None else failure.say

    with ExitStack() as stack, ExitStack() as at_first:
        vendor.model()
        first = at_first.enter_context(ModelServer(say))
        if name == "closed port":
            at_first.close()
        endpoint = vendor.endpoint(first.url + path, timeout_s=1)
        order = vendor.submit(endpoint, probed=False)
        pass_minute(ctx, clock, endpoint)
        seen = vendor.state(order)
        assert (seen["state"], seen["owner"]) == ("preflight", "vendor")
        assert failure.words in seen["state_reason"]
        assert failure.fix is not None
        assert failure.fix in seen["state_reason"]
        assert seen["next_step"] == "see that your endpoint answers: what it failed is tried again by itself"
        assert seen["deadline"] is not None
        assert len(first.asked) == failure.requests, "one probe within a minute"
        clock.passed += timedelta(minutes=20)
        sweep(ctx, endpoint)
        assert len(first.asked) == 2 * failure.requests
        assert not any(is_prompt(asked) for asked in first.asked)
        healed.append(True)
        server = first
        if name == "closed port":
            server = stack.enter_context(ModelServer(say, port=first.port))
        if path:  # its vendor changes it, which is a call
            tag = {"If-Match": vendor.client.get(f"/endpoints/{endpoint}").headers["etag"]}
            change = {"base_url": server.url, "secret": SECRET}
            assert vendor.client.patch(f"/endpoints/{endpoint}", json=change, headers=tag).status_code == 200
        elif called:
            before = now()
            answer = vendor.post(f"/submissions/{order}/retry-failed")
            assert answer.status_code == 200, answer.text
            sweep(ctx, endpoint)
            assert vendor.state(order)["state"] == "generating", "at once"
            assert now() - before < timedelta(minutes=1)
        check_rank(ctx, url, clock, vendor, order, endpoint)
        assert sum(is_prompt(asked) for asked in server.asked) == COUNT


@pytest.mark.parametrize("name", GOING_ON)
def test_what_is_no_failure_is_a_warning_and_the_order_goes_on(
    ctx: Context, clock: PassingClock, vendor: Vendor, name: str
) -> None:
    with ModelServer(FAILURES[name].say or Say()) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint, probed=False)
        pass_minute(ctx, clock, endpoint)
        assert vendor.state(order)["state"] == "published"
        probe = vendor.get(f"/endpoints/{endpoint}/probe")
        fixes = [check["fix"] for check in probe["checks"] if check["status"] == "warned"]
        assert (probe["result"], all(fixes)) == ("passed", True)
        assert len(server.asked) == FAILURES[name].requests + COUNT


def answers_first(failure: Failure, healed: list[bool]) -> Callable[[Asked], Say]:
    """An endpoint that passes its probe and answers one prompt before it fails."""
    answered = list[bool]()

    def say(asked: Asked) -> Say:
        assert failure.say is not None
        if not healed and is_prompt(asked):
            answered.append(True)
        return right(asked) if healed or len(answered) <= 1 else failure.say

    return say


@pytest.mark.parametrize(("name", "called"), each_way(LASTING))
def test_a_failure_after_the_first_answer_is_shown_within_a_minute_and_costs_no_rank(
    ctx: Context, url: str, clock: PassingClock, vendor: Vendor, name: str, called: bool
) -> None:
    failure, healed = FAILURES[name], list[bool]()
    with ModelServer(answers_first(failure, healed)) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url, max_concurrency=1, timeout_s=1)
        order = vendor.submit(endpoint, probed=False)
        pass_minute(ctx, clock, endpoint)
        seen = vendor.state(order)
        assert (seen["failure"]["owner"], seen["failure"]["samples"]) == ("vendor", COUNT - 1)
        assert failure.words in seen["failure"]["reason"]
        clock.passed += timedelta(minutes=2)
        ctx.commit(advance_submissions, now())
        seen = vendor.state(order)
        assert (seen["state"] in {"stalled", "generating"}, seen["owner"]) == (True, "vendor")
        assert failure.words in seen["state_reason"]
        assert seen["next_step"]
        assert len(server.asked) <= 2 + 1 + 12 * (COUNT - 1)
        healed.append(True)
        if called:
            assert vendor.post(f"/submissions/{order}/retry-failed").status_code == 200
        check_rank(ctx, url, clock, vendor, order, endpoint)


@pytest.mark.parametrize("name", ENDING)
def test_what_the_endpoint_says_to_single_prompts_stands(
    ctx: Context, url: str, clock: PassingClock, vendor: Vendor, name: str
) -> None:
    """Otherwise a vendor could choose which of its answers count."""
    with ModelServer(answers_first(FAILURES[name], [])) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url, max_concurrency=1)
        order = vendor.submit(endpoint, probed=False)
        pass_minute(ctx, clock, endpoint)
        seen = vendor.state(order)
        assert seen["state"] == "published"
        assert seen["progress"]["no_answer"] == (COUNT - 1 if name == "400" else 0)
        assert len(server.asked) == 2 + COUNT
        show()
    [row] = rows_of(url).values()
    assert (row["rank"], row["served"], row["trials"]) == (1, 0, 1)


def test_an_order_of_which_requests_are_refused_one_after_another_waits_for_its_vendor(
    ctx: Context, url: str, clock: PassingClock, vendor: Vendor
) -> None:
    """Once something was answered, a new order would be a later trial."""
    given = (problem(number, source="atcoder") for number in range(5))
    ctx.commit(imports.store_batch, batch(*given, source="atcoder"), now())
    healed = list[bool]()
    with ModelServer(answers_first(FAILURES["400"], healed)) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url, max_concurrency=1)
        order = vendor.submit(endpoint, probed=False)
        for _ in range(3):
            pass_minute(ctx, clock, endpoint)
        seen = vendor.state(order)
        assert (seen["state"], seen["owner"], seen["state_reason"]) == ("stalled", "vendor", "answered 400: odd")
        assert len(server.asked) == 2 + 1 + 3
        healed.append(True)
        assert vendor.post(f"/submissions/{order}/retry-failed").status_code == 200
        for _ in range(3):
            pass_minute(ctx, clock, endpoint)
        assert vendor.state(order)["state"] == "published"
        show()
    [row] = rows_of(url).values()
    assert (row["rank"], row["n_problems"], row["trials"], trials_of(url)["hidden"]) == (1, 5, 1, [])
